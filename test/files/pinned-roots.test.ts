import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FolderLost } from "../../src/core/folder-lost.ts";
import { sha256 } from "../../src/core/json.ts";
import type { PinnedRoots } from "../../src/core/tool.ts";
import { removeAtomically, writeAtomically } from "../../src/files/bytes/atomic-write.ts";
import { makeFolders } from "../../src/files/pinned-folder.ts";
import { type HeldRoots, pinRoots } from "../../src/files/pinned-roots.ts";
import { runChild } from "../../src/process/run-child.ts";
import { tempTree } from "../tools/temp-tree.ts";

const onLinux = describe.runIf(process.platform === "linux");

/** A workspace, and beside it another folder with the same names in it. */
function places(addDirs: readonly string[] = []) {
  const base = tempTree({ "ws/a.txt": "one", "ws/sub/b.txt": "own", "other/a.txt": "one", "other/sub/b.txt": "other" });
  const [workspace, other] = [join(base, "ws"), join(base, "other")];
  const pins = pinRoots(
    workspace,
    addDirs.map((name) => join(base, name)),
  );
  onTestFinished(() => pins.close());
  const exchange = (): void => {
    renameSync(workspace, `${workspace}.aside`);
    renameSync(other, workspace);
    renameSync(`${workspace}.aside`, other);
  };
  return { base, workspace, other, pins, exchange };
}

function lostOf(pins: HeldRoots): FolderLost | undefined {
  try {
    pins.check();
    return undefined;
  } catch (error) {
    if (error instanceof FolderLost) return error;
    throw error;
  }
}

describe("a pinned folder", () => {
  it("stands, whatever changes in it and of its rights; away and back it stands again", () => {
    const { workspace, pins } = places();
    rmSync(join(workspace, "sub"), { recursive: true });
    writeFileSync(join(workspace, "new"), "");
    chmodSync(workspace, 0o711);
    expect(lostOf(pins)).toBeUndefined();
    renameSync(workspace, `${workspace}.away`);
    expect(lostOf(pins)).toMatchObject({
      folder: workspace,
      message: expect.stringContaining("is not there any more"),
    });
    renameSync(`${workspace}.away`, workspace);
    expect(lostOf(pins)).toBeUndefined();
  });

  it("is lost where it was removed and made anew, though nothing of it differs", () => {
    const { workspace, pins } = places();
    rmSync(workspace, { recursive: true });
    mkdirSync(workspace);
    expect(lostOf(pins)?.message).toContain("another folder has its name");
  });

  it("is lost where a folder above it is a link by now, also one that leads to it", () => {
    const { base, workspace, pins } = places();
    renameSync(base, `${base}.aside`);
    symlinkSync(`${base}.aside`, base);
    const lost = lostOf(pins);
    rmSync(base);
    renameSync(`${base}.aside`, base);
    expect(lost?.message).toContain("has its name");
    expect(lost?.folder).toBe(workspace);
  });

  it("that cannot be looked at is lost too, and says why", () => {
    const { base, workspace, pins } = places();
    renameSync(base, `${base}.aside`);
    writeFileSync(base, "");
    const lost = lostOf(pins);
    rmSync(base);
    renameSync(`${base}.aside`, base);
    expect(lost?.message).toContain(`${workspace} is not there any more`);
  });

  it("is pinned where it may not be read, and where it is added later", () => {
    const { base, workspace, pins } = places();
    const added = join(base, "other");
    chmodSync(added, 0o311);
    pins.add(added);
    expect(lostOf(pins)).toBeUndefined();
    chmodSync(added, 0o755);
    renameSync(added, join(base, "gone"));
    expect(lostOf(pins)?.message).toContain(`the added folder ${added}`);
    expect(existsSync(workspace)).toBe(true);
  });

  it("is not pinned where there is none, a file or a link", () => {
    const { base, workspace } = places();
    symlinkSync(workspace, join(base, "link"));
    for (const name of ["nowhere", "ws/a.txt", "link"]) expect(() => pinRoots(join(base, name))).toThrow(FolderLost);
  });

  it("of two sessions in one process is each one's own", () => {
    const one = places();
    const two = pinRoots(one.other);
    onTestFinished(() => two.close());
    one.exchange();
    expect([lostOf(one.pins)?.folder, lostOf(two)?.folder]).toEqual([one.workspace, one.other]);
    // Who comes now finds what is there now.
    const third = pinRoots(one.workspace);
    onTestFinished(() => third.close());
    expect([lostOf(third), lostOf(one.pins)?.folder]).toEqual([undefined, one.workspace]);
  });
});

