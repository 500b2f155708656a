import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AnswerOutcome } from "../../src/graph/decisions.ts";
import type { CallMove } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { journalsWith } from "../support/journals-with.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import {
  calls,
  type EventOf,
  type Life,
  type Line,
  openStage,
  type Stage,
  says,
  sessionIn,
  toolOf,
} from "../support/play.ts";

const edits = (from: string, to: string, file = "a.txt"): Line =>
  calls(["edit_file", { file_path: file, old_string: from, new_string: to }]);

type Talks = Readonly<Record<string, readonly Line[]>>;

const two: Talks = {
  "edit one": [edits("one", "ONE"), says("Edited one.")],
  "edit two": [edits("two", "TWO"), says("Edited two.")],
};

/** Helpers that ask for their edits, and wait then with nobody at work. */
const stageOf = (talks: Talks = two): Promise<Stage> =>
  openStage({
    lines: [calls(["ask_helpers", { tasks: Object.keys(talks) }]), says("All done.")],
    files: { "a.txt": "one\ntwo\n", "b.txt": "two\n" },
    tools: [askHelpers()],
    wrapModel: apart(talks),
  });

const helper = ({ session: { id } }: Life, nth: number) => ({ session: `${id}@c1.${nth}`, call: "c1" });
const kept = (life: Life, nth: number) => life.store.readJournal(helper(life, nth).session).call("c1");

type Asked = EventOf<"approval_requested">["calls"][number];
const askedOf = (life: Life, nth: number): Asked | undefined =>
  life.last("approval_requested").calls.find(({ session }) => session.endsWith(`@c1.${nth}`));

/** The first helper's edit is approved and made. */
async function firstApplied(life: Life): Promise<void> {
  expect(await life.session.answer(helper(life, 1), { decision: "approve" })).toEqual({ ok: true });
  await life.session.settled();
}

const approve = (asked: Asked | undefined) => ({ decision: "approve", digest: asked?.digest ?? "" }) as const;

