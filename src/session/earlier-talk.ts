import { bytesInRequest, fence } from "../core/fence.ts";
import { limits } from "../core/limits.ts";
import { textOf } from "../graph/talk/message-text.ts";
import { type RecordedStep, recordedTurns } from "../records/recorded-turns.ts";
import type { ChildRow, Store } from "../store/types.ts";
import { told } from "../words/contract/told.ts";

/**
 * Recounts the tasks, words and calls of children that went on with one another, for one that goes on with the last of them: each line cut, the first
 * task and as much of the end as there is room for.
 */
export function earlierTalk(store: Pick<Store, "readJournal" | "sessions">, last: ChildRow): string {
  const rows = store.sessions.children(last.parent);
  const lines = chainTo(rows, last).flatMap(({ id, spec }) => [
    `told: ${shortened(String(spec["task"]), shown.words)}`,
    ...recordedTurns(store.readJournal(id)).flatMap(({ steps }) => steps.flatMap(stepLines)),
  ]);
  const { text } = fence(fitting(lines).join("\n"), limits.childTalk.most);
  return told.earlierTalk({ helper: last.id, record: text });
}

/** The children that went on with one another, up to this one. */
function chainTo(rows: readonly ChildRow[], last: ChildRow): ChildRow[] {
  const before = rows.find(({ id }) => id === last.spec["continues"]);
  return before === undefined ? [last] : [...chainTo(rows, before), last];
}

const stepLines = ({ message, calls }: RecordedStep): string[] => [
  ...[textOf(message)].filter((text) => text !== "").map((text) => `said: ${shortened(text, shown.words)}`),
  ...calls.map((call) => {
    const { status, toolName } = call;
    const result = status === "success" ? call.result.output : status === "error" ? call.errorMsg : status;
    return `${toolName} ${shortened(JSON.stringify(call.arguments), shown.args)}: ${shortened(result, shown.result)}`;
  }),
];

/** Characters; of the longest, many times as much has room. */
const shown = { words: 4_000, args: 500, result: 2_000 };

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The first, which says what was to be done, and of the others as many from the end as there is room for. */
function fitting([first = "", ...others]: readonly string[]): string[] {
  const gap = told.leftOut;
  let left = limits.childTalk.most - bytesOf(first) - bytesOf(gap);
  const from = others.findLastIndex((line) => {
    left -= bytesOf(line);
    return left < 0;
  });
  return from < 0 ? [first, ...others] : [first, gap, ...others.slice(from + 1)];
}

/** As they are fenced. */
const bytesOf = (line: string): number => bytesInRequest(`| ${line.replaceAll("\n", "\n| ")}\n`);
