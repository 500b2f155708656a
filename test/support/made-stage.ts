import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { sha256 } from "../../src/core/json.ts";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { tempTree } from "../tools/temp-tree.ts";

const files = {
  "package.json": '{ "name": "p" }\n',
  "data.csv": "1,2\n",
  ".env": "SECRET of .env\n",
  "src/theirs.mjs": "console.log('THEIRS');\n",
  "lib.sh": "echo THEIRS\n",
  "node_modules/left/index.js": "console.log('THEIRS');\n",
  ".git/HEAD": "ref: refs/heads/main\n",
};

/** A rule about reading these. */
export const rule = (paths: string[], decision: Rule["decision"]): Rule => ({
  tool: "read_file",
  paths,
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
});

/** A session's shell in a folder of its own that counts these files as made by it. */
export function madeStage({
  isOn = true,
  policy = {} as Partial<Policy>,
  shell = {} as object,
  workspace = tempTree(files),
} = {}) {
  const scratch = tempTree();
  const tools = createDefaultTools({ workspace, shell: { sandbox: "required", scratch, ...shell } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  const made = new Map<string, string>();
  const write = (name: string, text: string, mode = 0o644): string => {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    made.set(path, sha256(Buffer.from(text)));
    return path;
  };
  const rules = policy.rules ?? [];
  const on = isOn ? { autoSandbox: true as const } : {};
  const all: Policy = { grants: [], mode: "ask", sealed: { roots: [] }, ...on, ...policy, rules };
  const prepare = (command: string, more = {}) =>
    prepareCall(
      tool,
      { command, ...more },
      { ...createToolContext({ workspace, pins, cwd: workspace, callId: "c1" }), made: () => made },
      all,
    );
  const judge = async (command: string, more = {}) => {
    const prepared = await prepare(command, more);
    if (prepared.kind !== "ready") return prepared.kind;
    return prepared.plan.apart === true ? `apart ${prepared.verdict.decision}` : prepared.verdict.decision;
  };
  const run = async (command: string, more = {}) => {
    const prepared = await prepare(command, more);
    if (prepared.kind !== "ready" || prepared.verdict.decision !== "allow" || prepared.plan.apart !== true)
      throw new Error(`${prepared.kind === "ready" ? prepared.verdict.why : prepared.kind}: ${command}`);
    return resultOf(await prepared.run(AbortSignal.timeout(30_000)));
  };
  return { workspace, scratch, made, write, prepare, judge, run };
}
