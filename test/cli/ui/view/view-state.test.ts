import { describe, expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { liveCards } from "../../../../src/cli/ui/transcript/live-lines.ts";
import { reduce, tildePath } from "../../../../src/cli/ui/view/view-state.ts";
import type { AgentEventBody } from "../../../../src/graph/events.ts";
import {
  doneCall,
  eventOf,
  fakeCall,
  fakeId,
  pendingCall,
  planOf,
  smallPlan,
  waitingEdit,
} from "../../../support/fake-session.ts";
import { banner, ended, play, start } from "../../../support/views.ts";

it.each([
  ["/home/a", "~"],
  ["/home/a/b", "~/b"],
  ["/home/a/", "~/"],
  ["/home/a//x", "~//x"],
  ["/home/a/~/x", "~/~/x"],
  ["/home/ab", "/home/ab"],
])("writes %s with a home of /home/a as %s", (path, shown) => {
  expect(tildePath(path, "/home/a")).toBe(shown);
  expect(tildePath(path, "")).toBe(path);
});

it("what was spent counts replies and summaries, those that were none too", () => {
  const told = { id: "k1", upTo: "m1", before: 90, after: 90 };
  const { spent } = play(
    { type: "usage", inputTokens: 100, outputTokens: 10, cost: 1, contextUsed: 110 },
    {
      type: "compaction_done",
      ...told,
      ok: false,
      error: "none",
      usage: { inputTokens: 50, cachedTokens: 5, outputTokens: 5, cost: 0.5 },
    },
    {
      type: "compaction_done",
      ...told,
      ok: true,
      summary: "all",
      usage: { inputTokens: 50, cachedTokens: 0, outputTokens: 5 },
    },
    { type: "compaction_done", ...told, ok: false, error: "stopped" },
  );
  expect(spent).toEqual({ input: 200, output: 20, cost: 1.5 });
});

describe("the transcript", () => {
  it("takes the person's words and the finished paragraphs, and keeps the open one live", () => {
    const view = play(
      { type: "user_message", id: "u1", text: "hello" },
      { type: "text_delta", id: "a1", text: "First.\n\nSec" },
      { type: "text_delta", id: "a1", text: "ond" },
    );
    expect(view).toEqual({
      ...start,
      running: true,
      items: [banner, { kind: "user", text: "hello" }, { kind: "assistant", text: "First.\n\n", continued: false }],
      tail: { id: "a1", raw: "First.\n\nSecond", from: 8, fence: "", shown: "Second" },
    });
  });

  it("adds what was still live when the message is whole, as a later piece of it", () => {
    const view = play(
      { type: "text_delta", id: "a1", text: "First.\n\nSecond" },
      { type: "assistant_message", id: "a1", text: "First.\n\nSecond", calls: [] },
      ended("done"),
    );
    expect(view).toEqual({
      ...start,
      answer: "First.\n\nSecond",
      items: [
        banner,
        { kind: "assistant", text: "First.\n\n", continued: false },
        { kind: "assistant", text: "Second", continued: true },
      ],
    });
  });

  it("shows the turn's text where a tool said it that ends turns, and once where the model did", () => {
    const end = {
      type: "turn_ended",
      reason: "done",
      exitCode: 0,
      calls: { success: 1, error: 0, cancelled: 0, interrupted: 0 },
    } as const;
    const byTool = play(
      { type: "assistant_message", id: "a1", text: "I finish.", calls: [] },
      { ...end, text: "All\u001b[2J is well." },
    );
    expect([byTool.answer, byTool.items.slice(1)]).toEqual([
      "All\u001b[2J is well.",
      [
        { kind: "assistant", text: "I finish.", continued: false },
        { kind: "assistant", text: expect.stringMatching(/^All[^\u001b]* is well\.$/), continued: false },
      ],
    ]);
    const byModel = play({ type: "assistant_message", id: "a1", text: "Done.", calls: [] }, { ...end, text: "Done." });
    expect(byModel.items.slice(1)).toEqual([{ kind: "assistant", text: "Done.", continued: false }]);
  });

  it("shows a message that came whole without having streamed", () => {
    const view = play({ type: "assistant_message", id: "a1", text: "All at once.", calls: [] }, ended("done"));
    expect(view.items).toEqual([banner, { kind: "assistant", text: "All at once.", continued: false }]);
  });

  it("keeps what had come of a message that was stopped", () => {
    const view = play({ type: "text_delta", id: "a1", text: "Half a sen" }, ended("cancelled"));
    expect(view).toEqual({
      ...start,
      items: [
        banner,
        { kind: "assistant", text: "Half a sen", continued: false },
        { kind: "notice", level: "warn", text: "stopped" },
      ],
    });
  });

  it("says what went wrong below the words that it cut off", () => {
    const view = play(
      { type: "text_delta", id: "a1", text: "Half a sen" },
      { type: "error", code: "x", message: "cut" },
    );
    expect(view).toMatchObject({
      tail: undefined,
      items: [banner, { kind: "assistant", text: "Half a sen" }, { kind: "notice", level: "error", text: "cut" }],
    });
  });

  it("folds what the model thinks to one line, as soon as it says or does something", () => {
    const think = (text: string) => ({ type: "notice", code: "thinking", text }) as const;
    const thought = "Let me \u001b[31msee: ";
    const view = play(think(thought), think("x".repeat(400)));
    expect([view.items, view.thought?.size]).toEqual([[banner], thought.length + 400]);
    const said = play(think(thought), think("x".repeat(400)), { type: "text_delta", id: "a1", text: "So" });
    expect(said).toMatchObject({
      items: [
        banner,
        { kind: "notice", text: expect.stringMatching(/^thought \(417 characters\): Let me .*see: x+…$/) },
      ],
      thought: undefined,
    });
    expect(JSON.stringify(said.items)).not.toContain("\\u001b");
    expect(play(think("Yes."), ended("done")).items[1]).toMatchObject({ text: "thought (4 characters): Yes." });
  });

  it("commits the lines of a long open fence and opens it again for the rest", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `const a${index} = ${index};`);
    const text = `\`\`\`ts\n${lines.join("\n")}`;
    const view = play({ type: "text_delta", id: "a1", text });
    const committed = view.items.slice(1).map((item) => (item.kind === "assistant" ? item.text : ""));
    expect(committed).toEqual([`\`\`\`ts\n${lines.slice(0, 34).join("\n")}\n\`\`\`\`\`\``]);
    expect(view.tail?.shown).toBe(`\`\`\`ts\n${lines.slice(34).join("\n")}`);
    const whole = reduce(view, eventOf({ type: "assistant_message", id: "a1", text: `${text}\n\`\`\``, calls: [] }));
    expect(whole.items.at(-1)).toEqual({
      kind: "assistant",
      text: `\`\`\`ts\n${lines.slice(34).join("\n")}\n\`\`\``,
      continued: true,
    });
  });

  it("holds a message typed while the agent works in the queue until its turn begins", () => {
    const queued = play(
      { type: "user_message", id: "u1", text: "one" },
      { type: "user_message", id: "u2", text: "two", queued: true },
    );
    expect(queued.queue).toEqual([{ id: "u2", text: "two", steer: false }]);
    const begun = reduce(queued, eventOf({ type: "user_message", id: "u2", text: "two" }));
    expect(begun).toEqual({ ...queued, queue: [], items: [...queued.items, { kind: "user", text: "two" }] });
  });

  it("shows a restored conversation in its order, calls between the words, in the mode that this chat is in", () => {
    const view = play({
      type: "session_restored",
      model: "openai:x",
      workspace: "/w",
      mode: "read-only",
      messages: [
        { role: "user", id: "u1", text: "look" },
        { role: "assistant", id: "a1", text: "I look.", calls: ["c1"] },
        {
          role: "call",
          session: "s1",
          call: doneCall("c1", "read_file", { file_path: "a.ts" }, { output: "1", title: "1 line" }),
        },
        { role: "assistant", id: "a2", text: "Done.", calls: [] },
      ],
      waiting: [],
      interrupted: [],
      contextUsed: 1200,
    });
    expect(view).toEqual({
      ...start,
      model: "openai:x",
      workspace: "/w",
      answer: "Done.",
      usage: { contextUsed: 1200 },
      items: [
        banner,
        { kind: "user", text: "look" },
        { kind: "assistant", text: "I look.", continued: false },
        {
          kind: "call",
          card: { ref: fakeCall("c1"), toolName: "read_file", subject: "a.ts", state: "done", note: "1 line" },
        },
        { kind: "assistant", text: "Done.", continued: false },
      ],
    });
  });

  it("has a path in the workspace as one in it, however the model wrote it: in the card, beside it and among what is changed", () => {
    const args = { file_path: `${start.workspace}/src/a.ts` };
    const outside = { file_path: `${start.workspace}-b/a.ts` };
    const result = { output: "done", title: "edit src/a.ts (+1 -0)", metadata: { added: 1, removed: 0 } };
    const { items, changed } = play(
      { type: "tool_call", call: doneCall("c1", "edit_file", args, result) },
      { type: "tool_call", call: doneCall("c2", "read_file", outside, { output: "done" }) },
    );
    const [, inside, other] = items.map((item) => (item.kind === "call" ? item.card : undefined));
    expect([inside?.subject, inside?.note, other?.subject]).toEqual(["src/a.ts", undefined, outside.file_path]);
    expect(changed).toMatchObject([{ subject: "src/a.ts" }]);
  });

  it("has such a path of the agent's own tools alone, from its first piece on; a server counts from a folder of its own", () => {
    const path = `${start.workspace}/src`;
    const [begin, end] = [`{"path":"${path.slice(0, 8)}`, `${path.slice(8)}"}`];
    const growing = (callId: string, toolName: string): AgentEventBody[] => [
      { type: "tool_progress", callId, phase: "arguments", toolName },
      { type: "tool_progress", callId, phase: "arguments", partialArguments: begin },
      { type: "tool_progress", callId, phase: "arguments", partialArguments: end },
    ];
    const view = play(...growing("c1", "ls"), ...growing("c2", "mcp__hub__list"));
    expect(view.cards.map(({ subject }) => subject)).toEqual(["src", path]);
    const settled = play(
      { type: "tool_call", call: doneCall("c1", "ls", { path }, { output: "" }) },
      { type: "tool_call", call: doneCall("c2", "mcp__hub__list", { path }, { output: "" }) },
    );
    expect(settled.items.slice(1)).toMatchObject([{ card: { subject: "src" } }, { card: { subject: path } }]);
  });

  it.each([
    ["write", "a.ts", "wrote a.ts (+3 -0)", undefined],
    ["goal", "add", "g1 added: one", "g1 added: one"],
    ["evaluate", "g1", "g1 fail", "fail"],
    ["evaluate", "g1", "g12 fail", "g12 fail"],
    ["write", "e", "wrote e (+1 -0)", undefined],
    ["write", "e", "wrote e (new)", "new"],
    ["write", "e", "wrote it", "wrote it"],
  ])("says beside the subject of a card what the title of %s has beyond it: %s, %s", (tool, subject, title, note) => {
    const { items } = play({ type: "tool_call", call: doneCall("c1", tool, { subject }, { output: "done", title }) });
    expect(items).toMatchObject([banner, { card: note === undefined ? { subject } : { subject, note } }]);
  });

  it("shows the end of a long restored conversation, and says where the rest is", () => {
    const said = Array.from({ length: 130 }, (_, at) => ({
      role: "user" as const,
      id: `u${at}`,
      text: `message ${at}`,
    }));
    const rest = { model: "openai:x", workspace: "/w", mode: "ask" as const, waiting: [], interrupted: [] };
    const { items } = play({ type: "session_restored", messages: said, ...rest });
    expect(items).toEqual([
      banner,
      {
        kind: "notice",
        level: "info",
        text: `90 earlier messages and calls are not drawn again: agent sessions show ${start.session}`,
      },
      ...said.slice(90).map(({ text }) => ({ kind: "user", text })),
    ]);
  });
});

