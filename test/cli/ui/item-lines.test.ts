import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { itemLines } from "../../../src/cli/ui/item-lines.ts";
import type { Item } from "../../../src/cli/ui/view.ts";

const rows = (item: Item, width: number): string[] => itemLines(item, width).map(plainText);

describe("a notice", () => {
  const list = "keys\n  enter       send, while the agent works: queue\n  ctrl+c      stop";

  it("keeps the second column of a list under itself where a line is wrapped", () => {
    expect(rows({ kind: "notice", level: "info", text: list }, 40)).toEqual([
      "· keys",
      "    enter       send, while the agent",
      "                works: queue",
      "    ctrl+c      stop",
    ]);
  });

  it("wraps it as any text where there is no room for two columns", () => {
    expect(rows({ kind: "notice", level: "info", text: list }, 24)).toEqual([
      "· keys",
      "    enter       send,",
      "  while the agent works:",
      "  queue",
      "    ctrl+c      stop",
    ]);
  });
});

describe("a call", () => {
  it("says beside its subject what let it run", () => {
    const card = { callId: "c1", toolName: "edit_file", subject: "a.txt", state: "done" } as const;
    const item: Item = { kind: "call", card: { ...card, note: "one line", allowedBy: "allowed by grant g-1" } };
    expect(rows(item, 80)).toEqual(["✔ edit_file a.txt · one line · allowed by grant g-1"]);
  });
});
