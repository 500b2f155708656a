import { room } from "../room.ts";

/** Whoever let a call go on. */
type By = "person" | "script";

const who = { person: "you", script: "the script" } as const;

/** The texts of the chat on a session: its calls, the words on them, its questions. */
export const view = room("view", {
  /** Beside a call: who let it go on. */
  approved: ({ by }: { by: By }) => `approved by ${who[by]}`,
  approvedOnce: ({ by }: { by: By }) => `approved once by ${who[by]}`,
  /** `reason` as it stands behind a dot, or empty. */
  granted: ({ by, reason, grant }: { by: By; reason: string; grant: string }) =>
    `approved by ${who[by]}${reason} (grant ${grant})`,
  retried: ({ by }: { by: By }) => `retry approved by ${who[by]}`,
  markedDone: ({ by }: { by: By }) => `marked as done by ${who[by]}`,
  denied: "denied by you",
  edited: "arguments edited by you",
  cancelled: "cancelled by you",
  otherwise: ({ decision }: { decision: string }) => `${decision} by you`,
  allowedByGrant: ({ grant }: { grant: string }) => `allowed by grant ${grant}`,
  allowedByRule: ({ place }: { place: string }) => `allowed by your rule ${place}`,
  allowedByProject: ({ place }: { place: string }) => `allowed by the project's rule ${place}`,
  decidedBefore: ({ calls, approved, denied, left }: Record<"calls" | "approved" | "denied" | "left", number>) => {
    const said = [...(approved > 0 ? [`${approved} approved`] : []), ...(denied > 0 ? [`${denied} denied`] : [])];
    return `of ${calls} calls you have decided: ${said.join(", ")} · ${left} to go`;
  },
  earlier: ({ messages, session }: { messages: number; session: string }) =>
    `${messages} earlier messages and calls are not drawn again: agent sessions show ${session}`,
  takeBack: ({ session }: { session: string }) => `take it back: agent resume ${session} --take-over`,
  /** The command that shows all of an artifact. */
  artifactDiff: "agent artifacts diff",
  /** The ends of turns that came to no end of their own. */
  endings: {
    cancelled: "stopped",
    max_steps: "stopped at the step limit; say “go on” to continue",
    max_cost: "stopped at the cost limit; say “go on” to continue",
    stuck: "stopped: it failed again and again without progress",
    context_full:
      "stopped: the conversation no longer fits the model's context; /compact sums it up, /new starts a fresh one",
  },
  leftRunning: "still running when this chat was left",
  unfinished: "has not come to its end",
  /** The person's deeds with the things that were asked of them. */
  forms: {
    saidYes: ({ from }: { from: string }) => `said yes to ${from}`,
    answered: ({ from, names }: { from: string; names: readonly string[] }) => `answered ${from}: ${names.join(", ")}`,
    declined: ({ from }: { from: string }) => `declined what ${from} asked`,
    left: ({ from }: { from: string }) => `what ${from} asked got no answer`,
    /** Of what somebody asked the model, and of what it answered. */
    question: {
      accept: ({ from, model }: { from: string; model: string }) => `let ${from} ask ${model}`,
      decline: ({ from, model }: { from: string; model: string }) => `did not let ${from} ask ${model}`,
      cancel: ({ from, model }: { from: string; model: string }) => `what ${from} asked ${model} was not sent`,
    },
    answer: {
      accept: ({ from, model }: { from: string; model: string }) => `let ${from} have what ${model} answered`,
      decline: ({ from, model }: { from: string; model: string }) => `did not let ${from} have what ${model} answered`,
      cancel: ({ from, model }: { from: string; model: string }) => `what ${model} answered ${from} was not sent`,
    },
  },
  /** Names of tools and parameters that were made for people. */
  labels: {
    notShown: ({ label, why }: { label: string; why: string }) => `${label} is not shown: ${why}`,
    takenForTool: ({ tool }: { tool: string }) => `it could be taken for the tool ${tool}`,
    otherTool: "another tool has it too",
    otherParameter: "another parameter has it too",
    tooLong: ({ most }: { most: number }) => `it has more than ${most} characters`,
    wordsOnly: "only letters, digits and single blanks can be shown",
    strange: ({ language }: { language: string }) => `it has letters that are none of ${language}`,
    isArgument: ({ label, name }: { label: string; name: string }) => `${label} is the argument ${name}`,
    isTool: ({ label, name }: { label: string; name: string }) => `${label} is the tool ${name}`,
  },
  /** The effects that a call that waits would have. */
  fileKinds: { new: "new file", modify: "modify", delete: "delete", read: "read" },
  askedAs: ({ path }: { path: string }) => `asked as ${path}`,
  outside: "outside the workspace",
  lineEndings: { lf: "LF", crlf: "CRLF", cr: "CR", mixed: "mixed line endings", none: "no line ending" },
  executable: ({ mode }: { mode: string }) => `executable (${mode})`,
  fileMode: ({ mode }: { mode: string }) => `mode ${mode}`,
  /** The sources of the verdict. */
  sources: {
    sealed: "sealed location",
    guarded: "guarded location",
    watched: "watched file",
    mode: "mode",
    user: "your rule",
    project: "project rule",
    grant: "grant",
    confirm: "the tool always asks",
    table: "risk table",
  },
  hidden: "contains hidden or direction-changing characters, drawn here as ‹U+…›",
  workspace: "the workspace",
  runs: ({ file, sha }: { file: string; sha: string }) => `it runs ${file} (sha ${sha})`,
  reads: ({ file, sha }: { file: string; sha: string }) => `it reads ${file} (sha ${sha})`,
  /** A program or a script that a file names. */
  namedIn: ({ name, file }: { name: string; file: string }) => `${name} of ${file}`,
  moreFiles: ({ files }: { files: number }) => `and ${files} more files, each bound by its hash`,
  /** A thought that is over; `size` in characters. */
  thought: ({ size, begin }: { size: string; begin: string }) => `thought (${size} characters): ${begin}`,
});
