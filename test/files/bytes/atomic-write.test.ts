import { execFile } from "node:child_process";
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { replaceFile, writeAtomically } from "../../../src/files/bytes/atomic-write.ts";
import { hashFile, sweepTemporaries } from "../../../src/files/bytes/temporaries.ts";
import { leftovers, refusalOf, tempFolder } from "../fixtures.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

test("replaces a file as a whole, with the mode given", async () => {
  const folder = await tempFolder();
  const path = join(folder, "run.sh");
  await writeFile(path, "old", { mode: 0o755 });
  const outcome = await writeAtomically(path, bytes("new"), { mode: 0o755, expectBefore: sha256("old") });
  expect(outcome).toBe("written");
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await modeOf(path)).toBe(0o755);
  expect(await readdir(folder)).toEqual(["run.sh"]);
});

test("makes a file, but never over one that has appeared", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  expect(await writeAtomically(path, bytes("1"), { mode: 0o600, expectBefore: null })).toBe("written");
  expect(await modeOf(path)).toBe(0o600);
  expect(await writeAtomically(path, bytes("2"), { mode: 0o600, expectBefore: null })).toBe("drifted");
  const late = join(folder, "b");
  const beforeRename = (): Promise<void> => writeFile(late, "theirs");
  expect(await writeAtomically(late, bytes("x"), { mode: 0o600, expectBefore: null, beforeRename })).toBe("drifted");
  expect(await readFile(late, "utf8")).toBe("theirs");
  expect(await leftovers(folder)).toEqual([]);
});

test("a file that is not as expected, or gone, is left alone", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  const expectBefore = sha256("expected");
  expect(await writeAtomically(path, bytes("x"), { mode: 0o644, expectBefore })).toBe("drifted");
  await writeFile(path, "other");
  expect(await writeAtomically(path, bytes("x"), { mode: 0o644, expectBefore })).toBe("drifted");
  expect(await readFile(path, "utf8")).toBe("other");
  expect(await leftovers(folder)).toEqual([]);
});

test.each([
  ["in place", (path: string) => writeFile(path, "saved by the person")],
  [
    "by rename, as editors do",
    async (path: string) => {
      await writeFile(`${path}~`, "saved by the person", { mode: 0o600 });
      await rename(`${path}~`, path);
    },
  ],
])("a save %s between check and rename is put back", async (_, save) => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  await writeFile(path, "old");
  const write = { mode: 0o644, expectBefore: sha256("old"), beforeRename: () => save(path) };
  expect(await writeAtomically(path, bytes("ours"), write)).toBe("raced");
  expect(await readFile(path, "utf8")).toBe("saved by the person");
  expect(await leftovers(folder)).toEqual([]);
});

test("a file deleted between check and rename stays deleted", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  await writeFile(path, "old");
  const write = { mode: 0o644, expectBefore: sha256("old"), beforeRename: () => unlink(path) };
  expect(await writeAtomically(path, bytes("ours"), write)).toBe("drifted");
  expect(await readdir(folder)).toEqual([]);
});

test("what fails in the hook leaves nothing behind", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  await writeFile(path, "old");
  const beforeRename = (): never => {
    throw new Error("stop");
  };
  const write = { mode: 0o644, expectBefore: sha256("old"), beforeRename };
  await expect(writeAtomically(path, bytes("ours"), write)).rejects.toThrow("stop");
  expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["old", ["a"]]);
});

test("the other name of a hard link keeps the old content", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "a"), "old");
  await link(join(folder, "a"), join(folder, "b"));
  await writeAtomically(join(folder, "a"), bytes("new"), { mode: 0o644, expectBefore: sha256("old") });
  expect(await readFile(join(folder, "b"), "utf8")).toBe("old");
});

test("a folder swapped for a link is not written through", async () => {
  const base = await tempFolder();
  const [ws, outside] = [join(base, "ws"), join(base, "outside")];
  await mkdir(ws);
  await mkdir(outside);
  await writeFile(join(outside, "a"), "old");
  await symlink(outside, join(ws, "src"));
  const write = { mode: 0o644, expectBefore: sha256("old"), within: ws };
  expect((await refusalOf(writeAtomically(join(ws, "src/a"), bytes("new"), write))).code).toBe("NOT_A_FILE");
  await mkdir(join(outside, "deep"));
  await writeFile(join(outside, "deep/a"), "old");
  expect((await refusalOf(writeAtomically(join(ws, "src/deep/a"), bytes("new"), write))).code).toBe(
    "OUTSIDE_WORKSPACE",
  );
  expect(await readFile(join(outside, "deep/a"), "utf8")).toBe("old");
  expect(await leftovers(base)).toEqual([]);
});

test("a folder swapped after it was pinned gets nothing", async () => {
  const base = await tempFolder();
  const [ws, outside] = [join(base, "ws"), join(base, "outside")];
  await mkdir(join(ws, "src"), { recursive: true });
  await mkdir(outside);
  const beforeRename = async (): Promise<void> => {
    await rename(join(ws, "src"), join(ws, "moved"));
    await symlink(outside, join(ws, "src"));
  };
  const write = { mode: 0o644, expectBefore: null, within: ws, beforeRename };
  expect(await writeAtomically(join(ws, "src/a"), bytes("new"), write)).toBe("written");
  expect(await readdir(outside)).toEqual([]);
  expect(await readFile(join(ws, "moved/a"), "utf8")).toBe("new");
});

test("owner and group of the file are kept", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  await writeFile(path, "old");
  const ours = await stat(path);
  // Only root may give a file away; for others the owner is theirs before and after.
  const owner = ours.uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid: ours.uid, gid: ours.gid };
  await chown(path, owner.uid, owner.gid);
  await writeAtomically(path, bytes("new"), { mode: 0o640, expectBefore: sha256("old") });
  const { uid, gid } = await stat(path);
  expect({ uid, gid }).toEqual(owner);
  expect(await modeOf(path)).toBe(0o640);
});

