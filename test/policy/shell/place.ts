import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { factsOf } from "../../../src/graph/calls/call-facts.ts";
import type { CallFacts } from "../../../src/policy/types.ts";
import type { CommandPlace } from "../../../src/tools/shell/reading/command-place.ts";
import { readCommandLine } from "../../../src/tools/shell/reading/read-command-line.ts";

/** A project in a folder of its own, with what the vectors of this folder name. */
export function shellProject(): {
  root: string;
  place: CommandPlace;
  facts(line: string): Promise<CallFacts>;
  remove(): void;
} {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-line-")));
  const workspace = join(root, "ws");
  const files: Record<string, string> = {
    "a.txt": "a\n",
    "b.txt": "b\n",
    "a.sh": "echo a\n",
    Makefile: "all:\n\techo a\n",
    "sub/b.txt": "b\n",
    ".env": "SECRET=1\n",
    "AGENTS.md": "x\n",
    "package.json": JSON.stringify({ scripts: { test: "vitest run" } }),
    "bare/HEAD": "ref: refs/heads/main\n",
    "bare/config": "[core]\n\tworktree = .\n\tfsmonitor = evil\n",
    "bare/objects/info/packs": "",
    "bare/refs/heads/main": "",
    "nested/.git/HEAD": "ref: refs/heads/main\n",
    "nested/.git/config": "[core]\n\tfsmonitor = evil\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "",
    ".git/hooks/pre-commit": "",
    ".holdfast/policy.json": "{}",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  mkdirSync(join(root, "home/.config/holdfast"), { recursive: true });
  writeFileSync(join(root, "home/.config/holdfast/policy.json"), "{}");
  symlinkSync("../.git/config", join(workspace, "sub/link"));
  symlinkSync("../.git", join(workspace, "sub/gitlink"));
  symlinkSync("/etc/passwd", join(workspace, "sub/out"));
  const place: CommandPlace = {
    workspace,
    cwd: workspace,
    home: join(root, "home"),
    path: ["/usr/local/bin", "/usr/bin", "/bin"],
  };
  return {
    root,
    place,
    facts: async (line) => {
      const { commands } = await readCommandLine(line, place);
      return factsOf(
        { name: "shell", effect: "once" },
        { summary: line, cwd: workspace, command: line, commands },
        { workspace },
      );
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
