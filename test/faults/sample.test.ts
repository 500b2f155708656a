import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildFaultyAgent, type FaultyAgent } from "./bundle.ts";
import { playCase, playWhole } from "./cases.ts";
import type { Picture } from "./picture.ts";
import { troubleOf } from "./play-case.ts";
import { lateral, parseFault, pointNames } from "./points.ts";

let agent: FaultyAgent;
let whole: Picture;
let reached: Set<string>;

beforeAll(async () => {
  agent = await buildFaultyAgent();
  const folder = await mkdtemp(join(tmpdir(), "holdfast-reached-"));
  whole = await playWhole(agent, { env: { HOLDFAST_REACHED: join(folder, "reached") } });
  reached = new Set((await readFile(join(folder, "reached"), "utf8")).trim().split("\n"));
  await rm(folder, { recursive: true });
});
afterAll(() => agent.remove());

const expectKept = async (...faults: string[]): Promise<void> => {
  const { struck, complaints, told } = await playCase(agent, whole, faults.map(parseFault).map(troubleOf));
  expect(complaints, told).toEqual([]);
  expect(struck).toBe(faults.length);
};

describe("the session that faults are tried on", () => {
  it("comes to every point that a session without a fault can come to", () => {
    expect(pointNames.filter((name) => !reached.has(name) && lateral[name] === undefined)).toEqual([]);
  });
});

describe("a session that is killed", () => {
  it.each([
    ["before the prompt is saved", "before user text saved#1=kill"],
    ["while a call's arguments come", "mid arguments#5=kill"],
    ["after a reply is committed", "after reply committed#2=kill"],
    ["after an approval is committed", "after answer committed#2=kill"],
    ["when an approved effect is marked as begun", "after pending to executing#10=kill"],
    ["after an effect that may happen once, before its end is known", "effect happened#1=kill"],
    ["in the middle of a file's new bytes", "temporary half written#1=kill"],
    ["when the new file has its name, before its old one is compared", "file renamed#1=kill"],
    ["when a node's writes are kept and its checkpoint is not", "after pending writes put#2=kill"],
    ["when the last turn has ended on disk", "after turn end written#1=kill"],
  ])("%s goes on to the same end", async (_, fault) => {
    await expectKept(fault);
  });

  it("while it is being recovered goes on to the same end", async () => {
    await expectKept("file renamed#1=kill", "before interrupted to success#1=kill");
  });
});

describe("a session in which something throws", () => {
  it.each([
    ["after the bytes of a file were changed", "file renamed#1=throw"],
    ["in a transaction of the journal", "transaction written#40=throw"],
    ["when its events are printed", "said decision#7=throw"],
  ])("%s tells the truth and goes on", async (_, fault) => {
    await expectKept(fault);
  });
});
