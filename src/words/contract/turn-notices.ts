import type { Clause } from "../coded.ts";

/** The advice that mends calls that a model cannot make in the protocol's way. */
export const inXml =
  'call tools in XML: agent resume --tool-format xml, or "toolFormat": "xml" for the model in config.json';

/** The notices of a turn about itself, in its `notice` events, beside those of tools, hooks and models in their own words. */
export const turnNotices = {
  superseded: ({ calls }: { calls: number }) =>
    `your new message cancelled ${calls} open ${calls === 1 ? "call" : "calls"}`,
  grantNotKept: ({ why }: { why: string }) => `the call is approved, but the grant could not be saved: ${why}`,
  personOnly: ({ call }: { call: string }) =>
    `call ${call} is guarded or of high risk: a script does not answer for it, it waits for you`,
  /** `digest`: as much of it as an approval has to name. */
  partial: ({ call, digest }: { call: string; digest: string }) =>
    `call ${call} is partial: its change is not shown whole. It still waits; approve it with ${call}@${digest}`,
  outputsLeftOut: ({ before, after }: { before: number; after: number }) =>
    `the window is filling up: what earlier calls said is no longer sent, and the model can read it again (about ${before} tokens before, ${after} now)`,
  outputsCut: ({ before, after }: { before: number; after: number }) =>
    `the window is filling up: what the last calls said is sent in part, and the model can read it again (about ${before} tokens before, ${after} now)`,
  imagesNotSeen: ({ model }: { model: string }) =>
    `${model} is not known to see pictures: it gets a description. Say it in config.json: "models": {"${model}": {"vision": true}}`,
  retry: ({ why, seconds, attempt }: { why: Clause; seconds: number; attempt: number }) =>
    `${why}; trying again in ${seconds} s (${attempt})`,
  replyCut: ({ why }: { why: Clause }) => `${why}; none of its calls was run, and the model goes on`,
  hooksEnough: ({ rounds }: { rounds: number }) =>
    `your hooks had the model go on ${rounds} times in this turn: they are asked no more`,
  toolLeftOut: ({ tool, why }: { tool: string; why: string }) => `the tool ${tool} is left out: ${why}`,
  newTools: ({ tools }: { tools: readonly string[] }) => `new tools: ${tools.join(", ")}`,
  goneTools: ({ tools }: { tools: readonly string[] }) => `no longer there: ${tools.join(", ")}`,
  /** The model is asked on by itself: why. */
  thoughtOnly: "the model has thought and said nothing; it is told, and asked once more",
  saidNothing: "the model said nothing and called no tool; it is told, and asked once more",
  calledNone: "the model called no tool; it is told to call one",
  standsAsText: ({ wrong }: { wrong: string }) =>
    `a tool call stands in the reply as text and was not taken for one (${wrong}); nothing was run, and the model is told`,
  onlyShown: "a tool call was only shown (in code, a quote, a list or a comment) and was not run; the model is told",
  /** The model was told that a call is only shown, and shows one again. */
  shownAgain: `a tool call was only shown again, and was not run, though the model was told. If it was meant: where it does not yet, let it ${inXml}; or go on with another model (-m)`,
  notTaken: ({ wrong }: { wrong: string }) =>
    `the reply ends in a tool call that could not be taken for one (${wrong}); nothing was run, and the model is told`,
  noAnswer: ({ wrong }: { wrong: string }) =>
    `this is not taken for the answer: ${wrong}; the model is told, and tries again`,
};
