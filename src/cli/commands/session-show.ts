import { doneText, goalLines } from "../../core/goal-lines.ts";
import { type Goals, type GoalWork, goalWork } from "../../core/goals.ts";
import { jsonLine } from "../../core/json-line.ts";
import type { recordedGoals } from "../../graph/ended-calls.ts";
import type { TranscriptEntry } from "../../graph/events.ts";
import { type HelperInfo, helpersOf } from "../../records/helpers.ts";
import { type SessionProgress, standingOfRow } from "../../records/session-progress.ts";
import type { SessionRow, Store } from "../../store/types.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import { commandAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { statusStyles } from "../print/colours.ts";
import { helpersText, helperWords, tookText } from "../print/helper-words.ts";
import { momentText, whenText } from "../print/moments.ts";
import { type Page, pageOf } from "../print/page.ts";
import { displayLines, settledLine } from "../print/plain-printer.ts";
import { linesOf, printRows, span, wrapped } from "../print/rows.ts";
import { doneAgain, goalAgain } from "../print/standing-words.ts";
import type { Highlight } from "../terminal/markdown-theme.ts";
import type { StyledLine } from "../terminal/span.ts";
import { filesText, stateCell } from "./session-list.ts";

/** `agent sessions show`: what was said and done, from the journal. */
export async function showSession(composition: Composition, id: string): Promise<number> {
  const { io, flags } = composition;
  const row = await findSession({ store: composition.reading }, id);
  const [{ historyOf }, { recordedGoals }] = await Promise.all([
    import("../../records/history.ts"),
    import("../../graph/ended-calls.ts"),
  ]);
  const store = await composition.reading();
  const journal = store.readJournal(row.id);
  const { transcript } = historyOf(journal);
  const goals = recordedGoals(store, row.id);
  const works = workOf(store, row, recordedGoals);
  const helpers = helpersOf(store, row.id, row.state);
  if (flags.json === true) {
    for (const entry of transcript) io.stdout.write(jsonLine(entry));
    if (works !== undefined) io.stdout.write(jsonLine({ role: "works", ...works }));
    if (helpers.length > 0) io.stdout.write(jsonLine({ role: "helpers", helpers }));
    if (goals.length > 0) io.stdout.write(jsonLine({ role: "goals", goals }));
    return 0;
  }
  const page = pageOf(io);
  const said = page.width === undefined ? asWritten : await rendered(transcript, page.width);
  const rows = transcript.flatMap((entry) => entryRows(entry, page, said));
  const head = headRows(row, standingOfRow(store, row), page, flags.utc === true);
  await printRows(io, [
    ...head,
    ...workRows(works, page),
    ...helperRows(helpers, page),
    ...goalRows(goals, page),
    ...rows,
  ]);
  return 0;
}

interface Work extends GoalWork {
  session: string;
  text: string;
}

/** The goal that a helper works for, of the session that drives it. */
function workOf(
  store: Pick<Store, "readJournal" | "sessions">,
  { id, parent: session }: SessionRow,
  goalsIn: typeof recordedGoals,
): Work | undefined {
  if (session === undefined) return undefined;
  const work = goalWork(store.sessions.children(session).find((one) => one.id === id)?.spec ?? {});
  const goal = goalsIn(store, session).find((one) => one.id === work?.goal);
  return work === undefined || goal === undefined ? undefined : { session, ...work, text: goal.text };
}

const workRows = (works: Work | undefined, { width }: Page): StyledLine[] =>
  works === undefined
    ? []
    : wrapped(
        [
          span(
            sessionWords().worksFor({ goal: works.goal, session: works.session, mode: works.mode, text: works.text }),
          ),
        ],
        width,
        2,
      );

/** The sessions that calls of this one drive, a row each: by its id it is shown. */
function helperRows(helpers: readonly HelperInfo[], { width }: Page): StyledLine[] {
  if (helpers.length === 0) return [];
  const rows = helpers.map((one) => {
    const files = filesText(one);
    const words = [
      helperWords(one),
      tookText(one),
      ...(files === "" ? [] : [cellWords().filesChanged({ files })]),
    ].join(", ");
    return [span(`  ${one.session}`, { bold: true }), span(`  ${one.agent}: ${words}`)];
  });
  return [[span(`${helpersText(helpers)}:`)], ...rows].flatMap((line) => wrapped(line, width, 4));
}

function goalRows(goals: Goals, { width }: Page): StyledLine[] {
  if (goals.length === 0) return [];
  const lines = [
    cellWords().plan({ done: doneAgain(doneText(goals)) }),
    ...goalLines(goals).map((line) => `  ${goalAgain(line)}`),
  ];
  return lines.flatMap((line) => wrapped([span(line)], width, 4));
}

function headRows(row: SessionRow, standing: SessionProgress | undefined, { width }: Page, utc: boolean): StyledLine[] {
  const now = Date.now();
  const time = (at: number): string => (width === undefined ? momentText(at, utc) : whenText(at, now, utc));
  const state = width === undefined ? span(row.state) : stateCell(row.state, standing);
  const files = filesText(standing);
  const lines: StyledLine[] = [
    [span(row.id, { bold: true }), span("  "), state, span(`  ${row.model}`)],
    [span(row.workspace)],
    [span(row.title)],
  ];
  if (row.forkedFrom !== undefined) {
    const { session, at } = row.forkedFrom;
    lines.push([span(at === undefined ? cellWords().forkedFrom({ session }) : cellWords().forkedAt({ session, at }))]);
  }
  const { createdAt, updatedAt, inputTokens, outputTokens } = row;
  const changed = files === "" ? "" : `, ${cellWords().filesChanged({ files })}`;
  const figures = sessionWords().figures({
    started: time(createdAt),
    last: time(updatedAt),
    read: inputTokens,
    written: outputTokens,
    changed,
  });
  lines.push([span(figures, { dim: true })]);
  return lines.flatMap((line) => wrapped(line, width, 2));
}

type Said = (text: string) => StyledLine[];

/** Whoever reads it elsewhere than at a terminal gets what the model wrote. */
const asWritten: Said = (text) => linesOf(text).map((line) => [span(line)]);

/** As markdown; code is coloured where there is any. */
async function rendered(transcript: readonly TranscriptEntry[], width: number): Promise<Said> {
  const { renderMarkdown } = await import("../terminal/markdown.ts");
  const hasCode = transcript.some((entry) => entry.role === "assistant" && entry.text.includes("```"));
  let highlight: Highlight | undefined;
  if (hasCode) highlight = await (await import("../terminal/highlight.ts")).loadHighlighter();
  return (text) => renderMarkdown(text, width, highlight === undefined ? {} : { highlight });
}

function entryRows(entry: TranscriptEntry, { width }: Page, said: Said): StyledLine[] {
  switch (entry.role) {
    case "user":
      return [
        [],
        ...linesOf(`❯ ${commandAgain(entry.text)}`).flatMap((line) => wrapped([span(line, { bold: true })], width, 2)),
      ];
    case "assistant":
      return entry.text === "" ? [] : [[], ...said(entry.text)];
    case "call": {
      const { call } = entry;
      const [head = "", ...more] = linesOf(settledLine(call, entry.summary));
      const first = [span(head, statusStyles[call.status]), span(`   [${call.callId}]`, { dim: true })];
      return [first, ...[...more, ...displayLines(call).flatMap(linesOf)].map((line) => [span(line)])].flatMap((line) =>
        wrapped(line, width, 2),
      );
    }
  }
}
