import { room } from "../room.ts";

/** The course of a session that is driven without a screen, and the effects that a call that waits would have. */
export const run = room("run", {
  /** The states of a call. */
  ends: {
    waits: "waits for you",
    unknown: "outcome unknown",
    unsettled: "not settled",
    partly: "partly done",
    overstepped: "done, not accepted",
    raced: "not applied",
    denied: "denied",
    cancelled: "cancelled",
  },
  begun: ({ session, model, workspace }: { session: string; model: string; workspace: string }) =>
    `session ${session} · ${model} · ${workspace}`,
  restored: ({ session, model, workspace }: { session: string; model: string; workspace: string }) =>
    `session ${session} restored · ${model} · ${workspace}`,
  helperBegins: ({ agent, session }: { agent: string; session: string }) => `${agent} begins: ${session}`,
  /** `question`: what follows, which says all of the call. */
  waitsForApproval: ({ question }: { question: string }) => `waits for approval: ${question}`,
  outcomeUnknown: ({ question }: { question: string }) => `outcome unknown: ${question}`,
  askedBy: ({ agent }: { agent: string }) => `asked by the sub-agent ${agent}`,
  of: ({ agent }: { agent: string }) => `of the sub-agent ${agent}`,
  whyAsked: ({ why }: { why: string }) => `why asked: ${why}`,
  askedAnew: ({ why }: { why: string }) => `! ${why}: this is not the change that you were asked about before`,
  partial: ({ what, call }: { what: string; call: string }) =>
    `! partial: ${what}; --approve all leaves it waiting, --approve ${call} approves it`,
  goal: ({ goal }: { goal: string }) => `goal, once it is approved: ${goal}`,
  started: ({ at, known }: { at: string; known: string }) => `started ${at}. ${known}`,
  /** A file that a command would run or read. */
  runs: ({ file }: { file: string }) => `it runs ${file}`,
  reads: ({ file }: { file: string }) => `it reads ${file}`,
  namedIn: ({ name, file }: { name: string; file: string }) => `${name} of ${file}`,
  /** The place where a command runs, and what holds it there. */
  apart: ({ place }: { place: string }) =>
    `runs in ${place} · in the sandbox, where of the workspace nothing is but what this session wrote · without the network`,
  surroundings: ({ place, sandbox, network }: { place: string; sandbox: boolean; network: boolean }) => {
    const held = sandbox
      ? "in the sandbox, which writes in the workspace and in folders that you named"
      : "without a sandbox, with all that you may do";
    const without = sandbox ? "without the network" : "nothing holds back the network";
    return `runs in ${place} · ${held} · ${network ? "it asks for the network" : without}`;
  },
  sumsUp: ({ tokens }: { tokens: string }) => `the model sums up the talk so far, which takes about ${tokens} tokens`,
  notSummedUp: ({ why }: { why: string }) => `the talk was not summed up: ${why}`,
  summedUp: ({ after, before }: { after: string; before: string }) =>
    `the talk is summed up: about ${after} tokens, ${before} tokens before; all of it is kept, and /undo compact shows it to the model again`,
  /** The sessions that took steps of the turn's limit, and how many each took. */
  itself: "itself",
  tookFor: ({ agent, steps, cost }: { agent: string; steps: number; cost: string }) => `${agent} ${steps} for ${cost}`,
  took: ({ agent, steps }: { agent: string; steps: number }) => `${agent} ${steps}`,
  inSteps: ({ took }: { took: readonly string[] }) => `, in steps: ${took.join(", ")}`,
  /** The words on how the person goes on; `took` as the line above says it, or empty. */
  saved: ({ resume }: { resume: string }) => `saved; continue with: ${resume}`,
  savedAsking: ({ resume }: { resume: string }) =>
    `saved, waiting for you: ${resume} --approve all   (or --deny ID --reason TEXT; without flags it asks at a terminal)`,
  savedRecovering: ({ resume }: { resume: string }) =>
    `saved, waiting for you: ${resume} --retry ID, --done ID or --cancel ID`,
  costLimit: ({ took, resume }: { took: string; resume: string }) =>
    `the cost limit was reached${took}; continue with: ${resume}`,
  stepLimit: ({ took, resume }: { took: string; resume: string }) =>
    `the step limit was reached${took}; continue with: ${resume}`,
  goOn: ({ resume }: { resume: string }) => `go on with: ${resume}`,
});
