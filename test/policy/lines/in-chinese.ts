import type { Preparation } from "../../../src/graph/calls/prepared-call.ts";
import { speak } from "../../../src/words/room.ts";
import { saidAgain } from "../../../src/words/said-again.ts";
import * as chinese from "../../../src/words/zh/index.ts";

const han = /[\u4e00-\u9fff]/u;
/** Two words of English in a row; what stands beside a sign of paths and options is a name. */
const english = /(?<![\w/.-])[a-z]{2,} [a-z]{2,}(?![\w/.-])/u;

/** Why a line is judged as it is: of the line, and of each command in it. */
function reasonsOf(prepared: Preparation): string[] {
  if (prepared.kind === "refused") return [prepared.message];
  const { why, parts = [] } = prepared.verdict;
  return [why, ...parts.map((part) => part.why)];
}

/** Those of these reasons of which a Chinese screen would have some in English, beside what the line itself says, with what it would have. */
export function leftInEnglish(line: string, prepared: Preparation): string[] {
  const own = [line, ...line.split(/\s+/u)].filter((word) => word.length > 1);
  const byLength = own.toSorted((one, other) => other.length - one.length);
  speak(chinese);
  const told = reasonsOf(prepared).map((why) => ({ why, said: saidAgain(why) }));
  speak(undefined);
  return told
    .filter(
      ({ said }) => !han.test(said) || english.test(byLength.reduce((rest, word) => rest.replaceAll(word, "¤"), said)),
    )
    .map(({ why, said }) => `${why} is said as: ${said}`);
}
