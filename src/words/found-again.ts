import { type Again, again, againByTable, type Table, type Ways } from "./again.ts";
import { callEnds } from "./contract/call-ends.ts";
import { commandLine } from "./contract/command-line.ts";
import { failures } from "./contract/failures.ts";
import { policyReasons } from "./contract/policy-reasons.ts";
import { ruleWhys } from "./contract/rule-why.ts";
import { endings, notices, refusals } from "./contract/session.ts";
import { shellDoubts, shellParts } from "./contract/shell-doubts.ts";
import { shellGrammar } from "./contract/shell-grammar.ts";
import { shellReaders } from "./contract/shell-readers.ts";
import { shellRisks } from "./contract/shell-risks.ts";
import { shellRuns } from "./contract/shell-runs.ts";
import { turnNotices } from "./contract/turn-notices.ts";
import { otherWords } from "./room.ts";

/** The words of another language on what went into a prompt. */
export interface PromptWords {
  named(name: string): string;
  went(about: { used: string | undefined; left: string | undefined }): string;
}

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
  by_rule: waysBy({ own: [undefined, any] }),
  // Their English is in much that is no sentence: they stay as they are.
  host_at: [],
  of_command: [],
  grant: waysBy({ reach: [undefined, any], scope: scopes, helpers: [true, false] }),
};

const ruleWays: Ways = { answered: waysBy({ decision: ["allow", "deny", "ask"] }) };

const refusalWays: Ways = {
  notWaiting: waysBy({ ended: [undefined, any] }),
};

const noticeWays: Ways = {
  helpersUnfinished: waysBy({ helpers: [1, any], asked: [0, any] }),
  lostJob: waysBy({ isEnded: [true, false], of: [1, any], last: [undefined, "", any] }),
  endedJob: waysBy({ last: [undefined, "", any] }),
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

const readerWays: Ways = { shows_kept: waysBy({ count: [1, any] }) };

/** Data that may be a sentence of a contract themselves. */
const clauses = Object.fromEntries(
  ["because", "place", "host", "granted", "why", "wrong", "end", "note", "known", "how"].map((name) => [name, inner]),
);
/** Finds, in their place alone, the parts that are no sentence by themselves, and stand in much that is none. */
const tableOf = (name: string) => () => otherWords()?.[name] as Table | undefined;
const kindOf: Again = (text) => {
  const kinds = tableOf("shapeKinds")();
  return kinds !== undefined && Object.hasOwn(kinds, text) ? kinds[text] : undefined;
};
const shape = againByTable(tableOf("shapes"), kindOf, ["what", "wrong", "because"]);
/** Says a sentence of the library of shapes again; in a list of several each stands behind a mark. */
function shapeAgain(text: string): string | undefined {
  const [mark = ""] = /^(?:✖ )?/u.exec(text) ?? [];
  const said = shape(text.slice(mark.length));
  return said === undefined ? undefined : mark + said;
}
/** Says again the files that went into the prompt, each with what there is to be said of it. */
function promptAgain(text: string): string | undefined {
  const twin = text.includes(" the prompt") ? (otherWords()?.["prompts"] as PromptWords | undefined) : undefined;
  const [whole, used, left] =
    /^(?:([^;\n]+) went into|no file of instructions is in) the prompt(?:; left out: (.+))?$/u.exec(text) ?? [];
  if (twin === undefined || whole === undefined) return undefined;
  // A name may have a comma in it: what parts them stays as it is.
  const named = (names: string): string => names.split(", ").map(twin.named).join(", ");
  return twin.went({
    used: used === undefined ? undefined : named(used),
    left: left === undefined ? undefined : leftAgain(left, twin),
  });
}
/** The same of those that were left out, each with why. */
function leftAgain(left: string, { named }: PromptWords): string {
  const [, files = "", more = ""] = /^(.*?)( and \d+ more)?$/su.exec(left) ?? [];
  const said = files.split(/(?<=\)), /u).map((file) => {
    const at = file.indexOf(" (");
    const why = at < 0 || !file.endsWith(")") ? undefined : inner(file.slice(at + 2, -1));
    if (at < 0) return file;
    return named(file.slice(0, at)) + (why === undefined ? file.slice(at) : `（${why}）`);
  });
  return said.join(", ") + named(more);
}
const part = again("shellParts", shellParts, {}, {});
const grammar = again("shellGrammar", shellGrammar, {}, {});
const shellClauses = { ...clauses, part, because: (text: string) => grammar(text) ?? inner(text) };
const contract = (name: string, english: object, ways: Ways = {}): Again => again(name, english, ways, clauses);
const ofRule = contract("ruleWhys", ruleWhys, ruleWays);
/** The same with the reason of a rule (`own`), where the agent made it of the person's answers; what they wrote stays as it is. */
const policyClauses = { ...clauses, own: ofRule };
const contracts: readonly Again[] = [
  again("policyReasons", policyReasons, policyWays, policyClauses),
  ofRule,
  contract("callEnds", callEnds, endWays),
  contract("sessionRefusals", refusals, refusalWays),
  contract("sessionNotices", notices, noticeWays),
  contract("turnNotices", turnNotices, turnWays),
  contract("sessionEndings", endings),
  contract("sessionFailures", failures),
  contract("commandLine", commandLine),
  // Before the readers': a place that one writes may be anything.
  contract("shellRisks", shellRisks),
  contract("shellReaders", shellReaders, readerWays),
  contract("shellRuns", shellRuns),
  again("shellDoubts", shellDoubts, {}, shellClauses),
  shapeAgain,
  promptAgain,
  againByTable(tableOf("thrown"), (text) => inner(text) ?? oneOfAgain(text), [
    "because",
    "why",
    "what",
    "wrong",
    "types",
  ]),
];

