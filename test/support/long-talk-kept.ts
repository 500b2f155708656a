import { expect } from "vitest";
import { goal, type LongTalk } from "./long-talk.ts";

/** What is promised of a talk that is many times longer than its window. */
export function expectKept({ requests, violations, lastReason, compactions, prefixes, rendered }: LongTalk): void {
  expect([violations, lastReason]).toEqual([[], "done"]);
  // The server has refused none for its length: it says what it counted by a reply with status 400, and the turn would have failed.
  const asked = requests.filter(({ isSummary }) => !isSummary);
  expect(asked.filter(({ messages }) => !messages.some((message) => message.includes(goal)))).toEqual([]);
  expect(new Set(compactions.map(({ kind }) => kind))).toEqual(new Set(["prune", "summary"]));
  // A request begins as the one before it, unless a cut was committed between the two.
  const changed = prefixes.filter((prefix) => prefix.changed > 0);
  expect(changed.length).toBeLessThanOrEqual(compactions.length);
  expect(rendered[0]).toBe(rendered[1]);
}
