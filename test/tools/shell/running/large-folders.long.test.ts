import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { AroundPrograms } from "../../../../src/tools/shell/running/around-programs.ts";
import { allClosedBelow } from "../../../../src/tools/shell/running/closed-below.ts";
import { closedIn, mostOfFolder } from "../../../../src/tools/shell/running/closed-in.ts";
import { tempTree } from "../../temp-tree.ts";

const isClosed = (path: string): boolean => /\/(?:\.env|include)$/u.test(path);
const closed = { isClosed, mayHold: () => false };

/** An install with far more beside its parts than is looked at. */
function largeInstall(): string {
  const top = tempTree({ "bin/run": "", "lib/a.txt": "", "lib/.env": "", "include/a.h": "", "src/main.c": "" });
  fill(top, mostOfFolder + 3_000);
  return top;
}

function fill(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) writeFileSync(join(folder, `${at}.data`), "");
}

const shownIn = (top: string, mounts: readonly { at: string; kind: string }[]): string[] =>
  mounts.filter(({ kind }) => kind === "read-only").map(({ at }) => relative(top, at));
const heldIn = (top: string, mounts: readonly { at: string; kind: string }[]): string[] =>
  mounts.filter(({ kind }) => kind === "nothing").map(({ at }) => relative(top, at));

test("of one folder of more names than are looked at no more are read, and what was not read is not shown", () => {
  const top = largeInstall();
  const looked = closedIn([top], closed, [top], [], { most: 1_000, isLeft: () => false });
  expect([looked.seen, looked.isCut, looked.begun.includes(top)]).toEqual([mostOfFolder + 1, true, true]);
  expect(allClosedBelow(top, closed)).toHaveProperty("why");
  const mounts = new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin"));
  expect(shownIn(top, mounts)).toEqual(["bin"]);
});

describe("the parts of an install that is a project", () => {
  const files = {
    ".git/HEAD": "",
    "bin/run": "",
    "lib/a.txt": "",
    "share/.env": "",
    "versions/a/.env": "",
    VERSION: "1",
  };

  test("each is looked at, or not there, however many names the others have", () => {
    const many = tempTree(files);
    fill(join(many, "lib"), 1_200);
    const mounts = new AroundPrograms(closed, 2_000).mounts(many, join(many, "bin"));
    expect([shownIn(many, mounts), heldIn(many, mounts)]).toEqual([["bin", "lib", "VERSION"], []]);
    const programs = tempTree(files);
    fill(join(programs, "bin"), 1_200);
    expect(shownIn(programs, new AroundPrograms(closed, 2_000).mounts(programs, join(programs, "bin")))).toEqual([
      "bin",
    ]);
  });

  test("none but the programs are there where more lies beside them than is listed", () => {
    const top = tempTree({ "bin/run": "" });
    fill(top, mostOfFolder + 3_000);
    for (const name of Object.keys(files)) {
      mkdirSync(join(top, dirname(name)), { recursive: true });
      writeFileSync(join(top, name), "");
    }
    const mounts = new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin"));
    expect([shownIn(top, mounts), heldIn(top, mounts)]).toEqual([["bin"], []]);
  });

  test("some thousand names beside them take nothing from what is looked at of them", () => {
    const top = tempTree(files);
    fill(top, 3_000);
    const mounts = new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin"));
    expect(shownIn(top, mounts)).toEqual(["bin", "lib", "share", "versions", "VERSION"]);
  });

  test("one that is a folder of git's data is none", () => {
    const data = { "share/HEAD": "", "share/objects/a": "", "share/refs/a": "" };
    const top = tempTree({ ".git/HEAD": "", "bin/run": "", "lib/a.txt": "", ...data });
    const mounts = new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin"));
    expect(shownIn(top, mounts)).toEqual(["bin", "lib"]);
  });

  test("a closed file beside them is not there by another name in them", () => {
    const top = tempTree({ ...files, ".env": "A=1" });
    linkSync(join(top, ".env"), join(top, "lib/b.txt"));
    fill(join(top, "lib"), 1_200);
    expect(heldIn(top, new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin")))).toEqual(["lib/b.txt"]);
  });
});

test("of what root put there for all, a folder that is not listed to its end is not there; one that is not begun is", () => {
  const top = tempTree({ "bin/run": "", "share/a/b/c.txt": "" });
  fill(join(top, "lib"), mostOfFolder + 3_000);
  const mounts = new AroundPrograms(closed, 2_000, () => () => true).mounts(top, join(top, "bin"));
  expect([shownIn(top, mounts), heldIn(top, mounts)]).toEqual([[""], ["lib"]]);
});

test("a closed folder of very many files ends no look", () => {
  const top = tempTree({ "a.txt": "" });
  mkdirSync(join(top, ".env"));
  for (let at = 0; at < mostOfFolder; at += 1) writeFileSync(join(top, ".env", `${at}.data`), "");
  expect(closedIn([top], closed, [top])).toMatchObject({ places: [join(top, ".env")], isTwinsCut: true });
});
