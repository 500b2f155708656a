import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pid } from "node:process";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../../src/files/bytes/file-lock.ts";
import { thisMachine } from "../../../src/process/process-identity.ts";
import { temporaryFolder } from "../../policy/support/folder.ts";

const here = `${pid} ${hostname()} 00`;

describe("a lock that is found", () => {
  it.each([
    ["empty, as a power cut leaves it", ""],
    ["of zeros, as a power cut leaves it", "\0".repeat(40)],
    ["cut short", here],
    ["made before this machine was started, by a process whose number is another's now", `${here} another-boot\n`],
    ["of a dead process", `${2 ** 22 + 7} ${hostname()} 00 ${thisMachine().boot}\n`],
  ])("%s is taken over at once", async (_, text) => {
    const folder = temporaryFolder({ "file.lock": text });
    const inside = await withFileLock(join(folder, "file"), { waitMs: 0 }, () =>
      Promise.resolve(readFileSync(join(folder, "file.lock"), "utf8")),
    );
    expect(inside).toMatch(new RegExp(`^${pid} .* ${thisMachine().boot}\n$`));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["a living process", `${here} ${thisMachine().boot}\n`],
    ["another machine", "1 elsewhere 00 another-boot\n"],
  ])("of %s is left", async (_, text) => {
    const folder = temporaryFolder({ "file.lock": text });
    await expect(withFileLock(join(folder, "file"), { waitMs: 0 }, () => Promise.resolve())).rejects.toThrow(
      `is held by process ${text.trim()}`,
    );
    expect(readFileSync(join(folder, "file.lock"), "utf8")).toBe(text);
  });
});
