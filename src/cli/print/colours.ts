import type { CallStatus } from "../../core/call.ts";
import type { RiskLevel } from "../../core/tool.ts";
import type { SpanStyle } from "../terminal/span.ts";

/** The styles of risk, verdicts and ends in listings, by the sixteen colours. The words say the same without them. */
export const riskStyles: Readonly<Record<RiskLevel, SpanStyle>> = {
  low: { color: "green" },
  medium: { color: "yellow" },
  high: { color: "red" },
};

export const verdictStyles: Readonly<Record<"allow" | "ask" | "deny", SpanStyle>> = {
  allow: { color: "green" },
  ask: { color: "yellow" },
  deny: { color: "red" },
};

/** A denial is no failure. */
export const statusStyles: Readonly<Record<CallStatus, SpanStyle>> = {
  pending: { color: "cyan" },
  executing: { color: "cyan" },
  awaiting_approval: { color: "yellow" },
  interrupted: { color: "yellow" },
  success: { color: "green" },
  error: { color: "red" },
  cancelled: { color: "yellow" },
};
