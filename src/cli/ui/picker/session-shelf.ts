import { picker as words } from "../../../words/en/picker.ts";
import { whenText } from "../../print/moments.ts";
import type { Listed, SessionShelf } from "../../services/session-services.ts";
import { cleanLine, errorText } from "../safe-text.ts";
import { type Picker, type PickerEffect, standing, withSessions } from "./picker-state.ts";

/** A list that is to be shown: of one folder, or of all. */
export type Opened = Listed & { all: boolean };

export type ShelfWork = Extract<PickerEffect, { do: "retitle" | "remove" | "list" }>;

/** Does what the list asks for. @returns the list with what came of it; keys may have changed it meanwhile. */
export async function served(shelf: SessionShelf, work: ShelfWork, all: boolean): Promise<(picker: Picker) => Picker> {
  const wanted = work.do === "list" ? work.all : all;
  const note = await done(shelf, work).catch(errorText);
  const listed = await shelf.list(wanted);
  return (picker) => ({ ...withSessions(picker, { ...listed, all: wanted }), note: note || picker.note });
}

async function done(shelf: SessionShelf, work: ShelfWork): Promise<string> {
  if (work.do === "list") return "";
  if (work.do === "remove") return (await shelf.remove(work.id)).join("; ");
  const title = await shelf.rename(work.id, work.title);
  return title === undefined ? words().nothingLeft : words().renamed({ title });
}

const mostNumbered = 20;

/** The newest sessions as numbered lines, for a terminal that can only print. */
export function numbered({ rows, look }: Listed, { present, now }: { present?: string; now: number }): string {
  const shown = rows.slice(0, mostNumbered);
  const lines = shown.map((row, index) => {
    const stands = standing(row, look(row.id), present).map(cleanLine).join(", ");
    return `${index + 1}. ${cleanLine(row.title)}\n   ${whenText(row.updatedAt, now)}, ${stands}, ${cleanLine(row.id)}`;
  });
  const more = rows.length > shown.length ? [words().more({ sessions: rows.length - shown.length })] : [];
  return [...lines, ...more].join("\n");
}

/** Returns the sessions that have a number there, in its order. */
export const idsByNumber = (rows: Listed["rows"]): string[] => rows.slice(0, mostNumbered).map(({ id }) => id);
