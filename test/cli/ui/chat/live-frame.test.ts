import { describe, expect, it } from "vitest";
import { plainText, type StyledLine } from "../../../../src/cli/terminal/span.ts";
import { cells } from "../../../../src/cli/terminal/width.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press } from "../../../../src/cli/ui/chat/chat-state.ts";
import { eraseReflowed } from "../../../../src/cli/ui/chat/reflow.ts";
import type { AgentEventBody, UnsettledCall } from "../../../../src/graph/events.ts";
import { fakeId, longPlan, pendingCall, waitingEdit } from "../../../support/fake-session.ts";
import { draw, having, idle, text } from "../../../support/frames.ts";

const plan = longPlan(200);
const lost: UnsettledCall = {
  session: fakeId,
  callId: "c9",
  toolName: "edit_file",
  arguments: { file_path: "src/a.ts", old_string: "a", new_string: "b" },
  effect: "file",
  startedAt: "2026-11-21T09:00:00Z",
  known: `Outcome unknown: ${"many words ".repeat(40)}`,
  choices: ["retry", "done", "cancel"],
};

const chats: Record<string, Chat> = {
  idle,
  "a long paragraph": having({ type: "text_delta", id: "a", text: "word ".repeat(5000) }),
  "a long fence": having({ type: "text_delta", id: "a", text: `\`\`\`\n${"line\n".repeat(500)}` }),
  "many calls": having(
    ...Array.from(
      { length: 50 },
      (_, index): AgentEventBody => ({
        type: "tool_call",
        call: pendingCall(`c${index}`, "ls", { path: "x".repeat(300) }),
      }),
    ),
  ),
  "many queued messages": having(
    ...Array.from(
      { length: 50 },
      (_, index): AgentEventBody => ({
        type: "user_message",
        id: `u${index}`,
        text: "later ".repeat(80),
        queued: true,
      }),
    ),
  ),
  "a question": having({ type: "approval_requested", calls: [waitingEdit("c1", { plan, risk: "high" })] }),
  "a question with many warnings": having({
    type: "approval_requested",
    calls: [
      waitingEdit("c1", { plan: { ...plan, warnings: Array.from({ length: 40 }, () => "warning ".repeat(30)) } }),
    ],
  }),
  "a call that was lost": having({ type: "recovery_requested", calls: [lost, { ...lost, callId: "c10" }] }),
  "wide characters": having({ type: "text_delta", id: "a", text: "漢字仮名交じり文👨‍👩‍👧‍👦".repeat(200) }),
};

describe("the live part of the screen", () => {
  it.each(Object.entries(chats))(
    "stays two rows below the terminal's height and within its width: %s",
    (_name, chat) => {
      for (const [columns, rows] of [
        [200, 50],
        [100, 30],
        [60, 20],
        [40, 10],
        [39, 9],
        [10, 4],
        [1, 1],
      ] as const) {
        const { lines, cursor } = draw(chat, columns, rows);
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
        for (const line of lines) expect(cells(plainText(line))).toBeLessThanOrEqual(Math.max(2, columns));
        if (cursor !== undefined) expect(cursor.row).toBeLessThan(lines.length);
      }
    },
  );

  it("asks to enlarge a window that is too small, and says that a call waits", () => {
    expect(text(draw(idle, 39, 30).lines)).toContain("40x10");
    expect(text(draw(chats["a question"] ?? idle, 39, 30).lines)).toContain("A call waits");
  });
});

describe("the names above the input", () => {
  const typing = (prefix: string): Chat => {
    const key = (text: string) => ({ name: "char" as const, text, ctrl: false, alt: false, shift: false });
    const screen = { columns: 43, geometry: { total: 0, window: 0, columns: 80 } };
    return [...prefix].reduce((chat, one) => press(chat, key(one), screen, 0).chat, idle);
  };

  it("are said to be more where not all of them fit", () => {
    const lines = text(draw(typing("/"), 100, 30).lines).split("\n");
    const offered = lines.filter((line) => line.startsWith("  ❯ /") || line.startsWith("    "));
    expect(offered[0]).toMatch(/^ {2}❯ \/help +this list, and the keys$/);
    expect(offered.at(-1)).toMatch(/^ {4}… \d+ more · ↑↓$/);
    expect(offered).toHaveLength(8);
    expect(text(draw(typing("/mo"), 100, 30).lines)).not.toContain("more");
  });
});

