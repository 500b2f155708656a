const mostLines = 20_000;
const longestLine = 400;
const shown = 3;
const enough = 0.5;

/**
 * The lines of a text most like the first line of what was not found, in words, for a model that looks for its mistake;
 * empty where nothing is alike. Only a help: nothing is ever replaced for being alike.
 */
export function nearestLines(text: string, wanted: string): string {
  const sought = (wanted.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, longestLine);
  if (sought.length < 2) return "";
  const pairs = pairsOf(sought);
  const scored: { line: number; text: string; score: number }[] = [];
  for (const [index, line] of text.split("\n", mostLines).entries()) {
    const trimmed = line.trim();
    if (trimmed.length < 2 || trimmed.length > longestLine) continue;
    const score = likeness(pairs, sought.length - 1, trimmed);
    if (score >= enough) scored.push({ line: index + 1, text: line, score });
  }
  const best = scored.sort((a, b) => b.score - a.score || a.line - b.line).slice(0, shown);
  if (best.length === 0) return "";
  const listed = best.toSorted((a, b) => a.line - b.line).map(({ line, text: near }) => `${line}: ${near}`);
  return `The nearest lines are\n${listed.join("\n")}`;
}

type Pairs = Map<string, number>;

function pairsOf(text: string): Pairs {
  const pairs: Pairs = new Map();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Share of the neighbouring pairs of characters that two lines have in common, 0 to 1. */
function likeness(pairs: Pairs, count: number, line: string): number {
  const most = Math.min(count, line.length - 1);
  if ((2 * most) / (count + line.length - 1) < enough) return 0;
  let common = 0;
  for (const [pair, times] of pairsOf(line)) common += Math.min(times, pairs.get(pair) ?? 0);
  return (2 * common) / (count + line.length - 1);
}
