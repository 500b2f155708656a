import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type AgentEvent,
  type AgentOptions,
  createAgent,
  createDefaultTools,
  createToolRegistry,
  defineTool,
  type Json,
  type JsonObject,
  type Model,
  type Session,
  type ToolSource,
  z,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** Makes these calls in its first message, and then says that it is done. */
const calling = (...calls: (string | { name: string; arguments: object })[]): Model => ({
  spec: "own:model",
  async *stream({ messages }) {
    const isFirst = messages.every((message) => message.getType() !== "ai");
    const made = (isFirst ? calls : []).map((call) =>
      typeof call === "string"
        ? { id: "", name: call, rawArguments: "{}" }
        : { id: "", name: call.name, rawArguments: JSON.stringify(call.arguments) },
    );
    yield { type: "done", reply: { text: made.length > 0 ? "" : "Done.", calls: made, finish: "stop" } };
  },
});

const says = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: "Says its settings.",
    args: z.object({}),
    risk: "low",
    effect: "none",
    execute: (_args, { config }) => JSON.stringify(config),
    ...more,
  });

function open(options: Omit<AgentOptions, "workspace"> & { workspace?: string }) {
  const agent = createAgent({ workspace: tempTree(), ...options });
  onTestFinished(() => agent.close().catch(() => undefined));
  return agent;
}

async function turn(session: Session): Promise<void> {
  await session.submit("go");
  await session.settled();
}

/** All that was told so far. */
async function said(session: Session): Promise<AgentEvent[]> {
  await session.close();
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}

const outputs = (events: AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "tool_call" && "result" in event.call && event.call.result ? [event.call.result.output] : [],
  );

test("each tool of the caller's finds the settings of all, and its own beside them, as they were when the agent was made", async () => {
  const config: JsonObject = { region: "eu", most: 1 };
  const deploy: Record<string, Json> = { most: 2, to: ["a"] };
  const ls: ToolSource = { name: "ls", factory: () => says("ls") };
  class Made {
    readonly name = "made";
    readonly description = "Made.";
    readonly args = z.object({});
    readonly effect = "none";
    readonly risk = "low";
    readonly execute = (_args: unknown, { config: own }: { config: JsonObject }) => JSON.stringify(own);
  }
  const workspace = tempTree();
  const agent = open({
    workspace,
    config,
    toolSettings: { deploy, ls: { all: true }, made: { own: 1 } },
    tools: [...createDefaultTools({ workspace }), says("deploy"), says("plain"), ls, Made],
    model: calling("deploy", "plain", "ls", "made"),
  });
  config["region"] = "us";
  deploy["to"] = [];
  const session = agent.start();
  await turn(session);
  expect(outputs(await said(session)).map((output) => JSON.parse(output))).toEqual([
    { region: "eu", most: 2, to: ["a"] },
    { region: "eu", most: 1 },
    { region: "eu", most: 1, all: true },
    { region: "eu", most: 1, own: 1 },
  ]);
});

test("a shared tool with settings is disposed once, with the last session; one that came later into the registry has its own", async () => {
  const ends: string[] = [];
  const registry = createToolRegistry([says("one", { dispose: () => void ends.push("one") })]);
  const agent = open({ toolSettings: { one: { n: 1 }, two: { n: 2 } }, tools: registry, model: calling("one", "two") });
  const [first, second] = [agent.start(), agent.start()];
  await turn(first);
  registry.register(says("two", { dispose: () => void ends.push("two") }));
  await turn(second);
  expect(outputs(await said(first))).toEqual(['{"n":1}']);
  expect(ends).toEqual([]);
  const events = await said(second);
  expect(outputs(events)).toEqual(['{"n":1}', '{"n":2}']);
  expect(ends.toSorted()).toEqual(["one", "two"]);
});

test("the agent's own tools stay its own beside settings: a rule for one of them covers it", async () => {
  const workspace = tempTree();
  const session = open({
    workspace,
    config: { region: "eu" },
    toolSettings: { write_file: { all: true } },
    tools: createDefaultTools({ workspace }),
    policy: () => ({
      rules: [
        {
          tool: "write_file",
          decision: "allow",
          why: "mine",
          origin: { source: "user", file: "policy.json", line: 1 },
        },
      ],
      grants: [],
      mode: "ask",
      sealed: { roots: [] },
    }),
    model: calling({ name: "write_file", arguments: { file_path: "it.txt", content: "it\n" } }),
  }).start();
  await turn(session);
  expect(readFileSync(join(workspace, "it.txt"), "utf8")).toBe("it\n");
  expect((await said(session)).at(-1)).toMatchObject({ type: "turn_ended", reason: "done" });
});

