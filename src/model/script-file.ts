import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { z } from "zod";
import { inexactWords } from "../core/exact-number.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { tooDeepWords } from "../core/json-depth.ts";
import type { ScriptedReply } from "./play.ts";
import { ModelFailure, type ScriptedAnswer, type ScriptedTurn, type ScriptedWords } from "./port.ts";

/** A line for one model request: a reply, or what the server says in place of one. */
export interface ScriptLine extends ScriptedReply {
  /** Number of the line in its file, from 1. */
  line: number;
  error?: { status: number; body: string } | undefined;
}

interface PersonLine extends ScriptedAnswer {
  /** Absent: any tool. */
  toolName?: string;
  /** Absent: any call. Ours, as the session counts them: `c1`, `c2`, … */
  callId?: string;
}

export interface Script {
  requests: ScriptLine[];
  /** Of sessions that calls drive: the lines for the one with these first words. */
  helpers?: { task: string; requests: ScriptLine[] }[];
  person: PersonLine[];
  /** The names that it gives to the session, each used up by one request. */
  titles?: string[];
  /** The summaries of the talk, each for one request for it: the first for the session's first. */
  summaries?: string[];
  /** The person's turns, where nobody else says anything. */
  turns?: ScriptedTurn[];
}

const json = z.custom<JsonObject>(isJsonObject, "expected a JSON object");

const header = z.strictObject({ v: z.literal(1), kind: z.literal("holdfast-script") });

const request = z
  .strictObject({
    text: z.string().optional(),
    calls: z
      .array(
        z.strictObject({ name: z.string().min(1), arguments: z.union([z.string(), json]), id: z.string().optional() }),
      )
      .optional(),
    finish: z.string().min(1).optional(),
    chunks: z.int().min(1).max(10_000).optional(),
    delayMs: z.number().min(0).max(600_000).optional(),
    error: z.strictObject({ status: z.int().min(400).max(599), body: z.unknown().optional() }).optional(),
  })
  .refine((line) => line.text !== undefined || line.calls !== undefined || line.error !== undefined, {
    error: "expected text, calls or error",
  })
  .refine((line) => line.error === undefined || (line.text === undefined && line.calls === undefined), {
    error: "a line with an error has neither text nor calls",
  });

const person = z.strictObject({
  person: z.array(
    z
      .strictObject({
        match: z
          .strictObject({ toolName: z.string().min(1).optional(), callId: z.string().min(1).optional() })
          .optional(),
        decision: z.enum(["approve", "deny", "edit"]),
        reason: z.string().optional(),
        arguments: json.optional(),
      })
      .refine((answer) => (answer.decision === "edit") === (answer.arguments !== undefined), {
        error: "arguments belong to the decision edit, and edit needs them",
      }),
  ),
});

const words = z.string().refine((text) => text.trim() !== "", { error: "expected a text that is not empty" });
const images = z
  .array(z.strictObject({ name: z.string().min(1), mediaType: z.string(), data: z.base64().min(1) }))
  .optional();
/** The whole message that the words stand for, with what servers gave for it. */
const served = words.optional();
const prompt = z.strictObject({ prompt: words, served, images });
const steer = z.strictObject({ steer: words, served, images });
const title = z.strictObject({ title: words });

const helper = z.strictObject({ helper: words });

const compaction = z.strictObject({ compaction: z.strictObject({ text: words }) });

const undo = z.strictObject({ undo: z.array(z.string().min(1)).min(1) });

/**
 * Reads a script: NDJSON, the first line `{"v":1,"kind":"holdfast-script"}`. Blank lines count but say nothing.
 * @throws ModelFailure `script`, which names file and line, for anything that is not exactly of this form.
 */
export function parseScript(text: string, file: string): Script {
  const script = { requests: [], helpers: [], person: [], turns: [], titles: [], summaries: [] };
  let begun = false;
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .forEach((content, at) => {
      if (content.trim() === "") return;
      const line = at + 1;
      const value = parseLine(content, file, line);
      if (begun) addLine(script, value, file, line);
      else check(header, value, file, line, 'the first line must be {"v":1,"kind":"holdfast-script"}');
      begun = true;
    });
  if (!begun) throw malformed(file, 1, 'the file is empty; it begins with {"v":1,"kind":"holdfast-script"}');
  return script;
}

