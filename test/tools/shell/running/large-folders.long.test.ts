import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AroundPrograms } from "../../../../src/tools/shell/running/around-programs.ts";
import { allClosedBelow } from "../../../../src/tools/shell/running/closed-below.ts";
import { closedIn, mostOfFolder } from "../../../../src/tools/shell/running/closed-in.ts";
import { tempTree } from "../../temp-tree.ts";

const isClosed = (path: string): boolean => /\/(?:\.env|include)$/u.test(path);
const closed = { isClosed, mayHold: () => false };

/** An install with far more beside its parts than is looked at. */
function largeInstall(): string {
  const top = tempTree({ "bin/run": "", "lib/a.txt": "", "lib/.env": "", "include/a.h": "", "src/main.c": "" });
  for (let at = 0; at < mostOfFolder + 3_000; at += 1) writeFileSync(join(top, `${at}.data`), "");
  return top;
}

test("of one folder of more names than are looked at no more are read, and what was not read is not shown", () => {
  const top = largeInstall();
  const looked = closedIn([top], closed, [top], [], { most: 1_000, isLeft: () => false });
  expect([looked.seen, looked.isCut, looked.left.includes(top)]).toEqual([mostOfFolder + 1, true, true]);
  expect(allClosedBelow(top, closed)).toHaveProperty("why");
  const mounts = new AroundPrograms(closed, 2_000).mounts(top, join(top, "bin"));
  expect(mounts.filter(({ kind }) => kind === "read-only").map(({ at }) => at)).toEqual(
    ["bin", "lib"].map((name) => join(top, name)),
  );
  expect(mounts).toContainEqual({ at: join(top, "lib/.env"), kind: "nothing", isFile: true });
});

test("a closed folder of very many files ends no look", () => {
  const top = tempTree({ "a.txt": "" });
  mkdirSync(join(top, ".env"));
  for (let at = 0; at < mostOfFolder; at += 1) writeFileSync(join(top, ".env", `${at}.data`), "");
  expect(closedIn([top], closed, [top])).toMatchObject({ places: [join(top, ".env")], isTwinsCut: true });
});
