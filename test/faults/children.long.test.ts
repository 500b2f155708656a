import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FaultyAgent } from "./bundle.ts";
import { playChildren } from "./children/play.ts";
import { helpersWithPlan as scene } from "./children/scenes.ts";
import { ofChildren, parseFault } from "./points.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

describe("a session two of whose children work side by side", () => {
  it("does all of it once without a fault, and comes to the points that are a child's alone", async () => {
    const reached = await mkdtemp(join(tmpdir(), "holdfast-reached-"));
    expect(await playChildren(agent, undefined, { reached })).toMatchObject({ complaints: [], struck: 0 });
    const points = (await readFile(join(reached, "0"), "utf8")).trim().split("\n");
    await rm(reached, { recursive: true });
    expect(ofChildren.filter((name) => !points.includes(name))).toEqual([]);
  });

  // Of the many instants that the fault loop tries.
  it.each([
    ["before its first child is there", "before child begun#1=kill", false],
    ["between its two children", "after child begun#1=kill", false],
    ["while both wait for the person", "said approval_requested#1=kill", false],
    ["when one of two answers is committed", "after answer committed#1=kill", true],
    ["when the effect of one has happened", "effect happened#1=kill", true],
    ["when one child has come to its end", "after turn end written#1=kill", true],
    ["before the call itself is settled", "before executing to success#5=kill", true],
  ] as const)("is killed %s and goes on to the same end", async (_, text, later) => {
    const { complaints, told, struck } = await playChildren(agent, parseFault(text), { later });
    expect(complaints, told).toEqual([]);
    expect(struck).toBe(1);
  });
});

describe("a session that keeps a plan, and hands work to a delegate and then to explorers", () => {
  it("does all of it once without a fault", async () => {
    expect(await playChildren(agent, undefined, { scene })).toMatchObject({ complaints: [], struck: 0 });
  });

  it.each([
    ["when its plan is made", "before pending to executing#1=kill", false],
    ["before its delegate is there", "before child begun#1=kill", false],
    ["when the effect of the delegate has happened", "effect happened#1=kill", true],
    ["between its two explorers", "after child begun#1=kill", true],
    ["when its last goal is done", "before turn end written#4=kill", true],
  ] as const)("is killed %s and goes on to the same end", async (_, text, later) => {
    const { complaints, told, struck } = await playChildren(agent, parseFault(text), { scene, later });
    expect(complaints, told).toEqual([]);
    expect(struck).toBe(1);
  });
});
