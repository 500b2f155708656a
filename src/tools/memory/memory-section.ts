import type { Splice, TextForm } from "../../files/bytes/text-form.ts";
import { isToldIn, type Memory, memoryHeading, memoryLine, parseMemory } from "./memory-line.ts";

/** An entry of the section, and where its line stands: from its first character to behind its line ending. */
export interface Entry {
  memory: Memory;
  start: number;
  end: number;
}

interface Line {
  text: string;
  start: number;
  /** After its last character, before its line ending. */
  end: number;
  next: number;
}

/** All entries of the section, the person's own among them. */
export function memoriesOf(text: string): Entry[] {
  return (sectionOf(linesOf(text)) ?? []).flatMap(({ text: line, start, next }) => {
    const memory = parseMemory(line);
    return memory === undefined ? [] : [{ memory, start, end: next }];
  });
}

/** The entry that says this already in the workspace it is for: a memory for everywhere is told in each. */
export const knownAlready = (entries: readonly Entry[], { fact, project }: Memory): Entry | undefined =>
  entries.find(({ memory }) => {
    if (memory.fact !== fact) return false;
    return project === undefined ? memory.project === undefined : isToldIn(memory, project);
  });

/** Returns the splice that puts a memory into the text of a memory file: one line under the heading, after the last one there. */
export function memorySplice(form: TextForm, memory: Memory): Splice {
  const eol = form.eol === "crlf" ? "\r\n" : "\n";
  const section = sectionOf(linesOf(form.text));
  const entry = memoryLine(memory);
  if (section === undefined) return newSection(form.text, entry, eol);
  const last = section.findLast(({ text }) => text.trim() !== "");
  const end = last?.end ?? form.text.length;
  const gap = section.every(({ text }, index) => index === 0 || text.trim() === "") ? eol + eol : eol;
  return { start: end, end, text: gap + entry + (end === form.text.length ? eol : "") };
}

function newSection(text: string, entry: string, eol: string): Splice {
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return { start: text.length, end: text.length, text: `${gap}${memoryHeading}${eol}${eol}${entry}${eol}` };
}

/** The heading's line and those below it, up to the next heading of its rank. */
function sectionOf(lines: readonly Line[]): Line[] | undefined {
  const heading = lines.findIndex(({ text }) => text.trimEnd() === memoryHeading);
  if (heading === -1) return undefined;
  const next = lines.findIndex(({ text }, index) => index > heading && /^#{1,2}\s/.test(text));
  return lines.slice(heading, next === -1 ? undefined : next);
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const content = line.replace(/\r$/, "");
    const next = Math.min(text.length, start + line.length + 1);
    const found = { text: content, start, end: start + content.length, next };
    start += line.length + 1;
    return found;
  });
}
