import { describe, expect, it } from "vitest";
import type { ToolLabels } from "../../../../src/cli/services/session-services.ts";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { withEvents } from "../../../../src/cli/ui/chat/chat-state.ts";
import { questionText } from "../../../../src/cli/ui/dialog/dialog-lines.ts";
import { recoveryText } from "../../../../src/cli/ui/recovery/recovery-lines.ts";
import { type Language, labelsOf } from "../../../../src/cli/ui/view/labels.ts";
import type { ToolDisplay } from "../../../../src/core/tool-display.ts";
import type { AgentEventBody, WaitingCall } from "../../../../src/graph/events.ts";
import { eventOf, fakeId, waitingEdit } from "../../../support/fake-session.ts";
import { draw, idle } from "../../../support/frames.ts";

const builtIn = ["read_file", "write_file", "shell", "ls", "undo_changes"].map((name) => ({ name }));
const labels = (display: Record<string, ToolDisplay>, language: Language = "en"): ToolLabels =>
  labelsOf(
    [...builtIn, ...Object.entries(display).map(([name, said]) => ({ name, display: { [language]: said } }))],
    language,
    ["run_command"],
  );
const shownFor = (name: string, language: Language = "en") => labels({ deploy: { name } }, language).get("deploy");

describe("a display name", () => {
  it.each<[Language, string]>([
    ["en", "Deploy"],
    ["en", "Deploy site (live, twice)"],
    ["en", "Déploiement naïve"],
    ["en", "Global search & lists"],
    ["zh", "部署网站"],
    ["zh", "Google 搜索2"],
  ])("is shown in its language: %s %s", (language, name) => {
    expect(shownFor(name, language)).toEqual({ name, params: new Map(), left: [] });
    expect(
      labelsOf([{ name: "deploy", display: { [language]: { name } } }], language === "en" ? "zh" : "en").size,
    ).toBe(0);
  });

  it.each([
    ["an escape", "Deploy\u001b[31m", "only letters, digits and single blanks"],
    ["a line end", "Deploy\nsite", "only letters, digits and single blanks"],
    ["a direction", "Deploy\u202esite", "only letters, digits and single blanks"],
    ["nothing to see", "Deploy\u200b", "only letters, digits and single blanks"],
    ["blanks", "Deploy      approved", "only letters, digits and single blanks"],
    ["nothing", "", "only letters, digits and single blanks"],
    ["a mark of the dialog", "⚠ LOW deploy", "only letters, digits and single blanks"],
    ["a path", "Deploy src/a.ts", "only letters, digits and single blanks"],
    ["heaps of marks", `Deploy${"\u0301".repeat(20)}`, "only letters, digits and single blanks"],
    ["no end", "x".repeat(41), "more than 40 characters"],
    ["letters of another script", "Dерlоу", "letters that are none of en"],
    ["Latin letters that are no plain ones", "Dᴇploy", "letters that are none of en"],
    ["a built-in name", "read_file", "taken for the tool read_file"],
    ["the same in words", "Read file", "taken for the tool read_file"],
    ["the same among words", "Safely read file", "taken for the tool read_file"],
    ["the same in one word", "readFile", "taken for the tool read_file"],
    ["its like", "she11", "taken for the tool shell"],
    ["its like in capitals", "SHEIl", "taken for the tool shell"],
    ["its like with accents", "réad fïle", "taken for the tool read_file"],
    ["its like in full width", "ｓｈｅｌｌ", "taken for the tool shell"],
    ["a short one", "Is", "taken for the tool ls"],
    ["a name of the person's own commands", "Run command", "taken for the tool run_command"],
  ])("is not shown where it has %s", (_, name, why) => {
    expect(shownFor(name)).toEqual({ params: new Map(), left: [expect.stringContaining(why)] });
  });

  it("is not shown where letters of its own script are drawn as another tool's name", () => {
    expect(shownFor("she丨丨 命令", "zh")?.left).toEqual([expect.stringContaining("taken for the tool shell")]);
  });

  it("is not shown where another tool has it too, or looks like it", () => {
    const both = labels({ deploy: { name: "Deploy site" }, destroy: { name: "DepIoy site" } });
    expect([...both.values()].map(({ name, left }) => [name, left.length])).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
  });

  it("of a parameter is not shown where another one has it, as its name or as its display name", () => {
    const params = { from: "to", to: "Target", when: "When", whence: "when", why: "\u001b]0;x\u0007" };
    expect(labels({ deploy: { name: "Deploy", params } }).get("deploy")).toEqual({
      name: "Deploy",
      params: new Map([["to", "Target"]]),
      left: expect.objectContaining({ length: 4 }),
    });
  });
});

