import type { JsonObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import type { ToolDisplay } from "../../../core/tool-display.ts";
import { view as words } from "../../../words/en/view.ts";
import type { ToolLabel, ToolLabels } from "../../services/session-services.ts";
import { hasHidden } from "../../terminal/sanitise.ts";
import { cleanLine } from "../safe-text.ts";

export type Language = "en" | "zh";

export const noLabels: ToolLabels = new Map();

type Named = Pick<Tool, "name" | "display">;

// Keeps cli 1.
/**
 * The display names of these tools in one language. One that could hide something, or be taken for another tool, is not shown: the
 * tool's own name stands there.
 * @param others names that tools of the agent have beside these
 */
export function labelsOf(tools: readonly Named[], language: Language, others: readonly string[] = []): ToolLabels {
  const asked = tools.flatMap(({ name, display }) => {
    const said = display?.[language];
    return said === undefined ? [] : [{ name, said }];
  });
  const names = [...new Set([...tools.map(({ name }) => name), ...others])].map((name) => ({
    name,
    shape: shape(name),
  }));
  return new Map(asked.map(({ name, said }) => [name, labelOf(name, said, { names, asked, language })]));
}

interface Among {
  names: readonly { name: string; shape: string }[];
  asked: readonly { name: string; said: ToolDisplay }[];
  language: Language;
}

function labelOf(tool: string, said: ToolDisplay, { names, asked, language }: Among): ToolLabel {
  const left: string[] = [];
  const { notShown, takenForTool, otherTool, otherParameter } = words().labels;
  const leave = (label: string, why: string): void =>
    void left.push(notShown({ label: JSON.stringify(cleanLine(label.slice(0, mostLetters))), why }));
  const isTwice = asked.some((other) => other.name !== tool && shape(other.said.name) === shape(said.name));
  const phrases = phrasesOf(said.name);
  const other = names.find((one) => one.name !== tool && phrases.has(one.shape))?.name;
  const why =
    wrongText(said.name, language) ??
    (other === undefined ? undefined : takenForTool({ tool: other })) ??
    (isTwice ? otherTool : undefined);
  if (why !== undefined) leave(said.name, why);
  const params = Object.entries(said.params ?? {});
  const shown = params.filter(([name, label]) => {
    const isTaken = params.some(([one, text]) => one !== name && [shape(one), shape(text)].includes(shape(label)));
    const wrong = wrongText(label, language) ?? (isTaken ? otherParameter : undefined);
    if (wrong !== undefined) leave(label, wrong);
    return wrong === undefined;
  });
  return { ...(why === undefined ? { name: said.name } : {}), params: new Map(shown), left };
}

/** Longer ones would leave no room for what the call is about. */
const mostLetters = 40;

/** One blank between words; nothing that could be taken for a path, a mark or a figure of the dialog's own. */
const wordsOnly = /^\p{L}[\p{L}\p{M}\p{N}_'’&(),+-]*(?: [\p{L}\p{M}\p{N}_'’&(),+-]+)*$/u;

/** Tells why a display name cannot be shown, by itself. */
function wrongText(label: string, language: Language): string | undefined {
  if (label.length > mostLetters) return words().labels.tooLong({ most: mostLetters });
  if (hasHidden(label) || !wordsOnly.test(label)) return words().labels.wordsOnly;
  const letters = plainLetters(label).replace(language === "zh" ? /\p{Script=Han}/gu : "", "");
  return /[^\x20-\x7e’]/.test(letters) ? words().labels.strange({ language }) : undefined;
}

/** Without accents, and with what is drawn as a Latin letter as that letter. */
const plainLetters = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

const drawnAlike: readonly (readonly [RegExp, string])[] = [
  [/[i1|丨工]/g, "l"],
  [/[0〇口]/g, "o"],
  [/丁/g, "t"],
  [/rn/g, "m"],
  [/vv/g, "w"],
];

/** Two texts of one shape look the same at a glance. */
const shape = (text: string): string =>
  drawnAlike.reduce(
    (plain, [letters, one]) => plain.replace(letters, one),
    plainLetters(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ""),
  );

/** The shapes of the label's words, and of words of it that stand together: it speaks of the name that has one of them. */
function phrasesOf(label: string): ReadonlySet<string> {
  const parts = label.split(/[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== "");
  const from = (first: number) => parts.slice(first).map((_, more) => parts.slice(first, first + more + 1).join(""));
  return new Set(parts.flatMap((_, first) => from(first)).map(shape));
}

/** The tool as a person reads of it. */
export const nameOf = (labels: ToolLabels, toolName: string): string =>
  labels.get(toolName)?.name ?? cleanLine(toolName);

/** A call's arguments by their labels; a label that is the name of one that was given too is not used. */
export function labelled(labels: ToolLabels, toolName: string, args: JsonObject): JsonObject {
  const params = labels.get(toolName)?.params;
  if (params === undefined || params.size === 0) return args;
  const given = new Set(Object.keys(args).map(shape));
  const keyOf = (name: string): string => {
    const label = params.get(name);
    return label === undefined || (shape(label) !== shape(name) && given.has(shape(label))) ? name : label;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [keyOf(name), value]));
}

/** Lists the names that are shown by others: a line for the tool, and one for each of the call's arguments. */
export function ownNames(labels: ToolLabels, toolName: string, args: JsonObject): string[] {
  const shown = labels.get(toolName)?.name;
  const before = Object.keys(args);
  const after = Object.keys(labelled(labels, toolName, args));
  const renamed = before.flatMap((name, index) =>
    after[index] === name ? [] : [words().labels.isArgument({ label: after[index] ?? "", name: cleanLine(name) })],
  );
  return [
    ...(shown === undefined || shown === toolName
      ? []
      : [words().labels.isTool({ label: shown, name: cleanLine(toolName) })]),
    ...renamed,
  ];
}
