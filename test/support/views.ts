import { initialView, type View } from "../../src/cli/ui/view/view.ts";
import { reduce } from "../../src/cli/ui/view/view-state.ts";
import type { AgentEventBody } from "../../src/graph/events.ts";
import { eventOf } from "./fake-session.ts";

export const start = initialView({
  session: "brisk-otter-4f2a",
  workspace: "/home/ada/proj",
  model: "demo",
  mode: "ask",
  banner: ["holdfast"],
});

/** The view after these events. */
export const play = (...bodies: AgentEventBody[]): View => bodies.map((body) => eventOf(body)).reduce(reduce, start);

export const ended = (reason: "done" | "failed" | "cancelled" | "awaiting_approval"): AgentEventBody => ({
  type: "turn_ended",
  reason,
  exitCode: 0,
  calls: { success: 0, error: 0, cancelled: 0, interrupted: 0 },
});

export const banner = { kind: "banner", lines: ["holdfast"] } as const;