function addLine(script: Required<Script>, value: unknown, file: string, line: number): void {
  const is = (key: string): boolean => isJsonObject(value) && Object.hasOwn(value, key);
  if (is("person")) script.person.push(...check(person, value, file, line).person.map(asAnswer));
  else if (is("prompt")) script.turns.push(promptOf(check(prompt, value, file, line)));
  else if (is("steer")) addSteer(script.turns, check(steer, value, file, line), file, line);
  else if (is("title")) script.titles.push(check(title, value, file, line).title);
  else if (is("compaction")) script.summaries.push(check(compaction, value, file, line).compaction.text);
  else if (is("helper")) script.helpers.push({ task: check(helper, value, file, line).helper, requests: [] });
  else if (is("undo")) script.turns.push(check(undo, value, file, line));
  else {
    const { error, ...reply } = check(request, value, file, line);
    // What stands behind a helper's first words is for it.
    const requests = script.helpers.at(-1)?.requests ?? script.requests;
    requests.push({ ...reply, line, ...(error === undefined ? {} : { error: asError(error) }) });
  }
}

const promptOf = ({ prompt: text, ...more }: z.infer<typeof prompt>) => said(text, more);

const said = (
  text: string,
  { served: whole, images: shown }: Pick<z.infer<typeof prompt>, "served" | "images">,
): ScriptedWords => ({
  text,
  ...(whole === undefined ? {} : { served: whole }),
  ...(shown === undefined ? {} : { images: shown }),
});

/** Adds a steering message that comes while the turn of the prompt above runs. */
function addSteer(
  turns: ScriptedTurn[],
  { steer: text, ...more }: z.infer<typeof steer>,
  file: string,
  line: number,
): void {
  const turn = turns.at(-1);
  if (turn === undefined || !("text" in turn)) throw malformed(file, line, "a steer needs a prompt before it");
  turn.steers = [...(turn.steers ?? []), said(text, more)];
}

function asAnswer({ match, decision, reason, arguments: args }: z.infer<typeof person>["person"][number]): PersonLine {
  return {
    decision,
    ...(match?.toolName === undefined ? {} : { toolName: match.toolName }),
    ...(match?.callId === undefined ? {} : { callId: match.callId }),
    ...(reason === undefined ? {} : { reason }),
    ...(args === undefined ? {} : { arguments: args }),
  };
}

const asError = ({ status, body }: { status: number; body?: unknown }): { status: number; body: string } => ({
  status,
  body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
});

/** Levels of a line around a call's arguments: those of an answer, in its list, in its object. */
const aroundArguments = 3;

function parseLine(content: string, file: string, line: number): unknown {
  const deep = tooDeepWords(content, aroundArguments);
  if (deep !== undefined) throw malformed(file, line, deep);
  let value: unknown;
  try {
    value = JSON.parse(content) as unknown;
  } catch (cause) {
    throw malformed(file, line, `not JSON: ${(cause as Error).message}`, cause);
  }
  const inexact = inexactWords(content);
  if (inexact === undefined) return value;
  if (isJsonObject(value) && Array.isArray(value["calls"])) return asWritten(value, value["calls"], content);
  throw malformed(file, line, inexact);
}

/** The model's arguments as the very text of the line, as a model would send them: what they lose by being read is refused there. */
function asWritten(value: JsonObject, calls: readonly Json[], content: string): JsonObject {
  const tree = parseTree(content);
  const textOf = (index: number): string | undefined => {
    const node = tree && findNodeAtLocation(tree, ["calls", index, "arguments"]);
    return node?.type === "object" ? content.slice(node.offset, node.offset + node.length) : undefined;
  };
  const kept = calls.map((call, index): Json => {
    const text = textOf(index);
    return isJsonObject(call) && text !== undefined && inexactWords(text) !== undefined
      ? { ...call, arguments: text }
      : call;
  });
  return { ...value, calls: kept };
}

function check<T>(schema: z.ZodType<T>, value: unknown, file: string, line: number, say?: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw malformed(file, line, say ?? issues.join("; "));
}

const malformed = (file: string, line: number, why: string, cause?: unknown): ModelFailure =>
  new ModelFailure("script", `${file}:${line}: ${why}`, {
    cause,
    hint: "Each line is one JSON object: a request with text, calls or error, a prompt, a steer, a title, a compaction, an undo, a helper's first words, or the person's answers.",
  });
