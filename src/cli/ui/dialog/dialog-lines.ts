import { addressOf } from "../../../core/call-ref.ts";
import type { CallDecision } from "../../../graph/decisions.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import { newsText } from "../../print/news-text.ts";
import { changeLines } from "../question/change-lines.ts";
import { cleanEffect, visibleJson } from "../safe-text.ts";
import type { Lines } from "../surface/surface.ts";
import { callLabel } from "../view/decisions.ts";
import { type Ask, numberIn, type Request } from "../view/view.ts";
import { type Choice, choicesOf, type DialogEffect, grantOf, isPlan, keyOf, onceOf } from "./dialog-state.ts";
import { parseEdit } from "./edit-arguments.ts";

/** The meaning of a typed line as an answer to a question. `say`: nothing was decided, this is to be said. */
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

/** Returns the text to type for a choice, the letter of the screen's dialog first, and its outcome. */
function asTyped(request: Request, choice: Choice): string {
  const offer = request.grants.find((grant) => grant.choice === choice);
  const { typed } = words().lines;
  switch (choice) {
    case "deny":
    case "reason":
    case "edit":
      return typed[choice];
    case "once":
      if (request.call.risk === "high") return typed.onceHigh;
      if (request.partial !== undefined) return typed.oncePartial;
      return isPlan(request) ? typed.plan : typed.once;
    case "session":
    case "project":
    case "made": {
      const word = `${keyOf[choice]}, ${choice === "made" ? "written" : choice}`.padEnd(13);
      return typed.wider({ typed: word, grant: offer?.text ?? "", file: offer?.where ?? "" });
    }
    case "mode":
      return typed.mode({ mode: request.call.mode ?? "" });
  }
}

/** The whole question as plain text, nothing folded; what of a partial call is not in its text is said. */
export function questionText(request: Request, ask: Ask): string {
  const { lines: said } = words();
  const { why, rule } = request;
  const lines = [
    said.request({ at: numberIn(ask, request.ref), of: ask.batch.length, call: callLabel(request) }),
    said.risk({ risk: request.call.risk, why, rule }),
    ...(request.call.news === undefined ? [] : [said.news({ text: newsText(request.call.news) })]),
    ...(request.changed === undefined ? [] : [said.askedAnew(request.changed)]),
    ...(request.agent === undefined ? [] : [said.askedBy({ agent: request.agent })]),
    ...request.warnings.map((text) => said.warning({ text })),
    ...(request.partial === undefined ? [] : [said.partial(request.partial)]),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [said.facts(request)]),
    ...(request.command === "" ? [] : [said.command(request)]),
    ...(request.surroundings === "" ? [] : [said.surroundings({ text: request.surroundings })]),
    ...(request.parts.length > 1 ? request.parts.map((part) => said.part({ part })) : []),
    ...request.scripts.map(({ title, text }) =>
      text === "" ? said.script({ title }) : `${said.script({ title })}:\n${text}`,
    ),
    ...changeLines(request.changes),
    ...effectLines(request),
    ...request.ownNames,
    request.sha,
    said.asked,
    ...numbered(request),
  ];
  return lines.join("\n");
}

/** Lists the effect of a call that has neither a change nor a command. */
function effectLines({ changes, command, proposed, argumentText }: Request): string[] {
  if (changes.length > 0 || command !== "") return [];
  const { lines: said } = words();
  if (proposed === undefined) return [said.arguments({ text: argumentText })];
  return [said.plan, proposed.text, ...proposed.goals.map((goal) => said.goal({ goal }))];
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

/** Reads the decision about a call from a typed line. Only whole words, letters and numbers count; anything else asks again. */
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
  text: words().lines.drawnOnly({ typed: word, next: whatCounts(request) }),
});

const again = (request: Request): Spoken => ({ kind: "say", text: whatCounts(request) });

function whatCounts(request: Request): string {
  const { reasonTyped, editTyped, undecided } = words().lines;
  const typed: Record<Choice, string> = {
    deny: "n",
    reason: reasonTyped,
    edit: editTyped,
    once: needsWord(request) ? "yes" : "y",
    session: "s",
    project: "p",
    made: "w",
    mode: "m",
  };
  return undecided({ choices: choicesOf(request).map((choice) => typed[choice]) });
}

function byChoice(request: Request, choice: Choice, rest: string, inFull: boolean): Spoken {
  switch (choice) {
    case "deny":
      return { kind: "decision", decision: rest === "" ? { decision: "deny" } : { decision: "deny", reason: rest } };
    case "reason":
      if (rest === "") return { kind: "say", text: words().lines.typeReason };
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
  if (rest !== "") return { kind: "say", text: words().lines.yesAlone };
  if (needsWord(request) && !inFull) {
    const { wordHigh, wordUnseen } = words().lines;
    return { kind: "say", text: request.call.risk === "high" ? wordHigh : wordUnseen };
  }
  return { kind: "decision", decision: onceOf(request) };
}

const notOffered = (): Spoken => ({ kind: "say", text: words().lines.notOffered });

function granted(request: Request, choice: string): Spoken {
  const grant = grantOf(request, choice);
  if (grant === undefined) return notOffered();
  if (request.partial !== undefined) return { kind: "say", text: words().lines.unread };
  return { kind: "decision", decision: { ...onceOf(request), grant } };
}

function inMode(request: Request): Spoken {
  const { mode } = request.call;
  if (mode === undefined) return notOffered();
  if (request.partial !== undefined) return { kind: "say", text: words().lines.unread };
  return { kind: "decision", decision: { ...onceOf(request), mode } };
}

function edited(request: Request, json: string): Spoken {
  if (!choicesOf(request).includes("edit")) return notOffered();
  if (json === "")
    return {
      kind: "say",
      text: words().lines.typeEdit({ now: cleanEffect(visibleJson(request.call.arguments)) }),
    };
  const edit = parseEdit(request.call, json);
  if (edit.kind === "bad") return { kind: "say", text: words().lines.badEdit({ wrong: edit.message }) };
  if (edit.kind === "same") return { kind: "say", text: words().lines.sameEdit };
  return { kind: "decision", decision: { decision: "edit", arguments: edit.arguments } };
}
