import { expect, test } from "vitest";
import { SpanRefusal, type UndoSource } from "../../../src/tools/undo/take-back.ts";
import { undoable } from "../../../src/tools/undo/undoable.ts";
import { contextOf, tempFolder } from "../../files/fixtures.ts";

test("what stands against none of the calls that were asked for stands against all of them", async () => {
  let looks = 0;
  const source: UndoSource = {
    applied: (calls) => calls.map((callId) => ({ callId, files: [] })),
    bytesOf: () => undefined,
    artifacts() {
      looks += 1;
      if (looks > 9) throw new Error("it looks for ever");
      throw new SpanRefusal("STALE", { callIds: ["c2"] }, "call c2 is in the way");
    },
  };
  expect(await undoable(source, ["c4", "c5"], contextOf(await tempFolder()))).toEqual({
    calls: [],
    against: [{ calls: ["c2"], why: "call c2 is in the way" }],
  });
});
