import { transcript as words } from "../../../words/en/transcript.ts";
import { renderMarkdown } from "../../terminal/markdown.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans } from "../../terminal/width.ts";
import type { Sending } from "../chat/chat.ts";
import { cutTo, span } from "../draw/block.ts";
import type { Card, Tail, View } from "../view/view.ts";
import { cardLines, type LiveLook } from "./item-lines.ts";

/** Characters of the open paragraph that can fill the rows there are: a model may write one without end. */
const tailCharacters = 8000;

/** The end of the talk that still comes. */
export function tailLines(tail: Tail | undefined, columns: number, room: number): StyledLine[] {
  const shown = tail?.shown ?? "";
  if (shown.trim() === "" || room < 1) return [];
  const text = shown.length <= tailCharacters ? shown : shown.slice(-tailCharacters);
  const rows = renderMarkdown(text, Math.max(8, columns - 2)).map((row, index) => [
    tail?.from === 0 && index === 0 ? span("● ", { color: "green" }) : span("  "),
    ...row,
  ]);
  const kept = rows.slice(-Math.max(1, room - 1));
  return room > 1 ? [[], ...kept] : kept;
}

/** The calls that are not settled; where rows are few without what they print, then a row each, then the first ones. */
export function liveCards(cards: readonly Card[], columns: number, room: number, live: LiveLook): StyledLine[] {
  const drawn = cards.filter((card) => card.state !== "denied");
  const whole = drawn.flatMap((card) => cardLines(card, columns, live));
  if (whole.length <= room) return whole;
  const heads = drawn.map(({ tail: _, ...card }) => cardLines(card, columns, live));
  const silent = heads.flat();
  return silent.length <= room
    ? silent
    : fold(
        heads.flatMap((rows) => cutHead(rows, columns)),
        room,
      );
}

/** As much of a card's rows as one row has room for. */
function cutHead([first = [], second]: StyledLine[], columns: number): StyledLine[] {
  return [second === undefined ? first : cutSpans([...first, span(" "), ...second.slice(1)], columns)];
}

function fold(rows: StyledLine[], room: number): StyledLine[] {
  if (rows.length <= room) return rows;
  if (room < 2) return [];
  return [
    ...rows.slice(0, room - 1),
    [span(`  ${words().moreLines({ lines: rows.length - room + 1 })}`, { dim: true })],
  ];
}

const queueRows = 3;

/** The messages that wait, for the next step, for this turn to end, or for a command. */
export function queueLines(queue: View["queue"], columns: number, sending: readonly Sending[] = []): StyledLine[] {
  const waiting = [
    ...queue.map(({ text, steer }) => (steer ? words().forNextStep : words().afterTurn)({ text })),
    ...sending
      .filter(({ late }) => late)
      .map(({ text, behind }) => (behind ? words().afterCommand : words().onItsWay)({ text: cleanText(text) })),
  ];
  const rows = waiting.map((row) => cutTo(`  ${row.replaceAll("\n", " ")}`, columns, { dim: true, italic: true }));
  return rows.length <= queueRows
    ? rows
    : [
        ...rows.slice(0, queueRows - 1),
        [span(`  ${words().moreWait({ messages: rows.length - queueRows + 1 })}`, { dim: true })],
      ];
}
