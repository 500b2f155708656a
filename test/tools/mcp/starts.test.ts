import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { McpServer, type ServerSpec } from "../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../src/tools/mcp/started-server.ts";
import { aliveIn, noteOf, smallServer } from "../../support/mcp.ts";
import { timeOfTheTest } from "../../support/time-limit.ts";

/** The small server in a process of its own, which ends as it starts while the file `gone` is there. */
async function openStage(time?: ServerSpec["time"]) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-starts-"));
  const [note, changed] = [join(folder, "noted"), join(folder, "changed")];
  const env = { MCP_NOTE: note, MCP_CHANGED: changed };
  const entry = { command: process.execPath, args: [smallServer], env };
  const log = openServerLog(join(folder, "log"));
  const spec = { entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, log };
  const server = new McpServer("small", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined, time },
    connect: (heard, signal) => {
      if (existsSync(`${changed}.gone`)) throw new Error("it is gone");
      return startServer(spec, heard, signal);
    },
  });
  onTestFinished(() => server.close());
  const ready = () => server.ready(new AbortController().signal, false);
  return { server, ready, changed, log: join(folder, "log"), noted: () => noteOf(note) };
}

it("pauses between starts that fail, longer each time, for what is left of it alone, and no more once it has answered", async () => {
  const waits: number[] = [];
  let now = 0;
  const time = {
    now: () => now,
    wait: async (ms: number) => {
      waits.push(ms);
      now += ms;
    },
  };
  const { server, ready, changed } = await openStage(time);
  await writeFile(`${changed}.gone`, "");
  for (let times = 0; times < 7; times += 1) await expect(ready()).rejects.toThrow("could not be started: it is gone");
  expect(waits.splice(0)).toEqual([1_000, 2_000, 5_000, 10_000, 30_000, 30_000]);
  now += 12_000;
  await expect(ready()).rejects.toThrow("it is gone");
  expect(waits.splice(0)).toEqual([18_000]);
  now += 60_000;
  await expect(ready()).rejects.toThrow("it is gone");
  expect(waits.splice(0)).toEqual([]);

  await rm(`${changed}.gone`);
  const { connection } = await ready();
  expect(waits.splice(0)).toEqual([30_000]);
  server.answered();
  await connection.end("the test ends it");
  const { connection: again } = await ready();
  // It ended once since it answered.
  expect(waits.splice(0)).toEqual([1_000]);
  await again.end("the test ends it");
  await ready();
  // To be there is no answer yet.
  expect(waits.splice(0)).toEqual([2_000]);
});

it("ends a server whose tools are not known within a minute, and says so", async () => {
  const time = timeOfTheTest();
  const { ready, changed, noted, log } = await openStage();
  await writeFile(`${changed}.silent`, "");
  const late = ready();
  const told = expect(late).rejects.toThrow(
    "nothing was done: the MCP server small could not be started: its tools were not known within 60 s",
  );
  await expect.poll(() => noted().some((line) => line.startsWith("may ask")), { timeout: 20_000 }).toBe(true);
  time.pass(60_000);
  await told;
  expect(aliveIn(noted())).toEqual([]);
  expect(readFileSync(log, "utf8")).toContain("its tools were not known within 60 s");
});
