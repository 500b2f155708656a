import type { OpenCall } from "../../records/session-progress.ts";
import { cells } from "../../words/en/cells.ts";
import { saidAgain, titleAgain } from "../../words/said-again.ts";

/** Returns the title of a call that needs the person, as they read it. */
export const titleOf = ({ toolName, summary }: OpenCall): string => titleAgain(toolName, summary);

/** Of how a session stands each part that is said of it, as a person reads it. */
export const standingAgain = (text: string): string =>
  text
    .split("; ")
    .map((part) => titleAgain("a session", part))
    .join("; ");

/** One line of a plan as a person reads it; a goal's own text stays as it is. */
export const goalAgain = (line: string): string => titleAgain("a goal", line);

/** Tells the part of a plan that is done. */
export const doneAgain = (text: string): string => titleAgain("goal", text);

const deciding = ["asked", "allowed", "refused", "decided"] as const;

/** Tells the decision in words: the one that decided, and the rule. */
function decidedAgain(text: string): string | undefined {
  const how = deciding.find((one) => text.startsWith(`${one} by `));
  const { by, rule } = /^\w+ by (?<by>[a-z]+)(?:, rule (?<rule>.+))?$/u.exec(text)?.groups ?? {};
  return how === undefined || by === undefined ? undefined : cells().decided[how]({ by, rule });
}

/** One line of a call's life as a person reads it: what happened, who decided, and why. */
export const eventAgain = (text: string): string =>
  text
    .split(" · ")
    .map((part) => decidedAgain(part) ?? titleAgain("an event", saidAgain(part)))
    .join(" · ");
