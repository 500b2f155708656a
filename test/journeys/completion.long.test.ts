import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { openPty, type Pty } from "../support/pty.ts";

type Shell = "bash" | "zsh" | "fish";

const installed = (shell: Shell): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, shell)));
const all: Shell[] = ["bash", "zsh", "fish"];
const shells = all.filter(installed);
const absent = all.filter((shell) => !shells.includes(shell));

/** How a shell is begun that knows the command and its words, and nothing of the person's own. */
const begins: Record<Shell, { args: string[]; setUp: string }> = {
  bash: { args: ["--norc", "--noprofile", "-i"], setUp: `eval "$(agent completion bash)"; PS1='ready> '` },
  // Its own key for Tab, expand-or-complete, runs what is in $(…) for any command before it asks any completion.
  zsh: {
    args: ["-f", "-i"],
    setUp: `bindkey '^I' complete-word; autoload -Uz compinit; compinit -D -u; eval "$(agent completion zsh)"; PS1='ready> '`,
  },
  fish: {
    args: ["--no-config", "-i"],
    setUp: "agent completion fish | source; function fish_prompt; echo 'ready> '; end",
  },
};

async function openShell(place: Place, shell: Shell): Promise<Pty> {
  const bin = join(place.home, "bin");
  await mkdir(bin, { recursive: true });
  const program = agentCommand.map((word) => `'${word}'`).join(" ");
  await writeFile(join(bin, "agent"), `#!/bin/sh\nexec ${program} "$@"\n`);
  await chmod(join(bin, "agent"), 0o755);
  const { args, setUp } = begins[shell];
  const pty = openPty({
    command: shell,
    args,
    cwd: place.workspace,
    cols: 120,
    env: { ...place.env, PATH: `${bin}${delimiter}${process.env["PATH"]}`, INPUTRC: "/dev/null" },
  });
  onTestFinished(() => pty.close());
  pty.type(`${setUp}\r`);
  await pty.waitFor((one) => one.screen().some((row) => row.startsWith("ready>")));
  return pty;
}

/** Types, presses Tab, and waits for the line to say it. */
async function completes(pty: Pty, typed: string, line: string | RegExp): Promise<void> {
  pty.type(typed);
  pty.key("tab");
  await pty.waitFor(line);
}

const clear = (pty: Pty): void => pty.key("ctrl-e", "ctrl-u");

describe(`completion in ${shells.join(", ")}${absent.length === 0 ? "" : ` (not installed here: ${absent.join(", ")})`}`, () => {
  it.each(shells)("%s completes commands, flags, sessions, calls, tools and files", async (shell) => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "" })], {
      "deep/some.ndjson": "",
    });
    const { session } = await place.json(["run", "write it"]);
    const pty = await openShell(place, shell);
    await completes(pty, "agent resu", "agent resume ");
    await completes(pty, session.slice(0, 5), `agent resume ${session} `);
    await completes(pty, "--appr", `agent resume ${session} --approve `);
    await completes(pty, "c", `agent resume ${session} --approve c1 `);
    clear(pty);
    await completes(pty, "agent policy check wri", "agent policy check write_file ");
    clear(pty);
    await completes(pty, "agent -m script:de", "agent -m script:deep/");
    await completes(pty, "so", "agent -m script:deep/some.ndjson ");
  });

  it.each(shells)("%s runs nothing of what is typed, and quotes what it puts on the line", async (shell) => {
    const place = await openPlace([says("Hi.")]);
    await place.json(["run", "hi $(touch made-by-a-title)"]);
    const hostile = ["x;touch made1", "y$(touch made2)", "z`touch made3`", "w two words"];
    const ends = ["made1", "made2", "made3", "words"];
    for (const name of hostile) await place.write(name, "");
    const before = (await readdir(place.workspace)).sort();
    const pty = await openShell(place, shell);
    for (const typed of ["$(touch made4)", "$(touch made5", "`touch made6`", "'$(touch made7)", "a;touch\\ made8"]) {
      pty.type(`agent resume ${typed}`);
      pty.key("tab", "tab");
      clear(pty);
    }
    for (const [at, name] of hostile.entries()) {
      pty.type(`agent sessions export none -o ${name[0]}`);
      pty.key("tab");
      await pty.waitFor((one) =>
        one.screen().some((row) => row.includes(` ${name[0]}`) && row.includes(ends[at] ?? "")),
      );
      pty.key("enter");
      await pty.waitFor((one) => one.scrollback().join("").split('no session "none"').length === at + 2);
    }
    pty.type("echo all is; echo done\r");
    await pty.waitFor(/^done$/m);
    expect((await readdir(place.workspace)).sort()).toEqual(before);
  });
});

it("answers without a home, and makes none", async () => {
  const place = await openPlace();
  const home = join(place.home, "none");
  const ran = await place.spawn(["complete", "fish", "--", "resume", ""], { env: { AGENT_HOME: home } }).done;
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(existsSync(home)).toBe(false);
  await symlink("/nowhere", place.path("link"));
  const words = await place.spawn(["complete", "fish", "--", "sessions", "show", "--"]).done;
  expect(words.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual([
    "--json",
    "--utc",
    "--calls",
    "--diff",
    "",
  ]);
});

it("is refused for another shell, by name", async () => {
  const ran = await (await openPlace()).run(["completion", "tcsh"]);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain('for bash, zsh and fish, not for "tcsh"');
});
