import { isUtf8 } from "node:buffer";
import { ToolRefusal } from "../../core/codes.ts";
import type { LineEnding, TextEncoding } from "../../core/tool.ts";
import { binaryKind } from "./file-head.ts";

/** A file's bytes read as text, in a way that leads back to the same bytes. */
export interface TextForm {
  encoding: TextEncoding;
  /** The byte order mark stands in the bytes, not in `text`. */
  bom: boolean;
  eol: LineEnding;
  text: string;
  bytes: Buffer;
}

/** One replacement; positions are those of `text`. They neither overlap nor stand out of order. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/**
 * UTF-8 where it is valid, UTF-16 by its byte order mark, else latin1, which has a character for each byte.
 * @throws ToolRefusal BINARY, naming kind and size.
 */
export function readText(content: Uint8Array, asked: string): TextForm {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kind = binaryKind(bytes);
  if (kind !== undefined) throw binary(asked, kind, bytes.length);
  return readAs(bytes, encodingOf(bytes), asked);
}

/** As `readText`, in an encoding that is known: an edited file is still what it was. */
export function readAs(bytes: Buffer, form: { encoding: TextEncoding; bom: boolean }, asked: string): TextForm {
  const { encoding, bom } = form;
  const text = decode(bytes.subarray(bom ? bomBytes[encoding].length : 0), encoding);
  if (text.includes("\0")) throw binary(asked, "binary data", bytes.length);
  return { encoding, bom, eol: lineEnding(text), text, bytes };
}

/** Returns the text that there is in any bytes, as `readText` decodes it. */
export function wordsIn(content: Uint8Array): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { encoding, bom } = encodingOf(bytes);
  return decode(bytes.subarray(bom ? bomBytes[encoding].length : 0), encoding);
}

export function binary(asked: string, kind: string, size: number): ToolRefusal {
  return new ToolRefusal("BINARY", `${asked} is not a text file: ${kind}, ${size} bytes`);
}

const bomBytes: Record<TextEncoding, readonly number[]> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  latin1: [],
};

export function encodingOf(bytes: Buffer): { encoding: TextEncoding; bom: boolean } {
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
    if (bomBytes[encoding].every((byte, index) => bytes[index] === byte) && (encoding !== "utf-8" || isUtf8(bytes))) {
      return { encoding, bom: true };
    }
  }
  return { encoding: isUtf8(bytes) ? "utf-8" : "latin1", bom: false };
}

/** An odd last byte of UTF-16 is no part of the text and stays in the bytes. */
function decode(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === "utf-8" || encoding === "latin1") return bytes.toString(encoding);
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return (encoding === "utf-16le" ? even : Buffer.from(even).swap16()).toString("utf16le");
}

/**
 * @throws ToolRefusal ENCODING where the text has what the encoding has not (in any of them: half of a surrogate pair).
 */
export function encode(text: string, encoding: TextEncoding, asked: string): Buffer {
  if (/\p{Surrogate}/u.test(text))
    throw cannotEncode(asked, "half of a surrogate pair, which is no character", encoding);
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "latin1") {
    const foreign = /[^\x00-\xff]/u.exec(text);
    if (foreign !== null) throw cannotEncode(asked, JSON.stringify(foreign[0]), encoding);
    return Buffer.from(text, "latin1");
  }
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

function cannotEncode(asked: string, what: string, encoding: TextEncoding): ToolRefusal {
  return new ToolRefusal(
    "ENCODING",
    `${asked} is ${encoding}: the new text holds ${what}, which cannot be written in it`,
  );
}

/** Whole bytes of a new text in the form of an old one. */
export function encodeWhole(text: string, form: { encoding: TextEncoding; bom: boolean }, asked: string): Buffer {
  const body = encode(text.startsWith("\uFEFF") ? text.slice(1) : text, form.encoding, asked);
  const marked = form.bom || text.startsWith("\uFEFF");
  return marked ? Buffer.concat([Buffer.from(bomBytes[form.encoding]), body]) : body;
}

/** The file after the replacements; every byte outside them is the old one. */
export function spliceBytes(form: TextForm, splices: readonly Splice[], asked: string): Buffer {
  const parts: Buffer[] = [];
  const cursor = { text: 0, byte: form.bom ? bomBytes[form.encoding].length : 0 };
  let copied = 0;
  for (const splice of splices) {
    advanceTo(cursor, splice.start, form);
    parts.push(form.bytes.subarray(copied, cursor.byte), encode(splice.text, form.encoding, asked));
    advanceTo(cursor, splice.end, form);
    copied = cursor.byte;
  }
  return Buffer.concat([...parts, form.bytes.subarray(copied)]);
}

function advanceTo(cursor: { text: number; byte: number }, position: number, form: TextForm): void {
  const units = position - cursor.text;
  if (form.encoding === "latin1") cursor.byte += units;
  else if (form.encoding === "utf-8") cursor.byte += Buffer.byteLength(form.text.slice(cursor.text, position), "utf8");
  else cursor.byte += 2 * units;
  cursor.text = position;
}

/** CR alone counts as a line ending only in a text that has no other. */
export function lineEnding(text: string): LineEnding {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf += 1;
    else lf += 1;
  }
  if (crlf + lf === 0) return text.includes("\r") ? "cr" : "none";
  if (crlf > 0 && lf > 0) return "mixed";
  return crlf > 0 ? "crlf" : "lf";
}
