/**
 * Draws docs/screens: each part of the screen in each of its states, as text at every size and some of it as pictures. In Chinese, which is said in
 * the argument `zh`, as text alone, below docs/screens/zh. usage: npm run screens
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadHighlighter } from "../src/cli/terminal/highlight.ts";
import { speak } from "../src/words/room.ts";
import * as chinese from "../src/words/zh/index.ts";
import { drawnScreen, screenToSvg } from "../test/support/screen-svg.ts";

const isChinese = process.argv[2] === "zh";
if (isChinese) speak(chinese);
// What the scenes say is said as they are made.
const { screenAnsi, screenTexts, sizes } = await import("../test/support/screens.tsx");

const folder = join(import.meta.dirname, "../docs/screens", isChinese ? "zh" : "");
const pictures = [
  ["dialog", "edit"],
  ["dialog", "guarded"],
  ["dialog", "command"],
  ["dialog", "of a helper"],
  ["running", "three helpers"],
  ["agents", "at work"],
  ["full-view", "edit"],
  ["picker", "the newest that waits"],
  ["rewind", "with files"],
  ["transcript", "talk, calls, decisions, notices"],
] as const;

const write = (name: string, text: string): void => {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const highlight = await loadHighlighter();
rmSync(folder, { recursive: true, force: true });
for (const [name, text] of Object.entries(screenTexts())) write(name, text);
for (const [part, state] of isChinese ? [] : pictures) {
  for (const ground of ["dark", "light"] as const) {
    const screen = await drawnScreen(screenAnsi(part, state, sizes[0], { ground, highlight }), sizes[0]);
    const title = `${part}: ${state}`;
    write(`${part}-${state.replace(/\W+/g, "-")}-${ground}.svg`, screenToSvg(screen, { title, ground }));
  }
}
