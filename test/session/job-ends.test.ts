import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { noticesOf } from "../../src/graph/talk/notices.ts";
import { createRenderer } from "../../src/graph/talk/render.ts";
import { forkSession } from "../../src/records/fork.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../support/play.ts";

/** A call that leaves a job behind, of which this was kept last; no process of it runs any more. */
const job = toolOf(
  "serve",
  async (_, { callId, outputs }) => {
    await outputs?.keep(callId, Buffer.from("up"), "running");
    return { output: "it runs in the background", metadata: { job: callId } };
  },
  { effect: "once" },
);
const serve = calls(["serve", { command: "npm run dev" }]);
const gone = (callId: string): string =>
  `(This is from the agent, not from the person.) The background job ${callId} (npm run dev) is gone: it ended with the process ` +
  `that this session ran in. read_file {"file_path": "call:${callId}"} shows the last that was kept of it.`;

const stageOf = (...lines: Parameters<typeof openStage>[0]["lines"]): Promise<Stage> =>
  openStage({ lines, tools: [job], mode: "full-auto" });

const said = async (life: Life, text: string): Promise<Life> => {
  await life.session.submit(text);
  await life.session.settled();
  return life;
};
const wordsOf = (messages: readonly { content: unknown }[] = []): string[] =>
  messages.slice(1).map(({ content }) => String(content));
const toldIn = (stage: Stage, request: number): string[] => wordsOf(stage.requests.at(request)?.messages);

/** What the next process would tell of the same session. */
async function elsewhere(stage: Stage, id: string): Promise<string[]> {
  const store = await openStore({ file: stage.database });
  try {
    const journal = store.readJournal(id);
    const tuple = await store.saver.getTuple({ configurable: { thread_id: id } });
    const messages = tuple?.checkpoint.channel_values["messages"] as BaseMessage[];
    return wordsOf([messages[0] as BaseMessage, ...createRenderer(journal, noticesOf(journal)).render(messages)]);
  } finally {
    store.close();
  }
}

describe("a job that was lost with its process is told to the model once,", () => {
  it("behind the person's next words, and stands there from then on, in any process", async () => {
    const stage = await stageOf(serve, says("Serving."), says("I see."), says("Yes."), says("Still yes."));
    const first = await stage.begin("serve");
    await first.close();
    const next = await said(await stage.resume(first.session.id), "and now?");
    const before = ["serve", "", "it runs in the background", "Serving.", "and now?", gone("c1")];
    expect(toldIn(stage, -1)).toEqual(before);
    await said(next, "sure?");
    expect(toldIn(stage, -1)).toEqual([...before, "I see.", "sure?"]);
    await next.close();
    const last = await said(await stage.resume(first.session.id), "really?");
    expect(toldIn(stage, -1)).toEqual([...before, "I see.", "sure?", "Yes.", "really?"]);
    expect(last.of("notice")).toEqual([]);
    await last.close();
    expect(await elsewhere(stage, first.session.id)).toEqual([
      ...before,
      ...["I see.", "sure?", "Yes.", "really?", "Still yes."],
    ]);
  });

  it("behind what came of the calls before it, where the turn was under way; and each of several, by its command", async () => {
    const stage = await stageOf(
      calls(["serve", { command: "npm run dev" }], ["serve", { command: "npm run dev" }]),
      says("So."),
    );
    const fate = fateOf({
      write: (name, [reply]) => name === "commitReply" && stage.requests.length === 2 && reply !== undefined,
      when: "before",
    });
    const dead = await stage.begin("serve", { wrap: fate.wrap });
    expect(fate.dead).toBe(true);
    await dead.close().catch(() => undefined);
    const next = await stage.resume(dead.session.id, { takeOver: true });
    const runs = "it runs in the background";
    const both = `${gone("c1")}\n${gone("c2").slice(gone("c2").indexOf("The background"))}`;
    expect(toldIn(stage, -1)).toEqual(["serve", "", runs, runs, both]);
    expect(next.of("notice").map(({ code }) => code)).toEqual(["cut_off", "job_gone", "job_gone"]);
  });

  it.each([
    ["keepOutput", "before"],
    ["keepOutput", "after"],
    ["tellSteers", "before"],
    ["tellSteers", "after"],
    ["commitReply", "before"],
    ["commitReply", "after"],
  ] as const)("though the process that finds it lost dies, too: at %s, %s it", async (write, when) => {
    const stage = await stageOf(serve, says("Serving."), says("I see."), says("Yes."));
    const first = await stage.begin("serve");
    await first.close();
    const fate = fateOf({ write: (name) => name === write, when });
    await live(stage, first.session.id, fate).catch(() => undefined);
    expect(fate.dead).toBe(true);
    const last = await said(await stage.resume(first.session.id, { takeOver: true }), "sure?");
    const told = toldIn(stage, -1);
    expect(told.filter((words) => words === gone("c1"))).toHaveLength(1);
    // What was told once stays so.
    const before = toldIn(stage, -2);
    if (before.includes(gone("c1"))) expect(told.slice(0, before.length)).toEqual(before);
    await last.close();
    expect((await elsewhere(stage, first.session.id)).slice(0, told.length)).toEqual(told);
  });

  it("and in a fork at its own place: where the origin was told, or with the fork's first words", async () => {
    const stage = await stageOf(serve, says("Serving."), says("Well."), says("I see."), says("Yes."));
    const first = await said(await stage.begin("serve"), "well?");
    await first.close();
    const next = await said(await stage.resume(first.session.id), "and now?");
    const row = next.store.sessions.get(first.session.id);
    if (row === undefined) throw new Error("it is gone");
    const [early, late] = [await forkSession(next.store, row, "c1"), await forkSession(next.store, row)];
    await next.close();
    await said(await stage.resume(early?.id ?? "", { still: true }), "once more");
    expect(toldIn(stage, -1).slice(-2)).toEqual(["once more", gone("c1")]);
    await said(await stage.resume(late?.id ?? "", { still: true }), "once more");
    expect(toldIn(stage, -1).slice(-4)).toEqual(["and now?", gone("c1"), "I see.", "once more"]);
  });
});

