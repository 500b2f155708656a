import { room } from "../room.ts";

/** The commands that are typed in the chat behind a slash, and their answers. */
export const chatCommands = room("chatCommands", {
  /** The words that follow each name, for the help, and its effect. */
  about: {
    help: { argument: "", text: "this list, and the keys" },
    model: { argument: "SPEC", text: "show or change the model" },
    mode: { argument: "MODE", text: "show or change the mode: ask, accept-edits, read-only, plan" },
    undo: {
      argument: "CALL",
      text: "take back a call's changes, all of the last turn that has any, or what compact did",
    },
    run: { argument: "COMMAND", text: "run a command line yourself, as ! does" },
    trust: { argument: "yes", text: "show what the project brings, then trust it" },
    new: { argument: "", text: "start a new session; this one stays saved" },
    compact: { argument: "WHAT TO KEEP", text: "have the talk summed up, to make room; all of it stays saved" },
    rename: { argument: "TITLE", text: "give the session a title" },
    fork: { argument: "", text: "go on in a copy of this session" },
    copy: { argument: "", text: "copy the last answer to the clipboard" },
    export: {
      argument: "FILE",
      text: "write the session to a new file; FILE.html and FILE.md are pages to read",
    },
    status: { argument: "", text: "where this session is, and how it stands" },
    context: { argument: "", text: "what takes the room of the model's context" },
    tools: { argument: "", text: "the tools, their risk and what they cost" },
    goals: { argument: "", text: "the plan of this session, whole" },
    page: {
      argument: "FILE",
      text: "what the browser of this session shows; its picture goes to a new file, FILE.png",
    },
    init: { argument: "", text: "ask the model to write AGENTS.md" },
    exit: { argument: "", text: "leave; the session stays saved" },
  },
  commands: "commands",
  keys: "keys",
  /** Other names of a command. */
  also: ({ names }: { names: readonly string[] }) => ` (also ${names.join(", ")})`,
  unknown: ({ name }: { name: string }) => `there is no command /${name}; /help lists them`,
  wentOver: ({ session, before }: { session: string; before: string }) =>
    `session ${session}; the one before is saved as ${before}`,
  /** `tokens` more than before. */
  summaryUndone: ({ tokens }: { tokens: string }) =>
    `the model reads the talk before its summary again, about ${tokens} tokens more; where that does not fit, it is cut anew`,
  cutUndone: ({ tokens }: { tokens: string }) =>
    `the model reads what earlier calls said again, about ${tokens} tokens more; where that does not fit, it is cut anew`,
  demoApart: "the demo works in a project of its own: agent chat --model demo",
  modelNow: ({ model }: { model: string }) => `the model is now ${model}`,
  model: ({ model }: { model: string }) => `the model is ${model}; /model SPEC changes it, e.g. /model openai:NAME`,
  mode: ({ mode, modes }: { mode: string; modes: readonly string[] }) =>
    `the mode is ${mode}; /mode takes ${modes.join(", ")}`,
  noMode: ({ mode, modes }: { mode: string; modes: readonly string[] }) =>
    `no such mode here: ${mode}; /mode takes ${modes.join(", ")}`,
  modeNow: ({ mode }: { mode: string }) => `the mode is now ${mode}`,
  leftOut: ({ what }: { what: string }) => `${what}: it is left out`,
  runWhat: "what is to be run? ! COMMAND runs it",
  trust: {
    usage: "/trust shows the files, then /trust yes trusts them; /trust revoke takes that back",
    notShown: "nothing was shown to be trusted: /trust shows it",
    trusted: "trusted, as these files are now: rules and ignore count at once, the rest in your next session",
    other: "the files are no longer what you were shown: nothing was trusted. This is how they are now",
    notTrusted: "it is not trusted: nothing changed",
    revoked: ({ what }: { what: string }) => `not trusted any more: ${what}`,
  },
  renameTo: "what shall it be called? /rename TITLE",
  forkLater: "a turn is under way: let it end, or stop it, then /fork",
  copy: {
    noAnswer: "there is no answer to copy yet",
    noClipboard: "this terminal has no clipboard that can be written to",
    tooLong: ({ most }: { most: string }) =>
      `the answer is longer than the ${most} that terminals take: /export writes it`,
    sent: ({ characters }: { characters: string }) =>
      `sent to the terminal's clipboard: ${characters} characters. Not every terminal takes it, and none says so`,
    sentByTmux: ({ characters }: { characters: string }) =>
      `sent to the terminal's clipboard: ${characters} characters. Not every terminal takes it, and none says so; tmux needs: set -g set-clipboard on`,
  },
  status: {
    title: ({ session }: { session: string }) => `session ${session}`,
    model: "model",
    mode: "mode",
    now: "now",
    runs: "a turn runs",
    waits: "it waits for your message",
    asks: "a call waits for you",
    tokens: "tokens",
    spent: ({ read, written, cost }: { read: string; written: string; cost?: string }) =>
      `${read} read, ${written} written in this chat${cost === undefined ? "" : `, which cost ${cost}`}`,
  },
  context: {
    title: ({ whole }: { whole: string }) => `context: ${whole}`,
    about: ({ tokens }: { tokens: string }) => `about ${tokens}`,
    notCounted: "not counted",
    talk: "talk",
    talkIs: "messages, calls and their results",
    counted: "A part is counted as one token for four characters; the whole is what the server counted last.",
    guessed: "A part is counted as one token for four characters.",
    neverTold: "how full it is, the model's server does not tell",
    notToldYet: "how full it is, the model's server tells with its first reply",
    noWindow: ({ used }: { used: string }) => `${used} tokens; how many the model reads is not known`,
    used: ({ used, of, percent }: { used: string; of: string; percent: number }) =>
      `${used} of ${of} tokens, ${percent} %`,
  },
  noPlan: "this session has no plan",
  /** `done`: how many goals of how many. */
  plan: ({ done }: { done: string }) => `plan, ${done}:`,
  page: {
    none: "no browser of this session shows a page",
    noPictures: "this terminal shows no pictures: /page FILE.png writes it",
    noAddress: "a page whose address is not known",
    several: ({ pages }: { pages: number }) => `${pages} pages are open; the picture is of the one that is worked on`,
    severalIn: ({ pages, browser }: { pages: number; browser: string }) =>
      `${pages} pages are open; the picture is of the one that is worked on in ${browser}`,
    moved: "what is open changed while the picture was made: it may show what was before",
  },
});
