import { room } from "../room.ts";

/** Tables of what tools did and of what replies took. */
export const statistics = room("statistics", {
  oftenFails: ({ rate, calls }: { rate: string; calls: string }) => `fails often (${rate} of ${calls} calls succeeded)`,
  isSlow: ({ each }: { each: string }) => `is slow (${each} each)`,
  marks: { failing: "! fails often", slow: "! slow" },
  heads: {
    tool: "tool",
    calls: "calls",
    success: "success",
    mean: "mean",
    p95: "p95",
    total: "total",
    lastUsed: "last used",
    cost: "cost",
    read: "in",
    cached: "cached",
    written: "out",
    session: "session",
  },
  /** Calls that did not succeed; `one` where it is a single one. */
  errors: ({ count, one }: { count: string; one: boolean }) => `${count} ${one ? "error" : "errors"}`,
  cancelled: ({ count }: { count: string }) => `${count} cancelled`,
  interrupted: ({ count }: { count: string }) => `${count} interrupted`,
  inAll: ({ time }: { time: string }) => `${time} in all`,
  sessions: ({ sessions }: { sessions: number }) => `${sessions} ${sessions === 1 ? "session" : "sessions"}`,
  unpriced: ({ replies }: { replies: number }) =>
    `without the cost of ${replies} ${replies === 1 ? "reply" : "replies"}, which is not known`,
  ofTools: ({ flag }: { flag: string }) => `--${flag} is of tools, and --cost of sessions`,
  ofToolsHint: "agent stats --cost takes --top, --asc and --since",
  top: ({ text }: { text: string }) => `--top takes a whole number from 1, not ${JSON.stringify(text)}`,
  by: ({ orders, text }: { orders: readonly string[]; text: string }) =>
    `--by takes one of ${orders.join(", ")}, not ${JSON.stringify(text)}`,
  /** `of` a tool, `since` as it was typed; `near` stands behind it, or is empty. */
  noCalls: ({ of, since, near }: { of: string | undefined; since: string | undefined; near: string }) =>
    `no calls${of === undefined ? "" : ` of ${of}`}${since === undefined ? "" : ` since ${since}`}${near}`,
  near: ({ name }: { name: string }) => `; did you mean ${name}?`,
});
