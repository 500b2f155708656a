import type { JsonObject } from "./json.ts";

/** The events at which a hook of the person's is run: before a call, after one that came to a success, and when the model has said its last words. */
export const hookEvents = ["PreToolUse", "PostToolUse", "Stop"] as const;
export type HookEvent = (typeof hookEvents)[number];
export const isHookEvent = (name: string): name is HookEvent => hookEvents.some((event) => event === name);

/**
 * The outcome of one run of a hook. `deny`: of PreToolUse the call is not run, of Stop the model is to go on, of PostToolUse it is told `reason`.
 * `ask`: a person is to be asked. Nothing of it loosens what policy says.
 */
export interface HookSaid {
  decision: "none" | "ask" | "deny";
  reason?: string;
  /** Arguments in the place of the call's. */
  input?: JsonObject;
  /** For the model, whatever was decided. */
  context?: string;
  /** The reason that it did not come to a proper end, for the person. */
  trouble?: string;
}
