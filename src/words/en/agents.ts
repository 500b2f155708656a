import { room } from "../room.ts";

/** The helpers of a session. */
export const agents = room("agents", {
  /** Its line of /help. */
  help: {
    argument: "N | stop N",
    text: "the helpers of this session: how far each is, its talk, and its end",
  },
  /** The answers of its command. */
  answers: {
    usage: "/agents N shows the talk of one, /agents stop N stops one",
    notMeant: "/agents N shows the talk of one, /agents stop N stops one: what is meant?",
    none: "this session has no helpers",
    notThere: ({ helper }: { helper: string }) => `there is no helper ${helper}: /agents shows them`,
    stopped: ({ helper }: { helper: string }) => `${helper} is stopped`,
  },
  listHint: "enter reads its talk · x stops it · esc back",
  running: "running",
  left: "not finished",
  /** By how it ended. */
  ends: {
    done: "done",
    failed: "failed",
    max_steps: "out of steps",
    max_cost: "out of money",
    stuck: "stuck",
    context_full: "the context was full",
    cancelled: "stopped",
    no_agent: "not begun",
  },
  /** `what` it asks, and how much more. */
  waitsFor: ({ what, more }: { what: string | undefined; more: number }) =>
    `waits for you: ${what ?? "a call"}${more === 0 ? "" : ` and ${more} more`}`,
  stand: ({ helpers, running, waiting, left }: Record<"helpers" | "running" | "waiting" | "left", number>) =>
    [
      `${helpers} helper${helpers === 1 ? "" : "s"}`,
      ...(running === 0 ? [] : [`${running} running`]),
      ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? "waits" : "wait"} for you`]),
      ...(left === 0 ? [] : [`${left} not finished`]),
    ].join(", "),
  took: ({
    steps,
    inputTokens,
    outputTokens,
    cost,
  }: Record<"steps" | "inputTokens" | "outputTokens", number> & { cost: number | undefined }) => {
    const tokens = `${inputTokens} tokens in, ${outputTokens} out`;
    return [`${steps} step${steps === 1 ? "" : "s"}`, tokens, ...(cost === undefined ? [] : [`cost ${cost}`])].join(
      ", ",
    );
  },
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  stop: "stop it? y stops it, any other key lets it go on",
  ended: "it has ended",
  kept: "it goes on",
  stopping: "it is being stopped",
  steps: ({ steps }: { steps: number }) => (steps === 1 ? "1 step" : `${steps} steps`),
  tokens: ({ count }: { count: string }) => `${count} tokens`,
});
