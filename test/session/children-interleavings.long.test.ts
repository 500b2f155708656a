import { existsSync } from "node:fs";
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isFinal, type ToolCallInfo } from "../../src/core/call.ts";
import type { Model } from "../../src/model/port.ts";
import { isOver } from "../../src/records/child-end.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import type { ChildRow } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { apart, firstWords } from "../support/models-apart.ts";
import { calls, type Life, type Line, openStage, type Stage, says, toolOf } from "../support/play.ts";
import { type Random, randomOf } from "../support/random-talk.ts";

const rounds = Number(process.env["HOLDFAST_ROUNDS"] ?? 8);

/** One that works until the others have ended. */
const long = "work long";

/** Up to three messages of one call or two: files that are asked about, and what is free. */
function talkOf(random: Random, name: string): Line[] {
  let count = 0;
  const call = (): [string, { file_path: string; content: string } | Record<string, never>] => {
    count += 1;
    const file = `${name}-${count}.txt`;
    return random.below(4) === 0 ? ["wait_it", {}] : ["write_file", { file_path: file, content: file }];
  };
  const messages = Array.from({ length: 1 + random.below(3) }, () =>
    calls(...Array.from({ length: 1 + random.below(2) }, call)),
  );
  return [...messages, says(`${name} is done.`)];
}

/** What helpers do at one time: what they ask their models, and the calls that run. */
class AtWork {
  readonly #now = new Map<string, number>();
  most = 0;

  async during<T>(who: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(who);
    return work().finally(leave);
  }

  enter(who: string): () => void {
    this.#add(who, 1);
    this.most = Math.max(this.most, this.#now.size);
    return () => this.#add(who, -1);
  }

  #add(who: string, by: number): void {
    const count = (this.#now.get(who) ?? 0) + by;
    if (count === 0) this.#now.delete(who);
    else this.#now.set(who, count);
  }
}

interface Scene {
  stage: Stage;
  atWork: AtWork;
  /** How many helpers there are to be. */
  tasks: number;
  /** Has the long one come to its end. */
  release(): void;
}

async function sceneOf(random: Random, atOnce: number): Promise<Scene> {
  const atWork = new AtWork();
  const released = gate();
  const tasks = Array.from({ length: 3 + random.below(4) }, (_, at) => `task ${at}`);
  const talks = Object.fromEntries(tasks.map((task) => [task, talkOf(random, task.replace(" ", "-"))]));
  // Where one works at once it would keep the others from their ends.
  if (atOnce > 1) tasks.splice(random.below(tasks.length), 0, long);
  const counted = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      const who = firstWords(request);
      const leave = who === "go" ? () => undefined : atWork.enter(who);
      try {
        for (let i = random.below(4); i > 0; i -= 1) await tick();
        const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        if (who === long && !signal.aborted) await Promise.race([released.opened, stopped]);
        signal.throwIfAborted();
        yield* model.stream(request, signal);
      } finally {
        leave();
      }
    },
  });
  const wait = toolOf(
    "wait_it",
    (_, { sessionId }) =>
      atWork.during(sessionId, async () => {
        for (let i = random.below(6); i > 0; i -= 1) await tick();
        return "waited";
      }),
    { effect: "none", risk: "low" },
  );
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks, atOnce }]), says("All done.")],
    tools: [askHelpers(), wait],
    wrapModel: (model) => counted(apart({ ...talks, [long]: [says("Done at last.")] })(model)),
  });
  return { stage, atWork, tasks: tasks.length, release: released.open };
}

type Waiting = { session: string; call: ToolCallInfo };

/** Who answers by chance what is asked, stops a helper now and then, and opens the session again. */
class Person {
  readonly #random: Random;
  readonly #scene: Scene;
  life: Life;
  readonly approved = new Set<string>();
  readonly #underWay: Promise<unknown>[] = [];

  constructor(random: Random, scene: Scene, life: Life) {
    this.#random = random;
    this.#scene = scene;
    this.life = life;
  }

