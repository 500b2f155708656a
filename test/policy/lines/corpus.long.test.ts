import { afterAll, describe, expect, it } from "vitest";
import { describeInSandbox } from "../../support/needs.ts";
import { type CorpusLine, corpus, type TreeName } from "./corpus.ts";
import { leftInEnglish } from "./in-chinese.ts";
import { judgeOf } from "./judge.ts";
import { makeTree } from "./tree.ts";

const strictness = ["free", "ask", "refuse"] as const;
const names: readonly TreeName[] = ["plain", "leaked", "hostile", "beyond"];

const trees = new Map(names.map((name) => [name, makeTree(name)] as const));
afterAll(() => {
  for (const tree of trees.values()) tree.remove();
});

/** What each line comes to, that is not as wanted. */
async function judged(setting: keyof CorpusLine["wanted"], sandbox: "required" | "off") {
  const laxer: string[] = [];
  const stricter: CorpusLine[] = [];
  const english: string[] = [];
  for (const [name, tree] of trees) {
    const { judge, dispose } = judgeOf(tree, sandbox);
    for (const one of corpus.filter((line) => line.tree === name)) {
      const { is, why, prepared } = await judge(one.line);
      english.push(...leftInEnglish(one.line, prepared));
      const by = strictness.indexOf(is) - strictness.indexOf(one.wanted[setting]);
      if (by < 0) laxer.push(`${one.theme}: ${one.line} is ${is}, and not ${one.wanted[setting]}: ${why}`);
      if (by > 0) stricter.push(one);
    }
    await dispose();
  }
  return { laxer, stricter, english: [...new Set(english)] };
}

/** At most two in a hundred of those that only read are asked about; the lines are told. */
function checkReaders(setting: keyof CorpusLine["wanted"], stricter: readonly CorpusLine[]): void {
  const readers = corpus.filter(({ wanted, isAttack }) => wanted[setting] === "free" && !isAttack);
  const asked = stricter.filter((one) => readers.includes(one)).map(({ line }) => line);
  const share = (asked.length / readers.length) * 100;
  process.stdout.write(`${setting}: ${asked.length} of ${readers.length} readers asked (${share.toFixed(1)} %)\n`);
  expect(share, asked.join("\n")).toBeLessThanOrEqual(2);
}

describe("the corpus of lines", () => {
  it("holds at least 600, a third of them attacks, each once", () => {
    const attacks = corpus.filter(({ isAttack }) => isAttack);
    expect([corpus.length >= 600, attacks.length * 3 >= corpus.length]).toEqual([true, true]);
    const seen = corpus.map(({ tree, line }) => `${tree}: ${line}`);
    expect(seen.filter((one, at) => seen.indexOf(one) !== at)).toEqual([]);
  });

  it("is judged without a sandbox as strictly as it is wanted, and for reasons that a Chinese screen has in Chinese; readers are asked about seldom", async () => {
    const { laxer, stricter, english } = await judged("bare", "off");
    expect(laxer).toEqual([]);
    expect(english).toEqual([]);
    checkReaders("bare", stricter);
  });
});

describeInSandbox("the corpus of lines, where commands run in the sandbox (needs bubblewrap)", () => {
  it("is judged as strictly as it is wanted, and for reasons that a Chinese screen has in Chinese; readers are asked about seldom", async () => {
    const { laxer, stricter, english } = await judged("boxed", "required");
    expect(laxer).toEqual([]);
    expect(english).toEqual([]);
    checkReaders("boxed", stricter);
  });
});
