import { describe, expect, it } from "vitest";
import { PathTurns } from "../../../src/graph/calls/path-turns.ts";
import { gate } from "../../support/gate.ts";

const never = new AbortController().signal;

/** One who has `a`, until it is let go. */
function holder(turns: PathTurns, log: string[]) {
  const { open, opened } = gate();
  const done = turns.during(["a"], never, async () => {
    await opened;
    log.push("first");
    return "held";
  });
  return { letGo: open, done };
}

describe("the turns of a path", () => {
  it("are in the order in which they were asked for, and one who asks for several waits for each", async () => {
    const [turns, log] = [new PathTurns(), [] as string[]];
    const { letGo, done } = holder(turns, log);
    const both = turns.during(["a", "b"], never, async () => log.push("second"));
    const behind = turns.during(["b"], never, async () => log.push("third"));
    expect([turns.areTaken(["b"]), turns.areTaken(["c"])]).toEqual([true, false]);
    letGo();
    await Promise.all([done, both, behind]);
    expect(log).toEqual(["first", "second", "third"]);
    expect(turns.areTaken(["a", "b"])).toBe(false);
  });

  it("are given up at once by a signal, and nobody overtakes the one whose turn it is", async () => {
    const [turns, log, stop] = [new PathTurns(), [] as string[], new AbortController()];
    const { letGo, done } = holder(turns, log);
    const givenUp = turns.during(["a"], stop.signal, async () => log.push("given up"));
    const behind = turns.during(["a"], never, async () => log.push("behind"));
    stop.abort();
    expect(await givenUp).toBeUndefined();
    const late = turns.during(["a"], stop.signal, async () => log.push("never"));
    expect(await late).toBeUndefined();
    expect([log, turns.areTaken(["a"])]).toEqual([[], true]);
    letGo();
    expect(await done).toBe("held");
    await behind;
    expect(log).toEqual(["first", "behind"]);
  });

  it("go on behind one whose work fails", async () => {
    const turns = new PathTurns();
    const fails = turns.during(["a"], never, async () => Promise.reject(new Error("no room")));
    const behind = turns.during(["a"], never, async () => "done");
    await expect(fails).rejects.toThrow("no room");
    expect(await behind).toBe("done");
    expect(turns.areTaken(["a"])).toBe(false);
  });
});