it("an end that nobody was told of yet is told to the person where the job was, and to the model in a fork too", async () => {
  const stage = await stageOf(serve, says("Serving."), says("I see."), says("Yes."));
  const fate = fateOf({ write: (name) => name === "noteJobTold", when: "before" });
  const first = await stage.begin("serve");
  await first.close();
  const second = await stage.resume(first.session.id, { still: true, wrap: fate.wrap });
  await expect.poll(() => fate.dead).toBe(true);
  expect(second.of("notice").map(({ code }) => code)).toEqual(["job_gone"]);
  const row = second.store.sessions.get(first.session.id);
  const fork = row && (await forkSession(second.store, row));
  await second.close().catch(() => undefined);
  const copy = await said(await stage.resume(fork?.id ?? "", { still: true }), "and here?");
  await copy.close();
  expect([copy.of("notice"), toldIn(stage, -1).slice(-2)]).toEqual([[], ["and here?", gone("c1")]]);
  const third = await said(await stage.resume(first.session.id, { still: true, takeOver: true }), "and now?");
  await third.close();
  expect(third.of("notice").map(({ code }) => code)).toEqual(["job_gone"]);
  expect(toldIn(stage, -1).slice(-2)).toEqual(["and now?", gone("c1")]);
});

/** A life that finds the job lost and says something, as far as its fate lets it. */
async function live(stage: Stage, id: string, fate: ReturnType<typeof fateOf>): Promise<void> {
  let opened: Store | undefined;
  const wrap = (store: Store): Store => {
    opened = store;
    return fate.wrap(store);
  };
  try {
    const life = await stage.resume(id, { wrap, still: true });
    await said(life, "and now?");
    await life.close();
  } finally {
    opened?.close();
  }
}

/** As the shell does: the job is ended with the tools of its session. */
function endedWithSession(): ReturnType<typeof toolOf> {
  let keep: (() => Promise<void>) | undefined;
  const serving = toolOf(
    "serve",
    async (_, { callId, outputs }) => {
      await outputs?.keep(callId, Buffer.from("up"), "running");
      keep = async () => outputs?.keep(callId, Buffer.from("up\n(ended)\n"), "lost").catch(() => undefined);
      return { output: "it runs in the background", metadata: { job: callId } };
    },
    { effect: "once" },
  );
  return { ...serving, dispose: async () => keep?.() };
}

