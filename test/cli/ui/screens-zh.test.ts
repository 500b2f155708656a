import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { cells } from "../../../src/cli/terminal/width.ts";
import { speak } from "../../../src/words/room.ts";
import * as chinese from "../../../src/words/zh/index.ts";

const folder = join(import.meta.dirname, "../../../docs/screens/zh");

// What the scenes say is said as they are made.
vi.resetModules();
speak(chinese);
const { screenTexts } = await import("../../support/screens.tsx");
const files = screenTexts();
afterAll(() => speak(undefined));

it.each(Object.entries(files))("docs/screens/zh/%s is what the components draw in Chinese", (name, text) => {
  expect(text).toBe(readFileSync(join(folder, name), "utf8"));
  const columns = Number(name.split("x")[0]);
  expect(text.split("\n").filter((row) => cells(row) > Math.max(columns, 60))).toEqual([]);
});

it("the groups of the palette are said in Chinese", () => {
  const drawn = files["100x30/palette.txt"]?.split("\n") ?? [];
  for (const words of [chinese.palette.groups.chat, chinese.palette.groups.modes, chinese.palette.groups.sessions])
    expect(drawn).toContain(words);
});

it("docs/screens/zh holds no text that nothing draws any more", () => {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
  expect(found.sort()).toEqual(Object.keys(files).sort());
});
