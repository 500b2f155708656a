import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { surfaceNames } from "../../../src/cli/ui/chat/surfaces.ts";
import { drawnSurfaces, liveScreens, screenTexts } from "../../support/screens.tsx";

const folder = join(import.meta.dirname, "../../../docs/screens");
const files = screenTexts();

it.each(Object.entries(files))(
  "docs/screens/%s is what the components draw: npm run screens draws it anew",
  (name, text) => {
    expect(text).toBe(readFileSync(join(folder, name), "utf8"));
  },
);

it("docs/screens has every surface that is registered", () => {
  expect(drawnSurfaces()).toEqual(new Set(surfaceNames));
});

it("docs/screens holds no text that nothing draws any more", () => {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".txt") && !name.startsWith("zh/"),
  );
  expect(found.sort()).toEqual(Object.keys(files).sort());
});

it("the components draw the very rows that the layout counts", () => {
  for (const { laidOut, drawn } of liveScreens()) expect(drawn).toBe(laidOut);
});
