import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { Disk } from "../../faults/power-cut/disk.ts";
import { operationsOf } from "../../faults/power-cut/operations.ts";
import { readTrace, recordedIn } from "../../faults/power-cut/traced-calls.ts";
import { withoutStrace } from "../../faults/system-calls.ts";
import { builtProgram } from "../../support/built.ts";

describe.runIf(withoutStrace() === undefined)("a copied pack (needs strace)", () => {
  it("is on disk when it is said to be: its bytes, its index and both their names", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-pack-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [home, work, trace] = ["home", "work", "trace"].map((name) => join(folder, name)) as [string, string, string];
    mkdirSync(home);
    const [strace = "", ...flags] = recordedIn(trace);
    const program = await builtProgram("test/files/bytes/copying-pack.ts");
    const ended = spawnSync(strace, [...flags, process.execPath, program, home], { encoding: "utf8" });
    expect([ended.stderr, ended.status, ended.stdout]).toEqual(["", 0, "begun\ncopied\n"]);

    const disk = new Disk(new Map([["home", { folder: true, mode: 0o700 }]]));
    for (const operation of operationsOf(await readTrace(trace), folder, work)) disk.apply(operation);
    const left = disk.after({ names: () => 0, pages: () => 0 });
    const textOf = (name: string): string | undefined => {
      const file = left.get(`home/kept/to.${name}`);
      return file !== undefined && "bytes" in file ? file.bytes.toString("latin1") : undefined;
    };
    expect([textOf("bytes"), textOf("index")]).toEqual(["wanted", `${sha256(Buffer.from("wanted"))} 0 6\n`]);
  });
});
