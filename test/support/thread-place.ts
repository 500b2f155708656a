import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import type { ApprovalQuestion, Question } from "../../src/graph/calls/question.ts";
import type { AgentEventBody } from "../../src/graph/events.ts";
import type { Model, ModelRequest } from "../../src/model/port.ts";
import { openScript } from "../../src/model/script.ts";
import { createGraph, type GraphParts } from "../../src/sdk/create-graph.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import type { Line } from "./play.ts";

export type Graph = ReturnType<typeof createGraph>;

export const at = (thread_id: string) => ({ configurable: { thread_id } });
export const thread = at("otter");
export const ask = (text: string) => ({ messages: [new HumanMessage(text)] });

export interface Savers {
  checkpointer: BaseCheckpointSaver;
  store?: Store;
}

/** A folder with a file, and graphs over it whose model says these lines, each line once. */
export async function openPlace(lines: Line[], more: Partial<GraphParts> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-alone-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, "work");
  await mkdir(workspace);
  await writeFile(join(workspace, "a.txt"), "1\n");
  const requests: ModelRequest[] = [];
  const events: AgentEventBody[] = [];
  const parts: GraphParts = {
    workspace,
    model: scripted(lines, requests),
    tools: createDefaultTools({ workspace }),
    systemPrompt: async () => "You are tested.",
    emit: (_, event) => events.push(event),
    ...more,
  };
  return {
    root,
    workspace,
    requests,
    events,
    parts,
    text: (name: string) => readFile(join(workspace, name), "utf8"),
    graph: ({ checkpointer, store }: Savers) =>
      createGraph({ ...parts, ...(store === undefined ? {} : { store }) }, { checkpointer }),
    open: async (name = "agent.db"): Promise<Savers & { store: Store }> => {
      const store = await openStore({ file: join(root, name) });
      onTestFinished(() => store.close());
      return { store, checkpointer: store.saver };
    },
  };
}

interface Windowed {
  summaries?: string[];
  window?: number;
}

export function scripted(lines: Line[], requests: ModelRequest[], { summaries = [], window }: Windowed = {}): Model {
  const script = { requests: lines.map((line, i) => ({ ...line, line: i + 1 })), person: [], summaries };
  const model = openScript(script, { spec: "script", name: "the test", contextWindow: window });
  return {
    ...model,
    stream(request, signal) {
      requests.push(request);
      return model.stream(request, signal);
    },
  };
}

export const edit = (from: string, to: string): [string, JsonObject] => [
  "edit_file",
  { file_path: "a.txt", old_string: from, new_string: to },
];

export const answer = (graph: Graph, answers: JsonObject, config = thread) =>
  graph.invoke(new Command({ resume: { answers } }), config);

export async function questionOf(graph: Graph, config = thread): Promise<Question> {
  const { tasks } = await graph.getState(config);
  const [interrupt] = tasks.flatMap((task) => task.interrupts);
  if (interrupt === undefined) throw new Error("nothing waits");
  return interrupt.value as Question;
}

export const approvalOf = async (graph: Graph, config = thread): Promise<ApprovalQuestion> => {
  const question = await questionOf(graph, config);
  if (question.kind !== "approval") throw new Error(question.kind);
  return question;
};

/** Approves all that waits, by the digests that are shown. */
export async function approveAll(graph: Graph, config = thread) {
  const { calls } = await approvalOf(graph, config);
  const answers = Object.fromEntries(
    calls.map(({ callId, digest }): [string, JsonObject] => [callId, { decision: "approve", digest }]),
  );
  return answer(graph, answers, config);
}
