import { describe, expect, it, onTestFinished } from "vitest";
import { calls, type Life, type Line, openStage, says } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

const fault = Symbol.for("holdfast.fault");

/** Keeps the store locked, as another process would, from the end of the next turn on. @returns releases it */
function lockAtTheEnd(database: string): () => void {
  const other = new RawStore(database);
  const points = globalThis as { [fault]?: (name: string) => void };
  points[fault] = (name) => {
    if (name !== "before turn end written") return;
    delete points[fault];
    other.exec("BEGIN IMMEDIATE");
  };
  onTestFinished(() => {
    delete points[fault];
    other.close();
  });
  return () => other.exec("ROLLBACK");
}

/** Lets a turn come to its end while the store takes nothing. @returns goes on with it in another life */
async function endsUnwritten(lines: Line[], maxSteps = 50): Promise<() => Promise<Life>> {
  const stage = await openStage({ files: { "a.txt": "alpha\n" }, maxSteps, patienceMs: 60, lines });
  const release = lockAtTheEnd(stage.database);
  const life = await stage.begin("look");
  expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 75 });
  release();
  await life.close();
  return () => stage.resume(life.session.id);
}

const look = calls(["read_file", { file_path: "a.txt" }]);

describe("a turn that came to its end and could not write it down", () => {
  it("is not taken for done where it ran out of steps, and goes on", async () => {
    const goOn = await endsUnwritten([look, says("Alpha.")], 1);
    const told = await goOn();
    expect(told.last("turn_ended")).toMatchObject({ reason: "max_steps", exitCode: 53 });
    expect(told.last("turn_ended")).toHaveProperty("resume");
    expect(told.journal().turns()).toMatchObject([{ state: "running", reason: "max_steps" }]);
    await told.close();
    const life = await goOn();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Alpha." });
    expect(life.journal().turns()).toMatchObject([{ state: "done", reason: "done" }]);
  });

  it("says why it failed where its replies did, and goes on", async () => {
    const goOn = await endsUnwritten([
      { text: "One and", finish: "length" },
      { text: "two and", finish: "length" },
      says("three."),
    ]);
    const told = await goOn();
    expect(told.last("error")).toMatchObject({ code: "REPLY_CUT" });
    expect(told.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1 });
    await told.close();
    const life = await goOn();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "three." });
  });

  it("is done where it was", async () => {
    const goOn = await endsUnwritten([says("Alpha.")]);
    const life = await goOn();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Alpha." });
    expect(life.journal().turns()).toMatchObject([{ state: "done", reason: "done" }]);
  });
});
