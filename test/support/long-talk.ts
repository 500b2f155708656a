import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { isFinal } from "../../src/core/call.ts";
import { defineTool } from "../../src/core/tool.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import { noticesOf } from "../../src/graph/talk/notices.ts";
import { fillObservations } from "../../src/graph/talk/observation-text.ts";
import { createRenderer } from "../../src/graph/talk/render.ts";
import { openModel } from "../../src/model/open-model.ts";
import { openAgent } from "../../src/session/open-agent.ts";
import type { Session } from "../../src/session/session.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { JournalReading, Store } from "../../src/store/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { asks, type ModelServer, type Reply, says, startModelServer } from "./model-server.ts";

/** What one request of a long talk was. */
export interface SeenRequest {
  /** Characters over four, of the whole body: what the server counts. */
  tokens: number;
  /** The messages, each as its JSON. */
  messages: string[];
  isSummary: boolean;
  /** The calls that were not settled when it came. */
  unsettled: string[];
  /** The calls of which the model has to know: these, those whose job ran, and those whose outcome is unknown for good. */
  open: string[];
}

export interface LongTalk {
  requests: SeenRequest[];
  violations: string[];
  events: AgentEvent[];
  compactions: ReturnType<JournalReading["compactions"]>;
  /** Bytes of each request that the one before it had at the same place, and bytes of that one that this has not. */
  prefixes: { kept: number; changed: number }[];
  /** What another process renders of the session, and what the model was sent last. */
  rendered: [string, string];
  /** Calls that waited while the person had the talk summed up, and were not the same after it. */
  moved: string[];
  ends: Set<string>;
}

export const goal = "The goal: keep the ledger of numbers; never write to ledger.txt.";
const prose = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, n) => `word${(seed * 31 + n * 7) % 997}`).join(" ");

/** Says as many words as it is asked for. */
const look = defineTool({
  name: "look_up",
  description: "Looks a number up.",
  args: z.object({ turn: z.number(), words: z.number() }),
  risk: "low",
  effect: "none",
  execute: ({ turn, words }) => prose(turn, words),
});

/** Asked about, and not to be repeated: nobody knows whether one that is lost was sent. */
const send = defineTool({
  name: "send_number",
  description: "Sends a number away.",
  args: z.object({ lost: z.boolean(), note: z.string() }),
  risk: "medium",
  effect: "once",
  execute: ({ lost }) =>
    lost ? { output: "", error: "the line went dead", metadata: { code: "OUTCOME_UNKNOWN" } } : "sent",
});

/** Every so many turns the talk does the same again. */
const round = 25;

/** What the model does at a turn of the round; at the others it looks up a few words. */
const at = { startsJob: 3, sends: 10, loses: 15, stopsJob: 20, looksUpMuch: 24 };

/** At these turns of every 250 the person has the talk summed up while a call waits for them. */
const summedUpAt: readonly number[] = [at.sends, 2 * round + at.loses];

const isSummedUpAt = (turn: number): boolean => summedUpAt.includes(turn % 250);

/** So long then that nobody would leave the call as it is, if it were not open. */
const noteAt = (turn: number, window: number): string => prose(turn, isSummedUpAt(turn) ? Math.floor(window / 10) : 1);

function callOf(
  turn: number,
  window: number,
  journal: JournalReading,
): [name: string, args: Record<string, string | number | boolean>] {
  const [job] = journal.runningJobs();
  switch (turn % round) {
    case at.startsJob:
      return ["shell", { command: `exec sleep ${100_000 + turn}`, background: true }];
    case at.stopsJob:
      return job === undefined ? ["look_up", { turn, words: 120 }] : ["shell_stop", { id: job }];
    case at.sends:
    case at.loses:
      return ["send_number", { lost: turn % round === at.loses, note: noteAt(turn, window) }];
    default:
      return ["look_up", { turn, words: turn % round === at.looksUpMuch ? Math.floor(window / 12) : 120 }];
  }
}

interface Asked {
  body: { messages: { role: string; content: unknown }[] };
}

const isSummary = ({ body }: Asked): boolean => String(body.messages.at(-1)?.content).startsWith("[compaction]");
const tokensOf = ({ body }: Asked): number => Math.ceil(JSON.stringify(body).length / 4);

/** Each turn of the person makes one step of a call and one of words. */
function answer(window: number, said: Asked, journal: JournalReading): Reply {
  const last = said.body.messages.at(-1);
  const text = String(last?.content);
  const tokens = tokensOf(said);
  if (tokens > window) return { status: 400, body: { error: { message: `context length exceeded: ${tokens}` } } };
  const usage = { usage: { input: tokens, output: 100 } };
  if (isSummary(said)) return says("## Goal\nthe ledger\n## Open\nnone", usage);
  if (last?.role === "tool") return says(`Noted ${text.length}. ${prose(text.length, 30)}`, usage);
  const [name, args] = callOf(Number(/turn (\d+)/.exec(text)?.[1] ?? 0), window, journal);
  return asks(name, args, usage);
}

/** Which calls of a session ended, and whether what became of them is unknown: an end never changes, so each is read once. */
type Ends = Map<string, boolean>;

/** @returns the ids of those whose outcome is unknown for good */
function unknownIn(journal: JournalReading, ends: Ends): string[] {
  for (let at = 1; at <= journal.callCount(); at += 1) {
    const call = ends.has(`c${at}`) ? undefined : journal.call(`c${at}`);
    if (call !== undefined && isFinal(call))
      ends.set(call.callId, call.status === "cancelled" && call.ended.unknown === true);
  }
  return [...ends].filter(([, isUnknown]) => isUnknown).map(([callId]) => callId);
}

