import { resolve } from "node:path";
import { refOf } from "../../../core/call-ref.ts";
import type { JsonObject } from "../../../core/json.ts";
import { proposedPlan } from "../../../core/proposed-plan.ts";
import type { FilePlan, Plan } from "../../../core/tool.ts";
import { changesOf, isStructured, totalOf } from "../../../files/diff/diff-text.ts";
import { partialText } from "../../../graph/calls/partial.ts";
import type { UnsettledCall, WaitingCall } from "../../../graph/events.ts";
import { view as words } from "../../../words/en/view.ts";
import { saidAgain, titleAgain } from "../../../words/said-again.ts";
import { surroundingsText } from "../../print/command-text.ts";
import type { ToolLabels } from "../../services/session-services.ts";
import { hasHidden, nameBlanks } from "../../terminal/sanitise.ts";
import {
  cleanEffect,
  cleanLine,
  cleanPath,
  isIn,
  relativeTo,
  type Subject,
  subjectOf,
  visibleJson,
} from "../safe-text.ts";
import { labelled, nameOf, noLabels, ownNames } from "./labels.ts";
import { type AskedCall, choiceOf, type Request, type Unsettled } from "./view.ts";

/** A place where it really is, in words: with the name that it was asked by where that says another one, and that it is outside. */
function placeLine(what: string, place: Pick<FilePlan, "real" | "asked">, workspace: string): string {
  const [real, asked] = [place.real, place.asked].map((path) => cleanPath(relativeTo(workspace, path)));
  const outside = isWithin(workspace, place.real) ? "" : ` · ${words().outside}`;
  const link = asked === real || asked === `./${real}` ? "" : ` · ${words().askedAs({ path: asked ?? "" })}`;
  return cleanLine(`${what} ${real}${link}${outside}`);
}

const isWithin = (workspace: string, real: string): boolean => real === workspace || isIn(workspace, real);

/** The places that it reads which are not where their names have them, as behind a link, or are outside; that of a command is told with what surrounds it. */
function readLines({ command, cwd, reads = [] }: Plan, workspace: string): string[] {
  if (command !== undefined) return [];
  return reads
    .filter(({ asked, real }) => !isWithin(workspace, real) || resolve(cwd, asked) !== real)
    .map((place) => placeLine(words().fileKinds.read, place, workspace));
}

/** Only what differs from the plain case (LF, UTF-8, 644) or matters for a new file. */
function fileFacts(file: FilePlan): string[] {
  if (file.kind === "delete") return [];
  const facts: string[] = [];
  if (file.eol !== "lf" && file.eol !== "none") facts.push(words().lineEndings[file.eol]);
  if (file.bom) facts.push("BOM");
  if (file.encoding !== "utf-8") facts.push(file.encoding);
  if ((file.mode & 0o111) !== 0) facts.push(words().executable({ mode: (file.mode & 0o7777).toString(8) }));
  else if (file.mode !== 0o644 && file.mode !== 0o664)
    facts.push(words().fileMode({ mode: (file.mode & 0o7777).toString(8) }));
  return facts;
}

function ruleText(call: WaitingCall, workspace: string): string {
  const { source, file, line } = call.verdict.rule;
  const said = words().sources[source];
  if (file === undefined) return said;
  return cleanLine(`${said} ${cleanPath(relativeTo(workspace, file))}${line === undefined ? "" : `:${line}`}`);
}

const textsOf = (value: JsonObject[string]): string[] => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
    : [];
};

function warningsOf(plan: Plan, args: JsonObject): string[] {
  const texts = [...textsOf(args), plan.diff ?? "", plan.command ?? "", ...(plan.files ?? []).map((file) => file.real)];
  const isHidden = texts.some(hasHidden) || (plan.command !== undefined && plan.command !== nameBlanks(plan.command));
  return [
    ...(isHidden ? [words().hidden] : []),
    ...(plan.warnings ?? []).map((warning) => cleanLine(saidAgain(warning))),
  ];
}

function changedOf(call: WaitingCall): Request["changed"] {
  if (call.changed === undefined) return undefined;
  const { why, before } = call.changed;
  return { why: cleanLine(saidAgain(why)), before: before === undefined ? [] : changesOf(before) };
}

function subjectOfRequest({ toolName, plan, arguments: args }: WaitingCall, workspace: string): Subject {
  const [file, ...more] = plan.files ?? [];
  if (file !== undefined && more.length === 0)
    return { text: cleanPath(relativeTo(workspace, file.real)), isPath: true };
  // An address is shown as it will be asked for, not as it was written.
  return file === undefined && plan.hosts === undefined
    ? subjectOf(args, { toolName, workspace })
    : { text: cleanLine(titleAgain(toolName, plan.summary)), isPath: false };
}

