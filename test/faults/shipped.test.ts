import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { faultNames } from "../../src/core/fault-point.ts";
import { type FaultyAgent, textBelow } from "./bundle.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** Those that stand in the text as they are; the points of moves and answers are put together. */
const marks = ["holdfast.fault", ...faultNames.filter((name) => !/ to |answer/.test(name))];

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

it("what is shipped has none of the points at which tests provoke faults", async () => {
  const text = await textBelow(dist);
  expect(text.length).toBeGreaterThan(100_000);
  expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
});

it("the agent of the fault tests has all of them", async () => {
  const text = await textBelow(agent.folder);
  expect(marks.filter((mark) => !text.includes(mark))).toEqual([]);
});