/** The pins of a workspace whose name leads to the other folder for just as long as its folders are opened. */
function blinking({ pins, exchange }: ReturnType<typeof places>): PinnedRoots {
  return {
    ...pins,
    open: async (real, flags) => {
      exchange();
      try {
        return await pins.open(real, flags);
      } finally {
        exchange();
      }
    },
  };
}

onLinux("in the instant between a look and an effect another folder is not reached:", () => {
  it("a file is written, made and removed in its own", async () => {
    const place = places();
    const pins = blinking(place);
    const { workspace, other } = place;
    const at = (name: string) => join(workspace, name);
    const how = { mode: 0o644, within: workspace, pins };
    expect(await writeAtomically(at("a.txt"), Buffer.from("two"), { ...how, expectBefore: sha256("one") })).toBe(
      "written",
    );
    expect(await writeAtomically(at("c.txt"), Buffer.from("new"), { ...how, expectBefore: null })).toBe("written");
    await makeFolders(at("deep/er"), workspace, pins);
    expect(await removeAtomically(at("sub/b.txt"), { expectBefore: sha256("own"), within: workspace, pins })).toBe(
      "written",
    );
    const seen = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    expect([seen(workspace), readFileSync(at("a.txt"), "utf8")]).toEqual([
      ["a.txt", "c.txt", "deep", "deep/er", "sub"],
      "two",
    ]);
    expect([seen(other), readFileSync(join(other, "a.txt"), "utf8")]).toEqual([["a.txt", "sub", "sub/b.txt"], "one"]);
  });

  it("a link that is put on the way is not followed", async () => {
    const { workspace, other, pins } = places();
    renameSync(join(workspace, "sub"), join(workspace, "old"));
    symlinkSync(join(other, "sub"), join(workspace, "sub"));
    const how = { mode: 0o644, within: workspace, pins, expectBefore: null };
    for (const name of ["sub/new.txt", "sub/deep/new.txt"])
      await expect(writeAtomically(join(workspace, name), Buffer.from("x"), how)).rejects.toMatchObject({
        code: "NOT_A_FILE",
      });
    expect(existsSync(join(other, "sub/new.txt"))).toBe(false);
  });

  it.each([".", "sub"])("a program in %s is run in its own", async (folder) => {
    const place = places();
    const cwd = join(place.workspace, folder);
    let exchanged = false;
    const pins: PinnedRoots = {
      ...place.pins,
      open: async (real, how) => {
        const opened = await place.pins.open(real, how);
        place.exchange();
        exchanged = true;
        return opened;
      },
    };
    const end = await runChild(
      { program: "/bin/sh", args: ["-c", "touch landed"], cwd, env: { PATH: "/usr/bin:/bin" } },
      { signal: new AbortController().signal, pins, noteChild: async () => place.exchange() },
    );
    expect([exchanged, end.code]).toEqual([true, 0]);
    expect([join(cwd, "landed"), join(place.other, folder, "landed")].map(existsSync)).toEqual([true, false]);
  });

  it("a program in sub is run in its own, whichever descriptors it is given and fed beside", async () => {
    const { workspace, other, pins } = places();
    const cwd = join(workspace, "sub");
    const folder = openSync(other, constants.O_RDONLY);
    onTestFinished(() => closeSync(folder));
    for (const more of [
      { given: Array.from({ length: 50 }, () => folder) },
      { reports: true, feeds: Array.from({ length: 50 }, () => Buffer.from("x")) },
    ]) {
      const spec = { program: "/bin/pwd", args: ["-P"], cwd, env: { PATH: "/usr/bin:/bin" }, ...more };
      const end = await runChild(spec, { signal: new AbortController().signal, pins });
      expect([end.code, end.stdout.head.toString()]).toEqual([0, `${cwd}\n`]);
    }
  });

  it("a program whose folder is lost while it is noted is never begun", async () => {
    const { workspace, other, pins, exchange } = places();
    const spec = { program: "/bin/sh", args: ["-c", "touch landed"], cwd: workspace, env: { PATH: "/usr/bin:/bin" } };
    const running = runChild(spec, { signal: new AbortController().signal, pins, noteChild: async () => exchange() });
    await expect(running).rejects.toThrow(FolderLost);
    expect([workspace, other].map((folder) => existsSync(join(folder, "landed")))).toEqual([false, false]);
  });
});
