import type { Splice, TextForm } from "../../files/text-form.ts";

export const memoryHeading = "## Agent Memories";

/**
 * Where and how a fact goes into the text of a memory file: one line under the heading, after the last one there.
 * @returns undefined where the section has that line already.
 */
export function memorySplice(form: TextForm, fact: string): Splice | undefined {
  const eol = form.eol === "crlf" ? "\r\n" : "\n";
  const lines = linesOf(form.text);
  const heading = lines.findIndex(({ text }) => text.trimEnd() === memoryHeading);
  if (heading === -1) return newSection(form.text, fact, eol);
  const next = lines.findIndex(({ text }, index) => index > heading && /^#{1,2}\s/.test(text));
  const section = lines.slice(heading, next === -1 ? undefined : next);
  const entry = `- ${fact}`;
  if (section.some(({ text }) => text.trim() === entry)) return undefined;
  const last = section.findLast(({ text }) => text.trim() !== "") ?? { end: form.text.length, text: "" };
  const gap = section.every(({ text }, index) => index === 0 || text.trim() === "") ? eol + eol : eol;
  return { start: last.end, end: last.end, text: gap + entry + (last.end === form.text.length ? eol : "") };
}

function newSection(text: string, fact: string, eol: string): Splice {
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return { start: text.length, end: text.length, text: `${gap}${memoryHeading}${eol}${eol}- ${fact}${eol}` };
}

/** Each with the position after its last character, before its line ending. */
function linesOf(text: string): { text: string; end: number }[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const content = line.replace(/\r$/, "");
    const found = { text: content, end: start + content.length };
    start += line.length + 1;
    return found;
  });
}
