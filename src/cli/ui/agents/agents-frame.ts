import { agents as words } from "../../../words/en/agents.ts";
import { costText, spokenTokens } from "../../print/figures.ts";
import { helpersText, helperWords } from "../../print/helper-words.ts";
import type { AgentLine } from "../../services/session-services.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { cleanLine } from "../safe-text.ts";
import type { Whole } from "../surface/surface.ts";
import { type TalkPlace, talkFrame } from "../talk/talk-frame.ts";
import type { AgentList } from "./agents-state.ts";

/** The helpers on the whole screen, or the talk of one of them. */
export function agentsFrame(list: AgentList, place: TalkPlace): Whole {
  const { talk } = list;
  if (talk === undefined) return listFrame(list, place);
  const line = list.agents.find(({ session }) => session === talk.session);
  return talkFrame(talk, (columns) => talkHead(line, columns), place);
}

function listFrame(list: AgentList, { columns, rows }: TalkPlace): Whole {
  const window = Math.max(0, rows - 2);
  const body = listRows(list, window, columns);
  const asked = list.stopping ? words().stop : list.note;
  const foot = words().listHint;
  const place = words().position({ at: list.at + 1, of: list.agents.length });
  const room = Math.max(0, columns - cells(place) - 2);
  const lines: StyledLine[] = [
    [span(cut(helpersText(list.agents), columns), { bold: true })],
    ...Array.from({ length: window }, (_, row) => body[row] ?? []),
    [
      span(cut(asked === "" ? foot : asked, room), asked === "" ? { dim: true } : { color: "yellow" }),
      span(`  ${place}`, { dim: true }),
    ],
  ];
  return {
    lines: lines.map((line) => cutSpans(line, columns)),
    geometry: { total: list.agents.length, window, columns },
  };
}

function listRows({ agents, at }: AgentList, window: number, columns: number): StyledLine[] {
  const from = Math.max(0, Math.min(at - Math.floor(window / 2), agents.length - window));
  const widest = Math.min(16, Math.max(0, ...agents.map(({ agent }) => cells(cleanLine(agent)))));
  return agents
    .slice(from, from + window)
    .map((agent, index) => agentRow(agent, { number: from + index + 1, isHere: from + index === at, widest }, columns));
}

interface RowPlace {
  number: number;
  isHere: boolean;
  /** Cells of the column of names. */
  widest: number;
}

const looks = {
  running: { color: "cyan" },
  waiting: { color: "yellow" },
  ended: { dim: true },
  left: { dim: true },
} as const;

/** Draws a helper as one row. Its state keeps to half of it: a person who wants to read more opens it. */
function agentRow(line: AgentLine, { number, isHere, widest }: RowPlace, columns: number): StyledLine {
  const stands = cut(standsWords(line), Math.max(8, Math.floor(columns / 2)));
  const name = cut(cleanLine(line.agent), widest);
  const lead = `${String(number).padStart(2)}  ${name}${" ".repeat(widest - cells(name))}  `;
  const task = cut(firstLine(line.task), Math.max(4, columns - cells(stands) - cells(lead) - 4));
  const gap = " ".repeat(Math.max(1, columns - 2 - cells(lead) - cells(task) - cells(stands)));
  const style = isHere ? { bold: true, color: "cyan" as const } : {};
  return [span(isHere ? "❯ " : "  ", style), span(`${lead}${task}`, style), span(`${gap}${stands}`, looks[line.state])];
}

const firstLine = (text: string): string => cleanLine(text.trim().split("\n", 1)[0] ?? "");

/** Returns a helper's state, and its steps, tokens and cost, in words that are safe to draw. One that waits says for what, and that is enough. */
function standsWords(line: AgentLine): string {
  const stands = cleanLine(helperWords(line));
  return line.state === "waiting" ? stands : `${stands} · ${tookWords(line)}`;
}

function tookWords({ steps, inputTokens, outputTokens, cost }: AgentLine): string {
  const tokens = words().tokens({ count: spokenTokens(inputTokens + outputTokens) });
  return [words().steps({ steps }), tokens, ...(cost === undefined ? [] : [costText(cost)])].join(", ");
}

/** Returns the head of the helper's talk that is read: its name and its state. */
function talkHead(line: AgentLine | undefined, columns: number): StyledLine {
  if (line === undefined) return [];
  const stands = `  ${standsWords(line)} · ${tookWords(line)}`;
  const shown = line.state === "waiting" ? stands : `  ${standsWords(line)}`;
  const name = cleanLine(line.agent);
  return cutSpans([span(name, { bold: true }), span(shown, looks[line.state])], columns);
}

/** The helpers as lines, for a terminal that can only print. */
export function agentsText(agents: readonly AgentLine[]): string {
  const rows = agents.flatMap((line, index) => [
    `  ${index + 1}. ${cleanLine(line.agent)}: ${firstLine(line.task)}`,
    `      ${cleanLine(helperWords(line))} · ${tookWords(line)}`,
  ]);
  return [helpersText(agents), ...rows].join("\n");
}
