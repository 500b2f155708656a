import { describe, expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { ErrorCode } from "../../src/core/codes.ts";
import { afterStep, atFirst, type Getting, type StepEnd } from "../../src/graph/stuck.ts";

const base = { modelCallId: "", risk: "low", effect: "none", attempt: 1, times: { proposed: 0 } } as const;

const failed = (toolName: string, errorCode: ErrorCode, args: object = {}): ToolCallInfo =>
  ({ ...base, callId: "c", toolName, arguments: args, status: "error", errorCode, errorMsg: "no" }) as ToolCallInfo;

const done = (toolName = "ls", args: object = {}): ToolCallInfo =>
  ({ ...base, callId: "c", toolName, arguments: args, status: "success", result: { output: "" } }) as ToolCallInfo;

const denied: ToolCallInfo = {
  ...base,
  ...{ callId: "c", toolName: "shell", arguments: {}, status: "cancelled" },
  ...{ by: { actor: "policy" }, ended: { why: "policy" } },
} as ToolCallInfo;

const step = (...calls: ToolCallInfo[]): StepEnd => ({ calls, changed: false, spoken: false });

/** After which step, from 1, the model is told, and after which the turn is stuck; 0 for never. */
function ends(steps: readonly StepEnd[]): { told: number[]; stuck: number } {
  const told: number[] = [];
  let getting: Getting = atFirst;
  for (const [index, end] of steps.entries()) {
    getting = afterStep(getting, end);
    if (getting.stuck) return { told, stuck: index + 1 };
    if (getting.told.length > 0) told.push(index + 1);
  }
  return { told, stuck: 0 };
}

const times = (count: number, make: (index: number) => StepEnd): StepEnd[] =>
  Array.from({ length: count }, (_, i) => make(i));
const read = (file: string) => failed("read_file", "NOT_FOUND", { file_path: file });
const edit = (index: number) => failed("edit_file", "NOT_UNIQUE", { old_string: `${index}` });

describe("a turn is stuck", () => {
  it.each<[string, StepEnd[], { told: number[]; stuck: number }]>([
    ["by the third equal failing call in a row", times(9, () => step(read("a"))), { told: [], stuck: 3 }],
    [
      "by the third time-out in a row, of whatever tools",
      times(9, (i) => step(failed(`t${i}`, "TIMEOUT"))),
      { told: [], stuck: 3 },
    ],
    [
      "by a tool's fifth failure with one code, told at the third",
      times(9, (i) => step(edit(i))),
      { told: [3], stuck: 5 },
    ],
    [
      "though other calls go well between",
      times(9, (i) => step(...(i % 2 === 0 ? [edit(i)] : [done()]))),
      { told: [5], stuck: 9 },
    ],
    [
      "by failures before and after a success of the tool, where each row of them is long enough",
      [...times(4, (i) => step(edit(i))), step(done("edit_file")), ...times(9, (i) => step(edit(i)))],
      { told: [3, 8], stuck: 10 },
    ],
    [
      "by equal failing calls in a row, whatever the tool did before",
      [...times(9, (i) => step(done("read_file", { i }))), ...times(9, () => step(read("a")))],
      { told: [], stuck: 12 },
    ],
    [
      "by equal failing calls in a row, beside which the tool succeeds",
      times(9, (i) => step(read("a"), done("read_file", { i }))),
      { told: [], stuck: 3 },
    ],
    [
      "by time-outs in a row, beside which the tool succeeds",
      times(9, (i) => step(failed("web_fetch", "TIMEOUT", { i }), done("web_fetch", { i }))),
      { told: [], stuck: 3 },
    ],
    [
      "by tools that are not there, whatever goes well",
      times(20, (i) => step(i % 2 === 0 ? failed(`t${i}`, "UNKNOWN_TOOL") : done(`t${i - 1}`))),
      { told: [5], stuck: 9 },
    ],
    ["though a harmless call comes with each", times(9, () => step(read("a"), done())), { told: [], stuck: 3 }],
    ["by two failing calls in turn", times(9, (i) => step(read(i % 2 === 0 ? "a" : "b"))), { told: [3], stuck: 5 }],
    [
      "by two failing tools in turn",
      times(20, (i) => step(i % 2 === 0 ? read("a") : failed("ls", "NOT_FOUND"))),
      { told: [5, 6], stuck: 9 },
    ],
    [
      "by tools that are not there, whatever their names",
      times(9, (i) => step(failed(`t${i}`, "UNKNOWN_TOOL"))),
      { told: [3], stuck: 5 },
    ],
    [
      "by a call whose arguments cannot be read",
      times(9, () => step({ ...failed("ls", "INVALID_ARGUMENT"), rawArguments: "{" } as ToolCallInfo)),
      { told: [], stuck: 3 },
    ],
  ])("%s", (_, steps, end) => {
    expect(ends(steps)).toEqual(end);
  });

  it.each<[string, StepEnd[]]>([
    [
      "by equal calls that go well: asking again for something that goes on",
      times(60, () => step(done("shell_output", { id: "c1" }))),
    ],
    ["by what was denied", times(60, () => step(denied))],
    ["by files that others save meanwhile", times(60, () => step(failed("edit_file", "STALE")))],
    ["by calls that the person stops", times(60, () => step(failed("shell", "CANCELLED")))],
    [
      "by a message of many equal calls: they count as one",
      [step(read("a"), read("a"), read("a"), read("a"), read("a"))],
    ],
    [
      "where a file is changed in between",
      times(60, (i) => ({ ...step(...(i % 3 === 2 ? [done("edit_file")] : [edit(i)])), changed: i % 3 === 2 })),
    ],
    [
      "where a file is changed by the same messages",
      times(60, () => ({ ...step(read("a"), done("edit_file")), changed: true })),
    ],
    [
      "by a tool that finds most of what it looks for",
      times(60, (i) => step(i % 3 === 0 ? read(`${i}`) : done("read_file"))),
    ],
    ["by a tool that finds some of it in each message", times(60, (i) => step(read(`${i}`), done("read_file")))],
    [
      "by a tool that succeeds after four failures, with whatever codes",
      times(60, (i) => step(i % 5 === 4 ? done("own") : failed("own", i % 2 === 0 ? "NOT_FOUND" : "FAILED", { i }))),
    ],
    ["where the person says something in between", times(60, (i) => ({ ...step(read("a")), spoken: i % 2 === 0 }))],
    ["by failures with a code each", [..."abcdefgh"].map((code) => step(failed("own", code as ErrorCode, { code })))],
  ])("not %s", (_, steps) => {
    expect(ends(steps)).toMatchObject({ stuck: 0 });
  });

  it("whether or not replies without calls come between", () => {
    expect(ends([step(read("a")), step(), step(read("a")), step(), step(read("a"))])).toEqual({ told: [], stuck: 5 });
  });
});