/** The limits of a look, for names of a model or a repository may stand in a text: no more of one is looked into than sentences of ours have. */
const most = { characters: 10_000, deep: 8, colons: 16, looks: 100 };
let deep = 0;
/** The number of times that one text, or a part of it, was looked for among the sentences: each may be taken apart in several ways. */
let looks = 0;

function inner(text: string): string | undefined {
  if (deep >= most.deep) return undefined;
  if (deep === 0) looks = 0;
  deep += 1;
  try {
    return behindHead(text) ?? known(text) ?? ofFirstLine(text) ?? withDetail(text) ?? ofCommand(text);
  } finally {
    deep -= 1;
  }
}

function known(text: string): string | undefined {
  looks += 1;
  if (looks > most.looks) return undefined;
  for (const said of contracts) {
    const found = said(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says again the text behind a head: words before a reason in the person's language, and a flag that it is of, are no part of that. */
function behindHead(text: string): string | undefined {
  const [head = ""] = /^(?:[^：\n]*：|--?[a-z-]+: )/u.exec(text) ?? [];
  const said = head === "" ? undefined : inner(text.slice(head.length));
  return said === undefined ? undefined : `${head.replace(/: $/u, "：")}${said}`;
}

/** Says the first line again: the text below a sentence is its subject (lines of a file, words of a program), and stays as it is. */
function ofFirstLine(text: string): string | undefined {
  const end = text.indexOf("\n");
  const said = end < 0 ? undefined : inner(text.slice(0, end));
  return said === undefined ? undefined : said + text.slice(end);
}

/** With what is behind it: in brackets what a system said of it, or a second sentence. */
function withDetail(text: string): string | undefined {
  for (const [before, after] of [
    [" (", ")"],
    ["; ", ""],
  ] as const) {
    const at = text.indexOf(before);
    if (at < 0 || !text.endsWith(after)) continue;
    const [said, more] = [inner(text.slice(0, at)), text.slice(at + before.length, text.length - after.length)];
    if (said !== undefined)
      return after === "" ? `${said}；${inner(more) ?? more}` : `${said}（${inner(more) ?? more}）`;
  }
  return undefined;
}

/** Of one command of a line: what stands before the reason is the command, whatever is in it. */
function ofCommand(text: string): string | undefined {
  const twin = otherWords()?.["policyReasons"] as typeof policyReasons | undefined;
  let left = twin === undefined ? 0 : most.colons;
  for (const colon of text.matchAll(/: /gu)) {
    if (left === 0) break;
    left -= 1;
    const because = known(text.slice(colon.index + colon[0].length));
    if (twin !== undefined && because !== undefined)
      return twin.of_command({ command: text.slice(0, colon.index), because });
  }
  return undefined;
}

/**
 * Finds the English of the contracts by itself, and says it in the language of the process; undefined for any other text. It is brought by the
 * languages that need it: who speaks English loads none of this.
 */
export const foundAgain: Again = (text) => (text.length > most.characters ? undefined : inner(text));

const kind = String.raw`(?:an? (?:whole )?(?:string|number|array|object)|(?:at|more|less) (?:least|most|than) [-\d.e+]+(?: (?:characters|items) long)?)`;
const literal = String.raw`(?:true or false|true|false|null|-?\d[-\d.e+]*|"(?:[^"\\]|\\.)*")`;
const oneKind = new RegExp(`${kind}|${literal}`, "gu");
const severalKinds = new RegExp(`^(?:(?:${kind}|${literal}), )*(?:${kind}|${literal}) or (?:${kind}|${literal})$`, "u");

/** Says again several kinds of values, or values, one of which is wanted: each by itself, in the other language's list. */
function oneOfAgain(text: string): string | undefined {
  const listed = otherWords()?.["oneOf"] as ((kinds: readonly string[]) => string) | undefined;
  if (listed === undefined || !severalKinds.test(text)) return undefined;
  return listed((text.match(oneKind) ?? []).map((one) => known(one) ?? one));
}

type Titles = Readonly<Record<string, Table | undefined>>;

const titles = new Map<string, Again>();

/** Finds a line that a tool says of its own call; undefined for any other. */
export type TitleAgain = (tool: string, text: string) => string | undefined;

/** The same of a line that one of the agent's own tools says of its call, by the sentences of that tool alone. */
export const titleFoundAgain: TitleAgain = (tool, text) => {
  const name = tool.startsWith("mcp__") && !tool.endsWith(" shows") ? "a server's tool" : tool;
  const own = () => (otherWords()?.["titles"] as Titles | undefined)?.[name];
  if (own() === undefined || text.length > most.characters) return undefined;
  const said = titles.get(name) ?? againByTable(own, inner, ["why", "what"]);
  titles.set(name, said);
  return said(text);
};
