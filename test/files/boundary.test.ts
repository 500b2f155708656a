import { mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { assertInsideOpened, isInside, isKernelTree, resolveInside, rootOf } from "../../src/files/boundary.ts";
import { refusalOf, tempFolder } from "./fixtures.ts";

async function places(): Promise<{ base: string; ws: string; outside: string }> {
  const base = await tempFolder();
  const [ws, outside] = [join(base, "ws"), join(base, "ws-evil")];
  await mkdir(join(ws, "src"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(ws, "src/a.ts"), "a");
  await writeFile(join(outside, "secret"), "s");
  return { base, ws, outside };
}

test("relative, absolute and not yet existing paths resolve inside", async () => {
  const { ws } = await places();
  expect(await resolveInside({ workspace: ws }, ws, "src/a.ts")).toBe(join(ws, "src/a.ts"));
  expect(await resolveInside({ workspace: ws }, join(ws, "src"), "a.ts")).toBe(join(ws, "src/a.ts"));
  expect(await resolveInside({ workspace: ws }, ws, join(ws, "src/../src/a.ts"))).toBe(join(ws, "src/a.ts"));
  expect(await resolveInside({ workspace: ws }, ws, "new/deep/file.txt")).toBe(join(ws, "new/deep/file.txt"));
  expect(await resolveInside({ workspace: ws }, ws, "..file")).toBe(join(ws, "..file"));
  expect(await resolveInside({ workspace: ws }, ws, ".")).toBe(ws);
});

test("a workspace named through a link is the folder it leads to", async () => {
  const { base, ws } = await places();
  await symlink(ws, join(base, "alias"));
  expect(await resolveInside({ workspace: join(base, "alias") }, ws, join(base, "alias/src/a.ts"))).toBe(
    join(ws, "src/a.ts"),
  );
});

test("a file lies in the innermost of the roots, and in the workspace where it lies in none", async () => {
  const { base, ws, outside } = await places();
  const [file, src] = [join(ws, "src/a.ts"), join(ws, "src")];
  await symlink(ws, join(base, "alias"));
  expect(await rootOf({ workspace: ws, addDirs: [src] }, file)).toBe(src);
  expect(await rootOf({ workspace: ws, addDirs: [base] }, file)).toBe(ws);
  expect(await rootOf({ workspace: ws, addDirs: [src] }, join(ws, "b.ts"))).toBe(ws);
  expect(await rootOf({ workspace: join(base, "alias"), addDirs: [src] }, join(outside, "secret"))).toBe(ws);
});

test.each([
  ["a climb", () => "../ws-evil/secret"],
  ["a sibling whose name begins alike", (p: { outside: string }) => join(p.outside, "secret")],
  ["a sibling yet to be made", (p: { base: string }) => join(p.base, "ws2/new")],
  ["the root", () => "/"],
  ["a kernel file", () => "/proc/self/environ"],
  ["a NUL in the name", () => "src/a.ts\0.png"],
  ["a home that is elsewhere", () => "~/x"],
])("%s is outside", async (_, asked) => {
  const found = await places();
  expect((await refusalOf(resolveInside({ workspace: found.ws }, found.ws, asked(found)))).code).toBe(
    "OUTSIDE_WORKSPACE",
  );
});

test("links count by where they lead", async () => {
  const { ws, outside } = await places();
  await symlink(join(ws, "src"), join(ws, "in"));
  await symlink(outside, join(ws, "out"));
  await symlink(join(outside, "secret"), join(ws, "file-out"));
  expect(await resolveInside({ workspace: ws }, ws, "in/new.ts")).toBe(join(ws, "src/new.ts"));
  for (const asked of ["out/secret", "out/new", "out/deep/new", "file-out"]) {
    expect((await refusalOf(resolveInside({ workspace: ws }, ws, asked))).code).toBe("OUTSIDE_WORKSPACE");
  }
});

test("a dangling link leads nowhere, as a file and as a folder on the way", async () => {
  const { ws, outside } = await places();
  await symlink(join(outside, "missing"), join(ws, "dangling"));
  await symlink(join(ws, "missing"), join(ws, "dangling-in"));
  await symlink(join(outside, "secret/below"), join(ws, "below-a-file"));
  for (const asked of ["dangling", "dangling/new", "dangling/a/b", "dangling-in", "below-a-file", "below-a-file/new"]) {
    const { code, message } = await refusalOf(resolveInside({ workspace: ws }, ws, asked));
    expect(code).toBe("OUTSIDE_WORKSPACE");
    expect(message).toContain("does not exist");
  }
});

test("a link that loops and a name that is too long are refused in words", async () => {
  const { ws } = await places();
  await symlink(join(ws, "loop"), join(ws, "loop"));
  expect((await refusalOf(resolveInside({ workspace: ws }, ws, "loop/x"))).code).toBe("NOT_A_FILE");
  expect((await refusalOf(resolveInside({ workspace: ws }, ws, "x".repeat(300)))).code).toBe("INVALID_ARGUMENT");
  expect((await refusalOf(resolveInside({ workspace: ws }, ws, ""))).code).toBe("INVALID_ARGUMENT");
});

test("a path below a file keeps its name, to be refused when it is opened", async () => {
  const { ws } = await places();
  expect(await resolveInside({ workspace: ws }, ws, "src/a.ts/b")).toBe(join(ws, "src/a.ts/b"));
});

test("a home inside the workspace is home", async () => {
  const root = relative("/", homedir()).split("/")[0] ?? "";
  expect(await resolveInside({ workspace: `/${root}` }, "/", "~")).toBe(homedir());
});

test("a folder swapped for a link is noticed on what was opened", async () => {
  const { ws, outside } = await places();
  const real = await resolveInside({ workspace: ws }, ws, "src/secret");
  await rename(join(ws, "src"), join(ws, "old"));
  await symlink(outside, join(ws, "src"));
  const handle = await open(real);
  try {
    const { code, message } = await refusalOf(assertInsideOpened(handle, ws, real));
    expect(code).toBe("OUTSIDE_WORKSPACE");
    expect(message).toContain("a folder on its way was changed meanwhile");
  } finally {
    await handle.close();
  }
});

test("a folder swapped for a link to another folder inside is stale", async () => {
  const { ws } = await places();
  await mkdir(join(ws, "other"));
  await writeFile(join(ws, "other/a.ts"), "other");
  const real = await resolveInside({ workspace: ws }, ws, "src/a.ts");
  await rename(join(ws, "src"), join(ws, "old"));
  await symlink(join(ws, "other"), join(ws, "src"));
  const handle = await open(real);
  try {
    expect((await refusalOf(assertInsideOpened(handle, ws, real))).code).toBe("STALE");
  } finally {
    await handle.close();
  }
});

test("a file that is removed once it is open stays the one that was asked for", async () => {
  const { ws } = await places();
  const real = await resolveInside({ workspace: ws }, ws, "src/a.ts");
  const handle = await open(real);
  try {
    await rm(real);
    await expect(assertInsideOpened(handle, ws, real)).resolves.toBeUndefined();
  } finally {
    await handle.close();
  }
});

test("isInside compares segments", () => {
  expect([isInside("/ws", "/ws"), isInside("/ws", "/ws/..a"), isInside("/", "/x")]).toEqual([true, true, true]);
  expect([isInside("/ws", "/ws-evil"), isInside("/ws", "/"), isInside("/ws", "/w")]).toEqual([false, false, false]);
  expect(["/ws/../etc", "/ws/a/../../etc", "/ws/.."].map((path) => isInside("/ws", path))).toEqual([
    false,
    false,
    false,
  ]);
  expect(["/ws/a/../b", "/ws/..a/b", "/ws/./x"].map((path) => isInside("/ws", path))).toEqual([true, true, true]);
});

test.each(["/proc", "/sys", "/dev"])(
  "kernel files below %s are no part of a workspace that is not below it",
  (tree) => {
    expect(isKernelTree("/", `${tree}/x`)).toBe(true);
    expect(isKernelTree("/", `${tree}x`)).toBe(false);
    expect(isKernelTree(tree, `${tree}/x`)).toBe(false);
  },
);

test("why a path is not opened is said", async () => {
  const ws = await tempFolder();
  const refusedFor = async (workspace: string, asked: string): Promise<string> =>
    (await refusalOf(resolveInside({ workspace }, workspace, asked))).message;
  expect(await refusedFor("/", "/proc/self/environ")).toContain("kernel files are no part of it");
  expect(await refusedFor(ws, "")).toContain("the path is empty");
  expect(await refusedFor(ws, "a\0b")).toContain("its name holds a NUL character");
  expect(await refusedFor(ws, "../x")).toContain("it leads outside");
});

test("a file that lies where it was found is used, and why another is not is said", async () => {
  const ws = await tempFolder();
  const path = join(ws, "a");
  await writeFile(path, "");
  const handle = await open(path);
  try {
    await expect(assertInsideOpened(handle, ws, path)).resolves.toBeUndefined();
    const stale = await refusalOf(assertInsideOpened(handle, ws, join(ws, "b")));
    expect(stale.message).toContain("leads elsewhere by now");
  } finally {
    await handle.close();
  }
});
