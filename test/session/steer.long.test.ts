import { describe, expect, it } from "vitest";
import { scriptOf } from "../../src/records/export-script.ts";
import { forkSession } from "../../src/records/fork.ts";
import { historyOf } from "../../src/records/history.ts";
import { searchSession } from "../../src/records/search.ts";
import { standingOf } from "../../src/records/session-progress.ts";
import type { Journal, JournalReading, Lease, Store } from "../../src/store/types.ts";
import { heldSpeech } from "../support/held-speech.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../support/play.ts";
import { approve, askedStage, edit, openCalls, toldTo } from "./steering.ts";

/** A tool that goes on until the test lets it end. */
function gate(): { tool: ReturnType<typeof toolOf>; begun: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tool = toolOf(
    "wait",
    async () => {
      begin();
      await opened;
      return "waited";
    },
    { effect: "none" },
  );
  return { tool, begun, open };
}

const userMessages = (life: Life) =>
  life
    .of("user_message")
    .map(({ text, queued, steer }) => ({ text, ...(queued && { queued }), ...(steer && { steer }) }));

describe("a message that was sent before the person was asked", () => {
  it("leaves the calls that ask by now as they are, and begins the turn after theirs", async () => {
    const stage = await openStage({ files: { "a.txt": "one\n" }, lines: [edit, says("Done."), says("It is so.")] });
    const life = await stage.begin("change it");
    await life.session.submit("and then tell me", undefined, true);
    await life.session.settled();
    expect(openCalls(life)).toMatchObject([{ callId: "c1", status: "awaiting_approval" }]);
    expect(userMessages(life).at(-1)).toEqual({ text: "and then tell me", queued: true });
    await approve(life);
    expect(stage.text("a.txt")).toBe("two\n");
    expect(life.journal().turns()).toMatchObject([
      { text: "change it", reason: "done" },
      { text: "and then tell me", state: "done" },
    ]);
  });

  it("comes back, and begins nothing, where it is taken back and stopped before it is stored", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two.")] });
    const life = await stage.begin("first");
    const sent = life.session.submit("second");
    const [texts] = await Promise.all([life.session.takeBack(), life.session.stop(), sent]);
    await life.session.settled();
    expect(texts).toEqual(["second"]);
    expect(stage.requests).toHaveLength(1);
    expect(
      life
        .journal()
        .turns()
        .filter(({ state }) => state === "queued"),
    ).toEqual([]);
  });
});

