import type { CallOf, ToolCallInfo } from "../../core/call.ts";
import type { ChildEnd, ChildSpec } from "../../core/child-session.ts";
import type { ErrorCode } from "../../core/codes.ts";
import type { ToolContext } from "../../core/tool.ts";
import type { CallMove } from "../../store/types.ts";
import { ChildUnfinished, ChildWaits } from "../child-sessions.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { type EndedWith, lapsedWith } from "./ended-with.ts";
import { settle } from "./transitions.ts";

type Executing = CallOf<"executing">;

/** A call whose children have begun: whatever became of the process that ran it, they say how far it is. */
export const goesOn = ({ children }: Pick<Runtime, "children">, { effect, callId }: ToolCallInfo): boolean =>
  effect === "child" && children?.hasBegun(callId) === true;

/** A call that cannot go on before the person has answered a child of its. */
export const isHeldUp = ({ children }: Pick<Runtime, "children">, { effect, callId }: ToolCallInfo): boolean =>
  effect === "child" && (children?.waiting(callId).length ?? 0) > 0;

/**
 * `ctx.runChild` for one run of the call's tool: its children are numbered anew, in the order in which it asks for them. After the run's end
 * there are none, whoever has kept it.
 */
export function runChildOf(runtime: Runtime, { callId }: ToolCallInfo): ChildrenOfRun | undefined {
  const { children } = runtime;
  if (children === undefined) return undefined;
  let place = 0;
  let isOver = false;
  let waited = false;
  let unfinished: ChildUnfinished | undefined;
  const checkGoesOn = (): void => {
    if (unfinished !== undefined) throw unfinished;
  };
  const asked: { signal: AbortSignal; over: Promise<unknown> }[] = [];
  const runChild = async (own: number, spec: ChildSpec, signal: AbortSignal): Promise<ChildEnd> => {
    try {
      return await children.run(callId, own, spec, signal, checkGoesOn);
    } catch (error) {
      const isEnded = error instanceof ChildWaits && signal.aborted && !runtime.signal.aborted;
      const end = isEnded ? await children.endAt(callId, own, lapsedWith(callWords.toolEnded)) : undefined;
      if (end !== undefined) return end;
      waited ||= error instanceof ChildWaits;
      if (error instanceof ChildUnfinished) {
        unfinished ??= error;
        // A tool that is told so at once may end, and what stops it would not reach those that work.
        await children.atRest(callId);
      }
      throw error;
    }
  };
  return {
    runChild: (spec, signal = runtime.signal) => {
      if (isOver) return Promise.reject(new Error(`call ${callId} has come to its end: it has no children any more`));
      const end = runChild(place, spec, signal);
      place += 1;
      asked.push({ signal, over: end.catch(() => undefined) });
      return end;
    },
    stopped: async () => {
      await Promise.all(asked.flatMap(({ signal, over }) => (signal.aborted ? over : [])));
    },
    waited: () => waited,
    unfinished: () => unfinished,
    end: () => {
      isOver = true;
    },
  };
}

interface ChildrenOfRun extends Required<Pick<ToolContext, "runChild">> {
  /** Resolves when those that were stopped, each by its tool too, have come to their ends. Once none works. */
  stopped(): Promise<void>;
  /** One of them waited for the person, whether it does by now or not: the tool has to be run anew. */
  waited(): boolean;
  /** Returns the cause that stopped the first of them that stays where it is: no other one is begun, or goes on, behind it. */
  unfinished(): ChildUnfinished | undefined;
  end(): void;
}

/** Ends the call's children where they are, and the call with what they came to. @param why as half a sentence, and what it is to their calls */
export async function endWithChildren(
  { children, clock }: Runtime,
  call: Executing,
  [why, cause]: readonly [why: string, cause: EndedWith],
  code: ErrorCode = "CANCELLED",
): Promise<CallMove> {
  const { message, output } = callWords.endedChildren(why, (await children?.end(call.callId, cause)) ?? []);
  return settle(call, { kind: "failed", code, message, result: { output } }, clock());
}
