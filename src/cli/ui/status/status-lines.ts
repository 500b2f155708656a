import { status as words } from "../../../words/en/status.ts";
import { costText, spokenTokens } from "../../print/figures.ts";
import { type StatusPart, statusParts } from "../../settings/status-parts.ts";
import { plainText, type SpanStyle, type StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, elidePath, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { cleanLine } from "../safe-text.ts";
import type { SavedMemory, View } from "../view/view.ts";

/** The data that the line about the present state is made from. */
export interface Status {
  view: View;
  /** The words to be said about the last key. */
  flash: string;
  /** The person stopped at the question: it waits, the input is free. */
  aside: boolean;
  /** The mark that spins now. */
  mark: string;
  /** Whole seconds of the agent's work on the turn. */
  seconds: number;
  /** A command runs that may go on in the background, long enough for somebody to want that. */
  mayGoAside?: boolean;
}

/** Lays out the present activity, or the words to be said about the last key; nothing where there is nothing to say. */
export function statusLines({ view, flash, aside, mark, seconds, mayGoAside }: Status, columns: number): StyledLine[] {
  if (flash !== "") return wrapSpans([span(`› ${flash}`, { color: "yellow" })], columns).slice(0, 3);
  const count = (view.ask?.requests.length ?? 0) + view.recovery.length;
  if (aside && count > 0) {
    return wrapSpans([span(`◆ ${words().waiting({ calls: count })}`, { color: "yellow" })], columns);
  }
  if (!view.running) return [];
  const time = seconds >= 2 ? { time: spokenSeconds(seconds) } : {};
  const working = [
    span(`${mark} ${words().working(time)}`, { color: "cyan" }),
    span(` · ${view.queue.length > 0 ? words().stopsAndTakesBack : words().stops}`, { dim: true }),
  ];
  const key = span(` · ${words().goesAside}`, { dim: true });
  const room = columns - cells(plainText(working));
  if (mayGoAside === true && cells(key.text) <= room) return [[...working, key]];
  return [[...working, ...thoughtSpans(view, room)]];
}

/** Cells that the beginning of a thought needs, to say anything. */
const leastOfThought = 20;

/** Returns the amount of the model's thought by now, and its beginning, as far as there is room beside it. */
function thoughtSpans({ thought }: View, room: number): StyledLine {
  if (thought === undefined) return [];
  const [first = ""] = thought.begin.trimStart().split("\n", 1);
  const { thinksSoMuch, thinks } = words();
  const heads = [thinksSoMuch({ characters: spokenTokens(thought.size) }), thinks].map((one) => ` · ${one} `);
  const head = heads.find((one) => room - cells(one) >= leastOfThought);
  return head === undefined ? [] : [span(`${head}${cut(cleanLine(first), room - cells(head))}`, { dim: true })];
}

/** The newest memory that can be taken back. */
export function savedLines(memories: readonly SavedMemory[], columns: number): StyledLine[] {
  const saved = memories.at(-1);
  if (saved === undefined) return [];
  const key = ` · ${words().takesBack({ more: memories.length - 1 })}`;
  return [[span(cut(saved.title, Math.max(8, columns - key.length - 2))), span(key, { dim: true })]];
}

/** From here on the person should know that the room of the context comes to its end. Percent. */
const nearlyFull = 70;
const almostNone = 90;

/** A piece of the last row. Where not all fit, those of the highest ranks come first. */
interface Piece {
  text: string;
  rank: number;
  style?: SpanStyle;
}

/** Before all but the mode. */
const warningRank = 90;

function contextPiece({ usage }: Pick<View, "usage">): Piece | undefined {
  if (usage === undefined) return undefined;
  const { contextUsed, contextWindow } = usage;
  if (contextWindow === undefined || contextWindow <= 0)
    return { text: words().tokens({ count: spokenTokens(contextUsed) }), rank: 6 };
  const percent = Math.round((contextUsed / contextWindow) * 100);
  if (percent < nearlyFull) return { text: words().contextUsed({ percent, of: spokenTokens(contextWindow) }), rank: 6 };
  const style: SpanStyle = { color: percent < almostNone ? "yellow" : "red", bold: true };
  return { text: `⚠ ${words().contextFull({ percent })}`, rank: warningRank, style };
}

function tokensPiece({ spent }: Pick<View, "spent">): Piece | undefined {
  if (spent.input + spent.output === 0) return undefined;
  const cost = spent.cost === undefined ? "" : ` = ${costText(spent.cost)}`;
  return { text: `↑${spokenTokens(spent.input)} ↓${spokenTokens(spent.output)}${cost}`, rank: 4 };
}

/** Returns the pieces that say what the session took: its share of the context, its tokens and what these cost, as far as each is known. */
export const spentPieces = (view: Pick<View, "usage" | "spent">): Pick<Piece, "text" | "style">[] =>
  [contextPiece(view), tokensPiece(view)].filter((piece) => piece !== undefined);

/** `72 s` up to two minutes, then `3 min 5 s`. */
export const spokenSeconds = (seconds: number): string =>
  seconds < 120
    ? words().seconds({ seconds })
    : words().minutes({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });

/** The place where the session works, as the last row tells it. */
export interface Whereabouts {
  /** The folder, already shortened by `~`; safe to draw. */
  folder: string;
  branch?: string;
  /** Background jobs that run there. */
  jobs?: number;
}

/** Says how many background jobs run, behind the mark of what runs. */
export const jobsText = (jobs: number): string => `● ${words().jobs({ jobs })}`;

const jobsPiece = ({ jobs = 0 }: Whereabouts): Piece | undefined =>
  jobs === 0 ? undefined : { text: jobsText(jobs), rank: 8, style: { color: "cyan" } };

function placePiece({ folder, branch }: Whereabouts, columns: number): Piece {
  const room = Math.max(12, Math.floor(columns / 3));
  const named = branch === undefined ? "" : ` (${cut(branch, Math.max(8, Math.floor(room / 2)))})`;
  return { text: `${elidePath(folder, room)}${named}`, rank: 7 };
}

const modePiece = ({ mode }: View): Piece => ({
  text: mode,
  rank: 100,
  ...(mode === "ask" ? {} : { style: { color: mode === "full-auto" ? "red" : "yellow" } as const }),
});

type Row = { view: View; place: Whereabouts; seconds: number; columns: number };

/** Nothing where there is nothing to tell. */
const pieceOf: Record<StatusPart, (row: Row) => Piece | undefined> = {
  jobs: ({ place }) => jobsPiece(place),
  place: ({ place, columns }) => placePiece(place, columns),
  model: ({ view }) => ({ text: view.model, rank: 5 }),
  context: ({ view }) => contextPiece(view),
  tokens: ({ view }) => tokensPiece(view),
  time: ({ view, seconds }) => (!view.running && seconds >= 2 ? { text: spokenSeconds(seconds), rank: 3 } : undefined),
  // Said as the chat begins and as it ends, and by /status: what grows meanwhile comes before it.
  session: ({ view }) => ({ text: view.session, rank: 2 }),
  keys: () => ({ text: words().keys, rank: 1 }),
};

/**
 * The last row of the screen: mode, jobs, place, model, use of the context, tokens, the agent's time on the last turn, session.
 * @param chosen what it shows behind the mode, the most important first; the mode and a context that is nearly full are never left out
 */
export function footerLine(
  view: View,
  place: Whereabouts,
  seconds: number,
  columns: number,
  chosen?: readonly StatusPart[],
): StyledLine {
  const row: Row = { view, place, seconds, columns };
  const context = contextPiece(view);
  const warning = context !== undefined && context.rank === warningRank ? context : undefined;
  const pieces =
    chosen === undefined
      ? [modePiece(view), ...statusParts.map((part) => pieceOf[part](row))]
      : [
          modePiece(view),
          ...(chosen.includes("context") ? [] : [warning]),
          ...chosen.map((part, at) => ofRank(pieceOf[part](row), chosen.length - at)),
        ];
  const shown = fitting(pieces.filter((piece) => piece !== undefined && piece.text !== "") as Piece[], columns);
  return cutSpans(
    shown.flatMap(
      ({ text, style }, index): StyledLine => [
        ...(index === 0 ? [] : [span(" · ", { dim: true })]),
        span(text, style ?? { dim: true }),
      ],
    ),
    columns,
  );
}

/** As important as the person has it; a warning stays one. */
const ofRank = (piece: Piece | undefined, rank: number): Piece | undefined =>
  piece === undefined || piece.rank === warningRank ? piece : { ...piece, rank };

/** By their ranks, each that has room beside those of higher ranks. */
function fitting(pieces: readonly Piece[], columns: number): Piece[] {
  const byRank = [...pieces].sort((one, other) => other.rank - one.rank);
  let left = columns;
  const shown = byRank.filter(({ text }, index) => {
    const taken = cells(text) + (index === 0 ? 0 : 3);
    if (index > 0 && taken > left) return false;
    left -= taken;
    return true;
  });
  return pieces.filter((piece) => shown.includes(piece));
}
