import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type AgentEvent,
  type AgentOptions,
  createAgent,
  createDefaultTools,
  createToolRegistry,
  defineTool,
  type Model,
  type Policy,
  type Rule,
  type Tool,
  z,
} from "../../src/index.ts";
import { tookName } from "../../src/policy/risk-table.ts";
import { tempTree } from "../tools/temp-tree.ts";

const calling = (name: string, args: object): Model => ({
  spec: "own:model",
  async *stream({ messages }) {
    const first = messages.every((message) => message.getType() !== "ai");
    const calls = first ? [{ id: "", name, rawArguments: JSON.stringify(args) }] : [];
    yield { type: "done", reply: { text: first ? "" : "Done.", calls, finish: "stop" } };
  },
});

async function* words(): ReturnType<Model["stream"]> {
  yield { type: "done", reply: { text: "Done.", calls: [], finish: "stop" } };
}

function open(options: AgentOptions) {
  const agent = createAgent(options);
  onTestFinished(() => agent.close().catch(() => undefined));
  return agent;
}

/** What a session has said up to now. */
async function said(session: { events(asked: { after: number }): AsyncIterable<AgentEvent>; close(): Promise<void> }) {
  const events: AgentEvent[] = [];
  await session.close();
  for await (const event of session.events({ after: 0 })) events.push(event);
  return events;
}

async function turn(options: AgentOptions) {
  const session = open(options).start();
  await session.submit("go");
  await session.settled();
  return said(session);
}

const policyOf = (...rules: Pick<Rule, "tool" | "decision" | "command">[]) => ({
  policy: ({ mode }: { mode: Policy["mode"] }): Policy => ({
    rules: rules.map((rule) => ({ ...rule, why: "said", origin: { source: "user", file: "policy.json", line: 1 } })),
    grants: [],
    mode,
    sealed: { roots: [] },
    risks: { user: { shell: { risk: "low", file: "policy.json", line: 2 } } },
  }),
});

const own = (name: string, more: Partial<Pick<Tool, "risk" | "effect" | "execute">> = {}): Tool =>
  defineTool({ name, description: "Own.", args: z.looseObject({}), execute: () => `by the own ${name}`, ...more });

test.each(["before", "behind"])(
  "a tool that stands %s the default ones replaces that of its name, and that is said once",
  async (where) => {
    const workspace = tempTree({ "a.txt": "file\n" });
    const mine = own("read_file", { risk: "low", effect: "none" });
    const defaults = createDefaultTools({ workspace });
    const tools = where === "before" ? [mine, ...defaults] : [...defaults, mine];
    const events = await turn({ workspace, tools, model: calling("read_file", { file_path: "a.txt" }) });
    const text = JSON.stringify(events);
    expect([text.includes("by the own read_file"), text.includes("1\\tfile")]).toEqual([true, false]);
    expect(events.filter((event) => event.type === "notice")).toMatchObject([
      {
        code: "tool_replaced",
        text: expect.stringContaining("read_file is a tool of the program that runs this session"),
      },
    ]);
    expect(
      createToolRegistry(tools)
        .toolNames()
        .filter((name) => name === "read_file"),
    ).toHaveLength(1);
  },
);

test("two tools of one's own with one name are an error, and so are two of the agent's", async () => {
  const workspace = tempTree();
  const pair = [own("ls"), own("ls")];
  expect(() => createToolRegistry(pair)).toThrow("two tools are named ls: a tool object and a tool object");
  expect(() => createToolRegistry([...createDefaultTools({ workspace }), ...pair])).toThrow("two tools are named ls");
  const twice = [...createDefaultTools({ workspace }), ...createDefaultTools({ workspace })];
  expect(() => createToolRegistry(twice)).toThrow("two tools are named");
  // Later, nothing is replaced unseen.
  expect(() => createToolRegistry(createDefaultTools({ workspace })).register(own("ls"))).toThrow(
    "two tools are named ls",
  );
});

test("each name of the agent's tools is one that another tool can only take without what was said of it", () => {
  const names = createDefaultTools({ workspace: tempTree() }).map(({ name }) => name);
  expect(names.filter((tool) => !tookName({ tool, own: true }))).toEqual([]);
  expect([tookName({ tool: "shell" }), tookName({ tool: "deploy", own: true })]).toEqual([false, false]);
});

test("a shell of one's own has nothing of what was allowed for the agent's, and all that was denied", async () => {
  const workspace = tempTree();
  const tools = [...createDefaultTools({ workspace }), own("shell")];
  const model = calling("shell", { command: "ls" });
  const allowed = policyOf({ tool: "shell", decision: "allow" }, { tool: "*", decision: "allow" });
  const events = await turn({ workspace, tools, model, ...allowed });
  expect(events.find((event) => event.type === "approval_requested")).toMatchObject({
    calls: [{ toolName: "shell", risk: "medium", verdict: { decision: "ask", rule: { source: "table" } } }],
  });
  const denied = await turn({ workspace, tools, model, ...policyOf({ tool: "shell", decision: "deny" }) });
  expect(denied.find((event) => event.type === "turn_ended")).toMatchObject({ calls: { cancelled: 1 } });
  // Nor does the person's own command run by it.
  const session = open({ workspace, tools, model: { spec: "own:words", stream: words } }).start();
  await session.submit("go");
  await session.settled();
  expect(await session.runCommand("touch made")).toMatchObject({ ok: false });
  expect(existsSync(join(workspace, "made"))).toBe(false);
});

test("what waits for an answer as a call of the agent's own tool is asked anew when another tool has its name", async () => {
  const workspace = tempTree();
  const store = join(tempTree(), "agent.db");
  const model = calling("write_file", { file_path: "a.txt", content: "new\n" });
  const first = open({ workspace, store, model });
  const begun = first.start();
  await begun.submit("go");
  await begun.settled();
  await first.close();
  const old = (await said(begun)).find((event) => event.type === "approval_requested");
  const shown = old?.type === "approval_requested" ? old.calls[0] : undefined;
  expect(shown).toMatchObject({ toolName: "write_file", risk: "medium" });

  const ran: string[] = [];
  const mine = own("write_file", {
    risk: "high",
    execute: () => {
      ran.push("ran");
      return "sent away";
    },
  });
  const agent = open({ workspace, store, model, tools: [...createDefaultTools({ workspace }), mine] });
  const session = await agent.resume(begun.id);
  await session.proceed();
  const ref = { session: session.id, call: "c1" };
  // The yes that was meant for the other tool.
  await session.answer(ref, { decision: "approve", digest: shown?.digest ?? "" });
  await session.settled();
  expect(ran).toEqual([]);
  const calls = (await said(session)).flatMap((event) => (event.type === "approval_requested" ? event.calls : []));
  expect(calls.at(-1)).toMatchObject({ toolName: "write_file", risk: "high" });
  expect(calls.at(-1)?.digest).not.toBe(shown?.digest);
  expect(existsSync(join(workspace, "a.txt"))).toBe(false);
});
