import { nameIn, refOf } from "../../core/call-ref.ts";
import { jsonLine } from "../../core/json-line.ts";
import { type CallLife, callLivesInTree, eventText } from "../../records/call-life.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import { titleAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { statusStyles } from "../print/colours.ts";
import { spanText } from "../print/figures.ts";
import { instantText } from "../print/moments.ts";
import { pageOf } from "../print/page.ts";
import { endWord } from "../print/plain-printer.ts";
import { printRows, span, wrapped } from "../print/rows.ts";
import { eventAgain } from "../print/standing-words.ts";
import { tableRows } from "../print/table.ts";
import type { StyledLine } from "../terminal/span.ts";

/** `agent sessions show ID --calls`: the life of each call, those of children behind the call that drives them; with --json one object a line, the call with its events. */
export async function showCalls(composition: Composition, id: string): Promise<number> {
  const { stdout } = composition.io;
  const row = await findSession({ store: composition.reading }, id);
  const lives = callLivesInTree(await composition.reading(), row.id);
  if (composition.flags.json === true) {
    for (const life of lives) stdout.write(jsonLine(life));
    return 0;
  }
  if (lives.length === 0) {
    stdout.write(`${sessionWords().noCalls({ session: row.id })}\n`);
    return 0;
  }
  const { width } = pageOf(composition.io);
  const utc = composition.flags.utc === true;
  await printRows(
    composition.io,
    lives.flatMap((life) => {
      const name = nameIn(row.id, refOf(life));
      return rowsOf(life, name, width, utc);
    }),
  );
  return 0;
}

const indent = "    ";

function rowsOf(life: CallLife, name: string, width: number | undefined, utc: boolean): StyledLine[] {
  const { call, summary, events } = life;
  const { status, attempt, risk, effect, toolName } = call;
  const ran = duration(call.times.started, call.times.settled);
  const words = cellWords();
  const head: StyledLine = [
    span(name, { bold: true }),
    span("  "),
    span(eventAgain(endWord(call)), statusStyles[status]),
    span(`  ${oneLine(titleAgain(toolName, summary ?? `${toolName} ${JSON.stringify(call.arguments)}`))}`),
  ];
  const facts = [
    ...[toolName, words.risk({ risk }), words.effect({ effect }), words.attempts({ attempts: attempt })],
    ...(ran === undefined ? [] : [words.ran({ time: ran })]),
  ];
  const details = [facts.join(" · "), ...(call.digest === undefined ? [] : [words.digest({ digest: call.digest })])];
  const moments = events.map((event, at) => [
    span(`${indent}${instantText(event.at, utc)} ${since(events[at - 1]?.at, event.at)}`, { dim: true }),
    span(oneLine(eventAgain(eventText(life, at)))),
  ]);
  return [
    ...wrapped(head, width, indent.length),
    ...details.flatMap((text) => wrapped([span(`${indent}${text}`, { dim: true })], width, indent.length)),
    ...tableRows(moments, width, "wrap"),
  ];
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
};

/** A clock may go back; then there is nothing to say. */
function duration(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined || to === undefined || to < from) return undefined;
  return spanText(to - from);
}

const since = (before: number | undefined, at: number): string => {
  const passed = duration(before, at);
  return (passed === undefined ? "" : `+${passed}`).padStart(9);
};
