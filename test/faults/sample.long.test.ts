import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FaultyAgent } from "./bundle.ts";
import { playCase, playWhole } from "./cases.ts";
import type { Picture } from "./picture.ts";
import { troubleOf } from "./play-case.ts";
import { lateral, ofChildren, parseFault, pointNames } from "./points.ts";
import { hadEnough } from "./session.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";
import { failingAt, killedAt, withoutStrace } from "./system-calls.ts";

let agent: FaultyAgent;
let whole: Picture;
let reached: Set<string>;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
  const folder = await mkdtemp(join(tmpdir(), "holdfast-reached-"));
  whole = await playWhole(agent, { env: { HOLDFAST_REACHED: join(folder, "reached") } });
  reached = new Set((await readFile(join(folder, "reached"), "utf8")).trim().split("\n"));
  await rm(folder, { recursive: true });
});

const expectKept = async (...faults: string[]): Promise<void> => {
  const { struck, complaints, told } = await playCase(agent, whole, faults.map(parseFault).map(troubleOf));
  expect(complaints, told).toEqual([]);
  expect(struck).toBe(faults.length);
};

describe("the session that faults are tried on", () => {
  it("comes to every point that a session without a fault can come to", () => {
    expect(
      pointNames.filter((name) => !reached.has(name) && lateral[name] === undefined && !ofChildren.includes(name)),
    ).toEqual([]);
  });
});

// What no point of the fault loop is alone: it kills at each, and in each instant of a compaction.
describe("a session that is killed", () => {
  it("between two files of an undo is half as before, and says which half, where the person wants no more", async () => {
    const fault = troubleOf(parseFault("file renamed#4=kill"));
    const { complaints, told, picture } = await playCase(agent, whole, [fault, { env: hadEnough }]);
    expect(complaints, told).toEqual([]);
    expect(picture?.calls.at(-1)).toMatchObject({
      toolName: "undo_changes",
      status: "cancelled",
      by: { actor: "person" },
      ended: { why: "denied", files: [expect.any(String)] },
    });
  });

  it("while it is being recovered goes on to the same end", async () => {
    await expectKept("file renamed#1=kill", "before interrupted to success#1=kill");
  });
});

const noSpace = { call: "pwrite64", error: "ENOSPC", ofStore: true, lasts: true } as const;

describe.runIf(withoutStrace() === undefined)("a session whose disk fails (needs strace)", () => {
  it.each([
    ["when the store is full from some moment on", noSpace, 200],
    ["when what was written is not made durable", { call: "fsync", error: "EIO" }, 20],
  ] as const)("%s tells the truth and goes on", async (_, failing, nth) => {
    const { struck, complaints, told } = await playCase(agent, whole, [failingAt(failing, nth)]);
    expect(complaints, told).toEqual([]);
    expect(struck).toBe(1);
  });
});

it.runIf(withoutStrace() === undefined)(
  "a session that is killed at a system call goes on to the same end (needs strace)",
  async () => {
    const { struck, complaints, told } = await playCase(agent, whole, [killedAt("pwrite64", 150)]);
    expect(complaints, told).toEqual([]);
    expect(struck).toBe(1);
  },
);

describe("a session in which something throws", () => {
  it.each([
    ["after the bytes of a file were changed", "file renamed#1=throw"],
    ["in a transaction of the journal", "transaction written#40=throw"],
    ["when its events are printed", "said decision#7=throw"],
  ])("%s tells the truth and goes on", async (_, fault) => {
    await expectKept(fault);
  });
});
