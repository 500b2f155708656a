import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { HitLine } from "./grep-search.ts";

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
  /^(\d+),"absolute_offset":(\d+),"submatches":\[(?:\{"match":\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\},"start":(\d+))?/;

function parseOversized(head: string, tail: string): RgRecord | undefined {
  const begin = headShape.exec(head);
  const rest = tailShape.exec(tail);
  if (begin === null || rest === null) return undefined;
  const [, type, path] = begin;
  const [, line, offset, start = "0"] = rest;
  const hit = { line: Number(line), isMatch: type === "match", offset: Number(offset), start: Number(start) };
  return { type: "line", path: textOf(JSON.parse(path ?? "{}")), hit };
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
  const found = Array.isArray(data["submatches"]) ? data["submatches"][0] : undefined;
  const start = isJsonObject(found) && typeof found["start"] === "number" ? found["start"] : 0;
  return { line: Number(data["line_number"]), isMatch, offset: Number(data["absolute_offset"]), start };
}

/** `{text}` or, where it is not valid UTF-8, `{bytes}` in base64. */
function textOf(value: Json | undefined): string {
  if (!isJsonObject(value)) return "";
  if (typeof value["text"] === "string") return value["text"];
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64").toString("utf8") : "";
}
