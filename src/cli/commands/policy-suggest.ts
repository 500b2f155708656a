import { jsonLine } from "../../core/json-line.ts";
import type { PastCall } from "../../policy/suggest/past-call.ts";
import type { Suggestion } from "../../policy/suggest/suggestions.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import type { Composition } from "../composition.ts";
import { askLine, atTerminal } from "../io.ts";
import { changeText, writeChange } from "../policy-change.ts";
import { CliProblem } from "../problem.ts";
import { sinceFrom } from "../since.ts";
import { gatherSuggestions } from "../suggest/gather.ts";
import { suggestionLines } from "../suggest/suggestion-text.ts";
import { changeWith, writtenRule } from "../suggest/written-rule.ts";
import { cleanEffect } from "../ui/safe-text.ts";

/**
 * `agent policy suggest`: rules that would have answered what the person answered alike in this workspace, numbered; with a number to write,
 * the change of the person's policy file is shown, and made where they say so at a terminal.
 * @throws CliProblem usage for a time or a number that is none
 */
export async function suggestRules(
  composition: Composition,
  { since, write }: { since?: string | undefined; write?: string | undefined },
): Promise<number> {
  const { io, flags } = composition;
  const found = await suggested(composition, since === undefined ? undefined : sinceFrom(since, Date.now()));
  if (write !== undefined) return writeOne(composition, found, write);
  if (flags.json === true) for (const line of await jsonLines(found)) io.stdout.write(jsonLine(line));
  else io.stdout.write(cleanEffect(listText(found)));
  return 0;
}

async function suggested(composition: Composition, since: number | undefined): Promise<Suggestion[]> {
  const { workspace } = composition;
  const policy = await composition.policy({ session: "", workspace, mode: "ask" });
  return gatherSuggestions({ store: await composition.reading(), workspace, policy, since });
}

function listText(found: readonly Suggestion[]): string {
  if (found.length === 0) return `${policyCommands().nothingAlike}\n`;
  const listed = found.map((one, at) => {
    const [head = "", ...rest] = suggestionLines(one);
    return [`${at + 1}  ${head}`, ...rest.map((line) => `   ${line}`)].join("\n");
  });
  return `${listed.join("\n\n")}\n\n${policyCommands().writeHint}\n`;
}

async function jsonLines(found: readonly Suggestion[]) {
  const named = ({ session, callId, at, summary, verdict }: PastCall) => ({
    session,
    callId,
    at,
    summary,
    asked: verdict?.decision === "ask",
  });
  return Promise.all(
    found.map(async (one, at) => ({
      number: at + 1,
      rule: await writtenRule(one),
      answered: one.answered.map(named),
      decided: one.decided,
      also: one.also.map(named),
    })),
  );
}

/** Writes one suggestion. Where nobody sits nothing is written: a model may be running this. */
async function writeOne(
  { io, places, flags }: Composition,
  found: readonly Suggestion[],
  text: string,
): Promise<number> {
  const one = /^[1-9]\d{0,4}$/u.test(text) ? found[Number(text) - 1] : undefined;
  if (one === undefined)
    throw new CliProblem("usage", policyCommands().number({ text }), {
      hint: found.length === 0 ? policyCommands().nothingToSuggest : policyCommands().thereAre({ count: found.length }),
    });
  const change = await changeWith(places.policy, one);
  if (flags.json === true) io.stdout.write(jsonLine({ file: change.file, diff: changeText(change) }));
  else io.stdout.write(cleanEffect(`${suggestionLines(one).join("\n")}\n\n${changeText(change)}`));
  if (!atTerminal(io) || flags.json === true) throw new CliProblem("usage", policyCommands().asksToWrite);
  const answer = await askLine(io.stdin, io.stdout, policyCommands().question);
  if (answer?.trim().toLowerCase() !== "y") {
    io.stderr.write(`${policyCommands().nothingWritten}\n`);
    return 1;
  }
  await writeChange(change, policyCommands().lookAgain);
  io.stderr.write(cleanEffect(`${cellWords().wrote({ file: change.file })}\n`));
  return 0;
}
