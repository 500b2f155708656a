import { type Again, again, type Ways } from "./again.ts";
import { callEnds } from "./contract/call-ends.ts";
import { commandLine } from "./contract/command-line.ts";
import { failures } from "./contract/failures.ts";
import { policyReasons } from "./contract/policy-reasons.ts";
import { endings, notices, refusals } from "./contract/session.ts";
import { turnNotices } from "./contract/turn-notices.ts";
import { otherWords } from "./room.ts";

const any = Symbol("any");

/** Each way of what is put differently by these values of its data; `any` stands for all the others. */
function waysBy(values: Readonly<Record<string, readonly unknown[]>>): Readonly<Record<string, unknown>>[] {
  return Object.entries(values).reduce<Record<string, unknown>[]>(
    (ways, [name, of]) => ways.flatMap((way) => of.map((value) => (value === any ? way : { ...way, [name]: value }))),
    [{}],
  );
}

const scopes = ["session", "project", "user"];

const policyWays: Ways = {
  own_word: waysBy({ risk: ["low", "medium", "high"] }),
  of_risk: waysBy({ risk: ["low", "medium", "high"] }),
  gives_secrets: [{ names: ["one"] }, {}],
  edits_accepted: waysBy({ added: [true, false] }),
  by_rule: waysBy({ because: [undefined, any] }),
  // Their English is in much that is no sentence: they stay as they are.
  host_at: [],
  of_command: [],
  grant: waysBy({ reach: [undefined, any], scope: scopes, helpers: [true, false] }),
};

const refusalWays: Ways = {
  notWaiting: waysBy({ ended: [undefined, any] }),
};

const noticeWays: Ways = {
  helpersUnfinished: waysBy({ helpers: [1, any], asked: [0, any] }),
  lostJob: waysBy({ isEnded: [true, false], of: [1, any], last: ["", any] }),
};

const turnWays: Ways = { superseded: waysBy({ calls: [1, any] }) };

const changedWays = waysBy({ undone: [true, false], open: [true, false] });

const knownWays = waysBy({ known: [callEnds.unseen, callEnds.unwritten, any] });

const endWays: Ways = {
  changed: changedWays,
  changedSome: changedWays,
  unknownDenied: knownWays,
  unknownPolicy: knownWays,
  unknownStopped: knownWays,
  unknownSuperseded: knownWays,
  unknownForked: knownWays,
  unknownGivenUp: knownWays,
  unknownLapsed: knownWays,
};

/** Data that may be a sentence of a contract themselves. */
const clauses = ["because", "place", "host", "granted", "why", "end", "note", "known"];
const contract = (name: string, english: object, ways: Ways = {}): Again => again(name, english, ways, inner, clauses);
const contracts: readonly Again[] = [
  contract("policyReasons", policyReasons, policyWays),
  contract("callEnds", callEnds, endWays),
  contract("sessionRefusals", refusals, refusalWays),
  contract("sessionNotices", notices, noticeWays),
  contract("turnNotices", turnNotices, turnWays),
  contract("sessionEndings", endings),
  contract("sessionFailures", failures),
  contract("commandLine", commandLine),
];

/** What a model or a repository named may stand in a text: no more of one is looked into than sentences of ours have. */
const most = { characters: 10_000, deep: 8, colons: 16 };
let deep = 0;

function inner(text: string): string | undefined {
  if (deep >= most.deep) return undefined;
  deep += 1;
  try {
    return known(text) ?? ofCommand(text);
  } finally {
    deep -= 1;
  }
}

function known(text: string): string | undefined {
  for (const said of contracts) {
    const found = said(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of one command of a line: what stands before the reason is the command, whatever is in it. */
function ofCommand(text: string): string | undefined {
  const twin = otherWords()?.["policyReasons"] as typeof policyReasons | undefined;
  let left = twin === undefined ? 0 : most.colons;
  for (let at = text.indexOf(": "); at >= 0 && left > 0; at = text.indexOf(": ", at + 1)) {
    left -= 1;
    const because = known(text.slice(at + 2));
    if (twin !== undefined && because !== undefined) return twin.of_command({ command: text.slice(0, at), because });
  }
  return undefined;
}

// Keeps words 5.
/** What the contract with models and programs says in English, for the person: in the language of the process, if it has that. */
export const saidAgain = (text: string): string =>
  otherWords() === undefined || text.length > most.characters ? text : (inner(text) ?? text);
