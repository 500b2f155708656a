import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { nodeBinary } from "../../../src/cli/compiled/node-binary.ts";
import { Scripts } from "../../../src/cli/compiled/scripts.ts";

/** A script as the build makes them. */
const scriptOf = (body: string): string =>
  `(function(exports,require,module,scriptUrl,importPart){'use strict';\n${body}\n})`;

const says = (word: string): string => scriptOf(`const say = () => "${word}"; exports.said = say();`);

function folderOf(scripts: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-scripts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  for (const [name, text] of Object.entries(scripts)) write(`${name}.cjs`, text);
  const open = () => new Scripts(pathToFileURL(`${folder}/`));
  return { folder, write, open, read: (name: string) => readFileSync(join(folder, name)) };
}

/** With compiled code of these, as the build leaves it. */
function compiledOf(scripts: Record<string, string>) {
  const at = folderOf(scripts);
  const opened = at.open();
  for (const name of Object.keys(scripts)) opened.run(name);
  for (const [name, bytes] of opened.compiled()) at.write(name, bytes);
  return at;
}

const run = (at: ReturnType<typeof folderOf>, name = "one") => {
  const scripts = at.open();
  return { said: scripts.run(name)["said"], took: scripts.tookCode(name) };
};

test("a script runs with the code that was compiled of it, and without any", () => {
  expect(run(compiledOf({ one: says("yes") }))).toEqual({ said: "yes", took: true });
  expect(run(folderOf({ one: says("yes") }))).toEqual({ said: "yes", took: false });
});

const flipped = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
};

test.each<[string, (at: ReturnType<typeof folderOf>) => void]>([
  ["was cut short", ({ write, read }) => write("one.code", read("one.code").subarray(0, 400))],
  ["is empty", ({ write }) => write("one.code", "")],
  [
    "differs in its last byte",
    ({ write, read }) => write("one.code", flipped(read("one.code"), read("one.code").length - 1)),
  ],
  [
    "differs in its middle",
    ({ write, read }) => write("one.code", flipped(read("one.code"), read("one.code").length >> 1)),
  ],
  ["is of another script of this length", ({ write, read }) => write("one.code", read("two.code"))],
  ["is gone", ({ folder }) => rmSync(join(folder, "one.code"))],
  ["has no record", ({ folder }) => rmSync(join(folder, "compiled.json"))],
  [
    "has a record that is cut short",
    ({ write, read }) => write("compiled.json", read("compiled.json").subarray(0, 100)),
  ],
  [
    "has a record that does not know the script",
    ({ write }) => write("compiled.json", JSON.stringify({ node: nodeBinary(), scripts: {} })),
  ],
  [
    "is another Node's",
    ({ write, read }) => write("compiled.json", read("compiled.json").toString().replace(process.version, "v20.20.1")),
  ],
])("compiled code is left aside, and the text compiled, where it %s", (_, change) => {
  const at = compiledOf({ one: says("yes"), two: says("two") });
  expect(run(at)).toEqual({ said: "yes", took: true });
  change(at);
  expect(run(at)).toEqual({ said: "yes", took: false });
});

test("what runs is what the text says, also where one of the same length has taken its place", () => {
  const at = compiledOf({ one: says("yes"), two: says("two") });
  at.write("one.cjs", says("new"));
  expect(run(at)).toEqual({ said: "new", took: false });
  expect(run(at, "two")).toEqual({ said: "two", took: true });
});

test("a script has others by require, each run once, and parts by import, once they are ready", async () => {
  const at = compiledOf({
    base: scriptOf("exports.list = [];"),
    late: scriptOf(
      'const { list } = require("./base.js"); list.push("late"); let there = false; exports.ready = new Promise((done) => setTimeout(() => { there = true; done(); }, 5)); exports.isThere = () => there;',
    ),
    one: scriptOf(
      'const { list } = require("./base.js"); list.push("one"); exports.join = require("node:path").join; exports.load = () => importPart("./late.js"); exports.os = () => importPart("node:os"); exports.list = list; exports.url = scriptUrl;',
    ),
  });
  const one = at.open().run("one") as {
    list: string[];
    url: string;
    join: unknown;
    load(): Promise<{ isThere(): boolean }>;
    os(): Promise<object>;
  };
  expect(one.list).toEqual(["one"]);
  const late = await one.load();
  expect(late.isThere()).toBe(true);
  expect(await one.load()).toBe(late);
  expect(one.list).toEqual(["one", "late"]);
  expect(one.join).toBe(join);
  expect(await one.os()).toHaveProperty("homedir");
  expect(one.url).toBe(pathToFileURL(join(at.folder, "one.cjs")).href);
});

test("a part that is gone is told as import() tells it", async () => {
  const at = folderOf({ one: scriptOf('exports.load = () => importPart("./late.js");') });
  const one = at.open().run("one") as { load(): Promise<unknown> };
  await expect(one.load()).rejects.toMatchObject({ code: "ERR_MODULE_NOT_FOUND" });
});

test("what a script throws comes through, and it is run anew when it is asked for again", () => {
  const scripts = folderOf({ one: scriptOf('throw new Error("broken");') }).open();
  for (let i = 0; i < 2; i += 1) expect(() => scripts.run("one")).toThrow("broken");
});

test("this build of Node is told from another program, and from one that cannot be read", () => {
  expect(nodeBinary()).toContain(process.version);
  expect(nodeBinary()).toBe(nodeBinary(process.execPath));
  expect(nodeBinary("/bin/sh")).not.toBe(nodeBinary());
  expect(nodeBinary("/nowhere/node")).toBeUndefined();
});
