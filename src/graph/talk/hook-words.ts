import type { HookSaid } from "../../core/hooks.ts";
import type { HookRun, HookUse } from "../../store/types.ts";

/** The words about hooks: for the person, and those that the model reads. */
export const hookWords = {
  denied: (hook: string, reason: string): string => `your hook (${hook}) says no: ${reason}`,
  gone: "one that is set no more",
  asks: (reason: string | undefined): string =>
    reason === undefined ? "your hook wants you to be asked" : `your hook wants you to be asked: ${reason}`,
  unseen: "its end was not seen, and it is not run again",
  changed: (message: string): string => `a hook of the person's changed the arguments: ${message}`,

  /** Returns the notice to the person of one run; undefined where there is nothing to tell. */
  notice(hook: string, { event, callId }: Omit<HookUse, "hook">, said: HookSaid): string | undefined {
    const of = `your hook (${hook})${callId === undefined ? "" : ` of ${callId}`}`;
    const { decision, reason, input, trouble } = said;
    const what = [
      ...(trouble === undefined ? [] : [trouble]),
      ...(input === undefined ? [] : ["it changed the arguments"]),
      ...(decision === "none" ? [] : [`${endings[event][decision]}${reason === undefined ? "" : `: ${reason}`}`]),
    ];
    return what.length === 0 ? undefined : `${of}: ${what.join("; ")}`;
  },

  /** Lists the lines on one run that are sent to the model. */
  told({ event, callId, said }: Pick<HookRun, "event" | "callId" | "said">): string[] {
    const { decision, reason, context } = said ?? {};
    const blocked = decision === "deny" ? blocking[event](reason, callId) : undefined;
    return [
      ...(blocked === undefined ? [] : [blocked]),
      ...(context === undefined ? [] : [`A hook of the person's adds to call ${callId}: ${context}`]),
    ];
  },
};

/** The words that the model reads of a hook that says no; of a call that is not run its outcome tells. */
const blocking: Record<HookUse["event"], (reason?: string, callId?: string) => string | undefined> = {
  PreToolUse: () => undefined,
  PostToolUse: (reason, callId) => `A hook of the person's says of call ${callId}: ${reason}`,
  Stop: (reason) => `A hook of the person's does not let the turn end yet: ${reason}`,
};

const endings: Record<HookUse["event"], Record<"ask" | "deny", string>> = {
  PreToolUse: { ask: "it wants you to be asked", deny: "it says no" },
  PostToolUse: { ask: "it has something to say", deny: "it tells the model" },
  Stop: { ask: "it has something to say", deny: "it has the model go on" },
};