const script = (folder: string, body: string): string => `
  const { writeAtomically } = await import(${JSON.stringify(new URL("../../../src/files/bytes/atomic-write.ts", import.meta.url).href)});
  const folder = ${JSON.stringify(folder)};
  try { ${body} } catch (error) { console.log(error.code, error.message); }
`;

async function inChild(folder: string, body: string, limit = ""): Promise<string> {
  const command = `${limit} exec "$0" --import tsx --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", command, process.execPath, script(folder, body)]);
  return stdout.trim();
}

test("a disk that takes no more leaves the file as it was, and no temporary", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "a"), "old");
  const body = `await writeAtomically(folder + "/a", Buffer.alloc(4_000_000), { mode: 0o644, expectBefore: "${sha256("old")}" });`;
  expect(await inChild(folder, body, "ulimit -f 1000;")).toMatch(/^ENOSPC .*limit/);
  expect(await readFile(join(folder, "a"), "utf8")).toBe("old");
  expect(await readdir(folder)).toEqual(["a"]);
});

test("a folder that may not be written is EACCES", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "a"), "old");
  await chmod(folder, 0o555);
  const body = `
    const own = process.getuid() === 0;
    if (own) { process.setgid(65534); process.setuid(65534); }
    await writeAtomically(folder + "/a", Buffer.from("x"), { mode: 0o644, expectBefore: "${sha256("old")}" });`;
  expect(await inChild(folder, body)).toMatch(/^EACCES .*permission denied/);
  await chmod(folder, 0o755);
  expect(await readFile(join(folder, "a"), "utf8")).toBe("old");
});

test.each([
  ["replacing", "old", `"${sha256("old")}"`],
  ["making", null, "null"],
])(
  "a process killed while %s a file leaves what was there, and sweeping the rest",
  async (_, content, expectBefore) => {
    const folder = await tempFolder();
    if (content !== null) await writeFile(join(folder, "a"), content);
    const kill = "beforeRename: () => process.kill(process.pid, 'SIGKILL')";
    const body = `await writeAtomically(folder + "/a", Buffer.from("x"), { mode: 0o644, expectBefore: ${expectBefore}, ${kill} });`;
    await expect(inChild(folder, body)).rejects.toMatchObject({ signal: "SIGKILL" });
    expect(await leftovers(folder)).toHaveLength(1);
    expect((await sweepTemporaries(folder)).removed).toHaveLength(1);
    expect(await readdir(folder)).toEqual(content === null ? [] : ["a"]);
    expect(await readFile(join(folder, "a"), "utf8").catch(() => null)).toBe(content);
  },
);

test("a file is hashed where it is one", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "a"), "old");
  await promisify(execFile)("mkfifo", [join(folder, "pipe")]);
  expect([await hashFile(join(folder, "a")), await hashFile(join(folder, "b"))]).toEqual([sha256("old"), null]);
  expect((await refusalOf(hashFile(join(folder, "pipe")))).code).toBe("NOT_A_FILE");
});

test("the last writer of a file of our own wins, and a link to it stays", async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, "dotfiles"));
  await writeFile(join(folder, "dotfiles/grants.json"), "old");
  await symlink(join(folder, "dotfiles/grants.json"), join(folder, "grants.json"));
  await replaceFile(join(folder, "grants.json"), bytes("new"), 0o600);
  await replaceFile(join(folder, "fresh.json"), bytes("fresh"), 0o600);
  expect(await readFile(join(folder, "dotfiles/grants.json"), "utf8")).toBe("new");
  expect(await modeOf(join(folder, "dotfiles/grants.json"))).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(["dotfiles", "fresh.json", "grants.json"]);
  expect(await readdir(join(folder, "dotfiles"))).toEqual(["grants.json"]);
});

test("sweeping removes what the dead left, and keeps a save that nobody else holds", async () => {
  const folder = await tempFolder();
  const dead = 2 ** 22 + 7;
  const aside = (content: string, checked: string): string => {
    const name = `.holdfast-${dead}-${sha256(content).slice(0, 16)}.${sha256(checked)}.old`;
    return name;
  };
  await writeFile(join(folder, `.holdfast-${dead}-0123456789abcdef.tmp`), "half");
  await writeFile(join(folder, aside("same", "same")), "same");
  await writeFile(join(folder, aside("saved", "checked")), "saved");
  await writeFile(join(folder, `.holdfast-${process.pid}-0123456789abcdef.tmp`), "in use");
  await writeFile(join(folder, ".holdfast-notes.tmp"), "not ours");
  const swept = await sweepTemporaries(folder);
  expect(swept.kept).toEqual([join(folder, aside("saved", "checked"))]);
  expect(swept.removed).toHaveLength(2);
  expect((await readdir(folder)).sort()).toEqual(
    [`.holdfast-${process.pid}-0123456789abcdef.tmp`, ".holdfast-notes.tmp", aside("saved", "checked")].sort(),
  );
  expect(await sweepTemporaries(join(folder, "missing"))).toEqual({ removed: [], kept: [] });
});

test("a change of the file that keeps its size and time is still noticed", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a");
  await writeFile(path, "old");
  const { atime, mtime } = await stat(path);
  const beforeRename = async (): Promise<void> => {
    await truncate(path, 0);
    await writeFile(path, "new");
    await utimes(path, atime, mtime);
  };
  const write = { mode: 0o644, expectBefore: sha256("old"), beforeRename };
  expect(await writeAtomically(path, bytes("ours"), write)).toBe("raced");
  expect(await readFile(path, "utf8")).toBe("new");
});
