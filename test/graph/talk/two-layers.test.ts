import { describe, expect, it } from "vitest";
import { observeLimit } from "../../../src/core/observe-limit.ts";
import type { ToolResult } from "../../../src/core/tool.ts";
import { cutObservation } from "../../../src/graph/talk/observation-text.ts";
import { calls, type Line, openStage, says, toolOf } from "../../support/play.ts";

const page = "word ".repeat(40).trim();
const look = (result: Partial<ToolResult>) => toolOf("look", () => ({ output: page, ...result }));

/** What the model read of call c1 in each request of a session. */
async function lives(result: Partial<ToolResult>, lines: Line[]) {
  const stage = await openStage({ lines, tools: [look(result)] });
  const life = await stage.begin("look");
  return {
    stage,
    life,
    seen: () =>
      stage.requests.flatMap(({ messages }) =>
        messages.filter(({ id }) => id === "o-c1").map(({ content }) => content),
      ),
  };
}

describe("a result with a memory", () => {
  const result = { title: "Shop", longTermMemory: "3 prices", outputOnce: true };

  it("is read whole until the model has spoken after it, and then by its memory alone", async () => {
    const { seen } = await lives(result, [calls(["look", {}]), calls(["look", {}]), says("Seen.")]);
    expect(seen()).toEqual([`# Shop\n\n${page}\n\nSummary: 3 prices`, "# Shop\n\nSummary: 3 prices"]);
  });

  it("is read whole again where the model was cut off before it was done", async () => {
    const cut = { text: "Well, I", finish: "length" };
    const { seen } = await lives(result, [calls(["look", {}]), cut, calls(["look", {}]), says("Seen.")]);
    expect(seen().map((text) => String(text).includes(page))).toEqual([true, true, false]);
  });

  it("is read whole each time where its output is not for once", async () => {
    const { outputOnce: _, ...often } = result;
    const { seen } = await lives(often, [calls(["look", {}]), calls(["look", {}]), says("Seen.")]);
    expect(seen()).toEqual(Array.from({ length: 2 }, () => `# Shop\n\n${page}\n\nSummary: 3 prices`));
  });

  it("without one, or with an empty one, says how to read it again", async () => {
    const none = { outputOnce: true, longTermMemory: " " };
    const { seen } = await lives(none, [calls(["look", {}]), calls(["look", {}]), says("Seen.")]);
    expect(seen()).toEqual([
      page,
      '(What it said was shown to you once; read_file {"file_path": "call:c1"} shows all of it)',
    ]);
  });

  it("that failed keeps its error, and loses its output", async () => {
    const { seen } = await lives({ ...result, error: "half of it" }, [
      calls(["look", {}]),
      calls(["look", {}]),
      says("Seen."),
    ]);
    const head = "Error FAILED: half of it\nOutput until then:\n# Shop\n\n";
    expect(seen()).toEqual([`${head}${page}\n\nSummary: 3 prices`, `${head}Summary: 3 prices`]);
  });
});

describe("what the model gets of a call", () => {
  const long = Array.from({ length: 9000 }, (_, i) => `line ${i}`).join("\n");

  it("is 30,000 characters of it, head and tail, and it can read the rest", async () => {
    const stage = await openStage({
      lines: [
        calls(["look", {}]),
        calls(["read_file", { file_path: "call:c1", offset: 5000, limit: 1 }]),
        says("Seen."),
      ],
      tools: [look({ output: long })],
    });
    await stage.begin("look");
    const [, shown = ""] = stage.requests.map(({ messages }) =>
      String(messages.find(({ id }) => id === "o-c1")?.content),
    );
    const note =
      /\n\(([\d,]+) characters were left out here; .* read_file \{"file_path": "call:c1"\} shows all of it\)\n/;
    const left = Number(note.exec(shown)?.[1]?.replaceAll(",", ""));
    expect(shown.replace(note, "").length).toBe(30_000);
    expect(left).toBe(long.length - 30_000);
    expect([shown.startsWith("line 0\nline 1\n"), shown.endsWith("\nline 8999")]).toEqual([true, true]);
    expect(stage.observation()).toContain("  5000\tline 4999");
  });

  it("can be read again of a call that failed: what went wrong, and what it said until then", async () => {
    const wrong = `no: ${"why ".repeat(9_000)}end`;
    const file_path = "call:c1";
    const reads = calls(["read_file", { file_path }], ["read_file", { file_path, offset: 20 }]);
    const stage = await openStage({
      lines: [calls(["look", {}]), reads, says("Seen.")],
      tools: [look({ output: "so far", error: wrong })],
    });
    await stage.begin("look");
    const [shown = "", again = "", rest = ""] = ["o-c1", "o-c2", "o-c3"].map((id) =>
      String(stage.requests.at(-1)?.messages.find((one) => one.id === id)?.content),
    );
    expect(shown).toContain('read_file {"file_path": "call:c1"} shows all of it');
    expect(again).toMatch(/^ +1\tError FAILED: no: why why/);
    expect(rest).toContain("\tso far");
  });

  it("stays what it was when the call ended, in another process with other settings too", async () => {
    const lines = [calls(["look", {}]), says("Seen."), says("Again.")];
    const options = { lines, tools: [look({ output: long })] };
    const stage = await openStage({ ...options, parts: { maxObserve: async () => 600 } });
    const first = await stage.begin("look");
    await first.close();
    const second = await stage.resume(first.session.id, { parts: { maxObserve: async () => false } });
    await second.session.submit("again");
    await second.session.settled();
    const shown = stage.requests.slice(1).map(({ messages }) => messages.find(({ id }) => id === "o-c1")?.content);
    expect(shown[0]).toHaveLength(600 + String(shown[0]).length - String(shown[0]).replace(/\n\(.*\)\n/, "").length);
    expect(shown[1]).toBe(shown[0]);
  });

  it.each<[tool: number | false | undefined, settings: number | false | undefined, limit: number | false]>([
    [undefined, undefined, 30_000],
    [undefined, 500, 500],
    [undefined, false, false],
    [50_000, undefined, 50_000],
    [50_000, 500, 500],
    [500, 50_000, 500],
    [500, false, 500],
    [false, undefined, false],
    [false, 500, 500],
  ])("is limited by its tool (%j) and the settings (%j) to %j", (tool, settings, limit) => {
    expect(observeLimit(tool, settings)).toBe(limit);
  });

  it("tears no character apart", () => {
    const text = "\u{1f600}".repeat(100);
    for (const limit of [30, 31, 32, 33, 34])
      expect(cutObservation(text, limit, "c1").replace(/\n\(.*\)\n/, "")).toMatch(/^\u{1f600}+$/u);
  });
});