describe("a call's card", () => {
  it("lives from its first arguments to its result and then goes to the transcript", () => {
    const writing = play({
      type: "tool_progress",
      callId: "c1",
      phase: "arguments",
      toolName: "read_file",
      partialArguments: '{"file_path":"a.ts","off',
    });
    expect(writing.cards).toEqual([
      {
        ref: fakeCall("c1"),
        toolName: "read_file",
        subject: "a.ts",
        state: "arguments",
        written: { size: 24, head: '{"file_path":"a.ts","off', tool: "read_file" },
      },
    ]);
    const pending = reduce(
      writing,
      eventOf({ type: "tool_call", call: pendingCall("c1", "read_file", { file_path: "a.ts" }) }),
    );
    expect(pending.cards).toEqual([{ ref: fakeCall("c1"), toolName: "read_file", subject: "a.ts", state: "pending" }]);
    const running = reduce(
      pending,
      eventOf({ type: "tool_progress", callId: "c1", phase: "running", text: "1\n2\n3\n4\n" }),
    );
    expect(running.cards).toEqual([
      { ref: fakeCall("c1"), toolName: "read_file", subject: "a.ts", state: "running", tail: ["2", "3", "4"] },
    ]);
    const done = reduce(
      running,
      eventOf({ type: "tool_call", call: doneCall("c1", "read_file", { file_path: "a.ts" }, { output: "x" }) }),
    );
    expect(done.cards).toEqual([]);
    expect(done.items.at(-1)).toEqual({
      kind: "call",
      card: { ref: fakeCall("c1"), toolName: "read_file", subject: "a.ts", state: "done" },
    });
  });

  it("gathers what comes piece by piece, and drops what became no call of the message", () => {
    const piece = (callId: string, partialArguments: string) =>
      ({ type: "tool_progress", callId, phase: "arguments", partialArguments }) as const;
    const view = play(
      { ...piece("c1", '{"na'), toolName: "greet" },
      { ...piece("c2", '{"path":"a'), toolName: "ls" },
      piece("c1", 'me":"An'),
      { type: "tool_progress", callId: "c1", phase: "arguments", tip: "looks up An\u001b[2J" },
      piece("c1", `n","rest":"${"x".repeat(9_000)}`),
    );
    expect(view.cards.map(({ written, ...card }) => [card, written?.size, written?.head.length])).toEqual([
      [
        { ref: fakeCall("c1"), toolName: "greet", subject: "Ann", state: "arguments", tip: "looks up An␛[2J" },
        9_022,
        4_000,
      ],
      [{ ref: fakeCall("c2"), toolName: "ls", subject: "a", state: "arguments" }, 10, 10],
    ]);
    const cut = reduce(view, eventOf({ type: "assistant_message", id: "m", text: "", calls: ["c1"] }));
    expect(cut.cards.map(({ ref }) => ref.call)).toEqual(["c1"]);
  });

  it("keeps what its tool told until it is over, and draws how long it runs from two seconds on", () => {
    const running = play(
      { type: "tool_call", call: pendingCall("c1", "build", { name: "app" }) },
      { type: "tool_progress", callId: "c1", phase: "arguments", tip: "gets ready" },
      { type: "tool_call", call: { callId: "c1", status: "executing", attempt: 1 } },
      { type: "tool_progress", callId: "c1", phase: "running", figure: 0.5 },
      {
        type: "tool_progress",
        callId: "c1",
        phase: "running",
        figure: 1,
        text: "1 %\r50 %\u001b[31m\r99 %\r\nlinks\r\n",
      },
    );
    const since = running.cards[0]?.since ?? 0;
    const drawn = (ms: number) =>
      liveCards(running.cards, 80, 10, { mark: "⠋", now: since + ms }).map((row) => plainText(row).trimEnd());
    expect(drawn(1_999)).toEqual(["⠋ build app · 100 % · gets ready", "  │ 99 %", "  │ links"]);
    expect(drawn(75_000)[0]).toBe("⠋ build app · 75 s · 100 % · gets ready");
    const done = reduce(
      running,
      eventOf({ type: "tool_call", call: doneCall("c1", "build", { name: "app" }, { output: "" }) }),
    );
    expect(done.items.at(-1)).toEqual({
      kind: "call",
      card: { ref: fakeCall("c1"), toolName: "build", subject: "app", state: "done" },
    });
  });

  it("gives way to the others that run beside it where rows are few", () => {
    const cards = ["a", "b"].map((name) => ({
      ...{
        ref: fakeCall(name),
        toolName: "build",
        subject: name,
        state: "running" as const,
        tail: ["one", "two", "three"],
      },
      ...(name === "b" && { tip: "long ".repeat(20).trim() }),
    }));
    const drawn = (room: number) =>
      liveCards(cards, 40, room, { mark: "⠋", now: 0 }).map((row) => plainText(row).trimEnd());
    expect(drawn(12).filter((row) => row.startsWith("  │"))).toHaveLength(6);
    expect(drawn(5).filter((row) => row.startsWith("  │"))).toEqual([]);
    expect(drawn(2)).toEqual(["⠋ build a", "⠋ build b · long long long long long lo…"]);
    expect(drawn(1)).toEqual([]);
  });

  it("waits for the calls before it, so that the transcript keeps the message's order", () => {
    const view = play(
      { type: "tool_call", call: pendingCall("c1", "ls", { path: "a" }) },
      { type: "tool_call", call: pendingCall("c2", "ls", { path: "b" }) },
      { type: "tool_call", call: doneCall("c2", "ls", { path: "b" }, { output: "" }) },
    );
    expect(view.items).toEqual([banner]);
    const all = reduce(view, eventOf({ type: "tool_call", call: doneCall("c1", "ls", { path: "a" }, { output: "" }) }));
    expect(all.items.map((item) => (item.kind === "call" ? item.card.ref.call : item.kind))).toEqual([
      "banner",
      "c1",
      "c2",
    ]);
  });

  it("ignores progress that comes after the end", () => {
    const view = play({ type: "tool_call", call: doneCall("c1", "ls", {}, { output: "" }) });
    const late = reduce(
      { ...view, cards: [{ ref: fakeCall("c1"), toolName: "ls", subject: "", state: "done" }] },
      eventOf({ type: "tool_progress", callId: "c1", phase: "running", tip: "late" }),
    );
    expect(late.cards).toEqual([{ ref: fakeCall("c1"), toolName: "ls", subject: "", state: "done" }]);
  });
});

const stringsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
};

describe("text from outside", () => {
  const evil = "\u001b]52;c;aGk=\u0007safe\rrm -rf\u202e";

  it("reaches the view sanitised, wherever it comes from", () => {
    const view = play(
      { type: "user_message", id: "u", text: evil },
      { type: "assistant_message", id: "a", text: evil, calls: [] },
      { type: "tool_call", call: doneCall("c1", evil, { file_path: evil }, { output: evil, title: evil }) },
      { type: "error", code: "x", message: evil, hint: evil },
      { type: "notice", code: "x", text: evil },
      { type: "approval_requested", calls: [waitingEdit("c2", { toolName: evil, agent: evil })] },
      {
        type: "recovery_requested",
        calls: [
          {
            session: fakeId,
            callId: "c3",
            toolName: evil,
            arguments: { a: evil },
            effect: "once",
            startedAt: evil,
            known: evil,
            choices: ["cancel"],
          },
        ],
      },
    );
    const drawn = stringsOf({
      items: view.items,
      ask: view.ask?.requests.map(({ call: _call, ...rest }) => rest),
      recovery: view.recovery.map(({ call: _call, ...rest }) => rest),
      cards: view.cards,
    }).join(" ");
    expect(drawn).not.toMatch(/[\u001b\u0007\r\u202e]/);
    expect(drawn).toContain("‹U+202E›");
  });

  it("warns of hidden characters in what would be written, and counts the plan's own warnings after it", () => {
    const call = waitingEdit("c1", {
      arguments: { file_path: "a", new_string: "x\u200b" },
      plan: { ...smallPlan, warnings: ["this session never read the file"] },
    });
    const view = play({ type: "approval_requested", calls: [call] });
    expect(view.ask?.requests[0]?.warnings).toEqual([
      "contains hidden or direction-changing characters, drawn here as ‹U+…›",
      "this session never read the file",
    ]);
  });

  it("counts a change by its hunks, whatever its lines look like", () => {
    const plan = planOf("src/a.ts", "-- x\n", `++ y\n${"line\n".repeat(40)}`);
    const view = play({ type: "approval_requested", calls: [waitingEdit("c1", { plan })] });
    expect(view.ask?.requests[0]?.counts).toEqual({ added: 41, removed: 1 });
    expect(view.cards[0]?.counts).toEqual({ added: 41, removed: 1 });
    expect(plan.summary).toBe("edit src/a.ts (+41 -1)");
  });

  it("shows a line end in a file's name", () => {
    const plan = planOf("src/new\nline.txt", null, "x\n");
    const call = waitingEdit("c1", { plan, arguments: { file_path: "src/new\nline.txt" } });
    const { cards, ask } = play({ type: "approval_requested", calls: [call] });
    expect([ask?.requests[0]?.subject, ask?.requests[0]?.files, cards[0]?.subject]).toEqual([
      '"src/new\\nline.txt"',
      [expect.stringContaining('"src/new\\nline.txt"')],
      '"src/new\\nline.txt"',
    ]);
  });

  it("does not warn of line ends and tabs", () => {
    const call = waitingEdit("c1", { arguments: { content: "a\tb\r\nc\n" } });
    expect(play({ type: "approval_requested", calls: [call] }).ask?.requests[0]?.warnings).toEqual([]);
  });
});

it("leaves a sub-agent's own talk out of the conversation", () => {
  const event = { ...eventOf({ type: "text_delta", id: "x", text: "child" }), parent: "c1" };
  expect(reduce(start, event)).toBe(start);
});
