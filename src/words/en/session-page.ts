import { room } from "../room.ts";

/** Texts of a session's page for people (`agent sessions export`): what it says beside what was said and done. */
export const sessionPage = room("sessionPage", {
  /** Of the page, as HTML names a language. */
  lang: "en",
  speakers: { person: "person", steer: "person, while the turn ran", agent: "agent" },
  headSpeakers: { person: "Person", steer: "Person, while the turn ran", agent: "Agent" },
  helper: "Helper",
  session: ({ session, model, state }: { session: string; model: string; state: string }) =>
    `session ${session} · ${model} · ${state.replaceAll("_", " ")}`,
  inFolder: ({ workspace }: { workspace: string }) => `in ${workspace}`,
  figures: ({ started, last, read, written }: { started: string; last: string; read: number; written: number }) =>
    `started ${started}, last ${last}, ${read} tokens in, ${written} out`,
  plan: ({ done }: { done: string }) => `plan, ${done}`,
  turn: ({ turn }: { turn: number }) => `turn ${turn}`,
  turnEnded: ({ reason }: { reason: string }) => `the turn ended: ${reason.replaceAll("_", " ")}`,
  notEnded: "the turn has not ended",
  picture: ({ name, type }: { name: string; type: string }) => `picture ${name} (${type})`,
  worksFor: ({ goal, mode }: { goal: string; mode: string }) => `works for ${goal} (${mode})`,
  takenBack: ({ call }: { call: string }) => `taken back by call ${call}`,
  facts: ({ tool, risk, effect, attempt }: { tool: string; risk: string; effect: string; attempt: number }) =>
    `${tool} · risk ${risk} · effect ${effect} · ${attempt} ${attempt === 1 ? "attempt" : "attempts"}`,
  life: "its life",
  arguments: "arguments",
  asWritten: "as the model wrote them",
  asDone: "as it was done, or would be",
  asAsked: "as the model asked for it",
  command: "command",
  shown: "shown",
  output: "output",
  error: "error",
  why: "why",
  whatChanged: "what changed",
  moreChanged: ({ lines }: { lines: number }) => `${lines} more changed lines are not kept here`,
  changes: {
    success: "what it changed",
    error: "what it was to change",
    cancelled: "what it was to change",
    interrupted: "what it was to change",
    executing: "what it changes",
    pending: "what it would change",
    awaiting_approval: "what it would change",
  },
  verbs: {
    approve: "approved",
    deny: "denied",
    edit: "arguments changed",
    retry: "to be run again, said",
    done: "done, said",
    cancel: "given up",
  },
  givers: {
    person: "the person",
    flag: "the person, by a flag",
    script: "a script",
    typed: "the person, who typed the command",
    unknown: "whom the record does not name",
  },
  /** `elsewhere`: from another process than the one that ran it. */
  decided: ({ what, who, elsewhere }: { what: string; who: string; elsewhere: boolean }) =>
    `${what} by ${who}${elsewhere ? ", from another process" : ""}`,
  because: ({ reason }: { reason: string }) => `: ${reason}`,
  fromThenOn: ({ grant }: { grant: string }) => `, and from then on: ${grant}`,
  byPolicy: ({ allowed, rule }: { allowed: boolean; rule: string | undefined }) =>
    `${allowed ? "allowed" : "denied"} by policy${rule === undefined ? "" : `, rule ${rule}`}`,
});