const display = { name: "Deploy site", params: { env: "Environment", force: "At once" } };
const args = { env: "staging\u001b[31m", force: true, note: "n" };
const waiting: WaitingCall = {
  ...waitingEdit("c1"),
  toolName: "deploy",
  arguments: args,
  plan: { summary: "deploy", cwd: "/home/ada/proj" },
};

/** The chat that shows these events, with the display names. */
function showing(shown: ToolLabels, ...bodies: AgentEventBody[]) {
  const chat = { ...idle, view: { ...idle.view, labels: shown } };
  return withEvents(
    chat,
    bodies.map((body) => eventOf(body)),
    0,
  );
}
const rowsOf = (chat: ReturnType<typeof showing>): string =>
  draw(chat, 100, 40)
    .lines.map((line) => plainText(line))
    .join("\n");

describe("cards and dialog", () => {
  it("show the tool and its parameters by their display names; ? has their own names, and an edit works on those", () => {
    const chat = showing(labels({ deploy: display }), { type: "approval_requested", calls: [waiting] });
    const rows = rowsOf(chat);
    expect(rows).toContain("⚠ MEDIUM Deploy site");
    expect(rows).toContain('"Environment": "staging');
    expect(rows).toContain('"At once": true');
    expect(rows).toContain('"note": "n"');
    expect(rows).not.toMatch(/deploy|env"|force"|\u001b/);
    const why = rowsOf({
      ...chat,
      open: { ...chat.open, dialog: chat.open.dialog && { ...chat.open.dialog, stage: "why" } },
    });
    expect(why).toContain("Deploy site is the tool deploy");
    expect(why).toContain("Environment is the argument env");
    expect(why).toContain("At once is the argument force");
    const [card] = chat.view.cards;
    expect(card?.toolName).toBe("Deploy site");
    expect(chat.view.ask?.batch[0]?.label).toContain("Deploy site staging");
    const [request] = chat.view.ask?.requests ?? [];
    if (request === undefined || chat.view.ask === undefined) throw new Error("nothing is asked");
    expect(request.call.arguments).toEqual(args);
    const plain = questionText(request, chat.view.ask);
    for (const line of [
      "Deploy site",
      '"Environment"',
      "Deploy site is the tool deploy",
      "Environment is the argument env",
    ])
      expect(plain).toContain(line);
  });

  it("use no display name of a parameter that the model gave another argument of", () => {
    const chat = showing(labels({ deploy: display }), {
      type: "approval_requested",
      calls: [{ ...waiting, arguments: { env: "staging", environment: "live" } }],
    });
    expect(rowsOf(chat)).toContain('"env": "staging"');
    expect(rowsOf(chat)).toContain('"environment": "live"');
  });

  it("show the tool's own name where its display name is left out, and that of a call whose end was not seen alike", () => {
    const left = showing(labels({ deploy: { name: "read_file" } }), { type: "approval_requested", calls: [waiting] });
    expect(rowsOf(left)).toContain("⚠ MEDIUM deploy");
    const lost = showing(labels({ deploy: display }), {
      type: "recovery_requested",
      calls: [
        {
          ...{ session: fakeId, callId: "c1", toolName: "deploy", arguments: args, effect: "once", known: "it began" },
          ...{ startedAt: "2026-01-01T00:00:00.000Z", choices: ["retry", "done", "cancel"] },
        },
      ],
    });
    expect(rowsOf(lost)).toContain("Deploy site staging");
    const [unsettled] = lost.view.recovery;
    expect(unsettled && recoveryText(unsettled)).toContain("Deploy site is the tool deploy");
  });
});
