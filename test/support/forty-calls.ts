import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentCommand } from "./agent-command.ts";
import { openPty, type Pty } from "./pty.ts";

/* A session as people have them: it explores, finds a fault, mends it, tests, and commits; forty calls. */

type Call = [tool: string, args: object];

const shell = (command: string): Call => ["shell", { command }];
const edit = (file_path: string, old_string: string, new_string: string): Call => [
  "edit_file",
  { file_path, old_string, new_string },
];

const files = {
  "package.json": `${JSON.stringify({ name: "prices", type: "module", scripts: { test: "node --test test/" } }, null, 2)}\n`,
  "README.md": "# prices\n\nSums of money, in cents.\n",
  "src/sum.mjs": "export const sum = (items) => items.reduce((all, one) => all + one.cents, 1);\n",
  "src/text.mjs": "export const text = (cents) => '$' + cents / 100;\n",
  "src/index.mjs":
    "import { sum } from './sum.mjs';\nimport { text } from './text.mjs';\nexport const total = (items) => text(sum(items));\n",
  "test/sum.test.mjs":
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.mjs';\n" +
    "test('sums', () => assert.equal(sum([{ cents: 1 }, { cents: 2 }]), 3));\n",
  ".gitignore": "node_modules\n",
};

const trial = "const all = [1, 2].reduce((sum, one) => sum + one, 0);\nconsole.log('by hand', all);\n";
const money = "const text = (cents) => '$' + (cents / 100).toFixed(2);\nconsole.log(text(5), text(1200));\n";

/** What the model asks for, a request each. */
export const fortyCalls: readonly Call[] = [
  ["ls", {}],
  shell("git status -sb && git log --oneline -5"),
  ["read_file", { file_path: "package.json" }],
  shell("find . -name '*.mjs' -not -path './node_modules/*' | sort"),
  ["read_file", { file_path: "src/index.mjs" }],
  shell("cat README.md src/*.mjs"),
  shell("grep -rn 'cents' src test"),
  ["grep", { pattern: "reduce" }],
  shell("wc -l src/*.mjs test/*.mjs"),
  shell("node --version && git branch -a"),
  shell("npm test"),
  ["read_file", { file_path: "src/sum.mjs" }],
  ["read_file", { file_path: "test/sum.test.mjs" }],
  shell("git log -p -2 -- src/sum.mjs"),
  shell("git blame src/sum.mjs"),
  ["write_file", { file_path: "try/by-hand.mjs", content: trial }],
  shell("node try/by-hand.mjs"),
  edit("src/sum.mjs", "one.cents, 1)", "one.cents, 0)"),
  shell("npm test"),
  shell("git diff"),
  ["glob", { pattern: "**/*.test.mjs" }],
  ["read_file", { file_path: "src/text.mjs" }],
  ["write_file", { file_path: "try/money.mjs", content: money }],
  shell("node try/money.mjs"),
  edit("try/money.mjs", "text(1200)", "text(1200), text(0)"),
  shell("node try/money.mjs | head -5"),
  edit("src/text.mjs", "cents / 100", "(cents / 100).toFixed(2)"),
  [
    "write_file",
    {
      file_path: "test/text.test.mjs",
      content:
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { text } from '../src/text.mjs';\n" +
        "test('shows cents', () => assert.equal(text(5), '$0.05'));\n",
    },
  ],
  shell("npm test 2>&1 | tail -20"),
  shell("git diff --stat"),
  shell("rg -n 'toFixed' src || grep -rn toFixed src"),
  ["read_file", { file_path: "test/text.test.mjs" }],
  edit("README.md", "in cents.", "in cents, shown with two digits."),
  shell("head -20 README.md"),
  shell("npm test"),
  shell("git status --short"),
  shell("git diff -- README.md src"),
  shell("git add README.md src test && git commit -q -m 'Sums begin at nothing; two digits are shown'"),
  shell("git log --oneline -3"),
  shell("git show --stat HEAD"),
];

/** How a person has it. `rules` is their policy.json. */
export interface Having {
  flags?: readonly string[];
  rules?: readonly object[];
  /** The mode stays as it is: edits are answered one by one. */
  keepsMode?: boolean;
}

interface Forty {
  asked: string[];
  /** A line each, with what came of the call. Empty where each was a success. */
  failed: string;
}

/**
 * Plays it over the built command in a folder of its own, in a chat of lines. Each question gets the widest answer that the dialog offers for
 * it: edits from now on, what the session writes, the session, else once.
 * @returns the answers, a question each, and the calls that were no success
 */
export async function playForty(root: string, { flags = [], rules = [], keepsMode = false }: Having): Promise<Forty> {
  const [workspace, home] = [join(root, "work"), join(root, "home")];
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  mkdirSync(home);
  if (rules.length > 0) writeFileSync(join(home, "policy.json"), JSON.stringify({ rules }));
  for (const words of [
    "init -q -b main",
    "config user.name T",
    "config user.email t@example.com",
    "add -A",
    "commit -qm one",
  ])
    spawnSync("git", words.split(" "), { cwd: workspace });
  const lines = fortyCalls.map(([name, args]) => ({ calls: [{ name, arguments: args }] }));
  const script = join(root, "script.ndjson");
  const head = { v: 1, kind: "holdfast-script" };
  writeFileSync(script, `${[head, ...lines, { text: "All is done." }].map((one) => JSON.stringify(one)).join("\n")}\n`);
  const [command, program] = agentCommand;
  const env = { PATH: process.env["PATH"], HOME: root, AGENT_HOME: home };
  const told = (...words: string[]): string =>
    execFileSync(command, [program, ...words, "--json"], { cwd: workspace, env, encoding: "utf8" });
  const pty = openPty({
    command,
    args: [program, "chat", "mend it", "-m", `script:${script}`, "--max-steps", "60", ...flags],
    cwd: workspace,
    env: { ...env, HOLDFAST_SCREEN_READER: "1" },
    cols: 240,
    rows: 60,
  });
  try {
    const asked = await answered(pty, keepsMode ? ways.slice(1) : ways);
    const { id } = JSON.parse(told("sessions", "list")) as { id: string };
    return { asked, failed: failedIn(told("sessions", "show", id)) };
  } finally {
    await pty.close();
  }
}

function failedIn(shown: string): string {
  const rows = shown
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row) as { call?: { status: string } });
  return rows
    .flatMap(({ call }) => (call === undefined || call.status === "success" ? [] : [JSON.stringify(call)]))
    .join("\n");
}

const ways: readonly [offer: RegExp, answer: string][] = [
  [/m, mode/u, "m"],
  [/w, written/u, "w"],
  [/s, session/u, "s"],
];

async function answered(pty: Pty, answers: typeof ways): Promise<string[]> {
  const asked: string[] = [];
  const textOf = (one: Pty): string => one.scrollback().join("\n");
  const questions = (one: Pty): string[] => textOf(one).split("What now? Type one of these").slice(1);
  for (;;) {
    await pty.waitFor((one) => questions(one).length > asked.length || textOf(one).includes("All is done."));
    const question = questions(pty)[asked.length];
    if (question === undefined) return asked;
    await pty.waitFor((one) => /\n>\s*$/u.test(textOf(one).trimEnd()));
    const offers = questions(pty)[asked.length] ?? "";
    const [, answer] = answers.find(([offer]) => offer.test(offers)) ?? [/y/u, "y"];
    asked.push(answer);
    pty.type(`${answer}\r`);
  }
}
