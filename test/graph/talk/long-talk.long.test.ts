import { expect, it } from "vitest";
import { longTalk } from "../../support/long-talk.ts";
import { expectKept } from "../../support/long-talk-kept.ts";

it("500 turns fit into a window of 32,768 tokens", async () => {
  const talk = await longTalk({ turns: 500, window: 32_768 });
  expectKept(talk);
  expect(Math.max(...talk.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(32_768);
  expect(talk.requests.filter(({ isSummary }) => !isSummary)).toHaveLength(1000);
});
