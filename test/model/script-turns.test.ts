import { describe, expect, it } from "vitest";
import { openScript } from "../../src/model/script.ts";
import { parseScript } from "../../src/model/script-file.ts";

const script = (...lines: object[]) =>
  parseScript([{ v: 1, kind: "holdfast-script" }, ...lines].map((line) => JSON.stringify(line)).join("\n"), "s");

describe("a script of a whole session", () => {
  it("has the person's turns in their order, and answers that belong to one call", () => {
    const model = openScript(
      script(
        { prompt: "first" },
        { text: "ok" },
        {
          person: [
            { match: { toolName: "edit_file", callId: "c2" }, decision: "deny" },
            { match: { toolName: "edit_file" }, decision: "approve" },
          ],
        },
        { undo: ["c1", "c2"] },
        { prompt: "second\nline" },
      ),
      { spec: "script:s", name: "s" },
    );
    expect(model.turns).toEqual([{ text: "first" }, { undo: ["c1", "c2"] }, { text: "second\nline" }]);
    expect(model.answerFor?.("edit_file", "c1")).toEqual({ decision: "approve" });
    expect(model.answerFor?.("edit_file", "c1")).toBeUndefined();
    expect(model.answerFor?.("write_file", "c2")).toBeUndefined();
    expect(model.answerFor?.("edit_file", "c2")).toEqual({ decision: "deny" });
  });

  it.each([
    [{ prompt: " " }, "not empty"],
    [{ prompt: 1 }, "prompt"],
    [{ prompt: "a", text: "b" }, "text"],
    [{ undo: [] }, "undo"],
    [{ undo: "c1" }, "undo"],
    [{ person: [{ match: { callId: "" }, decision: "approve" }] }, "callId"],
  ])("%j is refused with its line", (line, why) => {
    expect(() => script(line)).toThrow(/^s:2: /);
    expect(() => script(line)).toThrow(why);
  });
});
