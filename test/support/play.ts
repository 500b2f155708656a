import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../src/core/tool.ts";
import type { AgentEvent, AgentEventBody } from "../../src/graph/events.ts";
import type { ScriptedReply } from "../../src/model/play.ts";
import type { Model, ModelMessage, ModelRequest } from "../../src/model/port.ts";
import { openScript } from "../../src/model/script.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import type { Mode, Policy, Rule } from "../../src/policy/types.ts";
import type { AgentParts } from "../../src/session/agent-parts.ts";
import { openAgent, type ResumedSession } from "../../src/session/open-agent.ts";
import type { Session } from "../../src/session/session.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { JournalReading, Store } from "../../src/store/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";

export type EventOf<T extends AgentEventBody["type"]> = Extract<AgentEvent, { type: T }>;

/** What the model says to one request. */
export type Line = ScriptedReply;

export const calls = (...made: [name: string, args: JsonObject | string][]): Line => ({
  calls: made.map(([name, args]) => ({ name, arguments: args })),
});

export const says = (text: string): Line => ({ text });

export interface StageOptions {
  lines: Line[];
  files?: Record<string, string>;
  tools?: Tool[];
  maxSteps?: number;
  mode?: Mode;
  rules?: Rule[];
  /** How long a locked store is tried again, in milliseconds. */
  patienceMs?: number;
  /** Tokens that the model reads; not known where it is left out. */
  window?: number;
  /** Comes between the agent and its model. */
  wrapModel?: (model: Model) => Model;
  /** What the model answers where it is asked to sum up the talk. */
  summaries?: string[];
  /** Further parts of the agent. */
  parts?: Partial<AgentParts>;
}

/** One process's hold on a session, and all it was told. */
export interface Life {
  session: Session;
  store: Store;
  events: AgentEvent[];
  of<T extends AgentEventBody["type"]>(type: T): EventOf<T>[];
  last<T extends AgentEventBody["type"]>(type: T): EventOf<T>;
  /** Resolves once such an event has come. */
  until(wanted: (event: AgentEvent) => boolean): Promise<void>;
  call(callId: string): ToolCallInfo;
  journal(): JournalReading;
  close(): Promise<void>;
}

/** A workspace, a store and a scripted model, on which sessions live one after the other or side by side. */
export interface Stage {
  workspace: string;
  database: string;
  /** All requests to the model, of all lives. */
  requests: ModelRequest[];
  path(file: string): string;
  text(file: string): string;
  put(file: string, text: string): Promise<void>;
  /** A new session in a life of its own, with its first message said. */
  begin(text: string, options?: LifeOptions): Promise<Life>;
  /** An older session, gone on with. */
  resume(id: string, options?: LifeOptions): Promise<Life>;
  /** What the model read of the newest call in its newest request, `back` calls before it. */
  observation(back?: number): string;
}

export interface LifeOptions {
  /** Comes between the agent and its store. */
  wrap?: (store: Store) => Store;
  mode?: Mode;
  takeOver?: boolean;
  /** Resume only: leave what was left as it is. */
  still?: boolean;
  /** Begin only: do not wait until the turn has ended or waits. */
  running?: boolean;
  model?: string;
  /** Resume only: another store than the stage's, a copy of it as it was once. */
  database?: string;
  /** Parts of the agent that are others in this life. */
  parts?: Partial<AgentParts>;
}

/** The id of the session that a stage has stored: of a tree its root's. */
export async function sessionIn({ database }: Pick<Stage, "database">): Promise<string> {
  const store = await openStore({ file: database });
  const row = store.sessions.list().find(({ parent }) => parent === undefined);
  store.close();
  if (row === undefined) throw new Error("no session is stored");
  return row.id;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-graph-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [workspace, database] = [join(root, "work"), join(root, "agent.db")];
  await mkdir(workspace);
  const path = (file: string) => join(workspace, file);
  const put = async (file: string, text: string) => {
    await mkdir(dirname(path(file)), { recursive: true });
    await writeFile(path(file), text);
  };
  for (const [file, text] of Object.entries(options.files ?? {})) await put(file, text);
  const requests: ModelRequest[] = [];
  const open = (more: LifeOptions) => openLife({ options, root, workspace, database, requests }, more);
  return {
    workspace,
    database,
    requests,
    path,
    put,
    text: (file) => readFileSync(path(file), "utf8"),
    begin: async (text, more = {}) => {
      const { agent, live } = await open(more);
      const mode = more.mode ?? options.mode ?? "ask";
      const life = live(agent.start({ workspace, model: "script", mode }));
      await life.session.submit(text);
      if (more.running !== true) await life.session.settled();
      return life;
    },
    resume: async (id, more = {}) => {
      const { agent, live, store } = await open(more);
      const row = store.sessions.get(id);
      if (row === undefined) throw new Error(`no session ${id}`);
      const mode = more.mode ?? options.mode ?? "ask";
      const session: ResumedSession = await agent.resume(row, {
        mode,
        takeOver: more.takeOver ?? false,
        ...(more.model === undefined ? {} : { model: more.model }),
      });
      const life = live(session);
      if (more.still !== true) {
        await session.proceed();
        await session.settled();
      }
      return life;
    },
    observation: (back = 0) => {
      const said = requests.at(-1)?.messages.filter((message) => ToolMessage.isInstance(message)) ?? [];
      return String(said.at(-1 - back)?.content);
    },
  };
}

