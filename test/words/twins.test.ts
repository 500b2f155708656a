import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import * as chinese from "../../src/words/zh/index.ts";

type Words = Readonly<Record<string, unknown>>;

const folder = new URL("../../src/words/", import.meta.url);
const files = (of: string): string[] => readdirSync(new URL(of, folder)).filter((name) => name.endsWith(".ts"));

/** Each room of `en/` by its name, and the file that it stands in. */
const rooms = (
  await Promise.all(
    files("en").map(async (file) => {
      const found = (await import(new URL(`en/${file}`, folder).href)) as Record<string, () => Words>;
      return Object.entries(found).map(([name, room]) => [name, room(), file] as const);
    }),
  )
).flat();

const twins = chinese as unknown as Record<string, Words | undefined>;

/** Three words of English in a row; keys are single letters, and names in capitals stand for what is typed. */
const sentence = /[A-Za-z']{2,},? [a-z']{2,},? [a-z']{2,}/u;

/** What is typed or named: commands with their arguments, and what stands in `quotes of this kind`. */
const withoutCommands = (text: string): string =>
  text.replace(/`[^`]*`/gu, "").replace(/(?<![a-z])(agent|git|sudo|-[\w-]+)( [^\s，。：；、]+)*/gu, "");

interface Pair {
  path: string;
  english: unknown;
  other: unknown;
}

/** Each sentence with its twin, by the way to it. */
function pairs({ path, english, other }: Pair): Pair[] {
  if (typeof english !== "object" || english === null) return [{ path, english, other }];
  const inside = (other ?? {}) as Words;
  const ways = new Set([...Object.keys(english), ...Object.keys(inside)]);
  return [...ways].flatMap((way) =>
    pairs({ path: `${path}.${way}`, english: (english as Words)[way], other: inside[way] }),
  );
}

const all = rooms.flatMap(([name, english]) => pairs({ path: name, english, other: twins[name] }));

it("each file and room of en has its twin in zh", () => {
  expect(rooms.length).toBeGreaterThan(80);
  expect(rooms.filter(([name]) => twins[name] === undefined).map(([name]) => name)).toEqual([]);
  expect(files("en").filter((file) => !files("zh").includes(file))).toEqual([]);
});

it("each sentence has its twin of the same kind, and none is more", () => {
  expect(all.filter(({ english, other }) => typeof english !== typeof other).map(({ path }) => path)).toEqual([]);
});

it("no sentence was left in English", () => {
  const texts = all.flatMap(({ path, other }) =>
    (typeof other === "string" ? [other] : saidOf(other)).map((said) => ({ path, said })),
  );
  expect(texts.length).toBeGreaterThan(1500);
  const left = texts.filter(({ said }) => sentence.test(withoutCommands(said)));
  expect(left.map(({ path, said }) => `${path}: ${said}`)).toEqual([]);
});

it("each sentence says all that the English one says it of", () => {
  const lost = all.flatMap(({ path, english, other }) => {
    if (typeof english !== "function") return [];
    const [wanted, got] = [marksIn(english), marksIn(other)];
    return wanted.filter((mark) => !got.includes(mark)).map((mark) => `${path}: ${mark}`);
  });
  expect(lost).toEqual([]);
});

/** What a function says of marked data, in each of its texts. */
function saidOf(said: unknown): string[] {
  return typeof said === "function" ? textsOf((said as (about: unknown) => unknown)(marked(""))) : [];
}

function marksIn(said: unknown): string[] {
  const texts = saidOf(said).join("\n");
  return [...new Set([...texts.matchAll(/«([\w.]+)»/gu)].map(([, name = ""]) => name))];
}

function textsOf(said: unknown): string[] {
  if (typeof said === "string" || typeof said === "function") return [String(said)];
  if (Array.isArray(said)) return said.flatMap(textsOf);
  return typeof said === "object" && said !== null ? Object.values(said).flatMap(textsOf) : [];
}

/** Data that is text, a list and an object at once, and shows its name wherever it is said. */
function marked(name: string): unknown {
  const mark = `«${name}»`;
  const inner = (way: string): unknown => marked(name === "" ? way : `${name}.${way}`);
  const self: unknown = new Proxy(() => undefined, {
    get: (_, way) => {
      switch (way) {
        case Symbol.toPrimitive:
          return () => mark;
        case Symbol.iterator:
          return () => [marked(name), marked(name)].values();
        case "toString":
        case "toLocaleString":
        case "join":
        case "toFixed":
          return () => mark;
        case "length":
          return 2;
        case "map":
        case "flatMap":
          return (made: (one: unknown, at: number) => unknown) => [made(marked(name), 0), made(marked(name), 1)].flat();
        case "filter":
        case "slice":
        case "charAt":
        case "toUpperCase":
        case "trim":
        case "replace":
        case "replaceAll":
        case "toLowerCase":
          return () => self;
        case "at":
          return () => self;
        case "includes":
        case "startsWith":
        case "some":
          return () => false;
        default:
          return inner(String(way));
      }
    },
  });
  return self;
}
