import { describe, expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { itemRows } from "../../../../src/cli/ui/transcript/item-lines.ts";
import { withCall } from "../../../../src/cli/ui/view/cards.ts";
import type { Item } from "../../../../src/cli/ui/view/view.ts";
import type { ToolCallInfo } from "../../../../src/core/call.ts";
import { namedDiffs, recordedDiff } from "../../../../src/files/diff/diff-text.ts";
import { doneCall, longPlan, planOf } from "../../../support/fake-session.ts";

const rows = (item: Item, width: number): string[] => {
  const found = itemRows(item, width);
  return found.slice(0, found.length).map((row) => plainText(row).trimEnd());
};

it("the program's mark stands beside the place of a new chat alone", () => {
  const lines = ["holdfast 1.0.0", "demo · ~/proj · s1", "said first of all"];
  const [one, two, three] = rows({ kind: "banner", lines, isNew: true }, 80);
  expect([one, two, three]).toEqual([`╺╋╸  ${lines[0]}`, `╻┃╻  ${lines[1]}`, `┗┻┛  ${lines[2]}`]);
  expect(rows({ kind: "banner", lines }, 80)).toEqual(lines);
});

it("a new chat has its model and folder in the weight of text; an old one, in which they are known, has them dim", () => {
  const lines = ["holdfast 1.0.0", "demo · ~/proj · s1", "said first of all"];
  const isDim = (isNew: boolean) => {
    const found = itemRows({ kind: "banner", lines, isNew }, 80);
    return found.slice(0, 3).map((row) => row.at(-1)?.dim === true);
  };
  expect(isDim(true)).toEqual([false, false, true]);
  expect(isDim(false)).toEqual([false, true, true]);
});

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

describe("a change", () => {
  const long = planOf("src/a.ts", "-- x\n", `++ y\n${"line\n".repeat(40)}`);

  it("of a call that is done shows its beginning, and how much more there is", () => {
    const recorded = recordedDiff(namedDiffs(long.files, long.cwd));
    const done = doneCall("c1", "edit_file", { file_path: "src/a.ts" }, { output: "" });
    const metadata = { ...recorded, added: 41, removed: 1 };
    const result = { output: "", title: long.summary, metadata };
    const [card] = withCall([], "s", { ...done, result } as ToolCallInfo);
    expect(card).toMatchObject({ counts: { added: 41, removed: 1 }, moreChanged: 2 });
    const drawn = card === undefined ? [] : rows({ kind: "call", card }, 80);
    expect(drawn.slice(0, 4)).toEqual([
      "✔ edit_file src/a.ts +41 −1",
      "  @@ -1,1 +1,41 @@",
      "   1 - -- x",
      "   1 + ++ y",
    ]);
    expect(drawn.at(-1)).toBe("  … 29 more lines · /diff shows all");
  });

  it("that an older program recorded as text is shown as it stands", () => {
    const done = doneCall("c1", "edit_file", { file_path: "src/a.ts" }, { output: "" });
    const result = { output: "", metadata: { diff: "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", added: 1, removed: 1 } };
    const [card] = withCall([], "s", { ...done, result } as ToolCallInfo);
    const drawn = card === undefined ? [] : rows({ kind: "call", card }, 80);
    expect(drawn).toEqual(["✔ edit_file src/a.ts +1 −1", "  --- a", "  +++ b", "  @@ -1 +1 @@", "  -a", "  +b"]);
  });

  it("of a whole session names the files, and is drawn as far as the keys can wait", () => {
    const changes = [...namedDiffs(long.files, long.cwd), "text\n"];
    expect(rows({ kind: "diff", changes }, 80).slice(0, 2)).toEqual(["  --- a/src/a.ts", "  +++ b/src/a.ts"]);
    expect(rows({ kind: "diff", changes }, 80).at(-1)).toBe("  text");
    expect(rows({ kind: "diff", changes: [] }, 80)).toEqual(["  no changes"]);
    const huge = longPlan(30_000);
    const drawn = rows({ kind: "diff", changes: namedDiffs(huge.files, huge.cwd) }, 80);
    expect(drawn).toHaveLength(20_001);
    expect(drawn.at(-1)).toBe("  … 10003 more lines · agent sessions show --diff prints them");
  });
});

describe("a call", () => {
  it("says beside its subject what let it run", () => {
    const card = { ref: { session: "s", call: "c1" }, toolName: "edit_file", subject: "a.txt", state: "done" } as const;
    const item: Item = { kind: "call", card: { ...card, note: "one line", allowedBy: "allowed by grant g-1" } };
    expect(rows(item, 80)).toEqual(["✔ edit_file a.txt · one line · allowed by grant g-1"]);
  });
});

describe("what a tool shows the person", () => {
  const showing = (display: string): string[] => {
    const done = doneCall("c1", "weigh", { name: "apples" }, { output: "3" });
    const [card] = withCall([], "s", { ...done, result: { output: "3", title: "weighed", display } } as ToolCallInfo);
    return card === undefined ? [] : rows({ kind: "call", card }, 30);
  };

  it("stands below its call, line by line, wrapped, without what would move the cursor", () => {
    expect(showing("apples  3 kg\n\u001b[2Jpears \u001b]0;x\u0007 4 kg and then some more\n")).toEqual([
      "✔ weigh apples · weighed",
      "  apples  3 kg",
      "  pears  4 kg and then some",
      "  more",
    ]);
  });

  it("is cut where it is long, and says where all of it is", () => {
    const drawn = showing("line\n".repeat(5_000));
    expect([drawn.length, drawn[1], drawn[20]]).toEqual([23, "  line", "  line"]);
    expect(drawn.slice(21)).toEqual(["  … 4980 more lines · agent", "  sessions show has all of c1"]);
  });

  it("is nothing where there is nothing but blanks", () => {
    expect(showing(" \n")).toEqual(["✔ weigh apples · weighed"]);
  });
});

describe("a message of the person", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

  it("of up to twenty rows is shown whole", () => {
    const drawn = rows({ kind: "user", text: lines(20) }, 80);
    expect([drawn.length, drawn[1], drawn.at(-1)]).toEqual([21, "❯ line 1", "  line 20"]);
  });

  it("of more is its beginning and its end, and how many lines there are between them", () => {
    const first = ["", "❯ line 1", "  line 2", "  line 3", "  line 4"];
    expect(rows({ kind: "user", text: lines(2000) }, 80)).toEqual([
      ...first,
      "  … 1992 more lines",
      ...[1997, 1998, 1999, 2000].map((line) => `  line ${line}`),
    ]);
    const asked = `${lines(30)}\n${"x".repeat(500)}\n\nWhy does it fail?\n`;
    expect(rows({ kind: "user", text: asked }, 80)).toEqual([
      ...first,
      "  … 27 more lines",
      ...["", "  Why does it fail?"],
    ]);
    expect(rows({ kind: "user", text: `Why?\n\n${"word ".repeat(800)}\nThat is all.` }, 80)).toEqual([
      ...["", "❯ Why?", "", `  ${"word ".repeat(15)}wor`.slice(0, 77).trimEnd(), expect.stringMatching(/^ {2}word/)],
      "  … more of this line",
      "  That is all.",
    ]);
  });

  it("that is one line without end is folded too", () => {
    const drawn = rows({ kind: "user", text: "word ".repeat(40_000) }, 80);
    expect([drawn.length, drawn[5], drawn.at(-1)?.slice(-5)]).toEqual([10, "  … more of this line", " word"]);
    const wide = rows({ kind: "user", text: "e\u0301".repeat(100_000) }, 80);
    expect([wide.length, wide[5]]).toEqual([10, "  … more of this line"]);
  });
});

it("a title that says its subject and what was found there leaves the sign between them to it", () => {
  const listed = doneCall("c1", "ls", { path: "src" }, { output: "", title: "src: 2 entries" });
  const [card] = withCall([], "s", listed);
  expect(card === undefined ? [] : rows({ kind: "call", card }, 80)).toEqual(["✔ ls src · 2 entries"]);
});

it("a call of a helper stands below the one that it works for, with whose it is", () => {
  const done = doneCall("c1", "read_file", { file_path: "a.ts" }, { output: "" });
  const [card] = withCall([], "brisk-otter-4f2a@explore-3-20261121T1015-002", done, { agent: "reviewer\u001b[2J 2" });
  expect(card === undefined ? [] : rows({ kind: "call", card }, 80)).toEqual(["  ✔ reviewer␛[2J 2 · read_file a.ts"]);
});
