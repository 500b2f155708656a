import type { RecoveryChoice } from "../../graph/events.ts";
import type { CallDecision } from "../../graph/session.ts";
import { cleanEffect } from "./clean.ts";
import { choicesOf } from "./dialog-state.ts";
import { parseEdit } from "./edit-arguments.ts";
import type { Ask, Request, Unsettled } from "./view.ts";
import { callLabel } from "./view-state.ts";

/** What a typed line says to a question. `ask`: nothing was decided, this is to be said. */
export type Spoken<Decision> = { kind: "decision"; decision: Decision } | { kind: "say"; text: string };

const numbered = (request: Request): string[] =>
  choicesOf(request).map((choice, index) => {
    const offer = request.grants.find((grant) => grant.scope === choice);
    const words: Record<string, string> = {
      deny: "deny",
      reason: "deny REASON",
      edit: "edit JSON    (the whole arguments)",
      once:
        request.call.risk === "high"
          ? "yes          (approve once; HIGH risk: only the word yes counts)"
          : "yes          (approve once)",
    };
    return `${index + 1}. ${words[choice] ?? `${choice}      (yes, and from now on: ${offer?.text ?? ""}; written to ${offer?.where ?? ""})`}`;
  });

/** The whole question as plain text: everything is said, nothing is folded. */
export function questionText(request: Request, ask: Ask): string {
  const at = ask.decided + ask.requests.indexOf(request) + 1;
  const lines = [
    `Request ${at} of ${ask.total}: ${callLabel(request)}`,
    `Risk: ${request.call.risk}. Why: ${request.why} (${request.rule})`,
    ...(request.changed === undefined ? [] : [`The file changed while you were deciding: ${request.changed.why}`]),
    ...(request.agent === undefined ? [] : [`Asked by the sub-agent ${request.agent}`]),
    ...request.warnings.map((text) => `Warning: ${text}`),
    ...request.files,
    ...(request.facts.length === 0 ? [] : [`Facts: ${request.facts.join(", ")}`]),
    ...(request.command === "" ? [] : [`Command: ${request.command}`]),
    ...(request.diff === "" ? [] : [cleanEffect(request.diff).replace(/\n$/, "")]),
    ...(request.diff === "" && request.command === "" ? [`Arguments: ${request.argumentText}`] : []),
    request.sha,
    "What now? Type a word or its number:",
    ...numbered(request),
  ];
  return lines.join("\n");
}

const digits: Record<string, number> = { "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5 };

/** What a typed line decides about a call. Only whole words count; anything else asks again. */
export function spokenDecision(request: Request, line: string): Spoken<CallDecision> {
  const text = line.trim();
  const byNumber = digits[text];
  const choice = byNumber === undefined ? undefined : choicesOf(request)[byNumber];
  if (choice !== undefined) return byChoice(request, choice);
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  switch (word.toLowerCase()) {
    case "no":
    case "deny":
      return { kind: "decision", decision: rest === "" ? { decision: "deny" } : { decision: "deny", reason: rest } };
    case "yes":
      return rest === "" ? approval(request) : { kind: "say", text: "Type yes alone to approve." };
    case "edit":
      return edited(request, rest);
    case "session":
    case "project":
      return rest === "" ? granted(request, word.toLowerCase()) : again;
    default:
      return again;
  }
}

const again = { kind: "say", text: "Nothing was decided. Type deny, deny REASON, edit JSON, or yes." } as const;

const approval = (request: Request): Spoken<CallDecision> => ({
  kind: "decision",
  decision: { decision: "approve", digest: request.call.digest },
});

function byChoice(request: Request, choice: ReturnType<typeof choicesOf>[number]): Spoken<CallDecision> {
  switch (choice) {
    case "deny":
      return { kind: "decision", decision: { decision: "deny" } };
    case "reason":
      return { kind: "say", text: "Type deny and the reason on one line." };
    case "edit":
      return { kind: "say", text: `Type edit and the whole arguments as JSON. They are now: ${request.argumentText}` };
    case "once":
      return request.call.risk === "high" ? { kind: "say", text: "HIGH risk: type the word yes." } : approval(request);
    case "session":
    case "project":
      return granted(request, choice);
  }
}

function granted(request: Request, scope: string): Spoken<CallDecision> {
  const grant = request.call.grants?.find((one) => one.scope === scope);
  if (grant === undefined) return { kind: "say", text: "That is not offered for this call." };
  return { kind: "decision", decision: { decision: "approve", digest: request.call.digest, grant } };
}

function edited(request: Request, json: string): Spoken<CallDecision> {
  const edit = parseEdit(request.call, json);
  if (edit.kind === "bad") return { kind: "say", text: `Nothing was decided: ${edit.message}` };
  if (edit.kind === "same") return { kind: "say", text: "The arguments are as before; nothing was decided." };
  return { kind: "decision", decision: { decision: "edit", arguments: edit.arguments } };
}

/** The recovery question as plain text. */
export function recoveryText(call: Unsettled): string {
  return [
    `The end of this call was not seen: ${call.toolName} ${call.subject}`,
    `Started ${call.startedAt}. Known: ${call.known}`,
    ...(call.diff === "" ? [] : [cleanEffect(call.diff).replace(/\n$/, "")]),
    `Arguments: ${call.argumentText}`,
    `What now? Type ${call.choices.join(", ")}:`,
  ].join("\n");
}

export function spokenChoice(call: Unsettled, line: string): Spoken<RecoveryChoice> {
  const choice = call.choices.find((one) => one === line.trim().toLowerCase());
  if (choice !== undefined) return { kind: "decision", decision: choice };
  return { kind: "say", text: `Nothing was decided. Type ${call.choices.join(", ")}.` };
}