describe("the menu of a call whose end was not seen", () => {
  it("does not say of a helper's that Ctrl-C leaves it for later: where others work all of them end", () => {
    const chat = chats["a call that was lost"] ?? idle;
    const ofHelper = chat.view.recovery.map((call) => ({ ...call, agent: "helper 1" }));
    const hint = text(draw({ ...chat, view: { ...chat.view, recovery: ofHelper } }, 100, 30).lines);
    expect(hint).toContain("↑↓ enter · ctrl+c stops");
    expect(hint).not.toContain("for later");
  });

  it("shows every choice in the smallest window in which a key can choose", () => {
    const chat = chats["a call that was lost"] ?? idle;
    const choices = [
      "❯ l  look at what it was",
      "  r  do it again",
      "  w  it worked: mark it as done",
      "  c  cancel it",
    ];
    const hint = "↑↓ enter · ctrl+c leaves it for later";
    expect(text(draw(chat, 40, 10).lines).split("\n")).toEqual([
      "? the end of this call was not seen (1 …",
      "edit_file src/a.ts",
      "known: Outcome unknown: many words many…",
      ...choices,
      hint,
    ]);
    const looking = {
      ...chat,
      open: { ...chat.open, recovery: chat.open.recovery && { ...chat.open.recovery, looking: true } },
    };
    expect(
      text(draw(looking, 40, 12).lines)
        .split("\n")
        .slice(-5),
    ).toEqual([...choices, hint]);
  });
});

describe("a question that was set aside", () => {
  it("says what answers it and what would cancel it, in any width", () => {
    const chat = { ...having({ type: "approval_requested", calls: [waitingEdit("c1")] }), aside: true };
    for (const [columns, rows] of [
      [100, 30],
      [42, 10],
    ] as const)
      expect(text(draw(chat, columns, rows).lines).replaceAll("\n", " ")).toContain(
        "◆ a call waits for you · enter on an empty line to answer · a new message cancels it",
      );
  });
});

describe("a narrower terminal", () => {
  it("erases each row of the old frame as often as it was wrapped, and leaves the cursor where ink looks for it", () => {
    const lines: StyledLine[] = [[{ text: "x".repeat(100) }], [], [{ text: "❯ " }], [{ text: "footer" }]];
    const erased = (rows: number) => `\x1b7${"\x1b[2K\x1b[1B".repeat(rows)}\x1b8`;
    const cursor = { row: 2, col: 2 };
    const stays = { columns: 40, rows: 20, pushesCursor: false };
    expect(eraseReflowed({ lines, cursor }, stays)).toBe(`\x1b[4A\r${erased(7)}\n\n\n\n\x1b[2A`);
    expect(eraseReflowed({ lines }, stays)).toBe(`\x1b[6A\r${erased(7)}\n\n\n\n`);
  });

  it("reaches the frame where rows that are wrapped below the cursor push it down", () => {
    const lines: StyledLine[] = [[], [{ text: "❯ " }], [{ text: "x".repeat(100) }]];
    const frame = { lines, cursor: { row: 1, col: 2 } };
    const at = { columns: 40, rows: 20 };
    expect(eraseReflowed(frame, { ...at, pushesCursor: true })).toMatch(/^\x1b\[3A\r/);
    expect(eraseReflowed(frame, { ...at, pushesCursor: true, lower: true })).toMatch(/^\x1b\[1A\r/);
    expect(eraseReflowed(frame, { ...at, pushesCursor: false })).toMatch(/^\x1b\[1A\r/);
  });
});
