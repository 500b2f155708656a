import { isJsonObject, type Json } from "../core/json.ts";
import { limitText } from "../core/limit-text.ts";
import { limits } from "../core/limits.ts";
import { toPlainJson } from "../core/strict-json.ts";
import type { Fetch } from "../net/http-fetch.ts";
import { cutReply } from "./failures.ts";

type Bytes = AsyncIterable<Uint8Array>;

/**
 * `fetch` whose answers come in bounded pieces, but for JSON. The body of a stream is handed on an event at a time, however the server cut
 * it up (the client library joins the parts of an event anew with each part); text is what came of it before its limits.
 */
export function bounded(fetch: Fetch): Fetch {
  return async (url, init = {}) => {
    const late = new AbortController();
    const { signal: outer } = init;
    if (outer?.aborted === true) late.abort(outer.reason);
    else outer?.addEventListener("abort", () => late.abort(outer.reason), { once: true });
    const answer = await fetch(url, { ...init, signal: late.signal });
    const body = answer.body as unknown as Bytes | null;
    const { ok, status, statusText, headers } = answer;
    const made = {
      ok,
      status,
      statusText,
      url: answer.url,
      headers,
      body: body === null || isJson(headers) ? body : wholeEvents(body),
      text: async () => (body === null ? "" : shallow(await beginningOf(body, late))),
    };
    return made as unknown as Response;
  };
}

/** JSON has no events; whoever reads it says how much of it. */
const isJson = (headers: Headers): boolean => /^application\/json/i.test(headers.get("content-type") ?? "");

/** The first of a body, until it ends or takes too long; `late` ends the connection. */
async function beginningOf(body: Bytes, late: AbortController): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => late.abort(), limits.errorBodyTime.most);
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, limits.errorBody.most - size));
      size += part.length;
      if (size >= limits.errorBody.most) break;
    }
  } catch (error) {
    if (!late.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Without what the client library could not print again: it walks an error that is JSON down to its last level. */
function shallow(text: string): string {
  try {
    const read = toPlainJson(JSON.parse(text));
    if (!read.ok) return "its answer is nested too deeply to be read";
    return isBareError(read.value) ? JSON.stringify({ error: read.value }) : text;
  } catch {
    return text; // no JSON: a web page, a line of text, or the beginning of something long
  }
}

/** vLLM's older servers say what is wrong without an `error` around it, where the client library looks for it. */
const isBareError = (read: Json): boolean =>
  isJsonObject(read) && read["error"] === undefined && typeof read["message"] === "string";

const tooLong = (what: "replyEvent" | "replyStream"): Error =>
  cutReply(`The reply was cut off: ${limits[what].what} is longer than ${limitText(limits[what])}`);

/** The same bytes, each piece of them ending where an event ends (an empty line), but for the last. */
async function* wholeEvents(body: Bytes): AsyncGenerator<Uint8Array> {
  const ends = eventEnds();
  const open = new Held();
  let all = 0;
  for await (const part of withoutMark(body)) {
    all += part.length;
    if (all > limits.replyStream.most) throw tooLong("replyStream");
    const end = ends(part);
    if (end > 0) yield open.takeWith(part.subarray(0, end));
    open.add(part.subarray(end));
    if (open.size > limits.replyEvent.most) throw tooLong("replyEvent");
  }
  if (open.size > 0) yield open.takeWith(new Uint8Array());
}

const byteOrderMark = Buffer.from("\ufeff");

/** Without the byte order mark that a stream may begin with: its first field would have another name. */
async function* withoutMark(body: Bytes): Bytes {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const part of body) {
    if (head === undefined) {
      yield part;
      continue;
    }
    head = Buffer.concat([head, part]);
    if (head.length < byteOrderMark.length && byteOrderMark.indexOf(head) === 0) continue;
    yield head.indexOf(byteOrderMark) === 0 ? head.subarray(byteOrderMark.length) : head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

/** Bytes that come in any number of parts; room for them is doubled, so that a byte at a time costs no more than all at once. */
class Held {
  #room = Buffer.alloc(0);
  size = 0;

  add(part: Uint8Array): void {
    const size = this.size + part.length;
    if (size > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(size, 2 * this.#room.length));
      this.#room.copy(room, 0, 0, this.size);
      this.#room = room;
    }
    this.#room.set(part, this.size);
    this.size = size;
  }

  /** All of it and `last`; nothing is held any more. */
  takeWith(last: Uint8Array): Uint8Array {
    const all = this.size === 0 ? last : Buffer.concat([this.#room.subarray(0, this.size), last]);
    this.size = 0;
    return all;
  }
}

const [lineFeed, carriageReturn] = [10, 13];

/** Tells of each part in turn how many of its bytes there are up to the last empty line that ends in it; 0 for none. */
function eventEnds(): (part: Uint8Array) => number {
  let before = 0;
  let empty = false;
  return (part) => {
    let end = 0;
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at] as number;
      // of CR LF the CR has said whether the line was empty
      const ended = byte === lineFeed ? empty : byte === carriageReturn && before === carriageReturn;
      if (ended) end = at + 1;
      if (byte === lineFeed) empty = true;
      else if (byte !== carriageReturn) empty = false;
      before = byte;
    }
    return end;
  };
}
