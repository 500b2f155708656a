import { typed as typedWords } from "../words/en/typed.ts";
import { CliProblem } from "./problem.ts";

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** "30d" before now, or the beginning of a day by the clock of this place; in milliseconds since the epoch. */
export function sinceFrom(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0);
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  const date = new Date(year ?? Number.NaN, (month ?? 0) - 1, day);
  if (date.getMonth() === (month ?? 0) - 1 && date.getDate() === day) return date.getTime();
  throw new CliProblem("usage", typedWords().since({ text }));
}
