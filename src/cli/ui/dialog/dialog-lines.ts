import { addressOf } from "../../../core/call-ref.ts";
import type { CallDecision } from "../../../graph/decisions.ts";
import { newsText } from "../../print/news-text.ts";
import { changeLines } from "../question/change-lines.ts";
import { cleanEffect, visibleJson } from "../safe-text.ts";
import type { Lines } from "../surface/surface.ts";
import { callLabel } from "../view/decisions.ts";
import { type Ask, numberIn, type Request } from "../view/view.ts";
import { type Choice, choicesOf, type DialogEffect, grantOf, isPlan, keyOf, onceOf } from "./dialog-state.ts";
import { parseEdit } from "./edit-arguments.ts";

/** What a typed line says to a question. `say`: nothing was decided, this is to be said. */
type Spoken = { kind: "decision"; decision: CallDecision } | { kind: "say"; text: string };

/** The first of the calls that wait for the person's yes, where lines are all there is: the whole question, and words for its keys. */
export const dialogLines: Lines<Extract<DialogEffect, { do: "answer" }>> = {
  asked({ ask }) {
    const [request] = ask?.requests ?? [];
    if (ask === undefined || request === undefined) return undefined;
    return { key: `${addressOf(request.ref)}@${request.call.digest}`, text: () => questionText(request, ask) };
  },
  said({ ask }, line) {
    const [request] = ask?.requests ?? [];
    if (request === undefined) return undefined;
    const spoken = spokenDecision(request, line);
    if (spoken.kind === "say") return { say: spoken.text };
    return { effect: { do: "answer", answers: [{ ref: request.ref, decision: spoken.decision }] } };
  },
  escaped: "deny",
};

const numbered = (request: Request): string[] =>
  choicesOf(request).map((choice, index) => `${index + 1}. ${asTyped(request, choice)}`);

/** What to type for a choice, the letter of the screen's dialog first, and what comes of it. */
function asTyped(request: Request, choice: Choice): string {
  const offer = request.grants.find((grant) => grant.choice === choice);
  switch (choice) {
    case "deny":
      return "n, deny";
    case "reason":
      return "r REASON      (deny, and say why)";
    case "edit":
      return "e JSON        (edit: the whole arguments, then decide)";
    case "once":
      if (request.call.risk === "high") return "yes           (approve once; HIGH risk: only the word yes counts)";
      if (request.partial !== undefined)
        return "yes           (approve once; not all is shown: only the word yes counts)";
      return isPlan(request) ? "y, yes        (approve it; the mode is ask then)" : "y, yes        (approve once)";
    case "session":
    case "project":
    case "made": {
      const words = `${keyOf[choice]}, ${choice === "made" ? "written" : choice}`.padEnd(13);
      return `${words} (yes, and from now on: ${offer?.text ?? ""}; written to ${offer?.where ?? ""})`;
    }
    case "mode":
      return `m, mode       (yes, and allow edits from now on; the mode is ${request.call.mode ?? ""} then)`;
  }
}

/** The whole question as plain text, nothing folded; what of a partial call is not in its text is said. */
export function questionText(request: Request, ask: Ask): string {
  const lines = [
    `Request ${numberIn(ask, request.ref)} of ${ask.batch.length}: ${callLabel(request)}`,
    `Risk: ${request.call.risk}. Why: ${request.why} (${request.rule})`,
    ...(request.call.news === undefined ? [] : [`New: ${newsText(request.call.news)}`]),
    ...(request.changed === undefined ? [] : [`Asked anew: ${request.changed.why}`]),
    ...(request.agent === undefined ? [] : [`Asked by the sub-agent ${request.agent}`]),
    ...request.warnings.map((text) => `Warning: ${text}`),
    ...(request.partial === undefined ? [] : [`Partial: ${request.partial.text}`]),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [`Facts: ${request.facts.join(", ")}`]),
    ...(request.command === "" ? [] : [`Command: ${request.command}`]),
    ...(request.surroundings === "" ? [] : [`It ${request.surroundings}`]),
    ...(request.parts.length > 1 ? request.parts.map((part) => `Part: ${part}`) : []),
    ...request.scripts.map(({ title, text }) =>
      text === "" ? `It${title.slice(2)}` : `It${title.slice(2)}:\n${text}`,
    ),
    ...changeLines(request.changes),
    ...effectLines(request),
    ...request.ownNames,
    request.sha,
    "What now? Type one of these, or its number:",
    ...numbered(request),
  ];
  return lines.join("\n");
}

