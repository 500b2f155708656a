import { graphemes } from "./graphemes.ts";
import type { Key } from "./key.ts";
import { controlKey, csiKey, plainKey, ss3Key } from "./key-sequences.ts";

export interface KeyParser {
  /** The keys that the bytes complete. Bytes of an unfinished key are kept. `now` in ms, of any monotonic clock. */
  push(chunk: string | Uint8Array, now: number): Key[];
  /** The keys of what has waited too long for its rest: a lone ESC after 50 ms, a paste without an end after 30 s. */
  flush(now: number): Key[];
  /** Returns the time at which `flush` will have something to say; `undefined` while nothing waits. */
  deadline(): number | undefined;
}

const ESC = "\x1b";
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const ESCAPE_TIMEOUT_MS = 50;
const SEQUENCE_TIMEOUT_MS = 500;
/** The time that an answer of the terminal may take to come whole. */
const STRING_TIMEOUT_MS = 3_000;
const PASTE_TIMEOUT_MS = 30_000;
/** A longer paste is delivered in several keys, so that a lost end costs no memory. UTF-16 units. */
const MAX_PASTE = 4 * 1024 * 1024;
/** No person types this much between two reads; an unmarked paste does. UTF-16 units. */
const UNMARKED_PASTE = 256;
const STRING_STARTS = "]P_^X";
const COLOR_REPLY = /^\x1b\]1[01];rgba?:[\da-f/]*(?:\x07|\x1b\\)/i;

/**
 * Turns the bytes of a terminal in raw mode into keys. A bracketed paste is one key; so is a chunk of plain text with a line
 * end inside, which is how a terminal without bracketed paste delivers several lines: they must not be submitted one by one.
 */
export function createKeyParser(): KeyParser {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let pending = "";
  let since = 0;
  let paste: PasteCollector | undefined;
  /** The input that was given up last: it may have been the beginning of an answer, whose rest nobody typed. */
  let lost = "";

  /** One reading of what is pending; `undefined` when it needs more bytes. */
  function step(): Key[] | undefined {
    if (paste !== undefined) {
      const taken = paste.take(pending);
      pending = taken.rest;
      if (taken.ended) paste = undefined;
      return taken.ended || taken.keys.length > 0 ? taken.keys : undefined;
    }
    const next = readKeys(pending);
    if (next === undefined) return undefined;
    pending = pending.slice(next.used);
    if (next.pasteStarts) paste = createPasteCollector();
    return next.keys;
  }

  function drain(): Key[] {
    const keys: Key[] = [];
    while (pending !== "") {
      const more = step();
      if (more === undefined) break;
      keys.push(...more);
    }
    return keys;
  }

  function giveUp(): Key[] {
    const stuck = pending;
    pending = "";
    if (paste !== undefined) {
      const keys = paste.finish(stuck);
      paste = undefined;
      return keys;
    }
    lost = stuck;
    return stuckKeys(stuck);
  }

  function deadline(): number | undefined {
    if (paste !== undefined) return since + PASTE_TIMEOUT_MS;
    if (pending === "") return undefined;
    if (pending.length <= 2) return since + ESCAPE_TIMEOUT_MS;
    return since + (STRING_STARTS.includes(pending.charAt(1)) ? STRING_TIMEOUT_MS : SEQUENCE_TIMEOUT_MS);
  }

  return {
    push(chunk, now) {
      const decoded = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
      const late = now >= (deadline() ?? Number.POSITIVE_INFINITY) ? giveUp() : [];
      const text = withoutRest(lost, decoded);
      lost = "";
      since = now;
      if (paste === undefined && pending === "" && isUnmarkedPaste(text)) return [...late, pasteKey(text)];
      pending += text;
      return [...late, ...drain()];
    },
    flush(now) {
      const due = deadline();
      return due === undefined || now < due ? [] : giveUp();
    },
    deadline,
  };
}

/** The chunk without the rest of an answer on colours whose beginning was given up. */
function withoutRest(lost: string, chunk: string): string {
  const reply = lost.startsWith(ESC) ? COLOR_REPLY.exec(lost + chunk)?.[0] : undefined;
  return reply === undefined ? chunk : chunk.slice(reply.length - lost.length);
}

interface PasteCollector {
  take(input: string): { keys: Key[]; rest: string; ended: boolean };
  finish(rest: string): Key[];
}

function createPasteCollector(): PasteCollector {
  let parts: string[] = [];
  let size = 0;
  const add = (text: string): Key[] => {
    parts.push(text);
    size += text.length;
    return size < MAX_PASTE ? [] : finish("");
  };
  const finish = (rest: string): Key[] => {
    const { text, said } = apart(parts.join("") + rest);
    parts = [];
    size = 0;
    return [...said, pasteKey(text)];
  };
  return {
    take(input) {
      const end = input.indexOf(PASTE_END);
      if (end >= 0)
        return { keys: finish(input.slice(0, end)), rest: input.slice(end + PASTE_END.length), ended: true };
      const kept = partialEnd(input);
      return { keys: add(input.slice(0, input.length - kept)), rest: input.slice(input.length - kept), ended: false };
    },
    finish,
  };
}

/** Counts the units at the end of `input` that may be the beginning of the end mark. */
function partialEnd(input: string): number {
  const start = input.lastIndexOf(ESC);
  return start >= 0 && PASTE_END.startsWith(input.slice(start)) ? input.length - start : 0;
}

