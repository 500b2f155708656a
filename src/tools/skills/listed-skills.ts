import type { Skill } from "../../core/skill.ts";
import { charactersPerToken, weightOf } from "../../core/token-weight.ts";

/** Of the model's window the list takes so much at the most. */
const part = 0.02;
/** Characters, where the window is not known. */
const unknownWindow = 8_000;

/**
 * Names and descriptions, a line each, in what the list may take of the window; where not all fit the last have their names alone, and how
 * many have not even these is said.
 * @param window tokens
 */
export function listedSkills(skills: readonly Pick<Skill, "name" | "description">[], window?: number): string {
  const most = window === undefined ? unknownWindow : Math.floor(window * part * charactersPerToken);
  const whole = skills.map(({ name, description }) => `${name}: ${description}`);
  if (weightOf(whole.join("\n")) <= most) return whole.join("\n");
  let room = most - lastLine(skills.length, skills.length).length;
  const takes = (text: string): boolean => {
    const weight = weightOf(text) + 1;
    if (weight > room) return false;
    room -= weight;
    return true;
  };
  // Room for the names comes first, as far as half of it: a name says something too.
  const names = skills.reduce((sum, { name }) => sum + name.length + 2, 0);
  const kept = Math.min(names, Math.floor(room / 2));
  room -= kept;
  const lines: string[] = [];
  for (const line of whole) {
    if (!takes(line)) break;
    lines.push(line);
  }
  room += kept;
  const bare: string[] = [];
  for (const { name } of skills.slice(lines.length)) {
    if (!takes(`${name},`)) break;
    bare.push(name);
  }
  const left = skills.length - lines.length - bare.length;
  const named = bare.length === 0 ? [] : [`without what they are for: ${bare.join(", ")}`];
  return [...lines, ...named, lastLine(left, skills.length - lines.length)].join("\n");
}

const lastLine = (left: number, short: number): string =>
  `${left === 0 ? "" : `${left} more are not named here. `}${short} did not fit: called without a name, skill lists all.`;
