import { lstat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { ToolCallInfo } from "../../core/call.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { type JsonObject, type Sha, sha256 } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { FileBytes, Overlay, Plan, Tool } from "../../core/tool.ts";
import { isInside } from "../../files/boundary.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { decide } from "../../policy/decide.ts";
import type { CallFacts, Policy, Verdict } from "../../policy/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import { largestChanged } from "../../tools/files/file-change.ts";
import { type RulesNow, withPast } from "./call-facts.ts";
import { pastOf } from "./read-before.ts";

/**
 * One call, ready: parsed once, planned on the bytes as they are, judged on what the plan found, bound by its digest. The one way
 * to use a tool, for a session as for `executeTool`.
 */
export interface PreparedCall {
  kind: "ready";
  tool: Tool;
  /** The arguments that the tool's methods take: defaults, transforms, injected and hidden fields included. */
  args: unknown;
  /** The same as plain JSON without the hidden fields, for journal and digest. */
  canonical: JsonObject;
  facts: CallFacts;
  verdict: Verdict;
  /** The mark of all that the verdict was made by, as `markOf` gives it. */
  mark: string;
  plan: Plan;
  digest: Sha;
  /** Tells whether none of the plan's files was touched since, as far as a look at their names tells. */
  isUntouched(): Promise<boolean>;
  /** Contents of each file of the plan that the tool worked out, for its `execute` and for undo. */
  contents(real: string): FileBytes | undefined;
  /** The reason why it cannot be done, where that tells of files that are not read without asking: the model hears it after a yes alone. */
  fails?: { code: ErrorCode; message: string };
  /** Executes exactly this, under that signal; what it comes upon is judged by what `now` says, else by what it was prepared with. */
  run(signal: AbortSignal, now?: RulesNow): Promise<Outcome>;
}

export type Preparation =
  | PreparedCall
  /** Policy says no, of a plan or of paths that a refused plan was about. */
  | { kind: "denied"; verdict: Verdict }
  /** The tool cannot do this; the model reads the message. `verdict` where policy could still judge it. */
  | { kind: "refused"; code: ErrorCode; message: string; verdict?: Verdict };

/** Of the commands that only read, git alone could be made to run another program. */
export const asksGit = ({ commands }: Pick<PreparedCall["facts"], "commands">): boolean =>
  commands.some(({ argv: [program] }) => program === "git");

/**
 * Returns, as one text, all that a verdict hangs on beside the call itself: all of the policy that can decide (rules, grants, mode, trust,
 * protected places and what leads to them), and the facts that the session has come upon where they bear on the call. It is compared by value,
 * for a policy may be changed in place; a field that a policy gets later counts by itself.
 */
export const markOf = ({ inert: _, ...policy }: Policy, { past }: Pick<CallFacts, "past">): string =>
  JSON.stringify([policy, past ?? null], (_key, value: unknown) => (value instanceof Map ? [...value] : value));

// Keeps graph 16.
/**
 * A call that was prepared in this process, judged by the rules in force now and by what the session has come upon since. Its verdict stands
 * where none of that is another than when it was made.
 */
export function judgedNow(known: PreparedCall, policy: Policy, journal: Parameters<typeof pastOf>[0]): Preparation {
  const facts = withPast(known.facts, () => pastOf(journal));
  const mark = markOf(policy, facts);
  if (mark === known.mark) return known;
  const verdict = decide(facts, policy);
  return verdict.decision === "deny" ? { kind: "denied", verdict } : { ...known, facts, verdict, mark };
}

/** A call's arguments, as its tool takes them and as they are written down. */
export interface Parsed {
  args: unknown;
  canonical: JsonObject;
}

/** The same, with the tool that they were parsed for. */
export type ParsedUse = Parsed & { tool: Tool };

/**
 * Returns the arguments that were parsed when the call was proposed, or planned before: not those of another process, not for a tool that has
 * another's name by now, and not of arguments that a person has edited since. A tool that is none of the program's own may change what it is
 * given, so what was parsed for it is used once.
 */
export function parsedUse(
  { parsed }: { readonly parsed: Map<string, ParsedUse> },
  { callId, arguments: given }: Pick<ToolCallInfo, "callId" | "arguments">,
  tool: Tool,
): Parsed | undefined {
  const known = parsed.get(callId);
  if (known === undefined || known.tool !== tool || !isDeepStrictEqual(known.canonical, given)) return undefined;
  if (!isBuiltIn(tool)) parsed.delete(callId);
  return known;
}

/**
 * The contents that a plan's files have and will have, to be kept before its effect so that it can be taken back. Only what
 * has the plan's own hash is given: a file that has changed since makes the effect refuse by itself.
 */
export async function imagesOf({ plan, contents }: Pick<PreparedCall, "plan" | "contents">): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  for (const { real, before, after } of plan.files ?? []) {
    if (before === after) continue;
    const known = contents(real);
    const was = before === null ? undefined : (known?.before ?? (await read(real)));
    if (was !== undefined && sha256(was) === before) images.push(was);
    const will = known?.after ?? undefined;
    if (will !== undefined && sha256(will) === after) images.push(will);
  }
  return images;
}

/** undefined where it cannot be read: then the effect, which reads it too, says why. */
async function read(real: string): Promise<Uint8Array | undefined> {
  try {
    const { handle, stats } = await openRegular(real, real);
    return await readBounded(handle, stats.size, largestChanged, real).finally(() => handle.close());
  } catch (error) {
    if (fileRefusal(error, real) instanceof ToolRefusal) return undefined;
    throw error;
  }
}

/** The marks of these files together: where they are others, one of the files was touched. */
export const marksOf = async (files: readonly string[]): Promise<string> =>
  (await Promise.all(files.map(fileMark))).join(" ");

/**
 * Returns a mark that tells cheaply whether a path was touched since: another mark means look again, the same one proves nothing. "none" where
 * there is no file, "?" where it cannot be seen.
 */
async function fileMark(path: string): Promise<string> {
  try {
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
    return [dev, ino, size, mode, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "none" : "?";
  }
}

/** The contents that the calls of one message will leave, by real path. */
export function createOverlay(): Overlay {
  const files = new Map<string, FileBytes>();
  return {
    read: (real) => files.get(real)?.after,
    write: (real, bytes) => {
      files.set(real, bytes);
    },
    holds: (path) => holdsAny(files.keys(), path),
  };
}

function holdsAny(files: Iterable<string>, path: string): boolean {
  for (const file of files) if (isInside(path, file)) return true;
  return false;
}

/** One call's own contents over those of the calls before it. */
interface Layer extends Overlay {
  /** Returns the contents that this call wrote itself. */
  own(real: string): FileBytes | undefined;
  /** Lets later calls of the message see them. */
  commit(): void;
}

export function layerOver(below: Overlay | undefined): Layer {
  const files = new Map<string, FileBytes>();
  return {
    read: (real) => {
      const mine = files.get(real);
      return mine === undefined ? below?.read(real) : mine.after;
    },
    write: (real, bytes) => {
      files.set(real, bytes);
    },
    holds: (path) => holdsAny(files.keys(), path) || below?.holds?.(path) === true,
    own: (real) => files.get(real),
    commit: () => {
      for (const [real, bytes] of files) below?.write(real, bytes);
    },
  };
}

/** Writes what a call was prepared to leave, where it was prepared over another overlay. */
export function lay({ plan, contents }: Pick<PreparedCall, "plan" | "contents">, overlay: Overlay): void {
  for (const { real } of plan.files ?? []) {
    const bytes = contents(real);
    if (bytes !== undefined) overlay.write(real, bytes);
  }
}
