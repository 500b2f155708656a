import { expect, it } from "vitest";
import { longTalk } from "../../support/long-talk.ts";
import { expectKept } from "../../support/long-talk-kept.ts";

it("a talk that is longer than its window goes on, and is sent again as it was but for its cuts", async () => {
  const window = 7_000;
  const talk = await longTalk({ turns: 28, window });
  expectKept(talk);
  expect(Math.max(...talk.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(window);
});
