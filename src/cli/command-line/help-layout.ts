import type { HelpConfiguration } from "commander";
import { otherWords } from "../../words/room.ts";

/** The functions that help measures texts by and parts them into lines with. */
export type HelpLayout = Pick<HelpConfiguration, "displayWidth" | "boxWrap">;

/**
 * Loads what lays help out in terminal cells, and between characters, where the process does not speak English: English is one cell a
 * character and parted at blanks, as commander does it. The tables of wide characters take 20 ms, which a run without a screen has no
 * other use for.
 */
export async function helpLayout(): Promise<HelpLayout> {
  if (otherWords() === undefined) return {};
  const { cells, wrap } = await import("../terminal/width.ts");
  return { displayWidth: cells, boxWrap: (text, width) => wrap(text, width).join("\n") };
}
