import { room } from "../room.ts";

/** The helpers of a session. */
export const agents = room("agents", {
  listHint: "enter reads its talk · x stops it · esc back",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  stop: "stop it? y stops it, any other key lets it go on",
  ended: "it has ended",
  kept: "it goes on",
  stopping: "it is being stopped",
  steps: ({ steps }: { steps: number }) => (steps === 1 ? "1 step" : `${steps} steps`),
  tokens: ({ count }: { count: string }) => `${count} tokens`,
});
