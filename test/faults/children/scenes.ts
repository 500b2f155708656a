import { asks, type Reply, says } from "../../support/model-server.ts";

interface Request {
  body: { messages: readonly { role: string; content?: unknown }[] };
}

/** A session whose calls drive others: what the model says in each of them, by its first words, and what is to come of it. */
export interface ChildrenScene {
  name: string;
  replies: Readonly<Record<string, readonly Reply[]>>;
  /** First words of its children, in the order of their calls and places. */
  children: readonly string[];
  /** Each appends its name to the log and to a file of its own. */
  doing: readonly string[];
  /** States of its goals. */
  goals: readonly string[];
}

const spokenIn = ({ body }: Request): number => body.messages.filter(({ role }) => role === "assistant").length;

/** By what a session's requests are told from another one's. */
export const wordsOf = ({ body }: Request): string =>
  String(body.messages.find(({ role }) => role === "user")?.content);

/** Told beside the first words of a turn, the plan is no part of them. */
const firstWords = (request: Request): string => wordsOf(request).split("\n")[0] ?? "";

export const replyIn = ({ replies }: ChildrenScene, request: Request): Reply =>
  replies[firstWords(request)]?.[spokenIn(request)] ?? says("I have nothing more to say.");

/** Reads, asks for an effect that must not happen twice and for a file, and is done. */
const does = (task: string): Reply[] => [
  asks("read_file", { file_path: "kept.txt" }),
  asks(
    "append_log",
    { note: task },
    { calls: [{ name: "write_file", arguments: { file_path: `${task}.txt`, content: `${task}\n` } }] },
  ),
  says(`Did ${task}.`),
];
const looks = [asks("read_file", { file_path: "kept.txt" }), says("It is kept.")];

export const sideBySide: ChildrenScene = {
  name: "children at work",
  replies: {
    go: [asks("ask_helpers", { tasks: ["one", "two"] }), says("All done.")],
    one: does("one"),
    two: does("two"),
  },
  children: ["one", "two"],
  doing: ["one", "two"],
  goals: [],
};

/** A delegate, then explorers side by side, for a goal of the plan. */
export const helpersWithPlan: ChildrenScene = {
  name: "helpers and a plan",
  replies: {
    go: [
      asks(
        "goal",
        { action: "add", text: "the notes are written" },
        { calls: [{ name: "goal", arguments: { action: "start", id: "g1" } }] },
      ),
      asks("agent", { task: "one" }),
      asks("agent", { task: ["look here", "look there"] }),
      asks("goal", { action: "done", id: "g1", summary: "one.txt has it" }),
      says("All done."),
    ],
    one: does("one"),
    "look here": looks,
    "look there": looks,
  },
  children: ["one", "look here", "look there"],
  doing: ["one"],
  goals: ["done"],
};

export const childrenScenes = [sideBySide, helpersWithPlan] as const;
