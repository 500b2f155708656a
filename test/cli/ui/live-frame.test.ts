import { describe, expect, it } from "vitest";
import { plainText, type StyledLine } from "../../../src/cli/terminal/span.ts";
import { cells } from "../../../src/cli/terminal/width.ts";
import { createLayouts } from "../../../src/cli/ui/body-lines.ts";
import { type Chat, newChat, withEvents } from "../../../src/cli/ui/chat-state.ts";
import { dialogPainted } from "../../../src/cli/ui/dialog-state.ts";
import { type Frame, liveFrame } from "../../../src/cli/ui/live-frame.ts";
import { eraseReflowed } from "../../../src/cli/ui/reflow.ts";
import { initialView } from "../../../src/cli/ui/view.ts";
import type { AgentEventBody } from "../../../src/graph/events.ts";
import { eventOf, longDiff, pendingCall, waitingEdit } from "../../support/fake-session.ts";

const idle = newChat(
  initialView({ session: "s1", workspace: "/home/ada/proj", model: "demo", mode: "ask", banner: [] }),
  [],
);
const having = (...bodies: AgentEventBody[]): Chat =>
  withEvents(
    idle,
    bodies.map((body) => eventOf(body)),
    0,
  );
const draw = (chat: Chat, columns: number, rows: number): Frame =>
  liveFrame(chat, { columns, rows, tick: 0, seconds: 5, layouts: createLayouts() });
const text = (lines: StyledLine[]): string => lines.map(plainText).join("\n");

const plan = { summary: "s", cwd: "/home/ada/proj", diff: longDiff(200) };
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

describe("the approval dialog", () => {
  const grants = [
    {
      scope: "project" as const,
      grant: { scope: "project" as const, tool: "edit_file", why: "w" },
      text: "allow edit_file in src/**",
      where: "/home/ada/.config/holdfast/grants.json",
    },
  ];

  it("shows the effect, the reason and the choices, deny in focus", () => {
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1"), waitingEdit("c2")] });
    expect(text(draw(chat, 100, 30).lines)).toBe(
      [
        "",
        "⚠ MEDIUM edit_file src/a.ts +1 −1  request 1 of 2  sha 9f3c…",
        "modify src/a.ts",
        "why: it changes a file (risk table)",
        "@@ -1,3 +1,3 @@",
        "1   export const greet = () => {",
        '2 -   return "hello";',
        '2 +   return "hello, world";',
        "3   };",
        "❯ n  No, deny",
        "  r  No, and say why…",
        "  e  Edit the arguments, then decide…",
        "  y  Yes, once",
        "tab next request · ? why · d full screen · o editor · esc denies · ctrl+c stops, keeps it waiting",
      ].join("\n"),
    );
  });

  it("prints the rule of a wider grant and its file while it has the focus", () => {
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { grants })] });
    const on = { ...chat, dialog: chat.dialog && { ...chat.dialog, row: 4 } };
    expect(text(draw(on, 100, 30).lines)).toContain(
      "❯ p  Yes, and in this project…\n    writes: allow edit_file in src/**\n    to: /home/ada/.config/holdfast/grants.json",
    );
    expect(text(draw(chat, 100, 30).lines)).not.toContain("writes:");
  });

  it("says where the window on a long diff stands, and that not all was shown", () => {
    const chat = chats["a question"] ?? idle;
    const frame = draw(chat, 100, 30);
    const shown = chat.dialog && dialogPainted(chat.dialog, frame.screen.geometry, 0);
    const lines = text(draw({ ...chat, dialog: shown }, 100, 30).lines);
    expect(lines).toContain("lines 1-19 of 201 · pgup/pgdn");
    expect(lines).toContain("y  Yes, once  (asks for the word yes, not all shown)");
  });

  it("shows facts that a diff does not, the link that was followed, and the rule's line", () => {
    const file = {
      asked: "link.ts",
      real: "/home/ada/proj/src/real.ts",
      kind: "new" as const,
      before: null,
      after: "a",
      mode: 0o755,
      eol: "crlf" as const,
      bom: true,
      encoding: "utf-16le" as const,
    };
    const call = waitingEdit("c1", {
      plan: { summary: "s", cwd: "/home/ada/proj", files: [file], warnings: ["never read"] },
      verdict: {
        decision: "ask",
        risk: "medium",
        rule: { source: "project", file: "/home/ada/proj/.holdfast/policy.json", line: 3 },
        why: "ask for src",
      },
    });
    expect(
      text(draw(having({ type: "approval_requested", calls: [call] }), 100, 30).lines)
        .split("\n")
        .slice(2, 5),
    ).toEqual([
      "⚠ never read",
      "new file src/real.ts · asked as link.ts · CRLF · BOM · utf-16le · executable (755)",
      "why: ask for src (project rule .holdfast/policy.json:3)",
    ]);
  });

  it("says that the file changed while the person was deciding, and what is different now", () => {
    const before = { summary: "s", cwd: "/home/ada/proj", diff: "@@ -1 +1 @@\n-a\n+b\n" };
    const now = { ...before, diff: "@@ -1 +1 @@\n-c\n+b\n" };
    const call = waitingEdit("c1", { plan: now, changed: { from: "x", to: "y", why: "src/a.ts was saved", before } });
    const lines = text(draw(having({ type: "approval_requested", calls: [call] }), 100, 30).lines);
    expect(lines).toContain("⚠ the file changed while you were deciding: src/a.ts was saved");
    expect(lines).toContain("what is different now\nwas  -a\nnow  -c\nthe whole change now");
  });

  it("shows a command whole, an escape sequence in it readable", () => {
    const call = waitingEdit("c1", {
      toolName: "shell",
      plan: { summary: "s", cwd: "/w", command: "echo \u001b[31m\nrm -rf x" },
    });
    const lines = text(draw(having({ type: "approval_requested", calls: [call] }), 100, 30).lines);
    expect(lines).toContain("$ echo ␛[31m\n  rm -rf x");
    expect(lines).toContain("⚠ contains hidden");
  });
});

describe("a narrower terminal", () => {
  it("erases each row of the old frame as often as it was wrapped, and leaves the cursor where ink looks for it", () => {
    const lines: StyledLine[] = [[{ text: "x".repeat(100) }], [], [{ text: "❯ " }], [{ text: "footer" }]];
    expect(eraseReflowed({ lines, cursor: { row: 2, col: 2 } }, 40)).toBe("\x1b[4A\r\x1b[J\x1b[2B");
    expect(eraseReflowed({ lines }, 40)).toBe("\x1b[6A\r\x1b[J\x1b[4B");
  });
});
