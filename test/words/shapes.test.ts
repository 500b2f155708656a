import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, test } from "vitest";
import { z } from "zod";
import { limits } from "../../src/core/limits.ts";
import { speak } from "../../src/words/room.ts";
import { limitAgain, linesAgain, saidAgain } from "../../src/words/said-again.ts";
import * as chinese from "../../src/words/zh/index.ts";

beforeEach(() => speak(chinese));
afterEach(() => speak(undefined));

const shape = z.strictObject({
  text: z.string().min(2).max(3),
  list: z.array(z.number()).min(2).max(3),
  whole: z.int().min(1).max(5),
  one: z.enum(["x", "y"]),
  same: z.literal(1),
  either: z.union([z.string(), z.number()]),
  page: z.url(),
  by: z.record(z.string().regex(/a/u), z.number()),
  parted: z.number().multipleOf(3),
  begins: z.string().startsWith("q"),
  on: z.boolean(),
  kind: z.discriminatedUnion("t", [z.object({ t: z.literal("1") }), z.object({ t: z.literal("2") })]),
  two: z.array(z.number()).length(2),
  mail: z.email(),
});

const low = { text: "x", list: [1], whole: 0, one: "z", same: 2, either: true, page: "x", by: { b: 1 }, parted: 4 };
const high = { text: "xxxx", list: [1, 2, 3, 4], whole: 6, one: 1, same: "a", either: null, page: 1, by: { a: "1" } };
const given: readonly object[] = [
  {},
  { ...low, begins: "x", on: 1, kind: { t: "3" }, two: [1], mail: "x", other: 1 },
  { ...high, parted: "a", begins: 2, on: "true", kind: 1, two: [1, 2, 3], mail: 1, more: 1, other: 2 },
  { ...low, whole: 6.5, text: ["x"], parted: Number.NaN },
];

test.each(given)("what the library of shapes says of %j is Chinese on a Chinese screen", (value) => {
  const said = z.prettifyError(shape.safeParse(value).error ?? new z.ZodError([]));
  expect(said).toMatch(/[a-z]{3} [a-z]{3}/u);
  expect(linesAgain(said)).not.toMatch(/(?<!true )(?<!["'/])\b(?!NaN|URL)[a-z]{3,} [a-z]{2,}/u);
  expect(
    linesAgain(said)
      .split("\n")
      .filter((line) => !/[\u4e00-\u9fff]/u.test(line)),
  ).toEqual([]);
});

it("each sentence that the library has in English has its Chinese", () => {
  const source = readFileSync(new URL("../../node_modules/zod/v4/locales/en.js", import.meta.url), "utf8");
  const sentences = [...source.matchAll(/return [`"]((?:Invalid|Too|Unrec)[^;]*)[`"];/gu)].map(([, one = ""]) => one);
  expect(sentences.length).toBeGreaterThan(18);
  const filled = sentences.flatMap((one) =>
    [one.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/gu, "x")].map((text) => text.replace("keyx:", "keys:")),
  );
  // "Invalid x": of a format that no setting has, as an IBAN.
  expect(filled.filter((one) => one !== "Invalid x" && saidAgain(one) === one)).toEqual([]);
});

it("a value is named beside its setting, and English stays as it is", () => {
  const problem = 'c.json:3: "maxSteps": Invalid input: expected number, received string';
  expect(saidAgain(problem)).toBe('c.json:3: "maxSteps"：应为数，却是字符串');
  expect(saidAgain("Invalid input: expected constructor, received string")).toBe("应为constructor，却是字符串");
  expect(saidAgain('Unrecognized key: "a"')).toBe('不认识的键 "a"');
  speak(undefined);
  expect(saidAgain(problem)).toBe(problem);
});

test.each([
  ["AGENTS.md, git branch main went into the prompt", "AGENTS.md, git 分支 main 已放入提示词"],
  [
    "AGENTS.md (cut), your CONTEXT.md, the agent's notes in CONTEXT.md and 3 more went into the prompt; left out: b.md (it is too large)",
    "AGENTS.md（截断）, 你的 CONTEXT.md, CONTEXT.md 中 agent 的笔记，另 3 个 已放入提示词；略去：b.md (it is too large)",
  ],
  ["a, b.md went into the prompt", "a, b.md 已放入提示词"],
  ...(
    [
      ["it is a link that leads nowhere", "它是不通向任何地方的链接"],
      ["it leads out of its folder", "它通向所在文件夹之外"],
      ["there is no room left for it", "已没有容纳它的余地"],
      ["it is not a text", "它不是文本"],
      ["it cannot be read", "无法读取"],
      ["it belongs to another user", "它属于另一用户"],
      ["it lies outside of the project", "它在项目之外"],
      ["there is no text", "没有文本"],
      ["it is not what you trusted: agent trust shows it", "它不是你信任过的内容：agent trust 可显示"],
      ["the folder belongs to another user", "文件夹属于另一用户"],
      ["it is a folder, not a file", "它是文件夹，不是文件"],
    ] as const
  ).map(([why, told]): [string, string] => [
    `AGENTS.md went into the prompt; left out: a, b.md (${why}), your c.md (x, y) and 2 more`,
    `AGENTS.md 已放入提示词；略去：a, b.md（${told}）, 你的 c.md (x, y)，另 2 个`,
  ]),
  [
    "no file of instructions is in the prompt; left out: 5 more (at most 4 are read)",
    "提示词中没有指令文件；略去：另 5 个（最多读取 4 个）",
  ],
  ["no file of instructions is in the prompt; left out: a.md (x)", "提示词中没有指令文件；略去：a.md (x)"],
])("what went into the prompt is told in Chinese: %s", (said, told) => expect(saidAgain(said)).toBe(told));

it("each limit is told in Chinese, with its figure", () => {
  const told = Object.entries(limits).map(([name, limit]) => limitAgain(name, limit));
  const english = told.filter(({ what, why }) => [what, why].some((text) => !/[\u4e00-\u9fff]/u.test(text)));
  expect(english).toEqual([]);
  expect(told.map(({ figure }) => figure).filter((figure) => /[a-z]{4}/u.test(figure.replace("token", "")))).toEqual(
    [],
  );
  expect(limitAgain("imagePixels", limits.imagePixels).figure).toBe("4000 万像素");
  speak(undefined);
  expect(limitAgain("goals", limits.goals)).toEqual({
    figure: "100 lines",
    what: limits.goals.what,
    why: limits.goals.why,
  });
});