describe("a message for the turn under way", () => {
  it("is told after the results of the step, once, in the order of what was said", async () => {
    const { tool, begun, open } = gate();
    const stage = await openStage({ tools: [tool], lines: [calls(["wait", {}]), calls(["ls", {}]), says("I see.")] });
    const life = await stage.begin("wait", { running: true });
    await begun;
    await life.session.steer("only the tests");
    await life.session.steer("and be quick");
    open();
    await life.session.settled();
    expect(toldTo(stage.requests[1])).toEqual([
      "person: wait",
      "model calls",
      "result: waited",
      "person: only the tests",
      "person: and be quick",
    ]);
    expect(toldTo(stage.requests[2]).filter((one) => one.startsWith("person"))).toEqual([
      "person: wait",
      "person: only the tests",
      "person: and be quick",
    ]);
    expect(userMessages(life)).toEqual([
      { text: "wait" },
      { text: "only the tests", queued: true, steer: true },
      { text: "and be quick", queued: true, steer: true },
      { text: "only the tests", steer: true },
      { text: "and be quick", steer: true },
    ]);
    expect(life.of("turn_ended")).toMatchObject([{ reason: "done", text: "I see." }]);
    expect(life.journal().turns()).toHaveLength(1);
  });

  it("leaves calls that wait as they are", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    await life.session.steer("then tell me why");
    await life.session.settled();
    expect(openCalls(life)).toMatchObject([{ callId: "c1", status: "awaiting_approval" }]);
    expect(stage.requests).toHaveLength(1);
    await approve(life);
    expect(stage.text("a.txt")).toBe("two\n");
    expect(toldTo(stage.requests[1]).at(-1)).toBe("person: then tell me why");
  });

  it("begins the next turn where the turn ends before a next step, and the one after it is told with it", async () => {
    const { wrapModel, goOn } = heldSpeech();
    const stage = await openStage({ lines: [says("Well."), says("Both heard.")], wrapModel });
    const life = await stage.begin("speak", { running: true });
    await life.session.steer("louder");
    await life.session.steer("please");
    goOn();
    await life.session.settled();
    expect(toldTo(stage.requests[1])).toEqual(["person: speak", "model speaks", "person: louder", "person: please"]);
    expect(life.of("turn_ended").map(({ text }) => text)).toEqual(["Well.", "Both heard."]);
    expect(life.journal().turns()).toMatchObject([{ text: "speak" }, { text: "louder", state: "done" }]);
    expect(life.journal().steers()).toMatchObject([{ text: "please", step: { turn: 2, step: 1 } }]);
  });

  it("comes before those that were queued behind it, where the turn ends before it is told", async () => {
    const { wrapModel, goOn } = heldSpeech();
    const stage = await openStage({ lines: [says("Well."), says("Louder."), says("Next."), says("Last.")], wrapModel });
    const life = await stage.begin("speak", { running: true });
    await life.session.steer("louder");
    await life.session.submit("the next thing");
    await life.session.submit("the last thing");
    goOn();
    await life.session.settled();
    const said = ["speak", "louder", "the next thing", "the last thing"];
    expect(life.journal().turns()).toMatchObject(said.map((text, at) => ({ turn: at + 1, text, state: "done" })));
    expect(toldTo(stage.requests.at(-1)).filter((one) => one.startsWith("person"))).toEqual(
      said.map((text) => `person: ${text}`),
    );
    expect(life.journal().steers()).toEqual([]);
    expect(life.store.verify(life.session.id).problem).toBeUndefined();
  });

  it("is an ordinary message where no turn is under way", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two.")] });
    const life = await stage.begin("first");
    await life.session.steer("second");
    await life.session.settled();
    expect(life.journal().turns()).toMatchObject([{ text: "first" }, { text: "second", state: "done" }]);
    expect(life.journal().steers()).toEqual([]);
    expect(userMessages(life)).toEqual([{ text: "first" }, { text: "second" }]);
  });

  it("that was said before Esc begins the next turn", async () => {
    const { tool, begun } = gate();
    const stage = await openStage({ tools: [tool], lines: [calls(["wait", {}]), says("As you say.")] });
    const life = await stage.begin("wait", { running: true });
    await begun;
    await life.session.steer("something else");
    // The tool heeds no signal, and is given up.
    await life.session.stop();
    await life.session.settled();
    expect(life.journal().turns()).toMatchObject([
      { text: "wait", reason: "cancelled" },
      { text: "something else", reason: "done" },
    ]);
    expect(toldTo(stage.requests.at(-1)).filter((one) => one === "person: something else")).toHaveLength(1);
  });

  it("waits across a close, is said again as waiting, and is told when the turn goes on", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    await life.session.steer("then tell me why");
    await life.close();
    const again = await stage.resume(life.session.id);
    expect(userMessages(again)).toEqual([{ text: "then tell me why", queued: true, steer: true }]);
    await approve(again);
    expect(userMessages(again).at(-1)).toEqual({ text: "then tell me why", steer: true });
    expect(toldTo(stage.requests.at(-1)).at(-1)).toBe("person: then tell me why");
  });

  it("waits where the turn fails, leaves its calls as they are, and is told when it goes on", async () => {
    const stage = await askedStage([[["ls", {}]]]);
    let failing = true;
    const broken = (journal: Journal): Journal =>
      new Proxy(journal, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== "function") return method;
          return (...given: unknown[]) => {
            if (failing && name === "tellSteers") throw new Error("not now");
            return method.apply(target, given) as unknown;
          };
        },
      });
    const wrap = (store: Store): Store =>
      new Proxy(store, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (key === "journal") return (lease: Lease) => broken(target.journal(lease));
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    const life = await stage.begin("change it", { wrap });
    await life.session.steer("then look");
    await approve(life);
    expect(life.last("turn_ended")).toMatchObject({ reason: "failed" });
    expect(life.journal().turns()).toMatchObject([{ state: "running", reason: "failed" }]);
    await life.close();
    failing = false;
    const again = await stage.resume(life.session.id);
    expect(again.journal().turns()).toMatchObject([{ state: "done", reason: "done" }]);
    expect(toldTo(stage.requests[1]).at(-1)).toBe("person: then look");
  });

  it("comes before a new message that is said instead of going on", async () => {
    const stage = await openStage({
      files: { "a.txt": "one\n" },
      lines: [edit, says("First."), says("Second.")],
    });
    const life = await stage.begin("change it");
    await life.session.steer("said first");
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    await again.session.submit("said last");
    await again.session.settled();
    expect(again.journal().turns()).toMatchObject([
      { text: "change it", reason: "superseded" },
      { text: "said first", reason: "done" },
      { text: "said last", reason: "done" },
    ]);
    expect(toldTo(stage.requests.at(-1)).filter((one) => one.startsWith("person"))).toEqual([
      "person: change it",
      "person: said first",
      "person: said last",
    ]);
  });
});

