import { Worker } from "node:worker_threads";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { Splice } from "../../files/bytes/text-form.ts";

export interface RegexRequest {
  text: string;
  pattern: string;
  /** With $1, $<name>, $& and $$. */
  replacement: string;
  timeoutMs: number;
  signal: AbortSignal;
}

type Answer = { ok: true; matches: Splice[] } | { ok: false; code: ErrorCode; message: string };

const cancelled = "the edit was cancelled";

/**
 * All matches with their replacement filled in. The pattern runs in a thread of its own that is ended when its time is
 * up: a pattern that backtracks for ever cannot hang the agent. `^` and `$` match at lines.
 * @throws ToolRefusal INVALID_REGEX, REGEX_TIMEOUT, EMPTY_MATCH, TOO_LARGE, CANCELLED.
 */
export async function regexSplices(request: RegexRequest): Promise<Splice[]> {
  const { text, pattern, replacement } = request;
  if (request.signal.aborted) throw new ToolRefusal("CANCELLED", cancelled);
  const worker = new Worker(source, {
    eval: true,
    workerData: { text, pattern, replacement },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  try {
    const answer = await answerOf(worker, request);
    if (!answer.ok) throw new ToolRefusal(answer.code, answer.message);
    return answer.matches;
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, { timeoutMs, signal }: RegexRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const refuse = (code: ErrorCode, message: string): void => resolve({ ok: false, code, message });
    let timer: NodeJS.Timeout | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
    const cancel = (): void => {
      settle();
      refuse("CANCELLED", cancelled);
    };
    signal.addEventListener("abort", cancel);
    // The time counts from when the thread runs: a slow start is not the pattern's fault.
    worker.once("online", () => {
      timer = setTimeout(() => {
        settle();
        refuse(
          "REGEX_TIMEOUT",
          `the pattern ran for ${timeoutMs} ms without an end: make it simpler, or use mode "exact"`,
        );
      }, timeoutMs);
    });
    worker.once("message", (answer: Answer) => {
      settle();
      resolve(answer);
    });
    worker.once("error", (error: Error & { code?: string }) => {
      settle();
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") refuse("TOO_LARGE", "the pattern's matches do not fit in memory");
      else reject(error);
    });
  });
}

/** Plain JavaScript as text, so that it also runs from a bundle. It posts one Answer. */
const source = String.raw`
const { parentPort, workerData } = require("node:worker_threads");
const { text, pattern, replacement } = workerData;
const mostMatches = ${limits.editPlaces.most}, mostCharacters = 32 * 1024 * 1024;

function compile() {
  // Unicode mode refuses escapes such as \- that many write: what it does not take is tried without.
  try { return new RegExp(pattern, "gmu"); } catch { return new RegExp(pattern, "gm"); }
}

function filled(match) {
  return replacement.replace(/\$(?:\$|&|(\d{1,2})|<([^>]*)>)/g, (whole, digits, name) => {
    if (whole === "$$") return "$";
    if (whole === "$&") return match[0];
    if (name !== undefined) return match.groups ? (match.groups[name] ?? "") : whole;
    const two = Number(digits);
    if (two >= 1 && two < match.length) return match[two] ?? "";
    const one = Number(digits[0]);
    if (digits.length === 2 && one >= 1 && one < match.length) return (match[one] ?? "") + digits[1];
    return whole;
  });
}

function run() {
  let regex;
  try { regex = compile(); } catch (error) {
    return { ok: false, code: "INVALID_REGEX", message: "old_string is not a valid JavaScript pattern: " + error.message };
  }
  const matches = [];
  let characters = 0;
  for (const match of text.matchAll(regex)) {
    if (match[0] === "") {
      return { ok: false, code: "EMPTY_MATCH", message: "the pattern matches the empty string: make it match some text" };
    }
    const filling = filled(match);
    characters += filling.length;
    if (matches.length >= mostMatches || characters > mostCharacters) {
      return { ok: false, code: "TOO_LARGE", message: "old_string matches more than " + mostMatches + " places, or they come to too much text" };
    }
    matches.push({ start: match.index, end: match.index + match[0].length, text: filling });
  }
  return { ok: true, matches };
}

parentPort.postMessage(run());
`;
