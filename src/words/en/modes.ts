import { room } from "../room.ts";

/** The meaning of each mode. */
export const modes = room("modes", {
  ask: "what may change something is asked about, but for what a rule of yours allows",
  "accept-edits": "edits of files in the workspace are made; what else may change something is asked about",
  "read-only": "all that changes anything is denied",
  plan: "as read-only, until you approve a plan",
  "full-auto": "only what is guarded, sends something, or has a rule is asked about",
});
