import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../../src/core/json.ts";
import { limits } from "../../../../src/core/limits.ts";
import { packFiles, readPack } from "../../../../src/files/bytes/pack-file.ts";
import { keptTrees, makeRoom } from "../../../../src/files/bytes/pack-room.ts";
import { createTreeKeeper, type TreeKeeper } from "../../../../src/tools/shell/tree/tree-keeper.ts";

const { signal } = new AbortController();
let top: string;
let workspace: string;
let base: string;
let keeper: TreeKeeper;

const at = (name: string): string => join(workspace, name);
const put = (name: string, text: string | Buffer): void => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text, { mode: 0o644 });
};
/** The clock of a file system moves on in steps. */
const tick = () => wait(30);
const keeperOf = (): TreeKeeper => createTreeKeeper({ roots: [workspace], base });

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "tree-"));
  workspace = join(top, "work");
  base = join(top, "state", "kept", "brisk-otter-4f2a");
  mkdirSync(workspace);
  keeper = keeperOf();
});

afterEach(async () => {
  await keeper.close();
  rmSync(top, { recursive: true, force: true });
});

describe("what a command may change", () => {
  it("is kept before it, and what it changed is found after it, with both contents", async () => {
    put("src/a.ts", "one\n");
    put("src/b.ts", "two\n");
    put("gone/c.ts", "three\n");
    expect(await keeper.before("c1", signal)).toMatchObject({ covered: true, files: 3, bytes: 14 });
    appendFileSync(at("src/a.ts"), "more\n");
    rmSync(at("gone"), { recursive: true });
    put("new/d.ts", "four\n");
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("gone/c.ts"), before: sha256("three\n"), after: null, mode: 0o644 },
      { real: at("new/d.ts"), before: null, after: sha256("four\n"), mode: 0o644 },
      { real: at("src/a.ts"), before: sha256("one\n"), after: sha256("one\nmore\n"), mode: 0o644 },
    ]);
    expect(keeper.read(sha256("three\n"))?.toString()).toBe("three\n");
    expect(keeper.read(sha256("one\nmore\n"))?.toString()).toBe("one\nmore\n");
  });

  it("is found where a file lies in the place of a folder", async () => {
    put("sub/a.txt", "one\n");
    const coverage = await keeper.before("c1", signal);
    expect(coverage).toMatchObject({ covered: true });
    rmSync(at("sub"), { recursive: true });
    put("sub", "two\n");
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("sub"), before: null, after: sha256("two\n"), mode: 0o644 },
      { real: at("sub/a.txt"), before: sha256("one\n"), after: null, mode: 0o644 },
    ]);
    // Nothing lies below a file, so nothing would be lost there.
    expect(coverage.covered && coverage.holds(at("sub/a.txt"))).toBe(true);
  });

  it("is found although size and time of the file are as they were", async () => {
    put("a.txt", "12345");
    const then = new Date(Date.now() - 60_000);
    utimesSync(at("a.txt"), then, then);
    await keeper.before("c1", signal);
    writeFileSync(at("a.txt"), "54321");
    utimesSync(at("a.txt"), then, then);
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("a.txt"), before: sha256("12345"), after: sha256("54321"), mode: 0o644 },
    ]);
  });

  it("is not what .gitignore names, nor links, nor the repository's own data", async () => {
    put(".gitignore", "out/\n");
    put("out/big.js", "x");
    put(".git/config", "[core]");
    symlinkSync("/etc/passwd", at("link"));
    expect(await keeper.before("c1", signal)).toMatchObject({ covered: true, files: 1, bytes: 5 });
    put("out/big.js", "y");
    put(".git/config", "[other]");
    expect(await keeper.after("c1", signal)).toEqual([]);
  });

  it("is not told as made by the command where it came out from behind .gitignore", async () => {
    put(".gitignore", "secret.txt\n");
    put("secret.txt", "the only copy");
    await tick();
    await keeper.before("c1", signal);
    rmSync(at(".gitignore"));
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at(".gitignore"), before: sha256("secret.txt\n"), after: null, mode: 0o644 },
      { real: at("secret.txt"), before: undefined, after: sha256("the only copy"), mode: 0o644 },
    ]);
  });

  it("is not told as removed where the command only had it ignored", async () => {
    put("a.txt", "stays");
    await keeper.before("c1", signal);
    put(".gitignore", "a.txt\n");
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at(".gitignore"), before: null, after: sha256("a.txt\n"), mode: 0o644 },
    ]);
  });

  it("is both sides of a move inside, and no own file where it was moved in from elsewhere", async () => {
    put("a.txt", "moved");
    writeFileSync(join(top, "outside.txt"), "brought in");
    await tick();
    await keeper.before("c1", signal);
    renameSync(at("a.txt"), at("b.txt"));
    renameSync(join(top, "outside.txt"), at("c.txt"));
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("a.txt"), before: sha256("moved"), after: null, mode: 0o644 },
      { real: at("b.txt"), before: null, after: sha256("moved"), mode: 0o644 },
      { real: at("c.txt"), before: undefined, after: sha256("brought in"), mode: 0o644 },
    ]);
  });

  it("is named and not kept where one file is too large", async () => {
    put("large.bin", Buffer.alloc(limits.keptTreeFile.most + 1));
    await keeper.before("c1", signal);
    appendFileSync(at("large.bin"), "x");
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("large.bin"), before: undefined, after: undefined, mode: 0o644 },
    ]);
  });

  it("is no change of permissions alone", async () => {
    put("run.sh", "true\n");
    await keeper.before("c1", signal);
    chmodSync(at("run.sh"), 0o755);
    expect(await keeper.after("c1", signal)).toEqual([]);
  });

  it("is told where a file would run with its owner's rights from now on", async () => {
    put("run.sh", "true\n");
    await keeper.before("c1", signal);
    chmodSync(at("run.sh"), 0o4755);
    const sha = sha256("true\n");
    expect(await keeper.after("c1", signal)).toEqual([
      { real: at("run.sh"), before: sha, after: sha, mode: 0o644, setsId: true },
    ]);
    await keeper.before("c2", signal);
    expect(await keeper.after("c2", signal)).toEqual([]);
  });

  it("is not kept at all where there are too many files, and said so", async () => {
    for (let i = 0; i <= limits.keptTreeFiles.most; i += 1) {
      if (i % 500 === 0) mkdirSync(at(`d${i / 500}`));
      const name = at(`d${Math.floor(i / 500)}/${i}`);
      // Names of one file: 20,000 files take ten times as long.
      if (i === 0) writeFileSync(name, "");
      else linkSync(at("d0/0"), name);
    }
    expect(await keeper.before("c1", signal)).toEqual({ covered: false, why: "there are more than 20000 files" });
    expect(await keeper.after("c1", signal)).toBeUndefined();
    expect(existsSync(`${base}.bytes`)).toBe(false);
  });
});