function seen(request: Asked, journal: JournalReading, ends: Ends): SeenRequest {
  const unsettled = journal.openCalls().map(({ callId }) => callId);
  return {
    tokens: tokensOf(request),
    messages: request.body.messages.map((message) => JSON.stringify(message)),
    isSummary: isSummary(request),
    unsettled,
    open: [...unsettled, ...journal.runningJobs(), ...unknownIn(journal, ends)],
  };
}

/** One process of the session. */
interface Life {
  session: Session;
  store: Store;
  close(): Promise<void>;
}

const named = { id: "brisk-otter-4f2a", mode: "ask" } as const;

interface Stage {
  root: string;
  server: ModelServer;
  window: number;
  events: AgentEvent[];
}

/** A new session, or the old one in a process of its own: nothing that was kept in memory is there. */
async function openLife({ root, server, window, events }: Stage): Promise<Life> {
  const workspace = join(root, "work");
  const store = await openStore({ file: join(root, "agent.db") });
  const agent = openAgent({
    openStore: async () => store,
    openTools: async () => ({
      tools: [...createDefaultTools({ workspace, shell: { sandbox: "off" } }), look, send],
      services: {},
      close: () => undefined,
    }),
    openModel: (spec) =>
      openModel(spec, { env: { OPENAI_API_KEY: "sk-test" }, baseUrl: server.url, contextWindow: window }),
    loadPolicy: async ({ mode }) => ({ rules: [], grants: [], mode, sealed: { roots: [join(root, "state")] } }),
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: 50,
  });
  const row = store.sessions.get(named.id);
  const model = "openai:test-model";
  const session =
    row === undefined ? agent.start({ ...named, workspace, model }) : await agent.resume(row, { ...named, model });
  const heard = (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  return {
    session,
    store,
    close: async () => {
      await session.close();
      await heard;
      store.close();
    },
  };
}

/** The person answers all that waits. @returns calls that were other ones after they had the talk summed up */
async function decide({ session, store }: Life, turn: number): Promise<string[]> {
  const journal = store.readJournal(named.id);
  const moved: string[] = [];
  await session.settled();
  for (let open = journal.openCalls(); open.length > 0; open = journal.openCalls()) {
    if (isSummedUpAt(turn)) {
      await session.compact("the ledger");
      const now = journal.openCalls();
      if (JSON.stringify(now) !== JSON.stringify(open)) moved.push(JSON.stringify({ turn, open, now }));
    }
    for (const call of open)
      if (call.status === "awaiting_approval")
        await session.answer({ session: session.id, call: call.callId }, { decision: "approve", digest: call.digest });
      else if (call.status === "interrupted")
        await session.recover({ session: session.id, call: call.callId }, "cancel");
    await session.settled();
  }
  return moved;
}

/**
 * A session of so many turns, gone on with by another process after half of them, against a strict server that refuses what is longer than
 * its window: it counts four characters as a token.
 */
export async function longTalk({ turns, window }: { turns: number; window: number }): Promise<LongTalk> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-long-")));
  await mkdir(join(root, "work"));
  const requests: SeenRequest[] = [];
  const ends: Ends = new Map();
  const server = await startModelServer((request) => {
    const journal = life.store.readJournal(named.id);
    requests.push(seen(request, journal, ends));
    return answer(window, request, journal);
  });
  const stage: Stage = { root, server, window, events: [] };
  let life = await openLife(stage);
  const moved: string[] = [];
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn === Math.ceil(turns / 2)) {
        await life.close();
        life = await openLife(stage);
      }
      await life.session.submit(turn === 0 ? `${goal} turn 0` : `turn ${turn}: go on`);
      moved.push(...(await decide(life, turn)));
    }
    const journal = life.store.readJournal(named.id);
    const sent = server.requests.at(-1)?.body.messages.slice(1) ?? [];
    return {
      ...{ requests, violations: server.violations, events: stage.events, moved },
      compactions: journal.compactions(),
      prefixes: prefixesOf(requests.filter((request) => !request.isSummary)),
      rendered: [await renderedElsewhere(root, sent.length), JSON.stringify(sent.map(({ content }) => content))],
      ends: new Set(journal.turns().map(({ reason }) => reason ?? "none")),
    };
  } finally {
    await life.close();
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

function prefixesOf(requests: readonly SeenRequest[]): LongTalk["prefixes"] {
  return requests.slice(1).map(({ messages }, at) => {
    const before = requests[at]?.messages ?? [];
    const same = before.findIndex((message, place) => messages[place] !== message);
    const length = (list: readonly string[]): number => list.reduce((sum, one) => sum + one.length, 0);
    if (same < 0) return { kept: length(before), changed: 0 };
    return { kept: length(before.slice(0, same)), changed: length(before.slice(same)) };
  });
}

/** The first messages of the same store opened anew, as another process would. */
async function renderedElsewhere(root: string, most: number): Promise<string> {
  const store = await openStore({ file: join(root, "agent.db") });
  try {
    fillObservations(store);
    const tuple = await store.saver.getTuple({ configurable: { thread_id: named.id } });
    const messages = tuple?.checkpoint.channel_values["messages"] as BaseMessage[];
    const journal = store.readJournal(named.id);
    const rendered = createRenderer(journal, noticesOf(journal)).render(messages);
    return JSON.stringify(rendered.slice(0, most).map(({ content }) => content));
  } finally {
    store.close();
  }
}
