import { describe, expect, it } from "vitest";
import { guardedList } from "../../src/policy/lists/guarded.ts";
import { compileList, type ListRow } from "../../src/policy/lists/row.ts";
import { sealedList } from "../../src/policy/lists/sealed.ts";
import { secretsList } from "../../src/policy/lists/secrets.ts";
import { watchedList } from "../../src/policy/lists/watched.ts";
import { foldProtected } from "../../src/policy/names.ts";
import { guardedReason, protectedNames, sealedReason } from "../../src/policy/protected.ts";

const lists: [string, readonly ListRow[]][] = [
  ["sealed", sealedList],
  ["secrets", secretsList],
  ["guarded", guardedList],
  ["watched", watchedList],
];

const segments = (path: string) => path.split("/").map(foldProtected);

describe.each(lists)("the list of what is %s", (_, rows) => {
  const find = compileList(rows);
  const cases = rows.map((row): [string, ListRow] => [row.why, row]);

  it.each(cases)("means its examples: %s", (_why, row) => {
    expect(row.match.filter((path) => compileList([row])(segments(path)) === undefined)).toEqual([]);
  });

  it.each(cases)("has an example for each name: %s", (_why, row) => {
    const names = row.names.filter((name) => {
      const only = compileList([{ ...row, names: [name] }]);
      return !row.match.some((path) => only(segments(path)) !== undefined);
    });
    expect(names).toEqual([]);
  });

  it.each(cases)("leaves honest neighbours alone: %s", (_why, row) => {
    expect(row.notMatch.filter((path) => find(segments(path)) !== undefined)).toEqual([]);
    expect(row.notMatch.length).toBeGreaterThanOrEqual(2);
  });

  it("is written in the form that paths are compared in", () => {
    const names = rows.flatMap((row) => [...row.names, ...(row.except ?? [])]);
    const plain = names.map((name) => name.replace(/\$$/u, ""));
    expect(plain.filter((name) => name !== segments(name).join("/"))).toEqual([]);
  });
});

it("no list means what programmers write all day", () => {
  const honest = [
    "src/index.ts",
    "README.md",
    "lib/a.py",
    "main.go",
    "Main.java",
    "app/page.tsx",
    "test/a.test.ts",
    "docs/guide.md",
    "data/a.json",
    "style.css",
    "src/id_generator.ts",
    "Cargo/readme.md",
    "tsconfig.json",
    ".gitignore",
    ".editorconfig",
    ".nvmrc",
    "scripts/run.sh",
    "LICENSE",
    "src/env.ts",
    "src/keys.ts",
    "assets/logo.svg",
    "migrations/1.sql",
  ];
  const finds = lists.map(([, rows]) => compileList(rows));
  expect(honest.filter((path) => finds.some((find) => find(segments(path)) !== undefined))).toEqual([]);
});

it("secrets are told by name, in any case; samples are none", () => {
  const find = compileList(secretsList);
  const names = [
    ".env",
    ".ENV",
    ".env.local",
    ".envrc",
    "a.env",
    ".env.example",
    ".Env.Sample",
    ".env.template",
    "env",
  ];
  expect(names.filter((name) => find(segments(name)) !== undefined)).toEqual(names.slice(0, 5));
});

describe("the quick look at a name", () => {
  const sealed = { roots: ["/home/me/State"], hooks: ["/ws/tools/On Commit"] };
  const mayBe = protectedNames(sealed);
  const isProtected = (path: string) =>
    (sealedReason(path, "/ws", sealed) ?? guardedReason(path, "/ws", "write")) !== undefined;

  it("misses nothing that is protected in a folder that is not", () => {
    const listed = [...sealedList, ...secretsList, ...guardedList].flatMap(({ match }) => match);
    const paths = [...listed.map((path) => `/ws/${path}`), "/home/me/state/a", "/ws/tools/on commit/pre-push"];
    const missed = paths.filter((path) => {
      const ways = path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/") || "/");
      const first = ways.find(isProtected);
      return first === undefined || !mayBe(first.slice(first.lastIndexOf("/") + 1));
    });
    expect(missed).toEqual([]);
  });

  it("misses no name that a list writes with a star, whatever stands for the star", () => {
    const rows = [...sealedList, ...secretsList, ...guardedList];
    const names = rows.flatMap((row) => row.names).map((name) => name.replace(/\$$/, "").split("/").at(-1) ?? "");
    const filled = ["a", "a.b", "x.-y", "A.Pem"].flatMap((text) => names.map((name) => name.replaceAll("*", text)));
    expect(filled.filter((name) => !mayBe(name))).toEqual([]);
  });

  it("passes over what is not", () => {
    const names = ["index.ts", "README.md", "a.test.ts", "package.json", "id_generator.ts", "src", "keys.ts"];
    expect(names.filter(mayBe)).toEqual([]);
  });
});