const placeOf = (cwd: string, workspace: string): string =>
  cwd === workspace ? words().workspace : cleanPath(relativeTo(workspace, cwd));

/** Each once, in the order of the commands that run them; of an operand that no command has, where there is text to be read. */
function scriptsOf({ commands = [], operands = [] }: Plan, workspace: string): Request["scripts"] {
  const named = commands.flatMap(({ scripts = [] }) => scripts);
  const found = new Map<string, Request["scripts"][number]>();
  for (const { path, sha, text = "", ...more } of [...named, ...operands.filter((one) => one.text !== undefined)]) {
    const name = "name" in more && typeof more.name === "string" ? more.name : undefined;
    const does = "how" in more && more.how === "reads" ? words().reads : words().runs;
    const inside = cleanPath(relativeTo(workspace, path));
    const file = cleanLine(name === undefined ? inside : words().namedIn({ name, file: inside }));
    if (found.has(file)) continue;
    const title = does({ file, sha: cleanLine(sha ?? "").slice(0, 12) });
    found.set(file, { title, text: cleanEffect(text) });
  }
  const shown = [...found.values()];
  const bare = shown.filter(({ text }) => text === "");
  const more = bare.slice(mostBare);
  const rest = more.length === 0 ? [] : [{ title: words().moreFiles({ files: more.length }), text: "" }];
  return [...shown.filter((one) => !more.includes(one)), ...rest];
}

/** Files of which there is nothing to be read: as many as a person looks over. */
const mostBare = 12;

function proposedOf(call: AskedCall): Request["proposed"] {
  const plan = proposedPlan(call);
  return plan && { text: cleanEffect(plan.text), goals: plan.goals.map(cleanLine) };
}

/** Makes the request that the approval dialog draws of one waiting call; all outside text passes the sanitiser here, once. */
export function toRequest(call: AskedCall, workspace: string, labels: ToolLabels = noLabels): Request {
  const { plan, verdict, toolName, arguments: args } = call;
  const files = plan.files ?? [];
  const changed = changedOf(call);
  const changes = changesOf(plan);
  const subject = subjectOfRequest(call, workspace);
  const proposed = proposedOf(call);
  return {
    ref: refOf(call),
    call,
    toolName: nameOf(labels, toolName),
    ownNames: ownNames(labels, toolName, args),
    subject: subject.text,
    isPath: subject.isPath,
    files: [
      ...readLines(plan, workspace),
      ...files.map((file) => placeLine(words().fileKinds[file.kind], file, workspace)),
    ],
    ...(files.length === 0 || !changes.every(isStructured) ? {} : { counts: totalOf(files) }),
    changes,
    ...(call.partial === undefined
      ? {}
      : { partial: { text: saidAgain(partialText(call.partial)), why: call.partial.why } }),
    command: cleanEffect(nameBlanks(plan.command ?? "")),
    surroundings: surroundingsText(plan, placeOf(plan.cwd, workspace)),
    scripts: scriptsOf(plan, workspace),
    facts: files.flatMap(fileFacts),
    warnings: warningsOf(plan, call.arguments),
    why: cleanLine(saidAgain(verdict.why)),
    rule: ruleText(call, workspace),
    parts: (verdict.parts ?? []).map((part) =>
      cleanLine(nameBlanks(`${part.decision}: ${part.command} (${saidAgain(part.why)})`)),
    ),
    sha: `sha ${cleanLine(call.digest).slice(0, 4)}…`,
    grants: (call.grants ?? []).map((grant) => ({
      choice: choiceOf(grant),
      text: cleanLine(nameBlanks(saidAgain(grant.text))),
      where: cleanLine(grant.where),
    })),
    ...(call.agent === undefined ? {} : { agent: cleanLine(call.agent) }),
    ...(changed === undefined ? {} : { changed }),
    ...(proposed === undefined ? {} : { proposed }),
    argumentText: cleanEffect(visibleJson(labelled(labels, toolName, args))),
  };
}

/** Makes the entry that the recovery menu draws of one call whose end was not seen. */
export function toUnsettled(call: UnsettledCall, workspace: string, labels: ToolLabels = noLabels): Unsettled {
  const { toolName, arguments: args } = call;
  return {
    ref: refOf(call),
    call,
    toolName: nameOf(labels, toolName),
    ownNames: ownNames(labels, toolName, args),
    subject: subjectOf(args, { toolName, workspace }).text,
    startedAt: cleanLine(call.startedAt),
    known: cleanLine(saidAgain(call.known)),
    changes: call.plan === undefined ? [] : changesOf(call.plan),
    argumentText: cleanEffect(visibleJson(labelled(labels, toolName, args))),
    choices: call.choices,
    ...(call.agent === undefined ? {} : { agent: cleanLine(call.agent) }),
  };
}
