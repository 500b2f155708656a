import { jobs as words } from "../../../words/en/jobs.ts";
import { whenText } from "../../print/moments.ts";
import type { JobLine } from "../../services/session-services.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { WindowBlock } from "../question/window.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type JobList, jobWords, saidLines } from "./jobs-state.ts";

export interface JobsPlace {
  columns: number;
  rows: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The jobs on the whole screen, or the end of what one of them said. */
export function jobsFrame(list: JobList, { columns, rows, now }: JobsPlace): WindowBlock {
  const window = Math.max(0, rows - 2);
  const job = list.jobs[list.at];
  const isRead = list.fromEnd !== undefined && job !== undefined;
  const said = isRead ? saidRows(job, columns) : [];
  const [head, body, foot] = isRead
    ? [cleanLine(job.command), windowOf(said, list, window), words().readHint]
    : [headOf(list.jobs), listRows(list, window, columns, now), words().listHint];
  const asked = list.stopping ? words().stop : list.note;
  const place = isRead ? jobWords(job) : words().position({ at: list.at + 1, of: list.jobs.length });
  const room = Math.max(0, columns - cells(place) - 2);
  const lines: StyledLine[] = [
    [span(cut(head, columns), { bold: true })],
    ...Array.from({ length: window }, (_, row) => body[row] ?? []),
    [
      span(cut(asked === "" ? foot : asked, room), asked === "" ? { dim: true } : { color: "yellow" }),
      span(`  ${place}`, { dim: true }),
    ],
  ];
  return {
    lines: lines.map((line) => cutSpans(line, columns)),
    geometry: { total: isRead ? said.length : list.jobs.length, window, columns },
  };
}

function headOf(jobs: readonly JobLine[]): string {
  const running = jobs.filter(({ runs }) => runs).length;
  return words().title({ jobs: jobs.length, running });
}

function listRows({ jobs, at }: JobList, window: number, columns: number, now: number): StyledLine[] {
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), jobs.length - window));
  return jobs.slice(from, from + window).map((job, index) => jobRow(job, from + index === at, columns, now));
}

function jobRow(job: JobLine, isHere: boolean, columns: number, now: number): StyledLine {
  const stands = `${jobWords(job)}, ${whenText(job.startedAt, now)}`;
  const name = `${job.ref.call}  `;
  const command = cut(cleanLine(job.command), Math.max(4, columns - cells(stands) - cells(name) - 4));
  const gap = " ".repeat(Math.max(1, columns - 2 - cells(name) - cells(command) - cells(stands)));
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  return [
    span(isHere ? "❯ " : "  ", style),
    span(`${name}${command}`, style),
    span(`${gap}${stands}`, job.runs ? { color: "green" } : { dim: true }),
  ];
}

/** Lays out the output of a job, long lines in several rows. */
function saidRows(job: JobLine, columns: number): StyledLine[] {
  const said = saidLines(job);
  if (said.length === 0) return [[span(words().silent, { dim: true })]];
  return said.flatMap((line) => wrapSpans([span(cleanEffect(line))], Math.max(1, columns)));
}

function windowOf(rows: readonly StyledLine[], { fromEnd = 0 }: JobList, window: number): StyledLine[] {
  const end = Math.max(window, rows.length - fromEnd);
  return rows.slice(Math.max(0, end - window), end);
}

/** Lines of a job's end that are printed. */
const mostPrinted = 20;

/** The end of what a job said, for a terminal that can only print. */
export function saidText(job: JobLine): string {
  const said = saidLines(job);
  const last = said.slice(-mostPrinted).map(cleanEffect);
  const stands = `${cleanLine(job.command)}: ${jobWords(job)}`;
  if (last.length === 0) return words().lines.silent({ stands });
  return [said.length > last.length ? words().lines.last({ stands, lines: mostPrinted }) : stands, ...last].join("\n");
}

/** The jobs as lines, for a terminal that can only print. */
export function jobsText(jobs: readonly JobLine[], now: number): string {
  const rows = jobs.flatMap((job) => [
    `  ${job.ref.call}  ${cleanLine(job.command)}`,
    `      ${jobWords(job)}, ${whenText(job.startedAt, now)}`,
  ]);
  return [headOf(jobs), ...rows].join("\n");
}
