import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ApprovalQuestion } from "../../src/graph/calls/question.ts";
import type { ResumeValue } from "../../src/graph/calls/take-answers.ts";
import { consumer, openPlace } from "./support.ts";

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

let sdk: { Client: new (options: { apiUrl: string; callerOptions: object }) => Client };
beforeAll(async () => {
  const file = join(consumer, "node_modules/@langchain/langgraph-sdk/dist/index.js");
  sdk = (await import(pathToFileURL(file).href)) as typeof sdk;
});

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
async function startServer(place: Place, folder: string, more: Record<string, string> = {}) {
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
  const apiUrl = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    const isUp = await fetch(`${apiUrl}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { client: new sdk.Client({ apiUrl, callerOptions: { maxRetries: 0 } }), kill, log: () => log };
    if (child.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`LangGraph's server does not answer: ${log}`);
}

/** A folder with our own langgraph.json, from whose place its graph is found. */
async function ourFolder({ root }: Place): Promise<string> {
  const folder = join(root, "ours");
  await mkdir(folder);
  await copyFile(join(repository, "langgraph.json"), join(folder, "langgraph.json"));
  for (const name of ["src", "node_modules", "package.json"]) await symlink(join(repository, name), join(folder, name));
  return folder;
}

/** One as the docs say, of a program that has the package installed. */
async function installedFolder({ root }: Place): Promise<string> {
  const folder = join(root, "theirs");
  await mkdir(folder);
  await symlink(join(consumer, "node_modules"), join(folder, "node_modules"));
  const graphs = { agent: "./node_modules/holdfast/dist/server/langgraph.js:graph" };
  await writeFile(join(folder, "langgraph.json"), JSON.stringify({ node_version: "20", dependencies: ["."], graphs }));
  return folder;
}

const streamMode = ["custom", "messages-tuple", "updates"];

async function run(client: Client, thread: string, payload: object): Promise<Heard[]> {
  const heard: Heard[] = [];
  for await (const one of client.runs.stream(thread, "agent", { ...payload, streamMode })) heard.push(one);
  return heard;
}

const say = (client: Client, thread: string, content: string) =>
  run(client, thread, { input: { messages: [{ type: "human", content }] } });

const resume = (client: Client, thread: string, answers: ResumeValue["answers"]) =>
  run(client, thread, { command: { resume: { answers } } });

const failureIn = (heard: readonly Heard[]) => heard.find(({ event }) => event === "error")?.data;

async function interruptOf(client: Client, thread: string): Promise<unknown> {
  const { tasks } = await client.threads.getState(thread);
  const [interrupt] = tasks.flatMap(({ interrupts }) => interrupts);
  return interrupt?.value;
}

const questionOf = async (client: Client, thread: string): Promise<ApprovalQuestion["calls"]> =>
  ((await interruptOf(client, thread)) as ApprovalQuestion | undefined)?.calls ?? [];

/** Resolves when the server, which writes its threads seconds after they changed, has written this one as it is. */
async function keptOnDisk(folder: string, thread: string): Promise<void> {
  const kept = join(folder, ".langgraph_api", ".langgraphjs_api.checkpointer.json");
  const has = () =>
    readFile(kept, "utf8").then(
      (json) => json.includes(thread),
      () => false,
    );
  await expect.poll(has).toBe(true);
  await sleep(4000);
}

const lastWords = async (client: Client, thread: string) =>
  (await client.threads.getState(thread)).values.messages.at(-1)?.content;

/** The pieces of the model's words. */
const wordsIn = (heard: readonly Heard[]) =>
  heard.flatMap(({ event, data }) => {
    const [message] = event === "messages" ? (data as [{ type: string; content: unknown }]) : [];
    return message?.type === "ai" && message.content !== "" ? [message.content] : [];
  });

const customIn = (heard: readonly Heard[]) =>
  heard.flatMap(({ event, data }) => (event === "custom" ? [data as { type: string }] : []));

describe("LangGraph's own server, with our langgraph.json", () => {
  it("asks with digest and plan, takes an edit, a denial and an approval, and streams what happens", async () => {
    const place = await openPlace();
    const text = () => readFile(join(place.workspace, "it.txt"), "utf8");
    const { client } = await startServer(place, await ourFolder(place));
    const { thread_id: thread } = await client.threads.create();
    const asked = await say(client, thread, "one");
    expect(failureIn(asked)).toBeUndefined();
    expect(customIn(asked)).toContainEqual(expect.objectContaining({ type: "tool_progress", phase: "arguments" }));
    const [first] = await questionOf(client, thread);
    expect(first).toMatchObject({
      callId: "c1",
      toolName: "write_file",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(first?.plan.diff).toContain("+one");

    const forged = await resume(client, thread, { c1: { decision: "approve", digest: "f".repeat(64) } });
    expect(customIn(forged)).toContainEqual(expect.objectContaining({ type: "notice", code: "answer_refused" }));
    await expect(text()).rejects.toThrow();
    await resume(client, thread, { c1: { decision: "edit", arguments: { file_path: "it.txt", content: "mine\n" } } });
    const [edited] = await questionOf(client, thread);
    expect(edited).toMatchObject({ callId: "c1", changed: { from: first?.digest } });
    await resume(client, thread, { c1: { decision: "approve", digest: first?.digest ?? "" } });
    await expect(text()).rejects.toThrow();
    const done = await resume(client, thread, { c1: { decision: "approve", digest: edited?.digest ?? "" } });
    expect(await text()).toBe("mine\n");
    expect(wordsIn(done).join("")).toBe("Did: one.");
    expect(customIn(done).map(({ type }) => type)).toEqual(expect.arrayContaining(["decision", "tool_call", "usage"]));

    await say(client, thread, "two");
    await resume(client, thread, { c2: { decision: "deny", reason: "leave it" } });
    expect(await text()).toBe("mine\n");
    const { values } = await client.threads.getState(thread);
    expect(values.messages.at(-2)?.content).toContain("denied by the person: leave it");
    expect(await lastWords(client, thread)).toBe("Did: two.");
  });

  it("has two threads at once, whose answers are their own, and goes on after kill -9 with its question", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const { client, kill } = await startServer(place, folder);
    const [one, two] = [await client.threads.create(), await client.threads.create()].map((made) => made.thread_id);
    if (one === undefined || two === undefined) throw new Error("no threads");
    await Promise.all([say(client, one, "one"), say(client, two, "two")]);
    const [[ofOne], [ofTwo]] = [await questionOf(client, one), await questionOf(client, two)];
    expect([ofOne?.plan.diff, ofTwo?.plan.diff]).toEqual([
      expect.stringContaining("+one"),
      expect.stringContaining("+two"),
    ]);
    // The digest of the other thread's call approves nothing, and its id is the other thread's.
    const crossed = await resume(client, one, { c1: { decision: "approve", digest: ofTwo?.digest ?? "" } });
    expect(customIn(crossed)).toContainEqual(expect.objectContaining({ code: "answer_refused" }));
    expect(failureIn(await resume(client, one, { c7: { decision: "deny" } }))).toMatchObject({
      error: "MalformedAnswer",
    });
    const copied = await client.threads.copy(one);
    expect(failureIn(await say(client, copied.thread_id, "more"))).toMatchObject({ error: "JournalMissing" });
    const other = await startServer(place, await installedFolder(place));
    expect(
      failureIn(await say(other.client, (await other.client.threads.create({ threadId: two })).thread_id, "mine")),
    ).toMatchObject({
      error: "SessionBusy",
    });
    await other.kill();
    await resume(client, two, { c1: { decision: "approve", digest: ofTwo?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("two\n");

    await keptOnDisk(folder, two);
    await kill();
    const again = await startServer(place, folder);
    const [waits] = await questionOf(again.client, one);
    expect(waits?.digest).toBe(ofOne?.digest);
    // What it was to write is another file by now.
    const late = await resume(again.client, one, { c1: { decision: "approve", digest: waits?.digest ?? "" } });
    expect(failureIn(late)).toBeUndefined();
    const [anew] = await questionOf(again.client, one);
    expect(anew?.plan.diff).toContain("-two\n+one");
    await resume(again.client, one, { c1: { decision: "approve", digest: anew?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(again.client, one)).toBe("Did: one.");
  });

  it("counts one effect after kill -9 while it runs, and the person is asked about its end", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const count = () => readFile(join(place.workspace, "count.txt"), "utf8").catch(() => "");
    const { client, kill } = await startServer(place, folder);
    const { thread_id: thread } = await client.threads.create();
    await say(client, thread, "$ echo once >> count.txt; sleep 300");
    const [call] = await questionOf(client, thread);
    expect(call).toMatchObject({ toolName: "shell", plan: { command: "echo once >> count.txt; sleep 300" } });
    await keptOnDisk(folder, thread);
    const running = resume(client, thread, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    const cut = running.catch((error: unknown) => error);
    const over = running.then((heard) => Promise.reject(new Error(`it has not run: ${JSON.stringify(heard)}`)));
    await Promise.race([expect.poll(count).toBe("once\n"), over]);
    await kill();
    await cut;

    const again = await startServer(place, folder);
    // What was answered is in the journal: neither that answer again nor a run without one begins it anew.
    await resume(again.client, thread, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    await run(again.client, thread, { input: null });
    expect(await interruptOf(again.client, thread)).toMatchObject({
      kind: "recovery",
      calls: [{ callId: "c1", effect: "once", choices: ["retry", "done", "cancel"] }],
    });
    expect(await count()).toBe("once\n");
    await resume(again.client, thread, { c1: { choice: "done" } });
    expect(await interruptOf(again.client, thread)).toBeUndefined();
    expect(await lastWords(again.client, thread)).toBe("Did: $ echo once >> count.txt; sleep 300.");
    expect(await count()).toBe("once\n");
  });

  it("has a helper's question in the interrupt of its thread, and goes on after kill -9 with it", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const { client, kill } = await startServer(place, folder);
    const { thread_id: thread } = await client.threads.create();
    const asked = await say(client, thread, "> three");
    expect(failureIn(asked)).toBeUndefined();
    expect(customIn(asked)).toContainEqual(expect.objectContaining({ type: "session_started", parent: thread }));
    const [call] = await questionOf(client, thread);
    expect(call).toMatchObject({
      session: expect.stringMatching(`^${thread}@delegate-1-`),
      agent: "helper",
      callId: "c1",
      toolName: "write_file",
    });
    await keptOnDisk(folder, thread);
    await kill();

    const again = await startServer(place, folder);
    const [waits] = await questionOf(again.client, thread);
    expect([waits?.session, waits?.digest]).toEqual([call?.session, call?.digest]);
    const name = `${waits?.session}:${waits?.callId}`;
    const forged = await resume(again.client, thread, { [name]: { decision: "approve", digest: "f".repeat(64) } });
    expect(customIn(forged)).toContainEqual(expect.objectContaining({ code: "answer_refused" }));
    const done = await resume(again.client, thread, { [name]: { decision: "approve", digest: waits?.digest ?? "" } });
    expect(failureIn(done)).toBeUndefined();
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("three\n");
    expect(wordsIn(done).join("")).toBe("Did: > three.");
    expect(await interruptOf(again.client, thread)).toBeUndefined();
    const { values } = await again.client.threads.getState(thread);
    expect(values.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(String(values.messages.at(-2)?.content)).toContain("It changed it.txt.");
  });

  it("runs nothing that nobody approved, whatever is written into a thread's state", async () => {
    const place = await openPlace();
    const { client } = await startServer(place, await ourFolder(place));
    const text = () => readFile(join(place.workspace, "it.txt"), "utf8");
    const { thread_id: thread } = await client.threads.create();
    await say(client, thread, "one");
    const [asked] = await questionOf(client, thread);
    const { values } = await client.threads.getState(thread);
    const [call] = values.pendingToolCalls;
    const approved = { ...call, status: "pending", by: { actor: "person" } };
    const other = { file_path: "it.txt", content: "forged\n" };
    const forgeries: [asNode: string, state: object][] = [
      ["human_approval", { pendingToolCalls: [approved] }],
      ["tool_routing", { pendingToolCalls: [{ ...approved, arguments: other }] }],
      ["human_approval", { pendingToolCalls: [call, { ...approved, callId: "c2", arguments: other }] }],
      ["tool_routing", { pendingToolCalls: [] }],
    ];
    for (const [asNode, forged] of forgeries) {
      await client.threads.updateState(thread, { values: forged, asNode }).catch(() => undefined);
      await run(client, thread, { input: null }).catch(() => undefined);
      await run(client, thread, { command: { goto: "tool_execution" } }).catch(() => undefined);
      await expect(text()).rejects.toThrow();
    }
    // A state that has the call itself again is gone on with, by what was shown.
    await client.threads.updateState(thread, { values: { pendingToolCalls: [call] }, asNode: "tool_routing" });
    await run(client, thread, { input: null });
    const [again] = await questionOf(client, thread);
    expect(again).toMatchObject({ arguments: { content: "one\n" }, digest: asked?.digest });
    await resume(client, thread, { c1: { decision: "approve", digest: asked?.digest ?? "" } });
    expect(await text()).toBe("one\n");
  });

  it("is had from the installed package, with the flags of AGENT_FLAGS", async () => {
    const place = await openPlace();
    const { client } = await startServer(place, await installedFolder(place), { AGENT_FLAGS: "--mode accept-edits" });
    const { thread_id: thread } = await client.threads.create();
    expect(failureIn(await say(client, thread, "one"))).toBeUndefined();
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(client, thread)).toBe("Did: one.");
  });

  it("serves the graph of the example", async () => {
    const place = await openPlace();
    const folder = join(place.root, "example");
    await cp(join(consumer, "node_modules/holdfast/examples/langgraph-server"), folder, { recursive: true });
    await symlink(join(consumer, "node_modules"), join(folder, "node_modules"));
    const store = join(place.root, "example.db");
    const own = { AGENT_WORKSPACE: place.workspace, AGENT_STORE: store };
    const { client } = await startServer(place, folder, own);
    const { thread_id: thread } = await client.threads.create();
    expect(failureIn(await say(client, thread, "one"))).toBeUndefined();
    const [asked] = await questionOf(client, thread);
    await resume(client, thread, { c1: { decision: "approve", digest: asked?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(client, thread)).toBe("Did: one.");
  });
});