/** What has neither a change nor a command. */
function effectLines({ changes, command, proposed, argumentText }: Request): string[] {
  if (changes.length > 0 || command !== "") return [];
  if (proposed === undefined) return [`Arguments: ${argumentText}`];
  return ["Plan:", proposed.text, ...proposed.goals.map((goal) => `Goal, once it is approved: ${goal}`)];
}

/** Only the word counts: a letter is typed in passing. */
const needsWord = ({ call, partial }: Request): boolean => call.risk === "high" || partial !== undefined;

const choiceOfWord: Record<string, Choice> = {
  n: "deny",
  no: "deny",
  deny: "deny",
  r: "reason",
  reason: "reason",
  e: "edit",
  edit: "edit",
  y: "once",
  yes: "once",
  s: "session",
  session: "session",
  p: "project",
  project: "project",
  w: "made",
  written: "made",
  m: "mode",
  mode: "mode",
};

/** What a typed line decides about a call. Only whole words, letters and numbers count; anything else asks again. */
export function spokenDecision(request: Request, line: string): Spoken {
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const numberedChoice = /^[1-9]$/.test(word) && rest === "" ? choicesOf(request)[Number(word) - 1] : undefined;
  const choice = numberedChoice ?? choiceOfWord[word.toLowerCase()];
  if (choice === undefined) return drawnOnly.has(line.trim()) ? ofDrawnChat(request, word) : again(request);
  return byChoice(request, choice, rest, word.toLowerCase() === "yes");
}

/** Keys of the drawn dialog that show more: here all is shown already. */
const drawnOnly: ReadonlySet<string> = new Set(["d", "D", "?"]);

const ofDrawnChat = (request: Request, word: string): Spoken => ({
  kind: "say",
  text: `“${word}” is a key of the drawn chat only; here the question is shown whole. ${whatCounts(request)}`,
});

const again = (request: Request): Spoken => ({ kind: "say", text: whatCounts(request) });

function whatCounts(request: Request): string {
  const words: Record<Choice, string> = {
    deny: "n",
    reason: "r REASON",
    edit: "e JSON",
    once: needsWord(request) ? "yes" : "y",
    session: "s",
    project: "p",
    made: "w",
    mode: "m",
  };
  const choices = choicesOf(request).map((choice) => words[choice]);
  return `Nothing was decided. Type ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}.`;
}

function byChoice(request: Request, choice: Choice, rest: string, inFull: boolean): Spoken {
  switch (choice) {
    case "deny":
      return { kind: "decision", decision: rest === "" ? { decision: "deny" } : { decision: "deny", reason: rest } };
    case "reason":
      if (rest === "") return { kind: "say", text: "Type r and the reason on one line." };
      return { kind: "decision", decision: { decision: "deny", reason: rest } };
    case "edit":
      return edited(request, rest);
    case "once":
      return approval(request, rest, inFull);
    case "session":
    case "project":
    case "made":
      return rest === "" ? granted(request, choice) : again(request);
    case "mode":
      return rest === "" ? inMode(request) : again(request);
  }
}

function approval(request: Request, rest: string, inFull: boolean): Spoken {
  if (rest !== "") return { kind: "say", text: "Nothing was decided. Type yes alone to approve." };
  if (needsWord(request) && !inFull) {
    const why = request.call.risk === "high" ? "HIGH risk" : "Not all of it is shown";
    return { kind: "say", text: `Nothing was decided. ${why}: type the word yes.` };
  }
  return { kind: "decision", decision: onceOf(request) };
}

const notOffered = { kind: "say", text: "Nothing was decided. That is not offered for this call." } as const;

function granted(request: Request, choice: string): Spoken {
  const grant = grantOf(request, choice);
  if (grant === undefined) return notOffered;
  if (request.partial !== undefined) return { kind: "say", text: unread };
  return { kind: "decision", decision: { ...onceOf(request), grant } };
}

const unread = "Nothing was decided. Not all of it is shown: approve it once, by the word yes.";

function inMode(request: Request): Spoken {
  const { mode } = request.call;
  if (mode === undefined) return notOffered;
  if (request.partial !== undefined) return { kind: "say", text: unread };
  return { kind: "decision", decision: { ...onceOf(request), mode } };
}

function edited(request: Request, json: string): Spoken {
  if (!choicesOf(request).includes("edit")) return notOffered;
  if (json === "")
    return {
      kind: "say",
      text: `Type e and the whole arguments as JSON. They are now: ${cleanEffect(visibleJson(request.call.arguments))}`,
    };
  const edit = parseEdit(request.call, json);
  if (edit.kind === "bad") return { kind: "say", text: `Nothing was decided: ${edit.message}` };
  if (edit.kind === "same") return { kind: "say", text: "The arguments are as before; nothing was decided." };
  return { kind: "decision", decision: { decision: "edit", arguments: edit.arguments } };
}
