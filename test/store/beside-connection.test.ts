import { closeSync, linkSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { isKeyFile } from "../../src/files/bytes/file-head.ts";
import { openRegular, readThere } from "../../src/files/bytes/read-regular.ts";
import { holdLocked, isLockedSource, openUnlocked, readUnlocked } from "../../src/files/locked-files.ts";
import { openedBeside } from "../support/beside-connection.ts";
import { open, tempFile } from "./support.ts";

/** A store that is open, and other names of its files. */
async function opened(): Promise<{ names: string[]; close: () => void }> {
  const file = tempFile();
  const store = await open({ file });
  const at = (name: string): string => join(dirname(file), name);
  linkSync(file, at("a-hard-link.txt"));
  symlinkSync(`${file}-shm`, at("a-link.txt"));
  return { names: [file, `${file}-wal`, `${file}-shm`, at("a-hard-link.txt")], close: () => store.close() };
}

describe("a file of a store that is open is not opened beside its connection", () => {
  it("by whatever reads files, under whatever name", async () => {
    const { names } = await opened();
    for (const name of names) {
      await expect(openRegular(name, name)).rejects.toMatchObject({ code: "PROTECTED" });
      expect(readThere(name, () => "read")).toBeUndefined();
      expect(isKeyFile(name)).toBe(false);
      expect(() => readUnlocked(name)).toThrow(/^EBUSY/);
    }
    const [file = ""] = names;
    expect(() => openUnlocked(join(dirname(file), "a-link.txt"), 0)).toThrow(/^EBUSY/);
  });

  it("nor in a thread", async () => {
    const { names, close } = await opened();
    const asked = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const source = `${isLockedSource}
          const { parentPort, workerData } = require("node:worker_threads");
          parentPort.postMessage(workerData.map((name) => isLocked(require("node:fs").statSync(name))));`;
        new Worker(source, { eval: true, workerData: names.filter((name) => !/-wal|-shm/.test(name)) })
          .once("message", resolve)
          .once("error", reject);
      });
    expect(await asked()).toEqual([true, true]);
    close();
    expect(await asked()).toEqual([false, false]);
  });

  it("and can be read when it is closed, or was never a store's", async () => {
    const { names, close } = await opened();
    const [file = "", , , link = ""] = names;
    close();
    expect(readUnlocked(link).equals(readFileSync(file))).toBe(true);
    expect(readThere(file, ({ size }) => size)).toBe(readFileSync(file).length);
    const { handle } = await openRegular(file, file);
    await handle.close();
  });

  it("which the tests would notice of our own code, and allow of a test's", async () => {
    const { names } = await opened();
    const ours = vm.runInThisContext("(read) => read()", { filename: "/checkout/src/tools/some-tool.ts" }) as (
      read: () => unknown,
    ) => unknown;
    const read = vm.runInThisContext("(open, name) => () => open(name)", { filename: "/checkout/src/x.ts" }) as (
      open: (name: string) => unknown,
      name: string,
    ) => () => unknown;
    ours(read(readFileSync, names[3] ?? ""));
    expect(openedBeside.splice(0)).toContainEqual(expect.stringContaining("readFileSync"));
    await (ours(read(openFile, names[2] ?? "")) as Promise<{ close(): Promise<void> }>).then((file) => file.close());
    expect(openedBeside.splice(0)).toContainEqual(expect.stringContaining("open"));
    readFileSync(names[0] ?? "");
    expect(openedBeside).toEqual([]);
  });
});

it("a file that got the number of one whose connection is gone can be read", () => {
  const file = tempFile();
  writeFileSync(file, "text");
  const release = holdLocked(file); // as of a store that nobody closed
  expect(readUnlocked(file).toString()).toBe("text");
  const connection = openSync(file, "r");
  expect(() => readUnlocked(file)).toThrow(/^EBUSY/);
  closeSync(connection);
  expect(readUnlocked(file).toString()).toBe("text");
  release();
});
