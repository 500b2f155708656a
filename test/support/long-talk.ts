import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { z } from "zod";
import { defineTool } from "../../src/core/tool.ts";
import { createGraph } from "../../src/graph/create-graph.ts";
import type { AgentEventBody } from "../../src/graph/events.ts";
import { fillObservations } from "../../src/graph/fill-observations.ts";
import { createRenderer } from "../../src/graph/talk/render.ts";
import { openModel } from "../../src/model/open-model.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Journal, JournalReading } from "../../src/store/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { asks, type Reply, says, startModelServer } from "./model-server.ts";

/** What one request of a long talk was. */
export interface SeenRequest {
  /** Characters over four, of the whole body: what the server counts. */
  tokens: number;
  /** The messages, each as its JSON. */
  messages: string[];
  isSummary: boolean;
}

export interface LongTalk {
  requests: SeenRequest[];
  violations: string[];
  events: AgentEventBody[];
  compactions: ReturnType<JournalReading["compactions"]>;
  /** Bytes of each request that the one before it had at the same place, and bytes of that one that this has not. */
  prefixes: { kept: number; changed: number }[];
  /** What another process renders of the session, and what this one does. */
  rendered: [string, string];
  lastReason: string;
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

/** Each turn of the person makes one step of a call and one of words; every 25th call says much. */
function answer(window: number, said: { body: { messages: { role: string; content: unknown }[] } }): Reply {
  const { messages } = said.body;
  const last = messages.at(-1);
  const text = String(last?.content);
  const tokens = Math.ceil(JSON.stringify(said.body).length / 4);
  if (tokens > window) return { status: 400, body: { error: { message: `context length exceeded: ${tokens}` } } };
  const usage = { usage: { input: tokens, output: 100 } };
  if (text.startsWith("[compaction]")) return says("## Goal\nthe ledger\n## Open\nnone", usage);
  if (last?.role === "tool") return says(`Noted ${text.length}. ${prose(text.length, 30)}`, usage);
  const turn = Number(/turn (\d+)/.exec(text)?.[1] ?? 0);
  return asks("look_up", { turn, words: turn % 25 === 24 ? window / 12 : 120 }, usage);
}

/** A talk of so many turns against a strict server that refuses what is longer than its window: it counts four characters as a token. */
export async function longTalk({ turns, window }: { turns: number; window: number }): Promise<LongTalk> {
  const root = await mkdtemp(join(tmpdir(), "holdfast-long-"));
  const workspace = join(root, "work");
  await mkdir(workspace);
  const server = await startModelServer((request) => answer(window, request), {
    models: [{ id: "test-model", context_length: window }],
  });
  const store = await openStore({ file: join(root, "agent.db") });
  const events: AgentEventBody[] = [];
  const options = { env: { OPENAI_API_KEY: "sk-test" }, baseUrl: server.url, contextWindow: window };
  const parts = {
    workspace,
    store,
    model: await openModel("openai:test-model", options),
    tools: [...createDefaultTools({ workspace }), look],
    systemPrompt: async () => "You are tested.",
    emit: (_: string, event: AgentEventBody) => void events.push(event),
  };
  const graph = createGraph(parts, { checkpointer: store.saver });
  const thread = { configurable: { thread_id: "otter" } };
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const text = turn === 0 ? `${goal} turn 0` : `turn ${turn}: go on`;
      await graph.invoke({ messages: [new HumanMessage(text)] }, thread);
    }
    const journal = store.readJournal("otter");
    const requests = server.requests.map(({ body }) => ({
      tokens: Math.ceil(JSON.stringify(body).length / 4),
      messages: body.messages.map((message) => JSON.stringify(message)),
      isSummary: String(body.messages.at(-1)?.content).startsWith("[compaction]"),
    }));
    const { messages } = (await graph.getState(thread)).values;
    return {
      ...{ requests, violations: server.violations, events },
      compactions: journal.compactions(),
      prefixes: prefixesOf(requests.filter(({ isSummary }) => !isSummary)),
      rendered: [await renderedElsewhere(root), renderedBy(journal, messages as BaseMessage[])],
      lastReason: journal.turns().at(-1)?.reason ?? "",
    };
  } finally {
    store.close();
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

/** The same store opened anew, as another process would: nothing that was kept in memory is there. */
async function renderedElsewhere(root: string): Promise<string> {
  const store = await openStore({ file: join(root, "agent.db") });
  try {
    fillObservations(store);
    const tuple = await store.saver.getTuple({ configurable: { thread_id: "otter" } });
    const messages = tuple?.checkpoint.channel_values["messages"] as BaseMessage[];
    return renderedBy(store.readJournal("otter"), messages);
  } finally {
    store.close();
  }
}

function renderedBy(journal: Pick<Journal, "call" | "compactions">, messages: BaseMessage[]): string {
  return JSON.stringify(
    createRenderer(journal)
      .render(messages)
      .map(({ id, content }) => [id, content]),
  );
}
