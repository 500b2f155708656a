import type { RuleOffer } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { type Arming, onKey, painted, unarmed } from "../question/arming.ts";
import { type Geometry, scrolledBy, type WindowBlock, windowOn } from "../question/window.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";
import { type KeyPlace, type Opening, opening, type Surface, type SurfaceStep } from "../surface/surface.ts";

/** A rule for what the person answered alike, with the change of their file, before it is written. */
export interface OfferedRule {
  readonly offer: RuleOffer;
  readonly scroll: number;
  readonly arming: Arming;
  /** How many of its rows were on the screen, from the first on, at this width. */
  readonly seen: { rows: number; columns: number };
  readonly note: string;
}

interface WriteRule {
  do: "write_rule";
  offer: RuleOffer;
}

/** One key writes what is shown, and no key does that was typed before it could be read, or before all of it was on the screen. */
export const ruleSurface: Surface<OfferedRule, WriteRule> = {
  whole: frame,
  key,
  effects: {
    write_rule: ({ offer }, { say, inOrder }) =>
      inOrder(async () => {
        await offer.write();
        say({
          kind: "notice",
          level: "info",
          text: `written to ${cleanLine(offer.file)}: it counts from the next call on`,
        });
      }),
  },
};

/** Before it is written, to be read. */
export const ruleOpening = (offer: RuleOffer): Opening =>
  opening(ruleSurface, ({ now }) => ({
    state: { offer, scroll: 0, arming: painted(unarmed(now), now), seen: { rows: 0, columns: 0 }, note: "" },
  }));

function key(before: OfferedRule, pressed: Key, { screen, now }: KeyPlace): SurfaceStep<OfferedRule, WriteRule> {
  const letter = letterOf(pressed);
  const isCtrlC = pressed.name === "char" && pressed.ctrl && pressed.text === "c";
  if (isCtrlC || pressed.name === "escape" || letter === "q") return { state: undefined };
  const { geometry } = screen;
  const rule: OfferedRule = { ...before, arming: onKey(before.arming, now), seen: seenIn(before, geometry), note: "" };
  if (letter === "y") return written(rule, geometry);
  const by = rowsBy(pressed, Math.max(1, geometry.window - 1));
  return { state: by === undefined ? rule : { ...rule, scroll: scrolledBy(rule.scroll, by, geometry) } };
}

function written(rule: OfferedRule, { total, window }: Geometry): SurfaceStep<OfferedRule, WriteRule> {
  if (!rule.arming.armed || window < 1) return { state: { ...rule, note: "read it first: then y writes it" } };
  if (rule.seen.rows < total) return { state: { ...rule, note: "it goes on below: ↓ or pgdn" } };
  return { state: undefined, effect: { do: "write_rule", offer: rule.offer } };
}

/** Rows count as seen only one after another: what was jumped over was not on the screen. */
function seenIn({ seen, scroll }: OfferedRule, { window, columns }: Geometry): OfferedRule["seen"] {
  const rows = seen.columns === columns ? seen.rows : 0;
  return { columns, rows: scroll <= rows ? Math.max(rows, scroll + window) : rows };
}

function frame(rule: OfferedRule, { columns, rows }: { columns: number; rows: number }): WindowBlock {
  const text = cleanEffect(rule.offer.text).split("\n");
  const lines = text.flatMap((line) => wrapSpans([lineSpan(line)], Math.max(1, columns)));
  const {
    lines: body,
    geometry,
    position,
  } = windowOn({ length: lines.length, slice: (from, to) => lines.slice(from, to) }, rule.scroll, {
    columns,
    rows: Math.max(0, rows - 2),
  });
  const foot = rule.note === "" ? "y writes it · esc leaves it" : rule.note;
  const head: StyledLine[] = [[span("A rule for what you answered alike", { bold: true })]];
  return {
    lines: [
      ...head,
      ...Array.from({ length: geometry.window }, (_, row) => body[row] ?? []),
      [
        span(foot, rule.note === "" ? { dim: true } : { color: "yellow" }),
        span(position && `  ${position}`, { dim: true }),
      ],
    ].map((line) => cutSpans(line, columns)),
    geometry,
  };
}

const lineSpan = (line: string) =>
  span(line, line.startsWith("+") ? { color: "green" } : line.startsWith("-") ? { color: "red" } : {});