interface Scenery {
  options: StageOptions;
  root: string;
  workspace: string;
  database: string;
  requests: ModelRequest[];
}

async function openLife(
  { options, root, workspace, database: own, requests }: Scenery,
  { wrap = (store) => store, database = own, parts: others = {} }: LifeOptions,
) {
  const store = await openStore({ file: database, patienceMs: options.patienceMs ?? 10_000 });
  const grants = openGrantBook(join(root, "grants.json"));
  const tools = [...createDefaultTools({ workspace, memoryFile: join(root, "CONTEXT.md") }), ...(options.tools ?? [])];
  const parts: AgentParts = {
    openStore: async () => wrap(store),
    openTools: async () => ({ tools, services: {}, close: () => undefined }),
    openModel: async (spec) => (options.wrapModel ?? ((model) => model))(heardModel(options, requests, spec)),
    loadPolicy: async (at): Promise<Policy> => ({
      rules: options.rules ?? [],
      grants: await grants.inForce(at.session, at.workspace),
      mode: at.mode,
      sealed: { roots: [join(root, "state")] },
    }),
    grants: { book: grants, file: join(root, "grants.json") },
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: options.maxSteps ?? 50,
    ...options.parts,
    ...others,
  };
  return { agent: openAgent(parts), store, live: (session: Session) => liveOn(session, store) };
}

/** A model that plays the lines by the request's history, and writes down what it was asked. */
function heardModel({ lines, summaries = [], window }: StageOptions, requests: ModelRequest[], spec: string): Model {
  const script = { requests: lines.map((line, i) => ({ ...line, line: i + 1 })), person: [], summaries };
  const model = openScript(script, { spec, name: "the test", contextWindow: window });
  return {
    ...model,
    stream(request, signal) {
      requests.push(request);
      checkHistory(request.messages);
      return model.stream(request, signal);
    },
  };
}

/** What every provider asks of a history: each call followed at once by its one result. */
function checkHistory(messages: readonly ModelMessage[]): void {
  const seen = new Set<string>();
  messages.forEach((message, at) => {
    if (!AIMessage.isInstance(message)) return;
    const ids = (message.tool_calls ?? []).map((call) => call.id ?? "");
    const results = messages.slice(at + 1, at + 1 + ids.length);
    const answered = results.map((result) => (ToolMessage.isInstance(result) ? result.tool_call_id : result.getType()));
    if (answered.join() !== ids.join()) throw new Error(`calls ${ids.join()} are answered by ${answered.join()}`);
    for (const id of ids) if (seen.size === seen.add(id).size) throw new Error(`call ${id} is told twice`);
  });
}

/** The session, whose promises resolve when the events that came with them have been heard. */
function hearing(session: Session): Session {
  return new Proxy(session, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        const result: unknown = value.apply(target, given);
        if (!(result instanceof Promise)) return result;
        return result.then(async (outcome: unknown) => {
          await new Promise((resolve) => setImmediate(resolve));
          return outcome;
        });
      };
    },
  });
}

function liveOn(driven: Session, store: Store): Life {
  const session = hearing(driven);
  const events: AgentEvent[] = [];
  const listeners = new Set<() => void>();
  const read = (async () => {
    for await (const event of session.events()) {
      events.push(event);
      for (const listener of listeners) listener();
    }
  })();
  const of = <T extends AgentEventBody["type"]>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type);
  const life: Life = {
    session,
    store,
    events,
    of,
    last: (type) => {
      const found = of(type).at(-1);
      if (found === undefined) throw new Error(`no ${type} among ${events.map((event) => event.type).join(", ")}`);
      return found;
    },
    until: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!events.some(wanted)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    call: (callId) => {
      const found = store.readJournal(session.id).call(callId);
      if (found === undefined) throw new Error(`no call ${callId}`);
      return found;
    },
    journal: () => store.readJournal(session.id),
    close: async () => {
      await session.close();
      await read;
      store.close();
    },
  };
  onTestFinished(life.close);
  return life;
}

/** A tool that only the test knows: `run` says what it does. */
export function toolOf(
  name: string,
  run: (args: JsonObject, ctx: ToolContext) => Promise<ToolResult | string> | ToolResult | string,
  more: Partial<Omit<Tool, "name" | "args" | "execute">> = {},
): Tool {
  return defineTool({
    name,
    description: `the test's ${name}`,
    args: z.looseObject({}),
    risk: "low",
    ...more,
    execute: async (args, ctx) => run(args as JsonObject, ctx),
  });
}

/** How often a line stands in a file that may not be there. */
export const linesIn = (file: string): number =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
