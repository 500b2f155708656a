import { graphemeAround, graphemes } from "./graphemes.ts";
import { stripSequences } from "./sanitise.ts";

export interface Paste {
  /** The marker that stands in the text for it, such as `[pasted 128 lines]`. Moved over and deleted as one character. */
  marker: string;
  text: string;
  /** The person wrote it, and it came back. */
  isOwn?: true;
}

/** The state of an editor, as undo and the kept draft remember it. */
export interface Snapshot {
  text: string;
  cursor: number;
  pastes: readonly Paste[];
}

/** The text with every pasted block in its place: what is submitted. */
export function expandPastes(buffer: Snapshot): string {
  if (buffer.pastes.length === 0) return buffer.text;
  let out = "";
  let from = 0;
  for (let at = buffer.text.indexOf("["); at >= 0; at = buffer.text.indexOf("[", Math.max(from, at + 1))) {
    const paste = pasteAt(buffer, at);
    if (paste === undefined) continue;
    out += buffer.text.slice(from, at) + paste.text;
    from = at + paste.marker.length;
  }
  return out + buffer.text.slice(from);
}

/** A sign that nobody types, in the place of what was pasted. */
export const pastedSign = "\ufffc";

/** Returns a pasted text as one sign, with the blanks around it: a text beside it is no other word for that. */
const asSign = (text: string): string => {
  const [start, end] = [text.length - text.trimStart().length, text.trimEnd().length];
  return end <= start ? text : `${text.slice(0, start)}${pastedSign}${text.slice(end)}`;
};

/** The text without what was pasted into it, as far as that stands in it unchanged. */
export const withoutPasted = (text: string, pasted: readonly string[]): string =>
  pasted
    .map((one) => one.trim())
    .filter((one) => one !== "")
    // One may stand in another.
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, one) => left.replaceAll(one, pastedSign), text);

/** Returns the text of it that the person wrote: of a pasted block, one sign. */
export function writtenText(buffer: Snapshot & { pasted?: readonly string[] }): string {
  const others = buffer.pastes.filter(({ isOwn }) => isOwn !== true);
  const pastes = buffer.pastes.map((one) => (one.isOwn === true ? one : { ...one, text: asSign(one.text) }));
  // One that was written out in its place.
  const shown = others.map(({ text }) => text);
  return withoutPasted(expandPastes({ ...buffer, pastes }), [...shown, ...(buffer.pasted ?? [])]);
}

/** The whole unit (grapheme or marker) that begins at `index`; "" at the end. */
export function unitAt(buffer: Snapshot, index: number): string {
  return buffer.text.slice(index, nextStop(buffer, index));
}

/** The units of one line: graphemes, and each marker as one. */
export function unitsOf(line: string, pastes: readonly Paste[]): string[] {
  const units: string[] = [];
  let from = 0;
  for (let at = line.indexOf("["); at >= 0 && pastes.length > 0; at = line.indexOf("[", Math.max(from, at + 1))) {
    const paste = pastes.find(({ marker }) => line.startsWith(marker, at));
    if (paste === undefined) continue;
    units.push(...graphemes(line.slice(from, at)), paste.marker);
    from = at + paste.marker.length;
  }
  return units.concat(graphemes(line.slice(from)));
}

/** Line ends as \n; escape sequences and control characters but tabs dropped: nothing that steers a terminal is kept. */
export function cleanInput(text: string): string {
  return stripSequences(text.replace(/\r\n?/g, "\n")).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}

function pasteAt(buffer: Snapshot, index: number): Paste | undefined {
  return buffer.pastes.find((paste) => buffer.text.startsWith(paste.marker, index));
}

/** The index after the unit at `index`. */
export function nextStop(buffer: Snapshot, index: number): number {
  if (index >= buffer.text.length) return buffer.text.length;
  const paste = pasteAt(buffer, index);
  return paste === undefined ? graphemeAround(buffer.text, index).end : index + paste.marker.length;
}

/** The index where the unit before `index` begins. */
export function previousStop(buffer: Snapshot, index: number): number {
  if (index <= 0) return 0;
  const paste = buffer.pastes.find(({ marker }) => buffer.text.startsWith(marker, index - marker.length));
  return paste === undefined ? graphemeAround(buffer.text, index - 1).start : index - paste.marker.length;
}

/** `cursor`, moved behind the unit that it would part. */
export function snap(buffer: Snapshot, cursor: number): number {
  const index = Math.min(Math.max(0, cursor), buffer.text.length);
  const { start, end } = graphemeAround(buffer.text, index);
  return start === index ? index : end;
}
