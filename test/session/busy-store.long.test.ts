import { expect, onTestFinished, test } from "vitest";
import { failureOf } from "../../src/session/exit-codes.ts";
import { openStore } from "../../src/store/open-store.ts";
import { calls, openStage, says, toolOf } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

test("a store that another process keeps locked freezes nothing: words go on, and what waits is written afterwards", async () => {
  const lines = [{ text: "word ".repeat(20), chunks: 20, delayMs: 5 }];
  const stage = await openStage({ lines, patienceMs: 600_000 });
  const life = await stage.begin("tell me", { running: true });
  await life.until((event) => event.type === "text_delta");
  const other = new RawStore(stage.database);
  try {
    other.exec("BEGIN IMMEDIATE");
    await expect
      .poll(() =>
        life
          .of("text_delta")
          .map(({ text }) => text)
          .join(""),
      )
      .toBe("word ".repeat(20));
    // The reply waits for the lock now; timers of the screen go on for as long as it is held.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(life.of("assistant_message")).toEqual([]);
    other.exec("ROLLBACK");
  } finally {
    other.close();
  }
  await life.session.settled();
  expect(life.of("assistant_message")).toHaveLength(1);
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0 });
});

test("a store that stays locked ends what needs it with 75, which says that it is the store", async () => {
  const stage = await openStage({ lines: [] });
  (await openStore({ file: stage.database })).close();
  const other = new RawStore(stage.database);
  const store = await openStore({ file: stage.database, patienceMs: 1 });
  try {
    other.exec("BEGIN IMMEDIATE");
    const create = store.sessions.create({ id: "a", workspace: "/w", model: "demo", title: "" });
    const failure = await create.then(() => undefined, failureOf);
    expect(failure).toMatchObject({ exitCode: 75, code: "STORE_BUSY" });
    expect(failure?.message).toBe(
      `${stage.database}: the store is busy: another process keeps it locked; try again when it has finished`,
    );
  } finally {
    other.close();
    store.close();
  }
});

/** A call under way that tells when it was stopped, in a store that another process locks meanwhile. */
async function stoppedWhileLocked(patienceMs: number) {
  let stopped = 0;
  const ring = toolOf(
    "ring",
    (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped += 1;
          reject(new Error("hung up"));
        });
      }),
    { effect: "once" },
  );
  const stage = await openStage({ lines: [calls(["ring", {}]), says("Here again.")], tools: [ring], patienceMs });
  const life = await stage.begin("ring", { running: true });
  await life.until((event) => event.type === "tool_call" && event.call.status === "executing");
  const other = new RawStore(stage.database);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  const stop = life.session.stop();
  await life.until((event) => event.type === "notice" && event.code === "stop_unwritten");
  expect(stopped).toBe(1);
  return { stage, life, stop, release: () => other.exec("ROLLBACK") };
}

test("a stop acts at once in a locked store and says that it is not written yet; it is written once the store is free", async () => {
  const { life, stop, release } = await stoppedWhileLocked(10_000);
  expect(life.of("turn_ended")).toEqual([]);
  expect(life.call("c1").status).toBe("executing");
  release();
  await stop;
  expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
  expect(life.last("turn_ended")).toMatchObject({ reason: "cancelled" });
});

test("a stop whose store stays locked ends with 75, and the call's end is not made up afterwards", async () => {
  const { stage, life, stop, release } = await stoppedWhileLocked(5_000);
  await stop;
  expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 75 });
  release();
  expect(life.call("c1").status).toBe("executing");
  await life.session.submit("and now?");
  await life.session.settled();
  expect(stage.observation()).toBe(
    "Outcome unknown: its end could not be written down; the person went on with a new message",
  );
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0 });
});

test("two sessions in one store at once both come to their end", async () => {
  const stage = await openStage({ lines: [{ text: "word ".repeat(20), chunks: 20, delayMs: 2 }] });
  const lives = await Promise.all(["one", "two"].map((text) => stage.begin(text, { running: true })));
  await Promise.all(lives.map((life) => life.session.settled()));
  expect(lives.map((life) => life.last("turn_ended").exitCode)).toEqual([0, 0]);
});