/** The reports of the terminal itself while it hands over a paste, which stand in the middle of it: its colours, and whether it has the focus. */
const SAID = /\x1b\]1[01];rgba?:[\da-f/]*(?:\x07|\x1b\\)|\x1b\[[IO]/gi;

/** A paste without what the terminal says, and that as keys. */
function apart(pasted: string): { text: string; said: Key[] } {
  const said = [...pasted.matchAll(SAID)].flatMap(([found]) => readEscape(found)?.keys ?? []);
  return { text: said.length === 0 ? pasted : pasted.replace(SAID, ""), said };
}

function pasteKey(text: string): Key {
  return plainKey("paste", text.replace(/\r\n?/g, "\n"));
}

function isUnmarkedPaste(text: string): boolean {
  // A chunk with any other control character is keys, not text.
  if (!/^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+$/.test(text)) return false;
  const severalLines = /[\r\n][^\r\n]/.test(text) && /[^\r\n]{2}/.test(text);
  return severalLines || text.length >= UNMARKED_PASTE;
}

interface Read {
  keys: Key[];
  used: number;
  pasteStarts?: boolean;
}

/** The first key or run of characters, `undefined` when more bytes are needed. */
function readKeys(input: string): Read | undefined {
  if (input.startsWith(ESC)) return readEscape(input);
  const run = /^[^\x00-\x1f\x7f]+/.exec(input)?.[0];
  if (run === undefined) return { keys: [controlKey(input)], used: 1 };
  const cutOff = run.length === input.length && /[\ud800-\udbff]$/.test(run);
  const whole = cutOff ? run.slice(0, -1) : run;
  if (whole === "") return undefined;
  return { keys: graphemes(whole).map((text) => plainKey("char", text)), used: whole.length };
}

function readEscape(input: string): Read | undefined {
  const second = input[1];
  if (second === undefined) return undefined;
  if (second === "[") return readCsi(input);
  if (second === "O") return input.length < 3 ? undefined : { keys: [ss3Key(input.charAt(2))], used: 3 };
  if (STRING_STARTS.includes(second)) return readString(input);
  if (second === ESC) return readDoubleEscape(input);
  const next = readKeys(input.slice(1));
  const first = next?.keys[0];
  if (next === undefined || first === undefined) return undefined;
  return { keys: [{ ...first, alt: true }], used: 1 + (first.text?.length ?? 1) };
}

/** Two ESC before a sequence: Alt with that key. Otherwise the first is Esc, pressed. */
function readDoubleEscape(input: string): Read | undefined {
  if (input.length === 2) return undefined;
  const next = /^[[O]/.test(input.slice(2)) ? readEscape(input.slice(1)) : { keys: [], used: 0 };
  if (next === undefined) return undefined;
  if (next.used === 0 || next.pasteStarts) return { keys: [plainKey("escape")], used: 1 };
  return { keys: next.keys.map((key) => ({ ...key, alt: true })), used: next.used + 1 };
}

function readCsi(input: string): Read | undefined {
  if (input.startsWith(PASTE_START)) return { keys: [], used: PASTE_START.length, pasteStarts: true };
  if (input.startsWith(PASTE_END)) return { keys: [], used: PASTE_END.length };
  if (input[2] === "[") return input.length < 4 ? undefined : { keys: linuxFunctionKey(input.charAt(3)), used: 4 };
  if (input[2] === "M")
    return input.length < 6 ? undefined : { keys: [plainKey("unknown", input.slice(0, 6))], used: 6 };
  const match = /^\x1b\[([0-?]*)([ -/]*)([@-~]?)/.exec(input);
  const [raw = "", params = "", between = "", final = ""] = match ?? [];
  if (final !== "") {
    const key = csiKey(raw, params, between, final);
    return { keys: key === undefined ? [] : [key], used: raw.length };
  }
  return raw.length === input.length ? undefined : { keys: [plainKey("unknown", raw)], used: raw.length };
}

function linuxFunctionKey(letter: string): Key[] {
  const index = "ABCDE".indexOf(letter);
  return [index < 0 ? plainKey("unknown", `\x1b[[${letter}`) : plainKey(`f${index + 1}`)];
}

/** OSC, DCS, APC: answers of the terminal, up to BEL or ST; another ESC breaks them off. */
function readString(input: string): Read | undefined {
  const end = /[\x07\x1b]/.exec(input.slice(2));
  if (end === null) return undefined;
  const at = end.index + 2;
  if (input[at] === "\x07") return { keys: [plainKey("reply", input.slice(0, at + 1))], used: at + 1 };
  if (at + 1 === input.length) return undefined;
  const used = input[at + 1] === "\\" ? at + 2 : at;
  return { keys: [plainKey(used === at ? "unknown" : "reply", input.slice(0, used))], used };
}

/** Returns the keys that an unfinished one means when nothing followed it. */
function stuckKeys(stuck: string): Key[] {
  if (stuck === ESC) return [plainKey("escape")];
  if (stuck === ESC + ESC) return [plainKey("escape"), plainKey("escape")];
  if (stuck.length === 2 && stuck.startsWith(ESC)) return [{ ...plainKey("char", stuck.charAt(1)), alt: true }];
  return [plainKey("unknown", stuck)];
}
