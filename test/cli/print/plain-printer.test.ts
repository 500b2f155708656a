import { expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { plainPrinter } from "../../../src/cli/print/plain-printer.ts";
import type { ToolCallInfo } from "../../../src/core/call.ts";
import type { AgentEvent } from "../../../src/graph/events.ts";
import { doneCall } from "../../support/fake-session.ts";

/** What is printed of a call that ended so. */
function printed(call: ToolCallInfo): string {
  let text = "";
  const stderr = { write: (more: string) => (text += more) };
  const settled = { ...call, times: { proposed: 1, settled: 2 } };
  const event: AgentEvent = { v: 1, seq: 1, at: "", session: "s", type: "tool_call", call: settled };
  plainPrinter({ stdout: stderr, stderr } as unknown as Io).print(event);
  return text;
}

const done = doneCall("c1", "weigh", { name: "apples" }, { output: "3" });

it("a settled call's title stands in its line, and below it what its tool shows the person, whole and cleaned", () => {
  const display = `apples  3 kg\n\u001b[2J${"pears  4 kg\n".repeat(30)}`;
  const text = printed({ ...done, result: { output: "3", title: "weighed", display } } as ToolCallInfo);
  expect(text).toBe(`✔ weighed\n  apples  3 kg\n${"  pears  4 kg\n".repeat(30)}`);
});

it("a tool that failed shows it too", () => {
  const failed = { ...done, status: "error", errorMsg: "too heavy", errorCode: "FAILED" };
  const text = printed({ ...failed, result: { output: "", display: "12 kg" } } as ToolCallInfo);
  expect(text).toBe("✖ weigh: FAILED too heavy\n  12 kg\n");
});

it("a call without anything for the person is one line", () => {
  expect(printed({ ...done, result: { output: "3", title: "weighed" } } as ToolCallInfo)).toBe("✔ weighed\n");
});