describe("a job that was ended with its session", () => {
  it("is told to the person at the close, and to the model once, with the next request", async () => {
    const stage = await openStage({
      lines: [serve, says("Serving."), says("I see."), says("Yes.")],
      tools: [endedWithSession()],
      mode: "full-auto",
    });
    const first = await stage.begin("serve");
    await first.close();
    const text = "the background job c1 (npm run dev) was ended with its session; its last words: up";
    expect(first.of("notice")).toMatchObject([{ code: "job_gone", text }]);
    const next = await said(await stage.resume(first.session.id), "and now?");
    await said(next, "sure?");
    const told = ["serve", "", "it runs in the background", "Serving.", "and now?", gone("c1"), "I see.", "sure?"];
    expect(toldIn(stage, -1)).toEqual(told);
    await next.close();
    expect(next.of("notice")).toEqual([]);
  });

  it.each(["before", "after"] as const)("is told once, too, where the process dies %s it kept that", async (when) => {
    const fate = fateOf({ write: (name, [, , job]) => name === "keepOutput" && job === "lost", when });
    const stage = await openStage({
      lines: [serve, says("Serving."), says("I see."), says("Yes.")],
      tools: [endedWithSession()],
      mode: "full-auto",
    });
    const first = await stage.begin("serve", { wrap: fate.wrap });
    await first.close().catch(() => undefined);
    expect(fate.dead).toBe(true);
    const next = await said(await stage.resume(first.session.id, { takeOver: true }), "and now?");
    await said(next, "sure?");
    expect(toldIn(stage, -1).filter((words) => words === gone("c1"))).toHaveLength(1);
    await next.close();
    expect(next.of("notice").filter(({ code }) => code === "job_gone")).toHaveLength(1);
  });

  it.each([
    ["before", 1],
    ["after", 0],
  ] as const)("is said again only where the process dies %s it kept that the person was told", async (when, again) => {
    const fate = fateOf({ write: (name) => name === "noteJobTold", when });
    const stage = await openStage({
      lines: [serve, says("Serving."), says("I see.")],
      tools: [endedWithSession()],
      mode: "full-auto",
    });
    const first = await stage.begin("serve", { wrap: fate.wrap });
    await first.close().catch(() => undefined);
    expect([fate.dead, first.of("notice").length]).toEqual([true, 1]);
    const next = await said(await stage.resume(first.session.id, { takeOver: true }), "and now?");
    await next.close();
    expect(next.of("notice").filter(({ code }) => code === "job_gone")).toHaveLength(again);
  });
});

it("a job that came to its end is no lost one", async () => {
  const ended = toolOf(
    "serve",
    async (_, { callId, outputs }) => {
      await outputs?.keep(callId, Buffer.from("bye"), "ended");
      return { output: "it has ended already", metadata: { job: callId, exitCode: 0 } };
    },
    { effect: "once" },
  );
  const stage = await openStage({ lines: [serve, says("Done."), says("Yes.")], tools: [ended], mode: "full-auto" });
  const first = await stage.begin("serve");
  await first.close();
  await said(await stage.resume(first.session.id), "and now?");
  expect(toldIn(stage, -1)).toEqual(["serve", "", "it has ended already", "Done.", "and now?"]);
});

/** It ends when it is told to, as by itself: no call tells of that. */
function endingByItself(): { tool: ReturnType<typeof toolOf>; end(): Promise<void> } {
  let keep: (() => Promise<void>) | undefined;
  const tool = toolOf(
    "serve",
    async (_, { callId, outputs }) => {
      await outputs?.keep(callId, Buffer.from("up"), "running");
      keep = async () => outputs?.keep(callId, Buffer.from("up\n(exit code 3)\n"), { over: "exit code 3" });
      return { output: "it runs in the background", metadata: { job: callId } };
    },
    { effect: "once" },
  );
  return { tool, end: async () => keep?.() };
}

const over = (callId: string): string =>
  `(This is from the agent, not from the person.) The background job ${callId} (npm run dev) has ended: exit code 3. ` +
  `read_file {"file_path": "call:${callId}"} shows what it said.`;