describe("a session with a message told while a turn ran", () => {
  async function told(): Promise<{ stage: Stage; life: Life }> {
    const stage = await askedStage([[["ls", {}]]]);
    const life = await stage.begin("change it");
    await life.session.steer("then look");
    await approve(life);
    return { stage, life };
  }

  it("has it in its history where it was told", async () => {
    const { life } = await told();
    const { transcript, earlier } = historyOf(life.journal());
    expect(
      transcript.map((entry) => (entry.role === "call" ? entry.call.callId : `${entry.role}: ${entry.text}`)),
    ).toEqual(["user: change it", "assistant: ", "c1", "user: then look", "assistant: ", "c2", "assistant: Done."]);
    expect(earlier).toBe(0);
    expect(historyOf(life.journal(), 1)).toMatchObject({ earlier: 6 });
  });

  it("is found by its words", async () => {
    const { life } = await told();
    const row = { title: "otters", createdAt: 1 };
    expect([...searchSession(life.journal(), row, ["look", "then"])]).toEqual([
      { role: "user", at: 1, text: "then look" },
    ]);
  });

  it("is exported with it", async () => {
    const { life } = await told();
    expect(scriptOf(life.journal())).toMatchObject([
      { kind: "holdfast-script" },
      { prompt: "change it" },
      { calls: [{ name: "edit_file" }] },
      { person: [{ decision: "approve" }] },
      { steer: "then look" },
      { calls: [{ name: "ls" }] },
      { text: "Done." },
    ]);
  });

  it("is forked with it, or before it", async () => {
    const { stage, life } = await told();
    const row = life.store.sessions.get(life.session.id);
    if (row === undefined) throw new Error("no session");
    const [whole, before] = [await forkSession(life.store, row), await forkSession(life.store, row, "c1")];
    const textsOf = (id = "") =>
      historyOf(life.store.readJournal(id)).transcript.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
    expect([textsOf(whole?.id), textsOf(before?.id)]).toEqual([["change it", "then look"], ["change it"]]);
    const fork = await stage.resume(whole?.id ?? "");
    await fork.session.submit("and now");
    await fork.session.settled();
    expect(toldTo(stage.requests.at(-1)).filter((one) => one.startsWith("person"))).toEqual([
      "person: change it",
      "person: then look",
      "person: and now",
    ]);
    expect(life.store.verify(whole?.id ?? "").problem).toBeUndefined();
  });

  it("is undone as ever", async () => {
    const { stage, life } = await told();
    expect(await life.session.undo({ turn: "last" })).toEqual({ ok: true, calls: ["c1"] });
    await life.session.settled();
    await approve(life);
    expect(stage.text("a.txt")).toBe("one\n");
  });
});

