import { withoutUnseen } from "./unseen.ts";

const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/gu;

/** All that a reader may take for the end of a line. */
const lineBreaks = /\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/gu;

/** Returns a text from outside as it is in a prompt: only visible characters, with plain line ends. */
export const plainText = (text: string): string => withoutUnseen(text.replace(lineBreaks, "\n").replace(controls, ""));

/** The same for a name or a branch, which gets one line of at most `most` characters. */
export function oneLine(text: string, most = 250): string {
  const line = plainText(text.slice(0, most * 4)).replaceAll("\n", " ");
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

/** Each line is marked, so that none of them can be taken for a part of the prompt itself. */
const mark = "| ";

/** Bytes that a text takes in a request. */
export const bytesInRequest = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** A text from outside with its lines marked, cut to the bytes of a request that there is room for. */
export function fence(text: string, room: number): { text: string; cut: boolean } {
  const lines: string[] = [];
  let left = room;
  for (const line of plainText(text).split("\n")) {
    const marked = `${mark}${line}`.trimEnd();
    const bytes = bytesInRequest(`${marked}\n`);
    if (bytes > left) {
      const part = fitting(marked, left);
      if (part.length > mark.length) lines.push(part);
      return { text: lines.join("\n"), cut: true };
    }
    left -= bytes;
    lines.push(marked);
  }
  return { text: lines.join("\n"), cut: false };
}

/** As much of the line's beginning as there is room for. */
function fitting(line: string, room: number): string {
  let [low, high] = [0, Math.min(line.length, Math.max(room, 0))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesInRequest(`${line.slice(0, middle)}\n`) <= room) low = middle;
    else high = middle - 1;
  }
  return line.slice(0, low).replace(/[\ud800-\udbff]$/u, "");
}
