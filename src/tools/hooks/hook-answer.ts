import { plainText } from "../../core/fence.ts";
import type { HookEvent, HookSaid } from "../../core/hooks.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { ChildEnd } from "../../process/run-child.ts";

/** The end of a hook. `stdout` and `stderr` as far as they are kept; `isCut`: not all of stdout. */
export interface HookEnd extends Pick<ChildEnd, "how" | "code" | "signal"> {
  stdout: string;
  stderr: string;
  isCut: boolean;
}

/** By its exit code the hook itself does not begin: there is no such program, or it may not be run. */
const notRun: ReadonlySet<number> = new Set([126, 127]);

/**
 * Reads a hook's answer from its end, in Claude Code's form: exit code 2 with the reason on stderr, else JSON on stdout. Of PreToolUse
 * one that could not be run, was ended, or gives an answer that cannot be read denies: the call that was to be looked at was not. Pure.
 * @param mask takes the values of secrets out of what is told, before it is cut; arguments are what a call is, and stay
 */
export function hookAnswer(event: HookEvent, end: HookEnd, { seconds, mask }: Heeded): HookSaid {
  const told = clean(mask(end.stderr));
  const trouble = troubleOf(end, told, seconds);
  if (trouble !== undefined) return unheard(event, trouble);
  if (end.code === 2) return { decision: "deny", reason: told === "" ? "it gave no reason" : told };
  if (end.code !== 0)
    return { decision: "none", trouble: `it ended with ${end.code}${told === "" ? "" : `: ${told}`}` };
  const text = end.stdout.trim();
  if (!text.startsWith("{")) return { decision: "none" };
  const answer = end.isCut ? undefined : parsed(text);
  return answer === undefined
    ? unheard(event, "its answer on stdout is no JSON that can be read")
    : answered(event, answer, mask);
}

/** Returns the answer for a hook of which nothing was heard. */
export const unheard = (event: HookEvent, trouble: string): HookSaid =>
  event === "PreToolUse" ? { decision: "deny", reason: trouble, trouble } : { decision: "none", trouble };

function troubleOf({ how, code, signal }: HookEnd, told: string, limitSeconds: number): string | undefined {
  if (how === "timeout") return `it took longer than ${limitSeconds} s, and was ended`;
  if (how === "aborted") return "it was stopped before it had answered";
  if (signal !== null) return `it was ended by ${signal}`;
  return code === null || notRun.has(code) ? `it could not be run: ${told || `exit code ${code}`}` : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Heeded {
  seconds: number;
  mask(text: string): string;
}

const decisions: readonly unknown[] = [undefined, "allow", "ask", "defer", "deny"];

function answered(event: HookEvent, answer: JsonObject, mask: Heeded["mask"]): HookSaid {
  const textIn = (value: unknown): string | undefined =>
    (typeof value === "string" ? clean(mask(value)) : "") || undefined;
  const own = isJsonObject(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const context = event === "Stop" ? undefined : textIn(own["additionalContext"]);
  const isStopped = answer["continue"] === false;
  const reason =
    textIn(own["permissionDecisionReason"]) ??
    textIn(answer["reason"]) ??
    (isStopped ? textIn(answer["stopReason"]) : undefined);
  const more = { ...(reason === undefined ? {} : { reason }), ...(context === undefined ? {} : { context }) };
  const isBlocked =
    answer["decision"] === "block" || (event === "PreToolUse" && (own["permissionDecision"] === "deny" || isStopped));
  if (isBlocked) return { decision: "deny", reason: "it gave no reason", ...more };
  return event === "PreToolUse" ? { ...more, ...beforeCall(own) } : { decision: "none", ...more };
}

/** Reads an answer before a call; one that has no meaning denies, for it may have been meant to. */
function beforeCall({ permissionDecision, updatedInput: input }: JsonObject): HookSaid {
  if (!decisions.includes(permissionDecision))
    return unheard("PreToolUse", "its permissionDecision is none that is known");
  if (input !== undefined && !isJsonObject(input)) return unheard("PreToolUse", "its updatedInput is no object");
  const decision = permissionDecision === "ask" || permissionDecision === "defer" ? "ask" : "none";
  return { decision, ...(input === undefined ? {} : { input }) };
}

/** Of what a hook says what can be seen, and no more than is told. */
function clean(text: string): string {
  const most = limits.hookText.most;
  const shown = plainText(text.slice(0, 2 * most)).trim();
  return shown.length > most ? `${shown.slice(0, most).replace(/[\ud800-\udbff]$/u, "")}…` : shown;
}
