import { asks, type Reply, says } from "../../support/model-server.ts";
import { asksForSummary } from "../session.ts";
import type { Talk } from "./talk.ts";

export const goal = "The goal: bring the colours up to date, and never touch kept.txt.";

/** A session whose talk is summed up while calls are open, and what is due at its end. */
export interface Scene {
  /** What is so while it is summed up. */
  name: string;
  /** What the model says, by the last call that it has read of. */
  says: Readonly<Record<string, Reply>>;
  /** Tokens, where the agent has the talk summed up by itself because a request has no room; else the person does. */
  window?: number;
  /** Brings the session to the last command before that. */
  before(talk: Talk): Promise<void>;
  /** What the person decides then. */
  decides(talk: Talk): string[];
  /** The calls that are open while it is summed up, and how. */
  open: readonly string[];
  /** The call whose command runs in the background. */
  job?: string;
  /** How each call ends. */
  ends: Readonly<Record<string, string>>;
  /** The exit code of the last command. */
  code: number;
  twice: string;
  effects: readonly string[];
}

/** What a summary of the talk stands for: many words. */
const prose = (characters: number): string =>
  "The colours were chosen long ago, and nobody knows why. ".repeat(Math.ceil(characters / 56)).slice(0, characters);

interface Request {
  body: { messages: readonly { role: string; content?: unknown; tool_call_id?: string | undefined }[] };
}

/** By the last call whose result is told, `first` where none is, so that a request that is sent again is answered the same. */
export function replyIn(scene: Readonly<Record<string, Reply>>, request: Request): Reply {
  if (asksForSummary(request)) return says("## Goal\ncolours that are up to date");
  const last = request.body.messages.findLast(({ role }) => role === "tool")?.tool_call_id ?? "first";
  return scene[last] ?? says("I have nothing more to say.");
}

const edit = (from: string, to: string) => ({
  name: "edit_file",
  arguments: { file_path: "twice.txt", old_string: from, new_string: to },
});
const note = (text: string) => ({ name: "append_log", arguments: { note: text } });

const looksFirst = asks("read_file", { file_path: "twice.txt" }, { text: prose(9_000) });

/** So long that it is summed up too, if calls of its message are not open. */
const muchMore = prose(8_000);

const end = says("All colours are up to date.");

/** The person has the talk summed up while some calls of a message wait for them, and one is approved and waits for the others. */
const waiting: Scene = {
  name: "calls wait for the person",
  says: {
    first: looksFirst,
    c1: { text: muchMore, calls: [edit("red", "blue"), edit("green", "yellow"), note("alpha")] },
    c4: end,
  },
  async before(talk) {
    await talk.begin();
    await talk.resume(talk.approve("c2"));
  },
  decides: (talk) => ["--deny", "c3", "--reason", "not so", ...talk.approve("c4")],
  open: ["c2 pending", "c3 awaiting_approval", "c4 awaiting_approval"],
  ends: { c1: "success", c2: "success", c3: "cancelled", c4: "success" },
  code: 10,
  twice: "blue\ngreen\n",
  effects: ["c4 alpha"],
};

/** The person has it summed up while the end of a call is not known, and others that they approved wait behind it. */
const unknown: Scene = {
  name: "the end of a call is not known",
  says: {
    first: looksFirst,
    c1: { text: muchMore, calls: [note("alpha"), note("beta"), edit("red", "blue")] },
    c4: end,
  },
  async before(talk) {
    await talk.begin();
    await talk.resume(talk.approve("c2", "c3", "c4"), { HOLDFAST_FAULT: "effect happened#1=kill" });
    await talk.resume();
  },
  decides: () => ["--done", "c2"],
  open: ["c2 interrupted", "c3 pending", "c4 pending"],
  ends: { c1: "success", c2: "success", c3: "success", c4: "success" },
  code: 0,
  twice: "blue\ngreen\n",
  effects: ["c2 alpha", "c3 beta"],
};

/** A call that was cut off is settled by its bytes, and the request that would tell so has no room. */
const recovered: Scene = {
  name: "a call was just recovered",
  window: 12_000,
  says: {
    first: asks("read_file", { file_path: "twice.txt" }, { text: prose(20_000) }),
    c1: { text: prose(14_000), calls: [edit("red", "blue")] },
    c2: end,
  },
  async before(talk) {
    await talk.begin();
    await talk.resume(talk.approve("c2"), { HOLDFAST_FAULT: "file renamed#1=kill" });
  },
  decides: () => [],
  open: [],
  ends: { c1: "success", c2: "success" },
  code: 0,
  twice: "blue\ngreen\n",
  effects: [],
};

/** The next request of a turn has no room while a command of it runs in the background. */
const job: Scene = {
  name: "a job runs in the background",
  window: 12_000,
  says: {
    first: asks(
      "shell",
      { command: `printf '{"callId":"c1","note":"job"}\\n' >> "$EFFECTS"; exec sleep 1000`, background: true },
      { text: prose(20_000) },
    ),
    c1: asks("read_file", { file_path: "twice.txt" }, { text: prose(14_000) }),
    c2: end,
  },
  async before(talk) {
    await talk.begin();
  },
  decides: (talk) => talk.approve("c1"),
  open: [],
  job: "c1",
  ends: { c1: "success", c2: "success" },
  code: 0,
  twice: "red\ngreen\n",
  effects: ["c1 job"],
};

export const scenes: readonly Scene[] = [waiting, unknown, recovered, job];

/** What a process comes to while it has the talk summed up, in its order. */
export const instants = [
  "said compaction_started",
  "request made",
  "request answered",
  "mid summary",
  "before compaction committed",
  "transaction written",
  "after compaction committed",
  "said compaction_done",
] as const;

export type Instant = (typeof instants)[number];

/** The summary is on disk before a death at this point. */
export const committedFrom = (point: Instant): boolean =>
  instants.indexOf(point) >= instants.indexOf("after compaction committed");
