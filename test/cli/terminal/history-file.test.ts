import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHistoryFile } from "../../../src/cli/terminal/history-file.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "history-"));
  path = join(folder, "state", "history");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the input history", () => {
  it("comes back in order, inputs of several lines whole, repeats once", async () => {
    const file = openHistoryFile(path);
    for (const input of ["one", 'two\n"lines"\u2028', "two again", "two again", "  "]) await file.add(input);
    expect(await openHistoryFile(path).load()).toEqual(["one", 'two\n"lines"\u2028', "two again"]);
  });
  it("is readable by its owner only, also when it was not", async () => {
    await openHistoryFile(path).add("secret");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    await openHistoryFile(path).add("more");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
  it("is empty where there is no file, or something else than a file", async () => {
    expect(await openHistoryFile(path).load()).toEqual([]);
    await mkdir(path, { recursive: true });
    expect(await openHistoryFile(path).load()).toEqual([]);
  });
  it("leaves a device as it is", async () => {
    const before = (await stat("/dev/null")).mode;
    await openHistoryFile("/dev/null").add("kept nowhere");
    expect((await stat("/dev/null")).mode).toBe(before);
  });
  it("skips what is broken and loses nothing after a line that was cut off", async () => {
    await openHistoryFile(path).add("before");
    await writeFile(path, '"cut o', { flag: "a" });
    await openHistoryFile(path).add("after");
    await writeFile(path, "\x00\xff{}\n12\n", { flag: "a" });
    expect(await openHistoryFile(path).load()).toEqual(["before", "after"]);
  });
  it("keeps every entry of writers at the same time", async () => {
    const inputs = Array.from({ length: 40 }, (_, index) => `entry ${index} ${"x".repeat(5000)}`);
    await Promise.all(inputs.map((input) => openHistoryFile(path).add(input)));
    expect((await openHistoryFile(path).load()).sort()).toEqual([...inputs].sort());
  });
  it("keeps the last 500 and shortens the file now and then", async () => {
    await mkdir(join(folder, "state"));
    await writeFile(path, Array.from({ length: 1200 }, (_, index) => `"n${index}"\n`).join(""));
    const entries = await openHistoryFile(path).load();
    expect([entries.length, entries[0], entries.at(-1)]).toEqual([500, "n700", "n1199"]);
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(501);
  });
  it("does not keep an input of more than 32 KB", async () => {
    await openHistoryFile(path).add("x".repeat(40_000));
    expect(await openHistoryFile(path).load()).toEqual([]);
  });
  it("forgets what is named, each time it was typed, and keeps the rest as it was", async () => {
    const file = openHistoryFile(path);
    for (const input of ["one", "the secret\nof two lines", "two", "one"]) await file.add(input);
    expect(await file.forget(new Set(["the secret\nof two lines", "one", "never typed"]))).toBe(3);
    expect(await readFile(path, "utf8")).toBe('"two"\n');
    expect(await file.forget(new Set(["one"]))).toBe(0);
    expect(await openHistoryFile(join(folder, "none")).forget(new Set(["one"]))).toBe(0);
  });
});
