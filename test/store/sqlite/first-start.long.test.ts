import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtProgram } from "../../support/built.ts";
import { open, tempFolder } from "../support.ts";

const homes = 60;
const gapMs = 50;
const starters = ["a", "b", "c", "d", "e", "f", "g", "h"];
let program = "";
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder();
  program = await builtProgram("test/store/sqlite/starter.ts");
});
afterAll(() => folder.remove());

function start(name: string, first: number): Promise<{ code: number | null; errors: string }> {
  const args = [program, folder.path, homes, first, gapMs, name].map(String);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, errors })));
}

test("processes that start at once where no store is yet make one store, and each has its session in it", async () => {
  const first = Date.now() + 1_500; // all of them are up by then, or begin a little later
  const ended = await Promise.all(starters.map((name) => start(name, first)));
  expect(ended).toEqual(starters.map(() => ({ code: 0, errors: "" })));
  for (let home = 0; home < homes; home += 1) {
    const store = await open({ file: join(folder.path, String(home), "agent.db") });
    expect(store.sessions.list().map(({ id }) => id)).toHaveLength(starters.length);
    expect(store.damage()).toBeUndefined();
    store.close();
  }
});
