import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseStep } from "../../src/core/step-id.ts";
import type { AnswerOutcome } from "../../src/graph/decisions.ts";
import { openStore } from "../../src/store/open-store.ts";
import { type Fate, fateOf } from "../support/mortal.ts";
import { calls, type Life, linesIn, openStage, type Stage, toolOf } from "../support/play.ts";

/** One turn with everything in it: reads side by side, a file that is changed twice, what may happen only once, our own data. */
const lines = [
  calls(["read_file", { file_path: "a.txt" }], ["ls", {}]),
  calls(
    ["edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }],
    ["ring", {}],
    ["edit_file", { file_path: "a.txt", old_string: "two", new_string: "three" }],
  ),
  calls(["save_memory", { fact: "Otters like bells." }], ["read_file", { file_path: "a.txt" }]),
  { text: "All is done." },
];

interface Scene {
  stage: Stage;
  rings: string;
}

async function openScene(): Promise<Scene> {
  const at = { rings: "" };
  const ring = toolOf("ring", () => {
    appendFileSync(at.rings, "ring\n");
    return "Rung.";
  });
  const stage = await openStage({ lines, tools: [ring], files: { "a.txt": "one\n" } });
  at.rings = stage.path("../rings");
  return { stage, rings: at.rings };
}

/** The person approves all that waits, and settles by what they see: a bell that was rung is not rung again. */
async function answerAll(life: Life, scene: Scene): Promise<void> {
  for (;;) {
    const open = life.journal().openCalls();
    const unsettled = open.find((call) => call.status === "interrupted");
    const waiting = open.find((call) => call.status === "awaiting_approval");
    const shown = life.of("approval_requested").flatMap((event) => event.calls);
    const digest = shown.findLast((call) => call.callId === waiting?.callId)?.digest ?? "never shown";
    let outcome: AnswerOutcome;
    if (unsettled !== undefined)
      outcome = await life.session.recover(
        { session: life.session.id, call: unsettled.callId },
        linesIn(scene.rings) > 0 ? "done" : "retry",
      );
    else if (waiting !== undefined)
      outcome = await life.session.answer(
        { session: life.session.id, call: waiting.callId },
        { decision: "approve", digest },
      );
    else return;
    if (!outcome.ok) throw new Error(outcome.message);
    await life.session.settled();
  }
}

/** A first life with this fate, then one that is left in peace, until nothing is left to do. */
async function live(scene: Scene, fate: Fate): Promise<{ first: Life | undefined; last: Life }> {
  const first = await scene.stage.begin("do it all", { wrap: fate.wrap }).catch(unlessDead(fate));
  if (first !== undefined) await answerAll(first, scene).catch(unlessDead(fate));
  if (first !== undefined && !fate.dead) return { first, last: first };
  const last = await scene.stage.resume(first?.session.id ?? (await onlySession(scene.stage)), { takeOver: true });
  await answerAll(last, scene);
  return { first, last };
}

/** For lives that died before they could tell their name. */
async function onlySession({ database }: Stage): Promise<string> {
  const store = await openStore({ file: database });
  const [row] = store.sessions.list();
  store.close();
  if (row === undefined) throw new Error("no session is stored");
  return row.id;
}

const unlessDead =
  (fate: Fate) =>
  (error: unknown): undefined => {
    if (!fate.dead) throw error;
  };

/** Nothing that was told is untrue: what a dead process said of its calls is in the journal. */
function expectTrueWords(life: Life): void {
  const moves = life.journal().events();
  for (const { call } of life.of("tool_call")) {
    const known = moves.some(
      (move) => move.callId === call.callId && move.to === call.status && move.attempt === call.attempt,
    );
    expect(known, `${call.callId} was said to be ${call.status}`).toBe(true);
  }
  const words = life.of("assistant_message").map((event) => event.id);
  for (const id of words) {
    expect(life.journal().findReply(parseStep(id.replace("m", "")))?.message.id).toBe(id);
  }
}

function expectWhole({ stage, rings }: Scene, last: Life): void {
  expect(stage.text("a.txt")).toBe("three\n");
  expect(linesIn(rings)).toBe(1);
  expect(readFileSync(stage.path("../CONTEXT.md"), "utf8").match(/Otters like bells\./g)).toHaveLength(1);
  const journal = last.journal();
  expect(journal.allCalls().map((call) => [call.callId, call.toolName, call.status])).toEqual([
    ["c1", "read_file", "success"],
    ["c2", "ls", "success"],
    ["c3", "edit_file", "success"],
    ["c4", "ring", "success"],
    ["c5", "edit_file", "success"],
    ["c6", "save_memory", "success"],
    ["c7", "read_file", "success"],
  ]);
  expect(journal.turns()).toMatchObject([{ text: "do it all", state: "done" }]);
  expect(last.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "All is done." });
  expect(stage.observation()).toContain("three");
  const said = stage.requests.at(-1)?.messages.map((message) => message.id) ?? [];
  expect(new Set(said.slice(1)).size).toBe(said.length - 1);
  expect(last.store.sessions.get(last.session.id)?.state).toBe("idle");
}

describe("a process that dies", () => {
  it("just before any of its writes loses nothing, repeats nothing and invents nothing", async () => {
    await dieAt(
      "before",
      (await places()).filter(({ name }) => name !== "putWrites"),
    );
  });

  it("just after it wrote down what a call does, before it could do it, does it later, once", async () => {
    await dieAt(
      "after",
      (await places()).filter(({ name }) => name === "move"),
    );
  });

  async function dieAt(when: "before" | "after", at: readonly { name: string; write: number }[]): Promise<void> {
    for (const { name, write } of at) {
      const scene = await openScene();
      const fate = fateOf({ write, when });
      try {
        const { first: dead, last } = await live(scene, fate);
        expect(fate.dead).toBe(true);
        if (dead !== undefined) expectTrueWords(dead);
        expectWhole(scene, last);
        await Promise.all([dead?.close(), last.close()]);
      } catch (error) {
        throw new Error(`it died ${when} write ${write} (${name}): ${(error as Error).message}`, { cause: error });
      }
    }
  }

  /** Where it may die. The first write is the person's message: what dies before it was never acknowledged. */
  async function places(): Promise<{ name: string; write: number }[]> {
    const scene = await openScene();
    const fate = fateOf();
    const { last } = await live(scene, fate);
    expectWhole(scene, last);
    await last.close();
    return fate.writes.map((name, i) => ({ name, write: i + 1 })).slice(1);
  }
});
