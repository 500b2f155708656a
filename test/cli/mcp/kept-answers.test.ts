import { expect, it } from "vitest";
import { KeptAnswers } from "../../../src/cli/mcp/kept-answers.ts";

it("a server that fails is asked at most once a minute, as one that answers is, each by itself", async () => {
  let now = 5_000;
  const asked: string[] = [];
  const lately = new KeptAnswers<string[]>(60_000, () => now);
  const ask = (key: string, fails = false) =>
    lately.answer(key, async () => {
      asked.push(key);
      if (fails) throw new Error("it is gone");
      return [key];
    }, []);
  expect(await Promise.all([ask("failing", true), ask("failing", true), ask("well")])).toEqual([[], [], ["well"]]);
  now += 59_999;
  expect([await ask("failing", true), await ask("well")]).toEqual([[], ["well"]]);
  expect(asked).toEqual(["failing", "well"]);
  now += 1;
  expect(await ask("failing", true)).toEqual([]);
  // It is well again, which is seen a minute later.
  now += 30_000;
  expect([await ask("failing"), await ask("well")]).toEqual([[], ["well"]]);
  now += 30_000;
  expect(await ask("failing")).toEqual(["failing"]);
  expect(asked).toEqual(["failing", "well", "failing", "well", "failing"]);
});
