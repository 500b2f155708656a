import { room } from "../room.ts";

/** The one who asks, and the call during which they ask. */
interface Asking {
  from: string;
  tool: string;
  /** Of a helper's call. */
  agent: string | undefined;
}

const during = ({ tool, agent }: Asking): string =>
  `while its tool ${tool} runs${agent === undefined ? "" : ` for ${agent}`}`;

/** The questions of somebody else to the person while a call runs. */
export const form = room("form", {
  asks: (about: Asking) => `the MCP server ${about.from} asks you something ${during(about)}`,
  asksModel: (about: Asking) => `the MCP server ${about.from} wants to ask your model ${during(about)}`,
  answerGoes: ({ from }: { from: string }) => `this answer of your model goes to the MCP server ${from}`,
  goesTo: ({ from }: { from: string }) => `this goes to the MCP server ${from}`,
  /** Behind a title, where there are several questions. */
  firstOf: ({ count }: { count: number }) => ` (1 of ${count})`,
  field: ({ from, at, of }: { from: string; at: number; of: number }) => `${from} asks, ${at} of ${of}`,
  /** The widest first. */
  hints: {
    intro: ["f fills it in · n declines · esc leaves it without an answer", "f fill in · n no · esc leaves it"],
    yes: ["f goes on · n declines · esc leaves it without an answer", "f goes on · n no · esc leaves it"],
    review: ["y sends this · e changes it · n declines · esc back", "y sends · e edit · n no · esc back"],
    model: ["y sends this · n says no · esc leaves it without an answer", "y sends · n no · esc leaves it"],
    field: ["enter goes on · esc goes back", "enter on · esc back"],
    choice: ["↑↓ choose, or type · enter goes on · esc goes back", "↑↓ or type · enter on · esc back"],
  },
  pasted: "a paste decides nothing here",
  noChoice: ({ typed }: { typed: string }) => `“${typed}” is no choice here`,
  unread: ({ rows, key }: { rows: string; key: string }) => `not on the screen yet: ${rows}; ${key} shows more`,
  /** `took`: what the answer took. */
  answered: ({ model, took }: { model: string; took: string }) => `${model} answered (${took}):`,
  answeredCut: ({ model, took }: { model: string; took: string }) => `${model} answered (${took}) and was cut off:`,
  getsThis: ({ from }: { from: string }) => `${from} gets this, as it is.`,
  wouldGet: ({ model }: { model: string }) => `${model} would get this, and nothing of this session, and no tools:`,
  toSystem: "to the system:",
  asUser: "as the user:",
  asModel: "as the model:",
  /** `who`: one of the two before. */
  picture: ({ who, kind, width, height }: { who: string; kind: string; width: number; height: number }) =>
    `${who} a picture, ${kind}, ${width}x${height} pixels, which is not shown here`,
  mayAnswer: ({ tokens, from }: { tokens: number; from: string }) =>
    `It may answer up to ${tokens} tokens, which you pay for, and you read it before ${from} has it.`,
  /** One of its fields; `type`: what is taken there. */
  wants: ({ field, type }: { field: string; type: string }) => `${field}: ${type}`,
  mayWant: ({ field, type }: { field: string; type: string }) => `${field}: ${type}, or nothing`,
  wantsYes: "It wants your yes, and no more.",
  wantsFields: "It wants:",
  asItIs: ({ from }: { from: string }) =>
    `What you send goes to ${from}, as it is: never a password, a token or a key.`,
  mayBeEmpty: ({ field, type }: { field: string; type: string }) =>
    `${field}: ${type} · leave it empty to send nothing`,
  sendsYes: "your yes, and nothing else",
  notSent: ({ names }: { names: readonly string[] }) => `not sent: ${names.join(", ")}`,
  /** The words where lines are all there is. */
  lines: {
    begin: "Type fill, no or cancel:",
    send: "Type send, no or cancel:",
    sendOrChange: "Type send, change, no or cancel:",
    notBegun: "Nothing was sent. Type fill, no or cancel.",
    notSent: "Nothing was sent. Type send, no or cancel.",
    notSentOrChanged: "Nothing was sent. Type send, change, no or cancel.",
    onceMore: ({ wrong }: { wrong: string }) => `${wrong}. Once more:`,
    anyLine:
      "Until it is filled in a line is an answer, also one with / or !; esc leaves all of it without an answer, ctrl+c stops.",
    goesTo: ({ from }: { from: string }) => `This goes to the MCP server ${from}:`,
    field: ({ at, of }: { at: number; of: number }) => `${at} of ${of}. Type it:`,
    /** `stands` in it already. */
    filledField: ({ at, of, stands }: { at: number; of: number; stands: string }) =>
      `${at} of ${of}. Type it (enter alone takes ${stands}, a blank nothing):`,
  },
});
