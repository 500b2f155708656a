import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/provenance.ts. */
export const helpProvenance = room("helpProvenance", {
  /** `needs`: what goes with --verify alone. */
  unfit: ({ flag, needs }: { flag: string; needs: boolean }) =>
    `--${flag} ${needs ? "needs" : "does not go with"} --verify`,
  blame: {
    text: "which call wrote each line of a file, and who approved it",
    note: "A line is a call's where the record and the bytes show it: through later edits, undo and\nmoves. All else is not the agent's.",
    examples: [
      ["agent blame src/app.ts", "each line with its call, model and approval"],
      ["agent blame src/app.ts --json", "an object for each run of lines"],
    ],
  },
  log: {
    text: "what calls did in a file, newest first",
    examples: [
      ["agent log src/app.ts", "each change with its call, model and approval"],
      ["agent log gone.ts --json", "also of a file that is not there any more"],
    ],
  },
  attest: {
    text: "a statement of which lines of a commit are approved calls' bytes",
    note: "It is an in-toto statement about the lines that the commit added; signed, it is sealed as\nDSSE by ssh-keygen. What it says of approvals is the signer's word, as the record has it.",
    examples: [
      ["agent attest --key ~/.ssh/id_ed25519 -o attest.json", "of HEAD, signed"],
      [
        "agent attest --verify attest.json --signers .github/signers HEAD",
        "for CI: exits with 1 where anything differs",
      ],
    ],
    options: {
      signers: "with --verify: whose signatures count, as ssh-keygen's allowed signers",
      verify: "check this statement against the commit",
      output: "into a new file (default: stdout)",
      key: "sign with this key; with a passphrase by its .pub file through the agent",
    },
  },
} satisfies Record<string, CommandHelp | ((about: never) => string)>);
