import { rule as words } from "../../../words/en/rule.ts";
import type { RuleOffer } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { type Arming, breathMs, onKey, painted, unarmed } from "../question/arming.ts";
import { type RowRange, rowsLeftOut, rowWords, withRows } from "../question/seen-rows.ts";
import { type Geometry, scrolledBy, type WindowBlock, windowOn } from "../question/window.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, printedOf, say } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";
import { type KeyPlace, notice, opening, type SurfaceStep } from "../surface/surface.ts";

/** A rule for what the person answered alike, with the change of their file, before it is written. */
export interface OfferedRule {
  readonly offer: RuleOffer;
  /** The folder that it is offered in. */
  readonly workspace: string;
  readonly scroll: number;
  readonly arming: Arming;
  /** The rows of it that were on the screen, at this width. */
  readonly seen: { rows: readonly RowRange[]; columns: number };
  readonly note: string;
}

interface WriteRule {
  do: "write_rule";
  offer: RuleOffer;
}

/** One key writes what is shown, and no key does that was typed before it could be read, or before all of it was on the screen. */
export const ruleSurface: CommandedSurface<OfferedRule, WriteRule> = {
  command: { name: "suggest", help: () => words().help, run: suggest },
  whole: frame,
  key,
  painted: drawn,
  unseen: (rule, now) =>
    rule.arming.paintedAt === undefined ? rule : { ...rule, arming: unarmed(now), seen: noneSeen, note: "" },
  effects: {
    write_rule: ({ offer }, hands) => hands.inOrder(() => writeRule(offer, hands)),
  },
};

/** Before it is written, to be read. */
export const ruleOpening = (offer: RuleOffer, workspace: string) => ({
  ...opening(
    ruleSurface,
    ({ now }) => ({ state: { offer, workspace, scroll: 0, arming: unarmed(now), seen: noneSeen, note: "" } }),
    () => [notice(`${cleanEffect(offer.text)}\n${words().answers.writes}`)],
  ),
  isGoneBy: true as const,
});

/** Writes it, as it was shown. @throws where the file was changed since. */
async function writeRule(offer: RuleOffer, { say }: Pick<ChatHands, "say">): Promise<void> {
  await offer.write();
  say(notice(words().written({ file: cleanLine(offer.file) })));
}

const noneSeen: OfferedRule["seen"] = { rows: [], columns: 0 };

function key(before: OfferedRule, pressed: Key, { screen, now }: KeyPlace): SurfaceStep<OfferedRule, WriteRule> {
  const letter = letterOf(pressed);
  const isCtrlC = pressed.name === "char" && pressed.ctrl && pressed.text === "c";
  if (isCtrlC || pressed.name === "escape" || letter === "q") return { state: undefined };
  const { geometry } = screen;
  // A `y` that is held down was meant for what was in front before.
  const rule: OfferedRule = { ...before, arming: onKey(before.arming, now, breathMs), note: "" };
  if (letter === "y") return written(rule, geometry);
  const by = rowsBy(pressed, Math.max(1, geometry.window - 1));
  return { state: by === undefined ? rule : { ...rule, scroll: scrolledBy(rule.scroll, by, geometry) } };
}

function written(rule: OfferedRule, { total, window, columns }: Geometry): SurfaceStep<OfferedRule, WriteRule> {
  if (!rule.arming.armed || window < 1) return { state: { ...rule, note: words().unread } };
  const left = rowsLeftOut(rowsSeen(rule, columns), total);
  if (left.length > 0) return { state: { ...rule, note: words().unseen({ rows: rowWords(left) }) } };
  return { state: undefined, effect: { do: "write_rule", offer: rule.offer } };
}

/** At another width they are other rows. */
const rowsSeen = ({ seen }: OfferedRule, columns: number): readonly RowRange[] =>
  seen.columns === columns ? seen.rows : [];

function drawn(rule: OfferedRule, { total, window, columns }: Geometry, now: number): OfferedRule {
  const arming = painted(rule.arming, now);
  const before = rowsSeen(rule, columns);
  const top = Math.max(0, Math.min(rule.scroll, total - window));
  const rows = withRows(before, top, Math.min(total, top + window));
  return arming === rule.arming && rows === before ? rule : { ...rule, arming, seen: { columns, rows } };
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
  const foot = rule.note === "" ? words().hint : rule.note;
  const head: StyledLine[] = [[span(words().title, { bold: true })]];
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

/** Only what was shown is written, and only as it was shown: by a key where it is drawn, where lines are all there is by a second command. */
async function suggest(argument: string, chat: CommandedChat): Promise<void> {
  const { workspace } = chat.present().session;
  if (argument === "") return show(workspace, chat);
  if (argument !== "yes") return say(chat, words().answers.usage, "warn");
  const shown = printedOf(chat, ruleSurface);
  chat.printed.delete(ruleSurface);
  if (shown?.workspace !== workspace) return say(chat, words().answers.notShown, "warn");
  await writeRule(shown.offer, chat);
}

async function show(workspace: string, chat: CommandedChat): Promise<void> {
  chat.printed.delete(ruleSurface);
  const offer = await chat.services.about.ruleOffer(workspace);
  if (offer === undefined) return say(chat, words().answers.none);
  chat.open(ruleOpening(offer, workspace));
}
