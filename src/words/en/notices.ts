import { room } from "../room.ts";

/** The notices to the person before the first message. */
export const notices = room("notices", {
  clearText: ({ host }: { host: string }) =>
    `the model server ${host} is spoken to by http://: whoever is on the way can read the key and all that is said`,
  agentLeftOut: ({ name, why }: { name: string; why: string }) => `${name} is left out: ${why}`,
  noSandbox:
    "commands run without a sandbox: bubblewrap (bwrap) is not installed. With it lines that only read need no question either where they go through folders or show what git keeps (grep -r, find, rg, git diff), scripts that the session wrote may run by one answer, and other commands write in the workspace alone",
  dropped: ({ entries }: { entries: readonly string[] }) =>
    `commands do not get these entries of PATH, which are relative or lie in the workspace: ${entries.join(", ")}. shellPath in your config.json lets a folder in`,
  hooksIgnored:
    "this project's settings name hooks; none of them is run: hooks are yours alone, in your own config.json",
  untrusted: ({ bound, trusting }: { bound: readonly string[]; trusting: string }) =>
    `of this project not in effect until you trust it: ${bound.join("; ")}. To read its files and trust them: ${trusting}`,
  answersIgnored: ({ answers }: { answers: number }) =>
    `the script brings ${answers} ${answers === 1 ? "answer" : "answers"} for you: not used without --answers`,
  /** The places of settings that no tool has. */
  ofUser: " of config.json",
  ofProject: " of the project's .holdfast/config.json",
  wideMode: ({ mode, workspace }: { mode: string; workspace: string }) =>
    `the mode ${mode} is not for ${workspace}: it would change unasked what starts with your session`,
  wideHint: "name the project's folder: -C DIR",
});
