import { describe, expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press } from "../../../../src/cli/ui/chat/chat-state.ts";
import { dialogLines } from "../../../../src/cli/ui/dialog/dialog-lines.ts";
import { dialogPainted } from "../../../../src/cli/ui/dialog/dialog-state.ts";
import type { WaitingCall } from "../../../../src/graph/events.ts";
import { longPlan, planOf, waitingEdit } from "../../../support/fake-session.ts";
import { draw, having, text } from "../../../support/frames.ts";

/** What stands behind the dialog's bar. */
const inside = (chat: Chat, columns: number, rows: number): string =>
  draw(chat, columns, rows)
    .lines.map((line) => plainText(line).replace(/^▌ ?/, "").trimEnd())
    .join("\n");

/** What the full view shows at 100x30. */
const full100 = (chat: Chat): string[] =>
  (draw(chat, 100, 30).full?.lines ?? []).map((line) => plainText(line).trimEnd());

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
    expect(inside(chat, 100, 30)).toBe(
      [
        "",
        "⚠ MEDIUM edit_file src/a.ts +1 −1  sha 9f3c…  [1] 2",
        "modify src/a.ts",
        "why: it changes a file (risk table)",
        "@@ -1,3 +1,3 @@",
        "1   export const greet = () => {",
        '2 -   return "hello";',
        '2 +   return "hello, world";',
        "3   };",
        "─".repeat(36),
        "❯ n  No, deny",
        "  r  No, and say why…",
        "  e  Edit it, then decide…",
        "  y  Yes, once",
        "tab next · l list · A all shown · ? why · d full screen · o editor · esc denies · ctrl+c later",
      ].join("\n"),
    );
  });

  it("says beside the reason what is new about the call, and cuts that before the reason", () => {
    const news = { is: "same_file", times: 2 } as const;
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { news })] });
    expect(inside(chat, 100, 30)).toContain(
      "why: it changes a file (risk table) · same file, 2 changes of it approved before\n",
    );
    expect(inside(chat, 40, 11)).toContain("why: it changes a file (risk table)");
    expect(dialogLines.asked(chat.view)?.text()).toContain("\nNew: same file, 2 changes of it approved before\n");
  });

  it("prints the rule of a wider grant and its file while it has the focus", () => {
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { grants })] });
    const on = { ...chat, open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, row: 4 } } };
    expect(inside(on, 100, 30)).toContain(
      "❯ p  Yes, and in this project…\n    writes: allow edit_file in src/**\n    to: /home/ada/.config/holdfast/grants.json",
    );
    expect(inside(chat, 100, 30)).not.toContain("writes:");
  });

  it("says where the window on a long diff stands, and that not all was shown", () => {
    const plan = longPlan(200);
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { plan, risk: "high" })] });
    const frame = draw(chat, 100, 30);
    const shown = chat.open.dialog && dialogPainted(chat.open.dialog, frame.screen.geometry, 0);
    const lines = inside({ ...chat, open: { ...chat.open, dialog: shown } }, 100, 30);
    expect(lines).toContain("\n── lines 1-21 of 201 · pgup/pgdn ──");
    expect(lines).toContain("\n❯ n deny   r why not   e edit   y once  (asks for the word yes, not all shown)\n");
  });

  it("has a row for each choice, and all of them in one where the change needs the rows", () => {
    const full = "\n❯ n  No, deny\n  r  No, and say why…\n  e  Edit it, then decide…\n  y  Yes, once";
    const of = (lines: number) =>
      inside(having({ type: "approval_requested", calls: [waitingEdit("c1", { plan: longPlan(lines) })] }), 100, 30);
    const fitting = Array.from({ length: 40 }, (_, at) => at + 1).filter((lines) => of(lines).includes(full));
    expect(fitting.at(-1)).toBe(fitting.length);
    const next = of(fitting.length + 1);
    expect(next).toContain("\n❯ n deny   r why not   e edit   y once\n");
    // All of it is there for the shorter menu.
    expect(next).not.toContain("pgup/pgdn");
    expect(next).toContain(`+ const line${fitting.length + 1} = ${fitting.length + 1};\n`);
  });

  it("says beside the short choices that a word is asked for, in a row of its own if it must", () => {
    const plan = longPlan(200);
    const at = (columns: number, rows: number, more: Parameters<typeof waitingEdit>[1]) => {
      const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { plan, ...more })] });
      const { screen } = draw(chat, columns, rows);
      const painted = chat.open.dialog && dialogPainted(chat.open.dialog, screen.geometry, 0);
      const now = { ...chat, open: { ...chat.open, dialog: painted } };
      return { text: inside(now, columns, rows), rows: draw(now, columns, rows).lines.length };
    };
    const [high, plain] = [at(60, 20, { risk: "high" }), at(60, 20, {})];
    expect(high.text).toContain("\n❯ n deny   r why not   e edit\n  y once  (asks for the word yes, not all shown)\n");
    expect(plain.text).toContain("\n❯ n deny   r why not   e edit   y once  (not all shown)\n");
    expect(high.text).toContain("lines 1-10 of 201");
    expect(high.rows).toBe(plain.rows);
    expect(at(66, 20, { risk: "high" }).text).toContain("   y once  (asks for the word yes)\n");
    // Where each row is needed none is given to it.
    expect(at(42, 10, { risk: "high" }).text).toContain("\n❯n deny  r why not  e edit  y once\n");
  });

  it("has a rule between the change and the choices where half of the window is empty, and where it is cut", () => {
    const of = (lines: number, rows: number) =>
      inside(having({ type: "approval_requested", calls: [waitingEdit("c1", { plan: longPlan(lines) })] }), 100, rows);
    expect(of(3, 30)).toContain(`+ const line3 = 3;\n${"─".repeat(36)}\n❯ n  No, deny`);
    expect(of(8, 30)).toContain("+ const line8 = 8;\n❯ n  No, deny");
    expect(of(200, 30)).toMatch(/\n── lines 1-\d+ of 201 · pgup\/pgdn ─+\n❯ n deny {3}r why not/);
  });

  /** All that the window shows of a change while it is paged to its end. */
  const pagedThrough = (call: WaitingCall): { rows: string[]; chat: Chat } => {
    let chat = having({ type: "approval_requested", calls: [call] });
    const rows: string[] = [];
    for (let pages = 0; pages < 2_000; pages += 1) {
      const { lines, screen } = draw(chat, 60, 20);
      rows.push(...lines.map((line) => plainText(line).replace(/^▌ /, "")));
      const dialog = chat.open.dialog && { ...dialogPainted(chat.open.dialog, screen.geometry, 0), armed: true };
      const { scroll = 0 } = dialog ?? {};
      chat = press({ ...chat, open: { ...chat.open, dialog } }, pageDown, screen, 10_000).chat;
      if (chat.open.dialog?.scroll === scroll) return { rows, chat };
    }
    throw new Error("the change has no end");
  };
  const pageDown = { name: "pagedown", ctrl: false, alt: false, shift: false } as const;

  it("shows what stands in the middle of a long changed line when it is paged", () => {
    const long = `${"a b ".repeat(450)}EVIL();${"c d ".repeat(450)}`;
    const plan = planOf("src/a.ts", "x\n", `${long}\n`);
    const { rows, chat } = pagedThrough(waitingEdit("c1", { plan }));
    expect(rows.join("\n")).not.toContain("not shown");
    const text = rows.flatMap((row) => /^(?:1 \+| {2}\+) (.*)$/.exec(row)?.[1] ?? []).join("");
    expect(text).toContain("EVIL();");
    expect(inside(chat, 60, 20)).toMatch(/y once$/m);
  });

  it("shows 9,000 lines and the one of 4,000 characters among them, to the last", () => {
    const body = Array.from({ length: 9_000 }, (_, at) => `line ${at + 1}\n`);
    body[4_499] = `${"z".repeat(3_996)}EVIL\n`;
    const plan = planOf("src/long.ts", null, body.join(""));
    const { rows } = pagedThrough(waitingEdit("c1", { plan }));
    expect(rows[1]).toContain("src/long.ts +9000 −0");
    const shown = new Set(rows.flatMap((row) => /^ *(\d+) \+ /.exec(row)?.[1] ?? []).map(Number));
    expect(shown.size).toBe(9_000);
    expect(rows.some((row) => /^ +\+ z*EVIL *$/.test(row))).toBe(true);
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
      added: 0,
      removed: 0,
      hunks: [],
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
      inside(having({ type: "approval_requested", calls: [call] }), 100, 30)
        .split("\n")
        .slice(2, 5),
    ).toEqual([
      "⚠ never read",
      "new file src/real.ts · asked as link.ts · CRLF · BOM · utf-16le · executable (755)",
      "why: ask for src (project rule .holdfast/policy.json:3)",
    ]);
  });

  it("says why it asks anew, and what is different now", () => {
    const before = planOf("src/a.ts", "a\n", "b\n");
    const now = planOf("src/a.ts", "c\n", "b\n");
    const call = waitingEdit("c1", { plan: now, changed: { from: "x", to: "y", why: "src/a.ts was saved", before } });
    const lines = inside(having({ type: "approval_requested", calls: [call] }), 100, 30);
    expect(lines).toContain("\n⚠ asked anew: src/a.ts was saved\n");
    expect(lines).toContain("what is different now\nwas  -a\nnow  -c\nthe whole change now");
  });

  const hidden = waitingEdit("c1", { arguments: { file_path: "src/a.ts", new_string: "x\u202e" } });
  const hiddenWarning = "⚠ contains hidden or direction-changing characters, drawn here as ‹U+…›";

  it("keeps its warnings in sight in the smallest window in which it can be answered", () => {
    const chat = having({ type: "approval_requested", calls: [hidden] });
    expect(inside(chat, 42, 10).split("\n")).toEqual([
      "⚠ MEDIUM edit_file src/a.ts +1 −1",
      "⚠ contains hidden or direction-changing",
      "characters, drawn here as ‹U+…›",
      "@@ -2,1 +2,1 @@",
      '2 -   return "hello";',
      '2 +   return "hello, world";',
      "❯n deny  r why not  e edit  y once",
      "? · d full · esc denies · ctrl+c later",
    ]);
  });

  it("counts warnings that do not fit, and puts them whole before the change: it is not all shown without them", () => {
    const warnings = Array.from({ length: 9 }, (_, index) => `warning ${index + 1} ${"of many words ".repeat(6)}`);
    const call = waitingEdit("c1", { plan: { ...longPlan(3), warnings } });
    const frame = draw(having({ type: "approval_requested", calls: [call] }), 60, 20);
    expect(text(frame.lines)).toContain("⚠ 9 warnings, all of them above the change: home\n");
    expect(text(frame.lines)).toMatch(/\n▌ ⚠ warning 1 [\s\S]*\n▌ ⚠ warning 1 /);
    expect(frame.screen.geometry.total).toBe(9 * 2 + 4);
  });

  it("shows warnings and facts in the full view too, and the keys that lead back from it", () => {
    const chat = having({ type: "approval_requested", calls: [hidden] });
    const full = {
      ...chat,
      open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, stage: "full" as const } },
    };
    const lines = full100(full);
    expect(lines.slice(0, 4)).toEqual([
      "⚠ MEDIUM edit_file src/a.ts +1 −1  sha 9f3c…",
      hiddenWarning,
      "modify src/a.ts",
      "why: it changes a file (risk table)",
    ]);
    expect(lines).toHaveLength(30);
    expect(lines.at(-1)).toBe(
      "j k space b g G · J K change · ] [ file · / search · h l sideways · v sides · esc back       5 (end)",
    );
  });

  it("offers the editor only where something may be edited", () => {
    const chat = having({ type: "approval_requested", calls: [waitingEdit("c1", { editable: [] })] });
    const lines = inside(chat, 100, 30);
    expect(lines).not.toMatch(/Edit it|o editor/);
    expect(lines).toContain("? why · d full screen · esc denies · ctrl+c stops, keeps it waiting");
  });

  it("shows a command whole, an escape sequence in it readable", () => {
    const call = waitingEdit("c1", {
      toolName: "shell",
      plan: { summary: "s", cwd: "/w", command: "echo \u001b[31m\nrm -rf x" },
    });
    const lines = inside(having({ type: "approval_requested", calls: [call] }), 100, 30);
    expect(lines).toContain("$ echo ␛[31m\n  rm -rf x");
    expect(lines).toContain("⚠ contains hidden");
  });

  it("shows where a command runs and what holds it, each part with its verdict, and the scripts that it would run", () => {
    const call = waitingEdit("c1", {
      toolName: "shell",
      plan: {
        summary: "s",
        cwd: "/w",
        command: "npm test && ls",
        sandbox: true,
        network: false,
        operands: [{ path: "/w/package.json", sha: "a".repeat(64), text: "vitest run\u001b[2J" }],
      },
      verdict: {
        decision: "ask",
        risk: "medium",
        rule: { source: "table" },
        why: "it runs a script",
        parts: [
          { command: "npm test", decision: "ask", risk: "medium", rule: { source: "table" }, why: "it runs a script" },
          { command: "ls", decision: "allow", risk: "low", rule: { source: "table" }, why: "it only reads" },
        ],
      },
    });
    const lines = inside(having({ type: "approval_requested", calls: [call] }), 120, 40);
    expect(lines).toContain(
      [
        "$ npm test && ls",
        "runs in /w · in the sandbox, which writes in the workspace and in folders that you named · without the network",
        "its 2 parts",
        "  ask: npm test (it runs a script)",
        "  allow: ls (it only reads)",
        "it runs /w/package.json (sha aaaaaaaaaaaa)",
        "  vitest run␛[2J",
      ].join("\n"),
    );
    const open = { ...call, plan: { ...call.plan, sandbox: false, network: true } };
    expect(inside(having({ type: "approval_requested", calls: [open] }), 120, 40)).toContain(
      "without a sandbox, with all that you may do · it asks for the network",
    );
  });

  const wide = waitingEdit("c1", {
    grants: [
      {
        scope: "project" as const,
        grant: { scope: "project" as const, tool: "edit_file", why: "w" },
        text: "edit_file(packages/server/package.json) for this project",
        where: "/home/ada/.config/holdfast/grants.json",
      },
    ],
    mode: "accept-edits",
  });
  const pointing = (choice: "project" | "mode"): Chat => {
    const chat = having({ type: "approval_requested", calls: [wide] });
    return {
      ...chat,
      open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, row: choice === "project" ? 4 : 5 } },
    };
  };

  it("shows a grant whole in the smallest window: its rule, its scope, its file and the keys", () => {
    const lines = inside(pointing("project"), 42, 10).split("\n");
    expect(lines.slice(1, 5)).toEqual([
      "writes:",
      "edit_file(packages/server/package.json)",
      "for this project",
      "to: …/ada/.config/holdfast/grants.json",
    ]);
    expect(lines[5]).toBe("enter confirms · esc goes back");
    expect(lines.join("\n")).toContain("❯p project");
    expect(draw(pointing("project"), 42, 10).screen.geometry.window).toBe(0);
  });

  it("says beside a grant what it would have decided, where there is room for it", () => {
    const chat = pointing("project");
    const histories = { project: "would have allowed 3, asked 1 of the recorded calls" };
    const told = { ...chat, open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, histories } } };
    expect(inside(told, 100, 30)).toContain(
      "grants.json\n    would have allowed 3, asked 1 of the recorded calls\n    enter",
    );
    expect(inside(told, 42, 10)).toContain("❯p project");
    expect(inside(told, 42, 10)).toContain("enter confirms");
  });

  it("names the mode that a choice would set, before Enter sets it", () => {
    expect(inside(pointing("mode"), 42, 10)).toContain(
      "sets: mode accept-edits (file edits\ninside the workspace are not asked about;\nshift+tab changes it)\nenter confirms",
    );
    expect(inside(pointing("mode"), 100, 30)).toContain(
      "❯ m  Yes, and allow edits from now on…\n    sets: mode accept-edits",
    );
  });

  it("shows the changed lines first where rows are few, and what stays round them under d", () => {
    const text = (changed: boolean): string =>
      Array.from({ length: 30 }, (_, at) => (changed && at % 14 === 10 ? `new ${at}\n` : `old ${at}\n`)).join("");
    const call = waitingEdit("c1", { risk: "high", plan: planOf("src/a.ts", text(false), text(true)) });
    let chat = having({ type: "approval_requested", calls: [call] });
    expect(inside(chat, 42, 10)).toContain("\n11 - old 10\n11 + new 10\n");
    const seen: string[] = [];
    for (let pages = 0; pages < 10; pages += 1) {
      const { screen } = draw(chat, 42, 10);
      seen.push(inside(chat, 42, 10));
      const dialog = chat.open.dialog && { ...dialogPainted(chat.open.dialog, screen.geometry, 0), armed: true };
      chat = press({ ...chat, open: { ...chat.open, dialog } }, pageDown, screen, 10_000).chat;
    }
    for (const line of ["11 - old 10", "11 + new 10", "25 - old 24", "25 + new 24"])
      expect(seen.join("\n")).toContain(line);
    expect(seen.join("\n")).not.toContain("old 9");
    const full = {
      ...chat,
      open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, stage: "full" as const, scroll: 0 } },
    };
    expect(full100(full).join("\n")).toContain("10   old 9");
  });
});
