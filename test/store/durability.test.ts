import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Disk } from "../faults/power-cut/disk.ts";
import { operationsOf } from "../faults/power-cut/operations.ts";
import { readTrace, recordedIn } from "../faults/power-cut/traced-calls.ts";
import { withoutStrace } from "../faults/system-calls.ts";
import { builtProgram } from "../support/built.ts";
import { tempFolder } from "./support.ts";

/** What a power cut may take back: it can be done again, or is looked for elsewhere. */
const mayBeLost = [
  "instructions of a folder",
  "a process of a hook",
  "a reply of reads",
  "a verdict on a read",
  "a process of it",
  "a begun read",
  "a read's end",
  "an output",
];

describe.runIf(withoutStrace() === undefined)("a write of the store (needs strace)", () => {
  it("is on disk when it is done, but for reads and what a call says meanwhile", async () => {
    const folder = tempFolder();
    onTestFinished(folder.remove);
    const [home, work, trace] = ["home", "work", "trace"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(home);
    const [strace = "", ...flags] = recordedIn(trace);
    const program = await builtProgram("test/store/writing.ts");
    const ended = spawnSync(strace, [...flags, process.execPath, program, join(home, "agent.db")], {
      encoding: "utf8",
    });
    expect([ended.stderr, ended.status]).toEqual(["", 0]);

    const disk = new Disk(new Map([["home", { folder: true, mode: 0o700 }]]));
    const found: [what: string, isLasting: boolean][] = [];
    for (const operation of operationsOf(await readTrace(trace), folder.path, work)) {
      disk.apply(operation);
      if (operation.kind === "said") found.push([operation.bytes.toString().trim(), isLogOnDisk(disk)]);
    }
    expect(found.map(([what]) => `${what}\n`).join("")).toBe(ended.stdout);
    expect(found.length).toBeGreaterThan(30);
    expect(found.flatMap(([what, isLasting]) => (isLasting ? [] : [what]))).toEqual(mayBeLost);
  });
});

/** Whether a power cut would leave the whole log. */
function isLogOnDisk(disk: Disk): boolean {
  const [lost, kept] = [0, 1].map((share) => {
    const is = disk
      .after({ names: (count) => share * count, pages: (count) => share * count })
      .get("home/agent.db-wal");
    return is !== undefined && "bytes" in is ? is.bytes.toString("latin1") : undefined;
  });
  return kept !== undefined && lost === kept;
}