describe("a helper that waits at rest, whose file another one changes then", () => {
  it("is asked with the plan that can be applied", async () => {
    const stage = await stageOf();
    const life = await stage.begin("go");
    const before = askedOf(life, 2);
    await firstApplied(life);
    const now = askedOf(life, 2);
    expect(life.last("approval_requested").calls).toHaveLength(1);
    expect(now?.changed).toMatchObject({
      ...{ from: before?.digest, to: now?.digest, before: before?.plan },
      why: "the file changed since you were asked",
    });
    expect(now?.plan.diff).toContain(" ONE\n-two\n+TWO");
    expect(kept(life, 2)).toMatchObject({ digest: now?.digest });
    expect(await life.session.answer(helper(life, 2), approve(before))).toMatchObject({ ok: false, code: "stale" });
    const asked = life.of("approval_requested").length;
    await life.session.answer(helper(life, 2), approve(now));
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("ONE\nTWO\n");
    expect(life.of("approval_requested")).toHaveLength(asked);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
    await life.close();
  });

  it.each(["before", "behind"] as const)(
    "is not answered by what means the older plan, and comes just %s the new one",
    async (when) => {
      const stage = await stageOf();
      const late: Promise<AnswerOutcome>[] = [];
      let life: Life | undefined;
      let old: Asked | undefined;
      const say = (): void => {
        if (life !== undefined) late.push(life.session.answer(helper(life, 2), { decision: "approve" }));
        if (life !== undefined) late.push(life.session.answer(helper(life, 2), approve(old)));
      };
      const isNew = ({ before, after }: CallMove): boolean =>
        before.status === "awaiting_approval" && after.status === "awaiting_approval";
      const wrap = journalsWith((journal) => ({
        async move(moves, answer) {
          if (when === "before" && moves.some(isNew)) {
            say();
            // An answer that need not wait is written by then.
            await sleep(100);
          }
          await journal.move(moves, answer);
          if (when === "behind" && moves.some(isNew)) say();
        },
      }));
      life = await stage.begin("go", { wrap });
      old = askedOf(life, 2);
      await firstApplied(life);
      expect(await Promise.all(late)).toMatchObject([{ code: "stale" }, { code: "stale" }]);
      expect([stage.text("a.txt"), kept(life, 2)?.status]).toEqual(["ONE\ntwo\n", "awaiting_approval"]);
      expect(askedOf(life, 2)).toMatchObject({ changed: { from: old?.digest }, digest: kept(life, 2)?.digest });
      await life.close();
    },
  );

  it("is asked so by the next process, where this one died behind the other one's change", async () => {
    const stage = await stageOf();
    const isMade = (name: string, [moves]: readonly unknown[]): boolean =>
      name === "move" && (moves as CallMove[]).some(({ after }) => after.status === "success");
    const first = await stage.begin("go", { wrap: fateOf({ write: isMade, when: "after" }).wrap });
    const before = askedOf(first, 2);
    await first.session.answer(helper(first, 1), { decision: "approve" });
    await first.session.settled();
    expect(stage.text("a.txt")).toBe("ONE\ntwo\n");
    const life = await stage.resume(await sessionIn(stage), { takeOver: true });
    const digests = life.of("approval_requested").flatMap(({ calls }) => calls.map(({ digest }) => digest));
    expect(new Set(digests)).toEqual(new Set([kept(life, 2)?.digest]));
    expect(askedOf(life, 2)?.changed?.from).toBe(before?.digest);
    await life.session.answer(helper(life, 2), approve(askedOf(life, 2)));
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("ONE\nTWO\n");
    await life.close();
  });

  it("is not asked any more where the edit cannot be made by then: its model hears why", async () => {
    const stage = await stageOf({ ...two, "edit it too": [edits("one", "1"), says("I see.")] });
    const life = await stage.begin("go");
    await firstApplied(life);
    expect(life.last("approval_requested").calls.map(({ session }) => session)).toEqual([helper(life, 2).session]);
    expect(kept(life, 3)).toMatchObject({ status: "cancelled", ended: { why: "lapsed" } });
    await life.session.answer(helper(life, 2), approve(askedOf(life, 2)));
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("ONE\nTWO\n");
    expect(stage.observation()).toContain("c1.3: done: I see.");
    await life.close();
  });
});

it("a helper that waits at rest, whose file the person changes, is asked anew once another one has come to its end", async () => {
  const stage = await stageOf({ ...two, "edit two": [edits("two", "TWO", "b.txt"), says("Edited two.")] });
  const life = await stage.begin("go");
  const before = askedOf(life, 2);
  await writeFile(stage.path("b.txt"), "mine\ntwo\n");
  await firstApplied(life);
  expect(askedOf(life, 2)?.changed).toMatchObject({ from: before?.digest });
  await life.session.answer(helper(life, 2), approve(askedOf(life, 2)));
  await life.session.settled();
  expect(stage.text("b.txt")).toBe("mine\nTWO\n");
  await life.close();
});

it("a helper that waits at rest stays asked where its tool cannot look any more, once another one was answered", async () => {
  let isGone = false;
  const looks = toolOf("look_once", async () => "made", {
    effect: "once",
    confirm: true,
    plan: async (_, { cwd }) => {
      if (isGone) throw new Error("its process ended");
      return { summary: "make it", cwd };
    },
  });
  const talks: Talks = {
    "edit one": [edits("one", "ONE"), says("Edited one.")],
    "make it": [calls(["look_once", {}]), says("Made.")],
  };
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: Object.keys(talks) }]), says("All done.")],
    files: { "a.txt": "one\n" },
    tools: [askHelpers(), looks],
    wrapModel: apart(talks),
  });
  const life = await stage.begin("go");
  isGone = true;
  await firstApplied(life);
  isGone = false;
  expect(kept(life, 2)).toMatchObject({ status: "awaiting_approval" });
  await life.session.answer(helper(life, 2), { decision: "approve" });
  await life.session.settled();
  expect(kept(life, 2)).toMatchObject({ status: "success" });
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "All done." });
  await life.close();
});
