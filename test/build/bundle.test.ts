import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleModule, root, runNode, tempFolder } from "./support/run.ts";

const { openBundle, keepCompiled, packChunks } = await bundleModule();

/** A bundle of two chunks, the second loaded by `import()`. */
function smallBundle(id = "small"): string {
  const app = tempFolder();
  const chunks = {
    "main.js":
      'exports.answer = () => 42; exports.later = () => __import("./later.js"); exports.path = require("node:path").sep;',
    "later.js": "exports.url = __url; exports.ready = () => globalThis[Symbol.for('holdfast.ready')];",
  };
  writeFileSync(join(app, "chunks"), packChunks(Object.entries(chunks)));
  writeFileSync(join(app, "package.json"), JSON.stringify({ type: "commonjs", id }));
  return app;
}

interface Main {
  answer(): number;
  later(): Promise<{ url: string }>;
  path: string;
}

const load = async (app: string, caches: string[]) => (await openBundle(app, caches).load("main")) as unknown as Main;

/** The one file of kept code in a cache. */
function keptIn(cache: string): string {
  const [name = ""] = readdirSync(cache);
  return join(cache, name);
}

test("a bundle runs without kept code, its chunks loading each other and node's modules", async () => {
  const app = smallBundle();
  const main = await load(app, []);
  expect([main.answer(), main.path]).toEqual([42, "/"]);
  expect((await main.later()).url).toBe(`file://${app}/later.js`);
  expect(await main.later()).toBe(await main.later());
});

test("kept code is found in the first place that has it, and is the user's alone", async () => {
  const app = smallBundle();
  const cache = join(tempFolder(), "not", "there", "yet");
  expect(openBundle(app, [cache]).compiled).toBe(false);
  keepCompiled(app, cache);
  expect(openBundle(app, [tempFolder(), cache]).compiled).toBe(true);
  expect((await load(app, [cache])).answer()).toBe(42);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(statSync(keptIn(cache)).mode & 0o777).toBe(0o600);
});

/** Changes one byte, counted from the end where `at` is negative. */
function alter(file: string, at: number): void {
  const bytes = readFileSync(file);
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
}

test.each([
  ["cut off", (file: string) => truncateSync(file, 200)],
  ["cut off in its table", (file: string) => truncateSync(file, 20)],
  ["empty", (file: string) => truncateSync(file, 0)],
  ["of two bytes", (file: string) => writeFileSync(file, "xx")],
  ["altered in the length of its table", (file: string) => alter(file, 3)],
  ["altered in its table", (file: string) => alter(file, 4)],
  ["altered in one byte of the code", (file: string) => alter(file, -100)],
  ["gone", (file: string) => rmSync(file)],
])("kept code that is %s is not used", async (_, damage) => {
  const app = smallBundle();
  const cache = tempFolder();
  keepCompiled(app, cache);
  damage(keptIn(cache));
  const main = await load(app, [cache]);
  expect([main.answer(), (await main.later()).url]).toEqual([42, `file://${app}/later.js`]);
});

test("kept code of another bundle is not used", () => {
  const cache = tempFolder();
  keepCompiled(smallBundle("one"), cache);
  expect(openBundle(smallBundle("two"), [cache]).compiled).toBe(false);
});

test("kept code that cannot be read is passed over for the next place that has it", () => {
  const app = smallBundle();
  const [broken, whole] = [tempFolder(), tempFolder()];
  for (const cache of [broken, whole]) keepCompiled(app, cache);
  truncateSync(keptIn(broken), 2);
  expect(openBundle(app, [broken]).compiled).toBe(false);
  expect(openBundle(app, [broken, whole]).compiled).toBe(true);
});

test("of what was rehearsed only that is kept which has run, of the rest all", async () => {
  const app = smallBundle();
  const [whole, some] = [tempFolder(), tempFolder()];
  keepCompiled(smallBundle(), whole);
  const bundle = openBundle(app, []);
  await bundle.load("main");
  keepCompiled(app, some, bundle.scripts);
  expect([...bundle.scripts.keys()]).toEqual(["main.js"]);
  expect(statSync(keptIn(some)).size).toBeLessThan(statSync(keptIn(whole)).size);
  const main = await load(app, [some]);
  expect([main.answer(), (await main.later()).url]).toEqual([42, `file://${app}/later.js`]);
});

test("the build has rehearsed a start: what it keeps is far less than the whole bundle", () => {
  const app = join(root, "dist", "app");
  const cache = tempFolder();
  keepCompiled(app, cache);
  expect(openBundle(app, [join(root, "dist", "cache")]).compiled).toBe(true);
  const kept = statSync(keptIn(join(root, "dist", "cache"))).size;
  expect(kept).toBeLessThan(0.75 * statSync(keptIn(cache)).size);
});

test("keeping twice leaves one file and no temporary ones", () => {
  const app = smallBundle();
  const cache = tempFolder();
  keepCompiled(app, cache);
  keepCompiled(app, cache);
  expect(readdirSync(cache)).toHaveLength(1);
});

test("the kept code of bundles that are long gone is removed, what else lies there too", () => {
  const cache = tempFolder();
  for (let age = 1; age <= 6; age += 1) {
    mkdirSync(join(cache, `old-${age}`));
    utimesSync(join(cache, `old-${age}`), 1_000_000 - age, 1_000_000 - age);
  }
  keepCompiled(smallBundle(), cache);
  expect(readdirSync(cache).filter((name) => name.startsWith("old"))).toEqual(["old-1", "old-2", "old-3"]);
});

test("a cache below a folder that cannot be made is an error, not a hang", () => {
  expect(() => keepCompiled(smallBundle(), "/proc/holdfast/cache")).toThrow(/ENOENT/);
});

test("who runs keeps its chunks when an update takes the bundle away", async () => {
  const app = smallBundle();
  const main = await load(app, []);
  rmSync(app, { recursive: true });
  expect((await main.later()).url).toBe(`file://${app}/later.js`);
});

test("a chunk that the bundle does not have is named", async () => {
  await expect(openBundle(smallBundle(), []).load("gone")).rejects.toThrow("the bundle has no gone.js");
});

/** The command as a package brings it: no kept code beside the bundle. */
function freshInstall(): string {
  const folder = tempFolder();
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(root, "dist"), join(folder, "dist"), {
    recursive: true,
    filter: (path) => !path.startsWith(join(root, "dist", "cache")),
  });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return join(folder, "bin", "agent.js");
}

test("the first command keeps compiled code in the agent's home, the second one finds it", () => {
  const agent = freshInstall();
  const home = tempFolder();
  const env = { AGENT_HOME: home };
  const first = runNode([agent, "tools"], { env });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const kept = keptIn(join(home, "cache"));
  const before = statSync(kept, { bigint: true });
  expect(runNode([agent, "tools"], { env })).toEqual(first);
  expect(statSync(kept, { bigint: true }).ino).toBe(before.ino);
});

test("without a home of its own the agent keeps it in the user's cache folder", () => {
  const agent = freshInstall();
  const folder = tempFolder();
  runNode([agent, "help"], { env: { XDG_CACHE_HOME: folder, HOME: folder } });
  expect(readdirSync(join(folder, "holdfast"))).toHaveLength(1);
});

test("a command works where the home cannot be written to", () => {
  const ran = runNode([freshInstall(), "help"], { env: { AGENT_HOME: "/proc/holdfast" } });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
});
