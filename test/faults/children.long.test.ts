import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FaultyAgent } from "./bundle.ts";
import { playChildren } from "./children/play.ts";
import { helpersWithPlan as scene } from "./children/scenes.ts";
import { ofChildren } from "./points.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

// What of it is tried with kills is the fault loop: at each point that it comes to.
describe("a session two of whose children work side by side", () => {
  it("does all of it once without a fault, and comes to the points that are a child's alone", async () => {
    const reached = await mkdtemp(join(tmpdir(), "holdfast-reached-"));
    expect(await playChildren(agent, undefined, { reached })).toMatchObject({ complaints: [], struck: 0 });
    const points = (await readFile(join(reached, "0"), "utf8")).trim().split("\n");
    await rm(reached, { recursive: true });
    expect(ofChildren.filter((name) => !points.includes(name))).toEqual([]);
  });
});

describe("a session that keeps a plan, and hands work to a delegate and then to explorers", () => {
  it("does all of it once without a fault", async () => {
    expect(await playChildren(agent, undefined, { scene })).toMatchObject({ complaints: [], struck: 0 });
  });
});
