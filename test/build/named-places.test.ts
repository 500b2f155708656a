import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

/** Places between back quotes, but for patterns and what a reader is to fill in. */
const placesIn = (page: string): string[] =>
  [...readFileSync(new URL(page, root), "utf8").matchAll(/`((?:src|test|docs|bench|scripts|bin)\/[^`\s]*)`/gu)]
    .flatMap(([, path]) => path ?? [])
    .filter((path) => !/[<*{]|FOLDER/u.test(path));

it.each(["CONTRIBUTING.md", "AGENTS.md", "CONTEXT.md", "test/README.md"])(
  "each place that %s names is there",
  (page) => {
    const places = placesIn(page);
    expect(places.length).toBeGreaterThan(2);
    expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  },
);

const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" }).filter((path) =>
  /[.]tsx?$/u.test(path),
);
/** What code says that it keeps: `store 4`. */
const kept = new Set(
  sources.flatMap((path) =>
    [...readFileSync(new URL(`src/${path}`, root), "utf8").matchAll(/\/\/ Keeps ([^.]+)[.]/gu)].flatMap(
      ([, names = ""]) => names.split(", "),
    ),
  ),
);
const rooms = readdirSync(new URL("src", root), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const held = rooms.flatMap((room) =>
  [...readFileSync(new URL(`src/${room}/README.md`, root), "utf8").matchAll(/^(\d+)[.] /gmu)].map(
    ([, number]) => `${room} ${number}`,
  ),
);

it("each thing that a room's README says holds is named by the code that keeps it, and no other", () => {
  expect(held.length).toBeGreaterThan(40);
  expect([...kept].toSorted()).toEqual(held.toSorted());
});

/** A line of AGENTS.md for each room. */
const lines = readFileSync(new URL("AGENTS.md", root), "utf8").split(/\n(?=- )/u);
const namedIn = (line: string): string[] =>
  [...line.matchAll(/`([^`]+)`/gu)].flatMap(([, words = ""]) => words.split(/[ /]/u));

it("AGENTS.md names each folder with code, in its room's line", () => {
  const folders = [
    ...new Set(sources.filter((path) => path.includes("/")).map((path) => path.replace(/\/[^/]*$/u, ""))),
  ];
  const unnamed = folders.filter((folder) => {
    const [room = "", ...below] = folder.split("/");
    const named = namedIn(lines.find((one) => one.includes(`\`src/${room}/\``)) ?? "");
    return named.length === 0 || !below.every((name) => named.includes(name));
  });
  expect(folders.length).toBeGreaterThan(60);
  expect(unnamed).toEqual([]);
});

it("AGENTS.md names each folder of tests that is none of src's", () => {
  const own = readdirSync(new URL("test", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !rooms.includes(entry.name))
    .map(({ name }) => name);
  const named = namedIn(lines.find((line) => line.startsWith("- `test/`")) ?? "");
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((name) => !named.includes(name))).toEqual([]);
});

it("CONTEXT.md can be read in one go", () => {
  expect(readFileSync(new URL("CONTEXT.md", root), "utf8").split("\n").length).toBeLessThanOrEqual(121);
});

it("no code joins signals by AbortSignal.any, whose sources may be collected unheard: core/join-signals does", () => {
  const joining = sources.filter((path) =>
    /AbortSignal[.]any\(/u.test(readFileSync(new URL(`src/${path}`, root), "utf8")),
  );
  expect(joining).toEqual([]);
});