describe("a job that came to its own end beside the talk", () => {
  const text = "the background job c1 (npm run dev) has ended: exit code 3; its last words: up";

  it("is told to the person then, and to the model once, with the next request, in a fork too", async () => {
    const { tool, end } = endingByItself();
    const lines = [serve, says("Serving."), says("I see."), says("Yes."), says("So.")];
    const stage = await openStage({ lines, tools: [tool], mode: "full-auto" });
    const first = await stage.begin("serve");
    expect(first.of("notice")).toEqual([]);
    await end();
    await first.until(({ type }) => type === "notice");
    expect(first.of("notice")).toMatchObject([{ code: "job_ended", text }]);
    await said(first, "and now?");
    await said(first, "sure?");
    const told = ["serve", "", "it runs in the background", "Serving.", "and now?", over("c1"), "I see.", "sure?"];
    expect(toldIn(stage, -1)).toEqual(told);
    const row = first.store.sessions.get(first.session.id);
    const fork = row && (await forkSession(first.store, row));
    await first.close();
    expect(first.of("notice")).toHaveLength(1);
    const copy = await said(await stage.resume(fork?.id ?? "", { still: true }), "once more");
    expect(toldIn(stage, -1)).toEqual([...told, "Yes.", "once more"]);
    expect(copy.of("notice")).toEqual([]);
    await copy.close();
    expect(await elsewhere(stage, first.session.id)).toEqual([...told, "Yes."]);
  });

  it("and is not told as ended in a fork made while it ran: it does not run there", async () => {
    const { tool, end } = endingByItself();
    const lines = [serve, says("Serving."), says("I see."), says("Yes.")];
    const stage = await openStage({ lines, tools: [tool], mode: "full-auto" });
    const first = await stage.begin("serve");
    const row = first.store.sessions.get(first.session.id);
    const fork = row && (await forkSession(first.store, row));
    await end();
    await said(first, "and now?");
    expect(toldIn(stage, -1).at(-1)).toBe(over("c1"));
    await first.close();
    const copy = await said(await stage.resume(fork?.id ?? "", { still: true }), "and here?");
    expect(toldIn(stage, -1).at(-1)).toBe(
      "(This is from the agent, not from the person.) The background job c1 (npm run dev) does not run here: it runs, or ran, in a session that this one comes from.",
    );
    await copy.close();
    expect(copy.of("notice")).toEqual([]);
  });

  it.each([
    ["before", "job_gone", gone("c1")],
    ["after", "job_ended", over("c1")],
  ] as const)("is told as what is known of it where the process dies %s it kept that", async (when, code, words) => {
    const { tool, end } = endingByItself();
    const fate = fateOf({ write: (name, [, , job]) => name === "keepOutput" && typeof job === "object", when });
    const lines = [serve, says("Serving."), says("I see."), says("Yes.")];
    const stage = await openStage({ lines, tools: [tool], mode: "full-auto" });
    const first = await stage.begin("serve", { wrap: fate.wrap });
    await end().catch(() => undefined);
    expect([fate.dead, first.of("notice")]).toEqual([true, []]);
    await first.close().catch(() => undefined);
    const next = await said(await stage.resume(first.session.id, { takeOver: true }), "and now?");
    await said(next, "sure?");
    expect(toldIn(stage, -1).filter((one) => one.includes("background job"))).toEqual([words]);
    await next.close();
    const told = [...first.of("notice"), ...next.of("notice")].filter(({ code: one }) => one?.startsWith("job_"));
    expect(told.map(({ code: one }) => one)).toContain(code);
  });

  it.each([
    ["before", 1],
    ["after", 0],
  ] as const)("is said again only where the process dies %s it kept that the person was told", async (when, again) => {
    const { tool, end } = endingByItself();
    const fate = fateOf({ write: (name) => name === "noteJobTold", when });
    const stage = await openStage({
      lines: [serve, says("Serving."), says("I see.")],
      tools: [tool],
      mode: "full-auto",
    });
    const first = await stage.begin("serve", { wrap: fate.wrap });
    await end();
    await expect.poll(() => fate.dead).toBe(true);
    await first.close().catch(() => undefined);
    expect(first.of("notice").filter(({ code }) => code === "job_ended")).toHaveLength(1);
    const next = await said(await stage.resume(first.session.id, { takeOver: true }), "and now?");
    await next.close();
    expect(next.of("notice").filter(({ code }) => code === "job_ended")).toHaveLength(again);
  });
});
