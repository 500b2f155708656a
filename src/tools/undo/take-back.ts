import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import type { FilePlan } from "../../core/tool.ts";
import { encodeWhole, type TextForm } from "../../files/bytes/text-form.ts";
import { mergeLines } from "../../files/diff/merge-lines.ts";
import { asText } from "./content-view.ts";

/** The changes of one call in files; files that it left as they were are not named. */
export interface AppliedCall {
  callId: string;
  files: FilePlan[];
}

/** The source of the changes of calls, and of the contents before and after them. */
export interface UndoSource {
  /**
   * The calls named, oldest first, each once.
   * @throws ToolRefusal where one of them is not known, changed no file, or was already taken back.
   */
  applied(callIds: readonly string[]): AppliedCall[];
  /** A whole content; undefined where it is not kept (any more). */
  bytesOf(sha: Sha): Uint8Array | undefined;
  /**
   * Lists the artifacts as they become where these calls are taken back. It needs no doing: which versions hold is read from the undo's
   * record.
   * @throws SpanRefusal where a version that stays came after one of them
   */
  artifacts?(callIds: readonly string[]): ArtifactTaken[];
}

/** An artifact as it is and as it will be; null where all of it is taken back. */
export interface ArtifactTaken {
  /** As it is named in the session: `a1`, or `CHILD:a1`. */
  address: string;
  name: string;
  before: TakenSide | null;
  after: TakenSide | null;
}

interface TakenSide {
  version: number;
  sha: Sha;
  text: string;
}

/** The changes of these calls cannot be taken out of a file. */
export class SpanRefusal extends ToolRefusal {
  readonly callIds: readonly string[];
  constructor(code: ErrorCode, { callIds }: Pick<Span, "callIds">, message: string) {
    super(code, message);
    this.callIds = callIds;
  }
}

/** Changes of one file that follow each other without a gap, as one. */
export interface Span {
  /** Oldest first. */
  callIds: string[];
  before: Sha | null;
  after: Sha | null;
  /** Permission bits of the file before, for one that is made again. */
  mode: number;
}

/** The changes of each file (by real path), oldest first, joined where one begins with what the one before it left. */
export function spansByFile(calls: readonly AppliedCall[]): Map<string, Span[]> {
  const files = new Map<string, Span[]>();
  for (const { callId, files: changed } of calls) {
    for (const { real, before, after, mode } of changed) {
      const spans = files.get(real) ?? [];
      files.set(real, spans);
      const last = spans.at(-1);
      if (last !== undefined && last.after === before) {
        last.after = after;
        last.callIds.push(callId);
      } else spans.push({ callIds: [callId], before, after, mode });
    }
  }
  return files;
}

/** A file while changes are taken out of it: the newest first. */
export interface Reverted {
  bytes: Buffer | null;
  mode: number;
  warnings: string[];
}

/**
 * Takes the spans out of the file as it is now, newest first. Where the bytes are those that a span left, the bytes before
 * it come back exactly; where a text has changed since, only what the span changed is taken out, if that merges cleanly.
 * @param shown how messages name the file.
 * @throws ToolRefusal STALE where something that came later is in the way; NOT_FOUND where the bytes are not kept.
 */
export function takeBack(
  now: { bytes: Buffer | null; mode: number },
  spans: readonly Span[],
  shown: string,
  source: Pick<UndoSource, "bytesOf">,
): Reverted {
  const state: Reverted = { ...now, warnings: [] };
  for (const span of spans.toReversed()) takeSpan(state, span, shown, source);
  return state;
}

function takeSpan(state: Reverted, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): void {
  const sha = state.bytes === null ? null : sha256(state.bytes);
  if (sha === span.after) {
    if (state.bytes === null) state.mode = span.mode;
    state.bytes = kept(span.before, span, shown, source);
  } else if (sha === span.before) {
    state.warnings.push(`${shown} is already as it was before ${named(span)}`);
  } else {
    state.bytes = mergeOut(state.bytes, span, shown, source);
    state.warnings.push(`${shown} has changed since: what ${named(span)} changed is taken out, the rest stays`);
  }
}

function kept(sha: null, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): null;
function kept(sha: Sha, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): Buffer;
function kept(sha: Sha | null, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): Buffer | null;
function kept(sha: Sha | null, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): Buffer | null {
  if (sha === null) return null;
  const bytes = source.bytesOf(sha);
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message = `the bytes of ${shown} around ${named(span)} are no longer kept, so it cannot be taken back`;
  throw new SpanRefusal("NOT_FOUND", span, message);
}

function mergeOut(now: Buffer | null, span: Span, shown: string, source: Pick<UndoSource, "bytesOf">): Buffer {
  if (now === null) throw stale(shown, span, "the file is gone since");
  if (span.before === null) throw stale(shown, span, "it made the file, which has changed since: remove it yourself");
  if (span.after === null) throw stale(shown, span, "it removed the file, and there is another one now");
  const texts = {
    now: textOf(now, shown, span),
    base: textOf(kept(span.after, span, shown, source), shown, span),
    before: textOf(kept(span.before, span, shown, source), shown, span),
  };
  const sameForm = [texts.base, texts.before].every(
    ({ encoding, bom }) => encoding === texts.now.encoding && bom === texts.now.bom,
  );
  if (!sameForm) throw stale(shown, span, "the file's encoding has changed since");
  const merged = mergeLines(linesOf(texts.base), linesOf(texts.now), linesOf(texts.before));
  if (merged.kind === "too_different") throw stale(shown, span, "the file has changed too much since");
  if (merged.kind === "conflict") {
    const { from, to } = merged;
    const where = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    throw stale(shown, span, `the same place has changed since (${where} now)`);
  }
  return encodeWhole(merged.lines.join(""), texts.now, shown);
}

/** @throws ToolRefusal where the bytes are no text, or none that leads back to the same bytes. */
function textOf(bytes: Buffer, shown: string, span: Span): TextForm {
  const form = asText(bytes);
  if (form === undefined)
    throw stale(shown, span, "the file has changed since, and it is no text that could be merged");
  return form;
}

/** With their endings, so that nothing but these lines is needed to make the text again. */
const linesOf = ({ text }: TextForm): string[] => text.split(/(?<=\n)/);

const stale = (shown: string, span: Span, why: string): ToolRefusal =>
  new SpanRefusal("STALE", span, `${named(span)} cannot be taken back from ${shown}: ${why}`);

/** "call c4", "calls c4, c5". */
export const named = ({ callIds }: Pick<Span, "callIds">): string =>
  `${callIds.length === 1 ? "call" : "calls"} ${callIds.join(", ")}`;
