import type { Masking } from "../../core/secrets/masking.ts";
import { readThere, type ThereFile } from "../../files/bytes/read-regular.ts";
import { cutLine, type HitLine } from "./grep-search.ts";

/** Bytes read of one line, on either side of where its match begins. */
const around = 1_600;
/** So many more where values are taken out of it before it is cut: a long one may stand there. */
const maskedMore = 8_192;
/** A larger file in UTF-16 is not shown: it has to be read whole to find a line. */
const maxWide = 64 * 1024 * 1024;

/**
 * The lines of a file cut to be shown, read from what is opened under its path and found to be there. Undefined where the file was
 * changed or exchanged since it was searched: then nothing of it is shown.
 */
export function readHits(path: string, lines: readonly HitLine[], masking?: Masking): string[] | undefined {
  return readThere(path, (file) => {
    const head = file.read(0, 3);
    if (isWide(head)) return file.size > maxWide ? undefined : wideTexts(file.read(0, file.size), lines, masking);
    // A byte order mark is no part of the first line.
    const before = head.equals(utf8Mark) ? utf8Mark.length : 0;
    return all(lines.map((line) => textAt(file, line, { before, masking })));
  });
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

const isWide = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const all = (texts: readonly (string | undefined)[]): string[] | undefined =>
  texts.every((text) => text !== undefined) ? [...texts] : undefined;

function textAt(
  file: ThereFile,
  { offset, start }: HitLine,
  { before, masking }: { before: number; masking: Masking | undefined },
): string | undefined {
  const most = masking === undefined ? around : around + maskedMore;
  const at = offset + before;
  if (offset > 0 && file.read(at - 1, 1)[0] !== 10) return undefined;
  const from = Math.max(0, start - most);
  const bytes = file.read(at + from, start - from + most);
  if (bytes.length === 0) return undefined;
  const end = bytes.indexOf(10);
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  const isCut = end === -1 && bytes.length === start - from + most;
  const head = line.subarray(0, start - from).toString("utf8");
  const rest = line.subarray(start - from).toString("utf8");
  return cutAround({ head, rest: isCut ? rest : rest.replace(/\r$/, "") }, { head: from > 0, tail: isCut }, masking);
}

/** A line cut around where its match begins, without values of secrets in it. */
function cutAround(
  { head, rest }: { head: string; rest: string },
  cut: { head?: boolean; tail?: boolean },
  masking: Masking | undefined,
): string {
  if (masking === undefined) return cutLine(head + rest, head.length, cut);
  const stream = masking.stream();
  const before = stream.push(Buffer.from(head)).toString("utf8");
  const behind = Buffer.concat([stream.push(Buffer.from(rest)), ...(cut.tail === true ? [] : [stream.end()])]);
  return cutLine(before + behind.toString("utf8"), before.length, cut);
}

function wideTexts(bytes: Buffer, lines: readonly HitLine[], masking: Masking | undefined): string[] | undefined {
  const little = bytes[0] === 0xff ? bytes : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  const known = new TextDecoder("utf-16le").decode(little).split(/\r?\n/);
  return all(
    lines.map(({ line, start }) => {
      const text = known[line - 1];
      if (text === undefined || text === "") return text;
      const at = Buffer.from(text).subarray(0, start).toString("utf8").length;
      return cutAround({ head: text.slice(0, at), rest: text.slice(at) }, {}, masking);
    }),
  );
}
