import { existsSync } from "node:fs";
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isFinal } from "../../src/core/call.ts";
import type { Mode } from "../../src/policy/types.ts";
import { undoneCalls } from "../../src/records/undo/undone-calls.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import type { Life } from "../support/play.ts";
import { openRandomTalk, type Random, type RandomTalk, randomOf } from "../support/random-talk.ts";

const rounds = Number(process.env["HOLDFAST_ROUNDS"] ?? 8);

/** What a person does with one session, by chance and without waiting, and what was acknowledged of it. */
class Person {
  readonly #random: Random;
  readonly talk: RandomTalk;
  life: Life;
  readonly lives: Life[];
  readonly said = ["say-0."];
  readonly takenBack = new Set<string>();
  readonly approved = new Set<string>();
  #reopening: Promise<void> | undefined;
  readonly #underWay: Promise<unknown>[] = [];

  constructor(random: Random, talk: RandomTalk, life: Life) {
    this.#random = random;
    this.talk = talk;
    this.life = life;
    this.lives = [life];
  }

  /** One act, begun and not waited for; a session is closed and opened again as a whole. */
  async act(): Promise<void> {
    const { session } = this.life;
    const asks = this.life.journal().openCalls().length > 0 && this.#random.below(3) > 0;
    const acts: (() => unknown)[] = [
      ...[() => this.#answer(), () => this.#speak("submit"), () => this.#speak("steer"), () => session.stop()],
      ...[() => this.#takeBack(), () => session.undo({ turn: "last" }), () => session.compact()],
      ...[() => session.undoCompaction(), () => session.setModel("another"), () => (this.#reopening = this.#reopen())],
      () => session.setMode(this.#random.one<Mode>(["ask", "accept-edits", "full-auto", "read-only", "plan"])),
    ];
    const begun = asks ? this.#answer() : this.#random.one(acts)();
    if (begun instanceof Promise) this.#underWay.push(begun);
    if (this.#reopening === begun) await begun;
    for (let i = this.#random.below(6); i > 0; i -= 1) await (i % 2 === 0 ? tick() : undefined);
  }

  /** All is answered, with a model that only talks, until nothing is open; then the last word is said. */
  async comeToAnEnd(): Promise<void> {
    this.talk.calmDown();
    await Promise.all(this.#underWay);
    await (this.life.session as ResumedSession).proceed();
    this.life.session.setMode("ask");
    for (let round = 0; round < 2; round += 1) {
      await this.life.session.settled();
      while (this.life.journal().openCalls().length > 0) {
        await this.#answer();
        await this.life.session.settled();
      }
      if (round === 0) await this.#speak("submit");
    }
  }

  async #speak(how: "submit" | "steer"): Promise<void> {
    const text = `say-${this.said.length}.`;
    this.said.push(text);
    await this.life.session[how](text);
  }

  async #takeBack(): Promise<void> {
    for (const text of await this.life.session.takeBack()) this.takenBack.add(text);
  }

  async #answer(): Promise<void> {
    const { callId, digest } = this.#random.one(this.life.of("approval_requested").at(-1)?.calls ?? []) ?? {};
    if (callId === undefined || digest === undefined) return;
    const how = this.#random.below(6);
    if (how === 0)
      await this.life.session.answer({ session: this.life.session.id, call: callId }, { decision: "deny" });
    else if (how === 1) {
      const wrong = await this.life.session.answer(
        { session: this.life.session.id, call: callId },
        { decision: "approve", digest: "0".repeat(64) },
      );
      expect(wrong.ok).toBe(false);
    } else {
      this.approved.add(digest);
      const twice = [1, 2].map(() =>
        this.life.session.answer({ session: this.life.session.id, call: callId }, { decision: "approve", digest }),
      );
      expect((await Promise.all(twice)).filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    }
  }

  async #reopen(): Promise<void> {
    const old = this.life;
    await old.close();
    this.life = await this.talk.stage.resume(old.session.id, { still: true });
    this.lives.push(this.life);
    this.#underWay.push((this.life.session as ResumedSession).proceed());
  }
}

/** Said once in the journal and once to the model; what was taken back in neither. */
function expectMessages({ life, said, takenBack, talk }: Person): void {
  const journal = life.journal();
  const kept = [...journal.turns(), ...journal.steers()].map(({ text }) => text).filter((text) => /^say-/.test(text));
  const stays = said.filter((text) => !takenBack.has(text));
  expect(kept.toSorted()).toEqual(stays.toSorted());
  const last = talk.told.at(-1)?.join("\n") ?? "";
  for (const text of stays) expect([text, last.split(text).length - 1]).toEqual([text, 1]);
  for (const text of takenBack)
    expect([text, talk.told.flat().some((one) => one.includes(text))]).toEqual([text, false]);
}

/** Nothing ran unasked or twice, and each file is there where its call says so. */
function expectCalls({ life, talk, approved }: Person): void {
  const journal = life.journal();
  expect(new Set(talk.ran).size).toBe(talk.ran.length);
  const calls = journal.allCalls();
  const undone = undoneCalls(calls);
  for (const call of calls) {
    expect([call.callId, isFinal(call)]).toEqual([call.callId, true]);
    const answers = journal.answersOf(call.callId).filter(({ decision }) => decision === "approve");
    for (const { digest } of answers) expect(approved).toContain(digest);
    const ran = journal.events().some(({ callId, to }) => callId === call.callId && to === "executing");
    const allowed = journal.verdictOf(call.callId)?.["decision"] === "allow" || answers.length > 0;
    if (call.effect !== "none" && ran) expect([call.callId, allowed]).toEqual([call.callId, true]);
    const file = call.toolName === "write_file" ? call.arguments["file_path"] : undefined;
    if (typeof file !== "string") continue;
    const isDone = call.status === "success" && !undone.has(call.callId);
    expect([call.callId, existsSync(talk.stage.path(file))]).toEqual([call.callId, isDone]);
  }
}

/** Numbered without a gap; what a life began came to its last word or to a question. */
function expectEvents({ lives }: Person): void {
  for (const { events } of lives) {
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    const words = events.filter(({ type }) => /^(tool_call|assistant_message|turn_ended|.*_requested)$/.test(type));
    expect(["turn_ended", "approval_requested", "recovery_requested", undefined]).toContain(words.at(-1)?.type);
  }
}

describe("whatever a person does, in whatever order", () => {
  it.each(Array.from({ length: rounds }, (_, at) => at + 1))(
    "nothing is lost, nothing happens twice (seed %i)",
    async (seed) => {
      const random = randomOf(seed);
      const talk = await openRandomTalk(seed + 1_000);
      const person = new Person(random, talk, await talk.stage.begin("say-0.", { running: true }));
      for (let acts = 6 + random.below(24); acts > 0; acts -= 1) await person.act();
      await person.comeToAnEnd();
      expectMessages(person);
      expectCalls(person);
      expectEvents(person);
      expect(person.life.store.verify(person.life.session.id).problem).toBeUndefined();
    },
  );
});