test("settings that no tool has are said to be without effect, and the turn goes on", async () => {
  const workspace = tempTree();
  const toolSettings = { deplyo: { a: 1 }, write_file: {}, deploy: {} };
  for (const tools of [[...createDefaultTools({ workspace }), says("deploy")], undefined]) {
    const session = open({ workspace, toolSettings, ...(tools && { tools }), model: calling() }).start();
    await turn(session);
    const events = await said(session);
    const none = "has no effect: no tool of this session has this name";
    expect(events.flatMap((event) => (event.type === "notice" ? [[event.code, event.text]] : []))).toEqual([
      ["tool_settings_unused", `toolSettings.deplyo ${none}`],
      [
        "tool_settings_unused",
        "toolSettings.write_file has no effect: the agent's own tool of this name has no settings",
      ],
      ...(tools === undefined ? [["tool_settings_unused", `toolSettings.deploy ${none}`]] : []),
    ]);
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "done" });
  }
});

test.each([
  [{ toolSettings: { deploy: "x" } }, "toolSettings.deploy: expected an object"],
  [{ toolSettings: { "a b": {} } }, 'toolSettings.a b: tool name "a b"'],
  [{ toolSettings: { deploy: { big: "x".repeat(70_000) } } }, "toolSettings.deploy: 70010 bytes"],
  [{ config: { now: new Date(0) } }, "config: JSON cannot hold a Date"],
])("%j is refused before anything is opened", (options, message) => {
  const given = { workspace: tempTree(), model: "demo", ...options } as unknown as AgentOptions;
  expect(() => createAgent(given)).toThrow(message);
});

const effects = { risk: "medium", effect: "once" } as const;

/** A session that waits for its calls of `deploy`, which tell what they ran with. */
async function waiting(...calls: "deploy"[]) {
  const [workspace, store, ran] = [tempTree(), join(tempTree(), "agent.db"), [] as string[]];
  // What it says of its settings itself is no fact.
  const plan = async (_args: unknown, { cwd }: { cwd: string }) => ({
    summary: "deploy",
    cwd,
    settings: "always this",
  });
  const execute = (_args: unknown, { config }: { config: JsonObject }) => {
    ran.push(String(config["to"]));
    return "deployed";
  };
  const tools = [says("deploy", { ...effects, plan, execute })];
  const agent = (to: string) =>
    open({ workspace, store, tools, toolSettings: { deploy: { to } }, model: calling(...calls) });
  const first = agent("staging");
  const session = first.start();
  await turn(session);
  return { agent, first, session, ran };
}

const asked = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.type === "approval_requested" ? event.calls : []));

const digestsOf = (session: Session, events: AgentEvent[]) =>
  asked(events).map(({ callId, digest }) => ({ ref: { session: session.id, call: callId }, digest }));

test("what was asked about with other settings is asked about anew, and a yes to the old ones runs nothing", async () => {
  const { agent, first, session, ran } = await waiting("deploy");
  const events = await said(session);
  const [old] = digestsOf(session, events);
  await first.close();
  const resumed = await agent("production").resume(session.id);
  expect(await resumed.proceed()).toBe(true);
  const ref = { session: session.id, call: "c1" };
  expect(await resumed.answer(ref, { decision: "approve", digest: old?.digest ?? "" })).toMatchObject({
    code: "stale",
  });
  expect(ran).toEqual([]);
  const told = await said(resumed);
  const [now] = asked(told);
  expect(now).toMatchObject({
    changed: { from: old?.digest, why: "the settings of its tool changed since you were asked" },
  });

  const last = await agent("production").resume(session.id);
  await last.proceed();
  expect(await last.answer(ref, { decision: "approve", digest: now?.digest ?? "" })).toEqual({ ok: true });
  await last.settled();
  expect(ran).toEqual(["production"]);
});

test("an approval holds for the settings that it was given for: it is spent on them, or asked for again", async () => {
  const { agent, first, session, ran } = await waiting("deploy", "deploy");
  const ref = { session: session.id, call: "c1" };
  expect(await session.answer(ref, { decision: "approve" })).toEqual({ ok: true });
  await first.close();
  const other = agent("production");
  const resumed = await other.resume(session.id);
  await resumed.proceed();
  expect(asked(await said(resumed)).map(({ callId }) => callId)).toEqual(["c1", "c2"]);
  await other.close();
  expect(ran).toEqual([]);
});

test("with the same settings an approval holds over processes", async () => {
  const { agent, first, session, ran } = await waiting("deploy", "deploy");
  expect(await session.answer({ session: session.id, call: "c1" }, { decision: "approve" })).toEqual({ ok: true });
  await first.close();
  const resumed = await agent("staging").resume(session.id);
  await resumed.proceed();
  await resumed.answer({ session: session.id, call: "c2" }, { decision: "deny" });
  await resumed.settled();
  expect(ran).toEqual(["staging"]);
});
