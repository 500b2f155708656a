import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const below = (folder: string) => readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" });

/** The folders that these files stand in themselves: one that only has others in it has nothing to try, and tries nothing. */
const foldersOf = (files: readonly string[]): Set<string> =>
  new Set(files.map((file) => dirname(file)).filter((folder) => folder !== "."));
const sources = foldersOf(below("src").filter((file) => /[.]tsx?$/u.test(file)));
const tests = foldersOf(below("test").filter((file) => /[.]test[.]tsx?$/u.test(file)));

/** Folders of src that are tried from elsewhere alone, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  // What a command does and writes is tried as a person has it: by the command.
  "cli/attest": "journeys/attest.long.test.ts",
  "cli/commands": "journeys/command-line.test.ts",
  "cli/completion": "journeys/completion.long.test.ts",
  "cli/import": "journeys/import.test.ts",
  "cli/suggest": "journeys/policy-suggest.long.test.ts",
  // What all parts of the screen share, and two lists of a few keys: by the screens that are drawn, and by the table of keys.
  "cli/ui/draw": "cli/ui/screens.test.ts",
  "cli/ui/surface": "cli/ui/screens.test.ts",
  "cli/ui/talk": "cli/ui/key-map.test.ts",
  "cli/ui/theme": "cli/ui/key-map.test.ts",
  // By what servers sent, as it came.
  "model/text-calls": "model/streams.test.ts",
  "policy/lists": "policy/lists.test.ts",
  // Tools and programs that do nothing without a session around them, or are processes.
  "tools/ending": "session/turn-limits.test.ts",
  "tools/hooks": "journeys/hooks.long.test.ts",
  "tools/mcp/sign-in": "journeys/mcp-sign-in.long.test.ts",
  "tools/own/child": "journeys/tool-files.long.test.ts",
  "tools/skills": "journeys/skills.test.ts",
  // All sentences at once.
  "words/contract": "words/said-again.test.ts",
  "words/en": "words/twins.test.ts",
  "words/zh": "words/twins.test.ts",
};

it("each folder of src with code has its folder of tests, but for those that are tried elsewhere alone", () => {
  expect(sources.size).toBeGreaterThan(100);
  const without = [...sources].filter((folder) => !tests.has(folder));
  expect(without.toSorted()).toEqual(Object.keys(elsewhere).toSorted());
});

it("each test that stands for a folder is there", () => {
  expect(Object.values(elsewhere).filter((file) => !existsSync(new URL(`test/${file}`, root)))).toEqual([]);
});
