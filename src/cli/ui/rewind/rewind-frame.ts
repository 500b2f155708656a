import { shownPath } from "../../../core/shown-path.ts";
import type { RewindPoint } from "../../../records/undo/rewind.ts";
import { rewind } from "../../../words/en/rewind.ts";
import type { TakeBack } from "../../services/session-services.ts";
import { plainText, type StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { cutTo, span } from "../draw/block.ts";
import type { WindowBlock } from "../question/window.ts";
import { cleanLine } from "../safe-text.ts";
import { type Rewinding, rewindChoices, rewindKeyOf } from "./rewind-state.ts";

export interface RewindPlace {
  columns: number;
  rows: number;
  workspace: string;
}

/** The person's messages on the whole screen, or what going on from one of them would do. */
export function rewindFrame(rewinding: Rewinding, place: RewindPlace): WindowBlock {
  const point = rewinding.points[rewinding.at];
  const lines = rewinding.chosen && point !== undefined ? chosen(rewinding, point, place) : list(rewinding, place);
  const { columns, rows } = place;
  return {
    lines: lines.map((line) => cutSpans(line, columns)),
    geometry: { total: rewinding.points.length, window: rows - 2, columns },
  };
}

function list({ points, at }: Rewinding, { columns, rows }: RewindPlace): StyledLine[] {
  const window = Math.max(1, rows - 2);
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), points.length - window));
  const body = points
    .slice(from, from + window)
    .map((point, index) => messageLine(point, from + index === at, columns));
  const words = rewind();
  return [
    [span(words.title, { bold: true })],
    ...Array.from({ length: window }, (_, index) => body[index] ?? []),
    [
      span(cut(words.listHint, columns - 10), { dim: true }),
      span(`  ${words.position({ at: at + 1, of: points.length })}`, { dim: true }),
    ],
  ];
}

function messageLine({ text, files }: RewindPoint, isHere: boolean, columns: number): StyledLine {
  const since = filesText(files.length);
  const title = cut(cleanLine(text), Math.max(4, columns - cells(since) - 4));
  const gap = " ".repeat(Math.max(1, columns - 2 - cells(title) - cells(since)));
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  return [span(isHere ? "❯ " : "  ", style), span(title, style), span(`${gap}${since}`, { dim: true })];
}

/** The same where lines are all there is: oldest first, each with its number. */
export function rewindText({ points }: Pick<Rewinding, "points">): string {
  const rows = points.map(({ text, files }, at) => {
    const since = filesText(files.length);
    return `${at + 1}  ${cut(cleanLine(text), 60)}${since === "" ? "" : `  · ${since}`}`;
  });
  return [rewind().title, ...rows].join("\n  ");
}

/** Describes the effect of going on from before a message, and the commands for it. */
export function rewindChoiceText(named: string, point: RewindPoint, takeBack: TakeBack, workspace: string): string {
  const rows = effects({ takeBack }, point, workspace).map(plainText);
  const choices = rewindChoices({ takeBack }).flatMap((one) =>
    one === "back" ? [] : [`/rewind ${named} ${one}: ${rewind().choices[one]}`],
  );
  return [rewind().from({ message: cut(cleanLine(point.text), 60) }), ...rows, ...choices].join("\n  ");
}

const filesText = (count: number): string => (count === 0 ? "" : rewind().filesSince({ files: count }));

/** The choices stand at the bottom, whole; what is above them is cut where it is too long. */
function chosen(rewinding: Rewinding, point: RewindPoint, { columns, rows, workspace }: RewindPlace): StyledLine[] {
  const words = rewind();
  const choices = rewindChoices(rewinding).map((choice, index): StyledLine => {
    const isHere = index === rewinding.row;
    const style = isHere ? { bold: true, color: "cyan" as const } : {};
    return [span(`${isHere ? "❯" : " "} ${rewindKeyOf[choice].padEnd(3)} ${words.choices[choice]}`, style)];
  });
  const head: StyledLine[] = [
    cutTo(words.from({ message: cleanLine(point.text) }), columns, { bold: true }),
    ...(rows < 16 ? [] : wrapSpans([span(words.inNewSession, { dim: true })], columns)),
  ];
  const body = effects(rewinding, point, workspace).flatMap((line) => wrapSpans(line, columns));
  const room = Math.max(0, rows - head.length - choices.length);
  const fits = body.length <= room;
  const shown = fits ? body : body.slice(0, Math.max(0, room - 1));
  const more: StyledLine[] =
    fits || room === 0 ? [] : [cutTo(`  ${words.more({ rows: body.length - shown.length })}`, columns, { dim: true })];
  const blank = Array.from({ length: Math.max(0, room - shown.length - more.length) }, (): StyledLine => []);
  return [...head, ...shown, ...more, ...blank, ...choices];
}

/** Lists the outcome for the files: first all that would stay although it was changed since. */
function effects(
  { takeBack }: Pick<Rewinding, "takeBack">,
  { files, against }: RewindPoint,
  workspace: string,
): StyledLine[] {
  const words = rewind();
  if (takeBack === undefined) return [[span(words.looking, { dim: true })]];
  if (files.length === 0) return [[span(words.noneChanged, { dim: true })]];
  const why = against === undefined ? takeBack.left : [against];
  const left = why.map((text): StyledLine => [span(`  ${words.stays}`, { color: "yellow" }), span(cleanLine(text))]);
  const names = files.map((real): StyledLine => [span(`  ${cleanLine(shownPath(workspace, real))}`)]);
  const head = takeBack.calls.length === 0 ? words.staying : words.takenBack;
  return [...left, [span(head)], ...names];
}
