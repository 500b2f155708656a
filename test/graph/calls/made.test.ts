import { expect, it } from "vitest";
import type { ToolCallInfo } from "../../../src/core/call.ts";
import type { FilePlan, Plan } from "../../../src/core/tool.ts";
import { madeFiles } from "../../../src/graph/calls/made.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { tempTree } from "../../tools/temp-tree.ts";

type Step = [tool: string, before: string | null, after: string | null, more?: object];

/** The files of a session with these calls on `/w/a`, c1 the first. */
function madeBy(steps: readonly Step[], { copiedTo, own }: { copiedTo?: string; own?: string } = {}) {
  const tools = createDefaultTools({ workspace: tempTree() });
  const calls = steps.map(([toolName, , , more], at) => ({
    ...{ callId: `c${at + 1}`, toolName, status: "success", by: { actor: "policy" } },
    ...more,
  }));
  const planOf = (callId: string): Plan => {
    const [, before = null, after = null] = steps[Number(callId.slice(1)) - 1] ?? [];
    return { summary: "", cwd: "/w", files: [{ real: "/w/a", before, after } as FilePlan] };
  };
  const found = (name: string) => tools.find((tool) => tool.name === name);
  return madeFiles({
    journal: { allCalls: () => calls as unknown as ToolCallInfo[], planOf },
    catalogue: { get: (name: string) => (name === own ? { ...found(name) } : found(name)) } as never,
    ...(copiedTo === undefined ? {} : { copiedTo }),
  }).get("/w/a");
}

const write: Step = ["write_file", null, "one"];

it.each<[string, Step[], object, string | undefined]>([
  ["a write of a new file", [write], {}, "one"],
  ["a write over a file that was there", [["write_file", "old", "one"]], {}, "one"],
  ["a write of just what was there", [["write_file", "one", "one"]], {}, undefined],
  ["a write of what it had written already", [write, ["write_file", "one", "one"]], {}, "one"],
  [
    "a write of just what it was edited to",
    [
      ["edit_file", "old", "one"],
      ["write_file", "one", "one"],
    ],
    {},
    undefined,
  ],
  ["an edit of what was written", [write, ["edit_file", "one", "two"]], {}, "two"],
  ["an edit of a file that was there", [["edit_file", "old", "two"]], {}, undefined],
  ["an edit of what somebody else made of it meanwhile", [write, ["edit_file", "other", "two"]], {}, undefined],
  ["an edit that was denied", [write, ["edit_file", "one", "two", { status: "cancelled" }]], {}, "one"],
  ["an edit that failed", [write, ["edit_file", "one", "two", { status: "error" }]], {}, undefined],
  ["a write that failed", [["write_file", null, "one", { status: "error" }]], {}, undefined],
  ["a write that waits", [["write_file", null, "one", { status: "awaiting_approval" }]], {}, undefined],
  ["a write that was not seen to end", [["write_file", null, "one", { status: "interrupted" }]], {}, undefined],
  [
    "one of which the person says so",
    [["write_file", null, "one", { by: { actor: "person", rule: "recovery" } }]],
    {},
    undefined,
  ],
  ["one that bytes show", [["write_file", null, "one", { by: { actor: "recovery", rule: "evidence" } }]], {}, "one"],
  ["a write that was undone", [write, ["undo", "one", null]], {}, undefined],
  ["a change by another tool", [write, ["frob", "one", "two"]], {}, undefined],
  ["a tool that took the name", [write], { own: "write_file" }, undefined],
  ["a call that a fork brought along", [write], { copiedTo: "c1" }, undefined],
  ["a call of the fork itself", [write, ["write_file", "one", "two"]], { copiedTo: "c1" }, "two"],
  ["a fork whose last call is not found", [write], { copiedTo: "c9" }, undefined],
])("%s", (_, steps, more, wanted) => {
  expect(madeBy(steps, more)).toBe(wanted);
});