describe("a place that a command would take away", () => {
  it("is held where all below it is kept, and not where something ignored, large or linked lies there", async () => {
    put(".gitignore", "out/\n");
    put("docs/deep/a.md", "a");
    put("mixed/a.md", "a");
    put("mixed/out/b.js", "b");
    put("large/a.bin", Buffer.alloc(limits.keptTreeFile.most + 1));
    mkdirSync(at("linked"));
    symlinkSync("/etc/passwd", at("linked/a"));
    const coverage = await keeper.look(signal);
    if (!coverage.covered) throw new Error(coverage.why);
    const held = ["docs", "docs/deep/a.md", "missing", "mixed", "mixed/out", "large", "linked", "linked/a", "."];
    expect(held.filter((name) => coverage.holds(at(name)))).toEqual(["docs", "docs/deep/a.md", "missing"]);
  });
});

describe("after the death of a process", () => {
  it("another one finds what the call under way had changed", async () => {
    put("a.txt", "old");
    await keeper.before("c1", signal);
    await keeper.close();
    put("a.txt", "new!");
    const other = keeperOf();
    expect(await other.after("c1", signal)).toEqual([
      { real: at("a.txt"), before: sha256("old"), after: sha256("new!"), mode: 0o644 },
    ]);
    await other.close();
  });

  it("nothing is told of a call that the note is not about", async () => {
    put("a.txt", "old");
    await keeper.before("c1", signal);
    put("a.txt", "new!");
    expect(await keeperOf().after("c2", signal)).toBeUndefined();
  });
});

describe("the copies", () => {
  it("hold each content once, and take none anew that has not changed", async () => {
    put("a.txt", "same");
    put("b.txt", "same");
    await keeper.before("c1", signal);
    await keeper.before("c2", signal);
    expect(readFileSync(packFiles(base).bytes, "utf8")).toBe("same");
    expect(readFileSync(packFiles(base).index, "latin1")).toBe(`${sha256("same")} 0 4\n`);
  });

  it("are not given out where the bytes are no longer those that were kept, or were cut off", async () => {
    put("a.txt", "first");
    await keeper.before("c1", signal);
    writeFileSync(packFiles(base).bytes, "fIrst");
    expect(readPack(base).read(sha256("first"))).toBeUndefined();
    truncateSync(packFiles(base).bytes, 2);
    expect(readPack(base).read(sha256("first"))).toBeUndefined();
  });

  it("go on after a line of the index that was cut off", async () => {
    put("a.txt", "first");
    await keeper.before("c1", signal);
    await keeper.close();
    appendFileSync(packFiles(base).index, "0123456789abcdef");
    put("b.txt", "second");
    const other = keeperOf();
    await other.before("c2", signal);
    await other.close();
    expect(["first", "second"].map((text) => readPack(base).read(sha256(text))?.toString())).toEqual([
      "first",
      "second",
    ]);
  });

  it("make room for others: what was used least lately is dropped", async () => {
    const folder = dirname(base);
    mkdirSync(folder, { recursive: true });
    for (const [name, age] of [
      ["old", 3],
      ["older", 9],
      ["new", 1],
    ] as const) {
      writeFileSync(join(folder, `${name}.bytes`), Buffer.alloc(100));
      const then = new Date(Date.now() - age * 1_000);
      utimesSync(join(folder, `${name}.bytes`), then, then);
    }
    makeRoom(base, 50, 250);
    expect(keptTrees(folder).map((tree) => tree.base)).toEqual([join(folder, "new"), join(folder, "old")]);
  });

  it("are made again where another process dropped them meanwhile", async () => {
    put("a.txt", "first");
    await keeper.before("c1", signal);
    for (const file of Object.values(packFiles(base))) rmSync(file);
    await keeper.before("c2", signal);
    expect(keeper.read(sha256("first"))?.toString()).toBe("first");
  });

  it("cover nothing where they cannot be written", async () => {
    put("a.txt", "first");
    writeFileSync(join(top, "state"), "a file where the folder would be");
    expect(await keeper.before("c1", signal)).toMatchObject({ covered: false });
    expect(await keeper.after("c1", signal)).toBeUndefined();
  });
});
