import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { cutLine, type HitLine } from "./grep-search.ts";

/** One line of `rg --json`, as far as it is of use. */
export type RgRecord =
  | { type: "line"; path: string; hit: HitLine }
  /** A file is done; it was found to be binary where `isBinary`. */
  | { type: "end"; path: string; isBinary: boolean }
  /** The search is done. */
  | { type: "summary" };

/** A longer record is not kept whole: one line of a file may have any length. */
const maxRecord = 1 << 20;
const headKept = 1 << 16;
const tailKept = 1 << 12;
/** Ends the text of a record; it cannot stand in that text, where each quote is escaped. */
const marker = Buffer.from('},"line_number":');

/** Cuts the output of `rg --json` into records, in bounded memory whatever it holds. */
export function createRecordReader(emit: (record: RgRecord) => void): { feed(chunk: Buffer): void } {
  let pending: Buffer[] = [];
  let size = 0;
  let oversized: Oversized | undefined;

  const take = (piece: Buffer): void => {
    if (oversized !== undefined) {
      oversized.take(piece);
      return;
    }
    pending.push(piece);
    size += piece.length;
    if (size <= maxRecord) return;
    const whole = Buffer.concat(pending);
    pending = [];
    oversized = createOversized(whole.subarray(0, headKept));
    oversized.take(whole.subarray(headKept));
  };
  const finish = (): void => {
    const record = orNothing(oversized?.end ?? (() => parseRecord(Buffer.concat(pending).toString("utf8"))));
    pending = [];
    size = 0;
    oversized = undefined;
    if (record !== undefined) emit(record);
  };
  return {
    feed: (chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, end));
        finish();
        from = end + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
    },
  };
}

/** A line that is no record comes from a program that is not ripgrep; the search then ends without its summary. */
function orNothing(parse: () => RgRecord | undefined): RgRecord | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

interface Oversized {
  take(piece: Buffer): void;
  end(): RgRecord | undefined;
}

/** Keeps the beginning of a record, and what follows its text: path, line number and the first match. */
function createOversized(start: Buffer): Oversized {
  const head = Buffer.from(start);
  let edge = Buffer.alloc(0);
  let tail: Buffer | undefined;
  return {
    take: (piece) => {
      if (tail !== undefined) {
        if (tail.length < tailKept) tail = Buffer.concat([tail, piece.subarray(0, tailKept - tail.length)]);
        return;
      }
      const joined = Buffer.concat([edge, piece]);
      const found = joined.indexOf(marker);
      if (found === -1) edge = Buffer.from(joined.subarray(-(marker.length - 1)));
      else tail = Buffer.from(joined.subarray(found + marker.length, found + marker.length + tailKept));
    },
    end: () => parseOversized(head.toString("utf8"), tail?.toString("utf8") ?? ""),
  };
}

const headShape =
  /^\{"type":"(match|context)","data":\{"path":(\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\}),"lines":\{"(text|bytes)":"/;
const tailShape =
  /^(\d+),"absolute_offset":\d+,"submatches":\[(?:\{"match":(\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\}),"start":(\d+))?/;

function parseOversized(head: string, tail: string): RgRecord | undefined {
  const begin = headShape.exec(head);
  const rest = tailShape.exec(tail);
  if (begin === null || rest === null) return undefined;
  const [shape, type, path, form] = begin;
  const text = form === "text" ? cutJsonString(head.slice(shape.length)) : "";
  const start = Number(rest[3] ?? 0);
  const at = charIndex(text, start);
  const isNear = at < text.length;
  const found = rest[2] === undefined ? "" : textOf(JSON.parse(rest[2]));
  const shown = isNear ? cutLine(text, at, { tail: true }) : cutLine(found, 0, { head: true, tail: true });
  const hit = { line: Number(rest[1]), text: shown, isMatch: type === "match" };
  return { type: "line", path: textOf(JSON.parse(path ?? "{}")), hit };
}

/** The text of a JSON string that was cut off somewhere, perhaps within an escape or a character. */
function cutJsonString(body: string): string {
  for (let end = body.length; end > body.length - 12; end--) {
    try {
      return String(JSON.parse(`"${body.slice(0, end)}"`)).replace(/\uFFFD+$/, "");
    } catch {
      // One character less may be the end of the escape that was cut.
    }
  }
  return "";
}

function parseRecord(line: string): RgRecord | undefined {
  const record: Json = JSON.parse(line);
  if (!isJsonObject(record)) return undefined;
  if (record["type"] === "summary") return { type: "summary" };
  const data = record["data"];
  if (!isJsonObject(data)) return undefined;
  const path = textOf(data["path"]);
  if (record["type"] === "end") return { type: "end", path, isBinary: data["binary_offset"] !== null };
  if (record["type"] !== "match" && record["type"] !== "context") return undefined;
  return { type: "line", path, hit: hitOf(data, record["type"] === "match") };
}

function hitOf(data: JsonObject, isMatch: boolean): HitLine {
  const text = textOf(data["lines"]).replace(/\r?\n?$/, "");
  const found = Array.isArray(data["submatches"]) ? data["submatches"][0] : undefined;
  const start = isJsonObject(found) && typeof found["start"] === "number" ? found["start"] : 0;
  return { line: Number(data["line_number"]), text: cutLine(text, charIndex(text, start)), isMatch };
}

/** Index in UTF-16 units of a byte offset in the UTF-8 form. */
function charIndex(text: string, byte: number): number {
  return byte === 0 ? 0 : Buffer.from(text).subarray(0, byte).toString("utf8").length;
}

/** `{text}` or, where it is not valid UTF-8, `{bytes}` in base64. */
function textOf(value: Json | undefined): string {
  if (!isJsonObject(value)) return "";
  if (typeof value["text"] === "string") return value["text"];
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64").toString("utf8") : "";
}
