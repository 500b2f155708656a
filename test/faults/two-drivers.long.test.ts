import { beforeAll, expect, it } from "vitest";
import type { FaultyAgent } from "./bundle.ts";
import { raceTwoDrivers } from "./race.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

it.each([1, 2, 3, 4, 5])(
  "of two processes that go on with a session in the same instant one drives it, and its effect happens once (%i)",
  async () => {
    expect(await raceTwoDrivers(agent)).toEqual([]);
  },
);