/** A turn that runs until it is stopped, and what is said meanwhile: to it, for after it, and to it again. */
async function threeWait(): Promise<{ stage: Stage; life: Life }> {
  const { tool, begun } = gate();
  const stage = await openStage({ tools: [tool], lines: [calls(["wait", {}]), says("Done."), says("More.")] });
  const life = await stage.begin("wait", { running: true });
  await begun;
  await life.session.steer("only the tests");
  await life.session.submit("then the docs");
  await life.session.steer("and be quick");
  return { stage, life };
}

describe("messages that are taken back", () => {
  it("come back in the order in which they were said, and are never told", async () => {
    const { stage, life } = await threeWait();
    const taken = life.session.takeBack();
    // Esc does both at once.
    await life.session.stop();
    expect(await taken).toEqual(["only the tests", "then the docs", "and be quick"]);
    await life.session.settled();
    expect(life.of("turn_ended")).toMatchObject([{ reason: "cancelled" }]);
    const queued = life.of("user_message").filter((event) => event.queued === true);
    expect(life.of("message_withdrawn").map(({ id }) => id)).toEqual(queued.map(({ id }) => id));
    await life.session.submit("something else");
    await life.session.settled();
    expect(toldTo(stage.requests.at(-1)).filter((one) => one.startsWith("person"))).toEqual([
      "person: wait",
      "person: something else",
    ]);
    expect(await life.session.takeBack()).toEqual([]);
  });

  it("are said in no record of the session, and its fork goes on without them", async () => {
    const { stage, life } = await threeWait();
    const taken = life.session.takeBack();
    await life.session.stop();
    await taken;
    await life.session.submit("something else");
    await life.session.settled();
    const texts = (journal: JournalReading) =>
      historyOf(journal).transcript.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
    const row = life.store.sessions.get(life.session.id);
    if (row === undefined) throw new Error("no session");
    const fork = await forkSession(life.store, row);
    expect(texts(life.journal())).toEqual(["wait", "something else"]);
    expect(texts(life.store.readJournal(fork?.id ?? ""))).toEqual(["wait", "something else"]);
    expect(JSON.stringify(scriptOf(life.journal()))).not.toMatch(/tests|docs|quick/);
    const words = (word: string) => [...searchSession(life.journal(), row, [word])].length;
    expect([words("docs"), words("quick"), words("something")]).toEqual([0, 0, 1]);
    expect([row.id, fork?.id ?? ""].map((id) => life.store.verify(id).problem)).toEqual([undefined, undefined]);
    const on = await stage.resume(fork?.id ?? "");
    await on.session.submit("and now");
    await on.session.settled();
    expect(on.last("turn_ended")).toMatchObject({ reason: "done" });
  });

  it("leave one that the model was told where it is", async () => {
    const stage = await askedStage([[["ls", {}]]]);
    const life = await stage.begin("change it");
    await life.session.steer("then look");
    await approve(life);
    expect(await life.session.takeBack()).toEqual([]);
    expect(life.journal().steers()).toMatchObject([{ text: "then look" }]);
  });

  it("leave calls that wait as they are, and are not said again by whoever opens the session later", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    await life.session.steer("then tell me why");
    expect(await life.session.takeBack()).toEqual(["then tell me why"]);
    expect(openCalls(life)).toMatchObject([{ callId: "c1", status: "awaiting_approval" }]);
    await life.close();
    const again = await stage.resume(life.session.id);
    expect(userMessages(again)).toEqual([]);
    expect(standingOf(again.journal(), false)).toMatchObject({ unheard: 0 });
    await approve(again);
    expect(stage.requests.flatMap(toldTo)).not.toContain("person: then tell me why");
  });

  it("are none in a session to which nothing was said", async () => {
    const stage = await openStage({ lines: [says("One.")] });
    const life = await stage.begin("first");
    expect(await life.session.takeBack()).toEqual([]);
    expect(life.of("message_withdrawn")).toEqual([]);
  });
});
