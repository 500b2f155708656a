import { join } from "node:path";
import type { ToolContext } from "../../../src/core/tool.ts";
import { pinRoots } from "../../../src/files/pinned-roots.ts";
import { prepareCall } from "../../../src/graph/calls/prepare.ts";
import type { Preparation } from "../../../src/graph/calls/prepared-call.ts";
import type { Policy, Rule } from "../../../src/policy/types.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import type { Wanted } from "./corpus.ts";
import type { Tree } from "./tree.ts";

const rule = (path: string, decision: Rule["decision"]): Rule => ({
  tool: "read_file",
  paths: [path],
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
});

/** What a line comes to, and why. */
export interface Judged {
  is: Wanted;
  why: string;
  prepared: Preparation;
}

/** Judges lines as a session of the tree does: the tool itself, in the mode ask, with a rule that denies and one that asks. */
export function judgeOf(tree: Pick<Tree, "workspace" | "home">, sandbox: "required" | "off", scratch?: string) {
  const { workspace, home } = tree;
  // The same programs on each machine, as far as there are any: no versions of a home's tool chains.
  const env = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };
  const shell = { sandbox, env, ...(scratch === undefined ? {} : { scratch }) };
  const tools = createDefaultTools({ workspace, shell });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("there is no shell");
  const policy: Policy = {
    rules: [rule("private/**", "deny"), rule("asked/**", "ask")],
    grants: [],
    mode: "ask",
    sealed: { roots: [join(home, ".config/holdfast")] },
  };
  const pins = pinRoots(workspace);
  const context = (): ToolContext => createToolContext({ workspace, pins, cwd: workspace, callId: "c1" });
  return {
    judge: async (command: string): Promise<Judged> => {
      const prepared = await prepareCall(tool, { command }, context(), policy);
      if (prepared.kind === "refused") return { is: "refuse", why: prepared.message, prepared };
      const { decision, why } = prepared.verdict;
      return { is: decision === "allow" ? "free" : decision === "ask" ? "ask" : "refuse", why, prepared };
    },
    dispose: async () => {
      for (const one of tools) await one.dispose?.();
      pins.close();
    },
  };
}
