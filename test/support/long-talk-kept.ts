import { expect } from "vitest";
import { goal, type LongTalk, type SeenRequest } from "./long-talk.ts";

/** What is promised of a talk that is many times longer than its window. */
export function expectKept({ requests, violations, ends, compactions, prefixes, rendered, moved }: LongTalk): void {
  // The server has refused none for its length: it says what it counted by a reply with status 400, and the turn would have failed.
  expect([violations, ends]).toEqual([[], new Set(["done"])]);
  expect(requests.filter(({ messages }) => !messages.some((message) => message.includes(goal)))).toEqual([]);
  expect(requests.flatMap(unreadable)).toEqual([]);
  // Only a request for a summary is made while a call waits, and the call is the same after it.
  const asked = requests.filter(({ isSummary }) => !isSummary);
  expect([asked.filter(({ unsettled }) => unsettled.length > 0), moved]).toEqual([[], []]);
  const whileOpen = requests.filter(({ isSummary, unsettled }) => isSummary && unsettled.length > 0);
  expect(whileOpen.length).toBeGreaterThan(0);
  expect(whileOpen.flatMap((summary) => untold(summary, requests))).toEqual([]);
  expect(new Set(compactions.map(({ kind, by }) => `${kind} ${by}`))).toEqual(
    new Set(["prune auto", "summary auto", "summary person"]),
  );
  // A request begins as the one before it, unless a cut was committed between the two.
  const changed = prefixes.filter((prefix) => prefix.changed > 0);
  expect(changed.length).toBeLessThanOrEqual(compactions.length);
  expect(rendered[0]).toBe(rendered[1]);
}

/** Calls that were open while the talk was summed up, and that the next request does not tell of itself. */
function untold(summary: SeenRequest, requests: readonly SeenRequest[]): string[] {
  const next = requests.slice(requests.indexOf(summary)).find(({ isSummary }) => !isSummary);
  const text = next?.messages.join("\n") ?? "";
  return summary.unsettled.filter((id) => !text.includes(`"tool_call_id":"${id}"`));
}

/** Calls that were open and that neither a message nor the record in a summary names. */
function unreadable({ messages, open }: SeenRequest, index: number): string[] {
  const text = messages.join("\n");
  return open
    .filter((id) => !new RegExp(`"id":"${id}"|\\bcall ${id} \\(`).test(text))
    .map((id) => `request ${index + 1} does not tell of ${id}`);
}
