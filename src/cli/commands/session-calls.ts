import { jsonLine } from "../../core/json-line.ts";
import { type CallLife, callLives, eventText } from "../../records/call-life.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions show ID --calls`: the life of each call; with --json one object a line, the call with its events. */
export async function showCalls(composition: Composition, id: string): Promise<number> {
  const { stdout } = composition.io;
  const row = await findSession({ store: composition.reading }, id);
  const lives = callLives((await composition.reading()).readJournal(row.id));
  if (composition.flags.json === true) {
    for (const life of lives) stdout.write(jsonLine(life));
    return 0;
  }
  if (lives.length === 0) stdout.write(`session ${row.id} has no calls\n`);
  for (const life of lives) stdout.write(`${linesOf(life).map(cleanText).join("\n")}\n`);
  return 0;
}

function linesOf(life: CallLife): string[] {
  const { call, summary, events } = life;
  const { status, attempt, risk, effect, callId, toolName } = call;
  const ran = duration(call.times.started, call.times.settled);
  const head = [
    `${callId}  ${status}  ${oneLine(summary ?? `${toolName} ${JSON.stringify(call.arguments)}`)}`,
    `    ${toolName} · risk ${risk} · effect ${effect} · ${attempt} ${attempt === 1 ? "attempt" : "attempts"}${ran === undefined ? "" : ` · ran ${ran}`}`,
    ...(call.digest === undefined ? [] : [`    digest ${call.digest}`]),
  ];
  return [
    ...head,
    ...events.map(
      (event, i) => `    ${moment(event.at)} ${since(events[i - 1]?.at, event.at)}  ${oneLine(eventText(life, i))}`,
    ),
  ];
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
};

const two = (number: number): string => String(number).padStart(2, "0");

/** By the clock of this place. */
function moment(at: number): string {
  const day = new Date(at);
  const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  const time = `${two(day.getHours())}:${two(day.getMinutes())}:${two(day.getSeconds())}`;
  return `${date} ${time}.${String(day.getMilliseconds()).padStart(3, "0")}`;
}

/** A clock may go back; then there is nothing to say. */
function duration(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined || to === undefined || to < from) return undefined;
  const ms = to - from;
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

const since = (before: number | undefined, at: number): string => {
  const passed = duration(before, at);
  return (passed === undefined ? "" : `+${passed}`).padStart(9);
};
