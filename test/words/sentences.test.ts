import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sentencesBesideTables, sentencesIn } from "../support/sentences.ts";

const root = new URL("../../", import.meta.url);

/** No sentence of theirs stands outside of src/words: a new folder of theirs is looked at by itself. */
const rooms = ["src/cli/", "src/policy/", "src/session/"];

/** Texts that are programs, whose comments and messages belong to them: shells and Node read them, in the language of their kind. */
const programs = ["src/cli/completion/scripts.ts", "src/cli/commands/tool-template.ts"];

const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path}`)
  .filter((path) => /[.]tsx?$/u.test(path));
const begins = (path: string, places: readonly string[]): boolean => places.some((place) => path.startsWith(place));

it("no sentence of cli, policy and session stands outside of src/words", () => {
  const looked = sources.filter((path) => begins(path, rooms) && !programs.includes(path));
  expect(rooms.every((room) => looked.some((path) => path.startsWith(room)))).toBe(true);
  expect(programs.every((path) => sources.includes(path))).toBe(true);
  const found = looked.flatMap((path) =>
    sentencesIn(readFileSync(new URL(path, root), "utf8"), path).map(({ line, source }) => `${path}:${line} ${source}`),
  );
  expect(found).toEqual([]);
});

/** Where the reader of lines has lists of names, or why a row of a table is there; and what a pattern of a rule may not be. */
const listsOfReader = [
  ...["argv-pattern", "content-readers", "git-settings", "line-variables"],
  ...["runners/folder-files", "runners/packages"],
].map((name) => `src/tools/shell/reading/${name}.ts`);

// What the model is told of an output stands there too.
const isForModel = (source: string): boolean => source.startsWith('"in the sandbox: ');

it("no reason of the reader of command lines stands outside of src/words", () => {
  const looked = sources.filter((path) => path.startsWith("src/tools/shell/reading/") && !listsOfReader.includes(path));
  expect(looked.length).toBeGreaterThan(50);
  expect(listsOfReader.every((path) => sources.includes(path))).toBe(true);
  const found = looked.flatMap((path) =>
    sentencesBesideTables(readFileSync(new URL(path, root), "utf8"), path)
      .filter(({ source }) => !isForModel(source))
      .map(({ line, source }) => `${path}:${line} ${source}`),
  );
  expect(found).toEqual([]);
});

it("a sentence is three words in a literal, whatever stands between them", () => {
  const module = [
    'import { a } from "./where names stand.ts";',
    "// a comment says what it wants",
    'type Word = "this is a type";',
    'const plain = "nothing was decided";',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    "const made = `${plain} waits for ${plain} here`;",
    "const row = <Text>the call waits</Text>;",
    'const short = ["deny it", "src/a.ts b.ts c.ts", "--flag ID=JSON", "MIT"];',
    'const names = listed("agents, rules and hooks");',
    'const known = "node deno bun npm".split(" ");',
    'const lines = said("the call is split").split(" ");',
    'throw new TypeError("a line without commands has no verdict");',
  ].join("\n");
  expect(sentencesIn(module).map(({ line }) => line)).toEqual([4, 5, 6, 10]);
});
