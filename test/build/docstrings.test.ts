import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../src/", import.meta.url);
/** The files whose strings hold programs for a person: a docstring in them is no comment of ours. */
const programs = ["model/demo-project.ts", "cli/commands/tool-template.ts"];

/** The first sentence of a docstring that begins with a relative: nobody knows what it is of. */
const bare = /^(?:what|whether|who|which|where|how|why|when)\b/iu;

it("a docstring begins with its subject, or with what the function does", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /[.]tsx?$/u.test(path));
  const texts = files.flatMap((path) =>
    [...readFileSync(new URL(path, root), "utf8").matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\//gu)].map(
      ([, text = ""]) => ({
        path,
        text: text.replaceAll(/\n\s*\* ?/gu, " ").trim(),
      }),
    ),
  );
  expect(texts.length).toBeGreaterThan(5_000);
  expect(texts.filter(({ path, text }) => bare.test(text) && !programs.includes(path))).toEqual([]);
});