  /** One act, begun and not waited for. */
  async act(): Promise<void> {
    const which = this.#random.below(12);
    if (which === 0) await this.#reopen();
    else if (which === 1) this.#underWay.push(this.#stopOne());
    else this.#underWay.push(this.#answerShown());
    for (let i = this.#random.below(8); i > 0; i -= 1) await tick();
  }

  /** All that waits is answered as it is asked, until all others than the long one have ended; then that one ends. */
  async comeToAnEnd(): Promise<void> {
    await Promise.all(this.#underWay);
    while (this.#rows().length < this.#scene.tasks || this.#open().some(({ spec }) => spec["task"] !== long)) {
      const waiting = this.#waiting();
      if (waiting.length > 0) await this.#answer(this.#random.one(waiting));
      await tick();
    }
    this.#scene.release();
    await this.life.session.settled();
  }

  readonly #rows = (): ChildRow[] => this.life.store.sessions.children(this.life.session.id);
  readonly #open = (): ChildRow[] => this.#rows().filter(({ id }) => !isOver(this.life.store.readJournal(id)));

  readonly #waiting = (): Waiting[] =>
    this.#open().flatMap(({ id }) =>
      this.life.store
        .readJournal(id)
        .openCalls()
        .flatMap((call) => (call.status === "awaiting_approval" ? [{ session: id, call }] : [])),
    );

  readonly #isShown = ({ session, call }: Waiting): boolean =>
    this.life
      .of("approval_requested")
      .some(({ calls: asked }) =>
        asked.some((one) => one.session === session && one.callId === call.callId && one.digest === call.digest),
      );

  /** What waits is asked about, whoever works. */
  async #answer(one: Waiting): Promise<void> {
    const isOpen = () =>
      this.#waiting().some(({ session, call }) => session === one.session && call.callId === one.call.callId);
    while (isOpen() && !this.#isShown(one)) await tick();
    await this.#decide(one.session, one.call.callId, one.call.digest ?? "");
  }

  async #answerShown(): Promise<void> {
    const shown = this.life.of("approval_requested").at(-1)?.calls ?? [];
    if (shown.length === 0) return;
    const { session, callId, digest } = this.#random.one(shown);
    await this.#decide(session, callId, digest);
  }

  async #decide(session: string, call: string, digest: string): Promise<void> {
    const how = this.#random.below(8);
    if (how === 0) await this.life.session.answer({ session, call }, { decision: "deny" });
    else if (how === 1) {
      const wrong = { decision: "approve", digest: "0".repeat(64) } as const;
      expect(await this.life.session.answer({ session, call }, wrong)).toMatchObject({ ok: false });
    } else {
      this.approved.add(`${session}:${call}`);
      const twice = [1, 2].map(() => this.life.session.answer({ session, call }, { decision: "approve", digest }));
      expect((await Promise.all(twice)).filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    }
  }

  async #stopOne(): Promise<void> {
    const rows = this.#open().filter(({ spec }) => spec["task"] !== long);
    if (rows.length > 0) await this.life.session.stopChild(this.#random.one(rows).id);
  }

  async #reopen(): Promise<void> {
    await Promise.all(this.#underWay);
    const { session } = this.life;
    await this.life.close();
    this.life = await this.#scene.stage.resume(session.id, { still: true });
    this.#underWay.push((this.life.session as ResumedSession).proceed());
  }
}

/** Nothing ran unasked or twice, and each file is there where its call says so. */
function expectCalls({ life, approved }: Person, stage: Stage): void {
  for (const { id } of life.store.sessions.children(life.session.id)) {
    const journal = life.store.readJournal(id);
    for (const call of journal.allCalls()) {
      expect([id, call.callId, isFinal(call)]).toEqual([id, call.callId, true]);
      if (call.toolName !== "write_file") continue;
      const isDone = call.status === "success";
      if (isDone) expect(approved).toContain(`${id}:${call.callId}`);
      expect([call.attempt <= 1, existsSync(stage.path(String(call.arguments["file_path"])))]).toEqual([true, isDone]);
    }
  }
}

describe("helpers of a call, whatever is answered, stopped or opened again in whatever order", () => {
  it.each(Array.from({ length: rounds }, (_, at) => at + 1))(
    "work no more at once than may, and each is asked and goes on while another one works (seed %i)",
    async (seed) => {
      const random = randomOf(seed);
      const atOnce = 1 + random.below(3);
      const scene = await sceneOf(random, atOnce);
      const person = new Person(random, scene, await scene.stage.begin("go", { running: true }));
      for (let acts = random.below(24); acts > 0; acts -= 1) await person.act();
      await person.comeToAnEnd();
      const { life } = person;
      expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
      expect(scene.atWork.most).toBeLessThanOrEqual(atOnce);
      expectCalls(person, scene.stage);
      expect(life.store.verify(life.session.id).problem).toBeUndefined();
      await life.close();
    },
  );
});
