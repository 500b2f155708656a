import { describe, expect, it } from "vitest";
import { judgementIn, judgementLines } from "../../../src/tools/agents/verdict.ts";

const reasons = [{ text: "it says two", file: "a.txt", line: 1 }];
const pass = { verdict: "pass", reasons, suggestions: ["ship it"] };

describe("a judge's last message", () => {
  it.each([
    ["alone", JSON.stringify(pass)],
    ["over several lines", `\n${JSON.stringify(pass, undefined, 2)}\n`],
    ["in one fence", `\`\`\`json\n${JSON.stringify(pass)}\n\`\`\``],
  ])("is the verdict where it is the form %s", (_, text) => {
    expect(judgementIn(text)).toEqual(pass);
  });

  it("needs no place and no suggestions", () => {
    const judged = judgementIn('{"verdict":"unsure","reasons":[{"text":"there is no test"}]}');
    expect(judged).toEqual({ verdict: "unsure", reasons: [{ text: "there is no test" }], suggestions: [] });
    expect(judged && judgementLines(judged)).toEqual(["there is no test"]);
    expect(judgementLines(judgementIn(JSON.stringify(pass)) as never)).toEqual([
      "a.txt:1: it says two",
      "suggestion: ship it",
    ]);
  });

  it.each([
    ["words before it", `It is fine.\n${JSON.stringify(pass)}`],
    ["words behind it", `${JSON.stringify(pass)}\nSo it passes.`],
    ["two of them", `${JSON.stringify({ ...pass, verdict: "fail" })}\n${JSON.stringify(pass)}`],
    ["two fences", `\`\`\`json\n${JSON.stringify(pass)}\n\`\`\`\n\`\`\`json\n${JSON.stringify(pass)}\n\`\`\``],
    ["a key twice", '{"verdict":"fail","reasons":[{"text":"x"}],"verdict":"pass"}'],
    ["a key more", JSON.stringify({ ...pass, approved: true })],
    ["a key more in a reason", JSON.stringify({ ...pass, reasons: [{ text: "x", sure: true }] })],
    ["another verdict", JSON.stringify({ ...pass, verdict: "PASS" })],
    ["no reason", JSON.stringify({ ...pass, reasons: [] })],
    ["a reason of nothing", JSON.stringify({ ...pass, reasons: [{ text: " " }] })],
    ["a line that is none", JSON.stringify({ ...pass, reasons: [{ text: "x", file: "a", line: 0 }] })],
    ["a list", JSON.stringify([pass])],
    ["a text", JSON.stringify(JSON.stringify(pass))],
    ["nothing", ""],
    ["no JSON", "pass"],
    ["what is deep", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["what is too long", JSON.stringify({ ...pass, reasons: [{ text: "x".repeat(24_000) }] })],
  ])("is none with %s", (_, text) => {
    expect(judgementIn(text)).toBeUndefined();
  });

  it("has its words in one line each, without what nobody sees", () => {
    const hidden = { text: "one\n\u001b[31mtwo\u202e\u200b", file: "a\u0007.ts\r\nb", line: 2 };
    const judged = judgementIn(
      JSON.stringify({ ...pass, reasons: [hidden], suggestions: [`${"y".repeat(2_000)}\nz`] }),
    );
    expect(judged?.reasons).toEqual([{ text: "one [31mtwo", file: "a.ts b", line: 2 }]);
    expect(judged?.suggestions[0]).toBe(`${"y".repeat(999)}…`);
  });
});
