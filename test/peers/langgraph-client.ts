import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { ApprovalQuestion } from "../../src/graph/calls/question.ts";
import type { ResumeValue } from "../../src/graph/calls/take-answers.ts";
import { consumer, type openPlace } from "./support.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

interface Heard {
  event: string;
  data: unknown;
}

interface State {
  values: { messages: { content: unknown; type: string }[]; pendingToolCalls: object[] };
  tasks: { interrupts: { value: unknown }[] }[];
}

/** As far as these tests use it: that of LangGraph's server. */
interface Client {
  threads: {
    create(options?: { threadId?: string }): Promise<{ thread_id: string }>;
    getState(thread: string): Promise<State>;
    copy(thread: string): Promise<{ thread_id: string }>;
    updateState(thread: string, options: { values: object; asNode: string }): Promise<unknown>;
  };
  runs: { stream(thread: string, assistant: string, payload: object): AsyncIterable<Heard> };
}

interface Sdk {
  Client: new (options: { apiUrl: string; callerOptions: object }) => Client;
}

async function sdk(): Promise<Sdk> {
  const file = join(consumer, "node_modules/@langchain/langgraph-sdk/dist/index.js");
  return (await import(pathToFileURL(file).href)) as Sdk;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

type Place = Awaited<ReturnType<typeof openPlace>>;

/** `langgraphjs dev` with the langgraph.json of this folder, in the place's workspace. */
export async function startServer(place: Place, folder: string, more: Record<string, string> = {}) {
  const port = await freePort();
  const program = join(consumer, "node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");
  const config = join(folder, "langgraph.json");
  const flags = ["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", `${port}`, "--config", config];
  const env = { ...place.env, LANGSMITH_TRACING: "false", LANGGRAPH_CLI_NO_ANALYTICS: "1", ...more };
  const child = spawn(process.execPath, [program, ...flags], { env, cwd: place.workspace, detached: true });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (log += data.toString()));
  const ended = once(child, "close");
  // It starts a program of its own.
  const kill = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const { Client } = await sdk();
  const apiUrl = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    const isUp = await fetch(`${apiUrl}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { client: new Client({ apiUrl, callerOptions: { maxRetries: 0 } }), kill, log: () => log };
    if (child.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`LangGraph's server does not answer: ${log}`);
}

/** A folder with our own langgraph.json, from whose place its graph is found. */
export async function ourFolder({ root }: Place): Promise<string> {
  const folder = join(root, "ours");
  await mkdir(folder);
  await copyFile(join(repository, "langgraph.json"), join(folder, "langgraph.json"));
  for (const name of ["src", "node_modules", "package.json"]) await symlink(join(repository, name), join(folder, name));
  return folder;
}

/** One as the docs say, of a program that has the package installed. */
export async function installedFolder({ root }: Place): Promise<string> {
  const folder = join(root, "theirs");
  await mkdir(folder);
  await symlink(join(consumer, "node_modules"), join(folder, "node_modules"));
  const graphs = { agent: "./node_modules/holdfast/dist/server/langgraph.js:graph" };
  await writeFile(join(folder, "langgraph.json"), JSON.stringify({ node_version: "20", dependencies: ["."], graphs }));
  return folder;
}

const streamMode = ["custom", "messages-tuple", "updates"];

export async function run(client: Client, thread: string, payload: object): Promise<Heard[]> {
  const heard: Heard[] = [];
  for await (const one of client.runs.stream(thread, "agent", { ...payload, streamMode })) heard.push(one);
  return heard;
}

export const say = (client: Client, thread: string, content: string) =>
  run(client, thread, { input: { messages: [{ type: "human", content }] } });

export const resume = (client: Client, thread: string, answers: ResumeValue["answers"]) =>
  run(client, thread, { command: { resume: { answers } } });

export const failureIn = (heard: readonly Heard[]) => heard.find(({ event }) => event === "error")?.data;

export async function interruptOf(client: Client, thread: string): Promise<unknown> {
  const { tasks } = await client.threads.getState(thread);
  const [interrupt] = tasks.flatMap(({ interrupts }) => interrupts);
  return interrupt?.value;
}

export const questionOf = async (client: Client, thread: string): Promise<ApprovalQuestion["calls"]> =>
  ((await interruptOf(client, thread)) as ApprovalQuestion | undefined)?.calls ?? [];

/** Resolves when the server, which writes its threads seconds after they changed, has written this one as it is. */
export async function keptOnDisk(folder: string, thread: string): Promise<void> {
  const kept = join(folder, ".langgraph_api", ".langgraphjs_api.checkpointer.json");
  const has = () =>
    readFile(kept, "utf8").then(
      (json) => json.includes(thread),
      () => false,
    );
  await expect.poll(has).toBe(true);
  await sleep(4000);
}

export const lastWords = async (client: Client, thread: string) =>
  (await client.threads.getState(thread)).values.messages.at(-1)?.content;

/** The pieces of the model's words. */
export const wordsIn = (heard: readonly Heard[]) =>
  heard.flatMap(({ event, data }) => {
    const [message] = event === "messages" ? (data as [{ type: string; content: unknown }]) : [];
    return message?.type === "ai" && message.content !== "" ? [message.content] : [];
  });

export const customIn = (heard: readonly Heard[]) =>
  heard.flatMap(({ event, data }) => (event === "custom" ? [data as { type: string }] : []));
