import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  createArtifactTools,
  createDefaultTools,
  createToolRegistry,
  defineTool,
  executeTool,
  FolderLost,
  type Model,
  type ModelReply,
  type Policy,
  type Rule,
  type Session,
  type Tool,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const open = (options: AgentOptions): Agent => {
  const agent = createAgent(options);
  agents.push(agent);
  return agent;
};

type Said = string | { name: string; arguments: object };

/** Says these things, one a request, counted by the replies that stand in the history. */
const saying = (...said: Said[]): Model => ({
  spec: "the test's",
  async *stream({ messages }) {
    const next = said[messages.filter((message) => message.getType() === "ai").length] ?? "Nothing more.";
    const calls =
      typeof next === "string" ? [] : [{ id: "", name: next.name, rawArguments: JSON.stringify(next.arguments) }];
    const reply: ModelReply = { text: typeof next === "string" ? next : "", calls, finish: "stop" };
    yield { type: "done", reply };
  },
});

const writes: Said = { name: "write_file", arguments: { file_path: "a.txt", content: "new\n" } };

const mine = { decision: "allow", why: "mine", origin: { source: "user", file: "here", line: 1 } } as const;

/** All events of a session, as they come. */
function heard(session: Session): AgentEvent[] {
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  return events;
}

const told = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

const last = <T extends AgentEvent["type"]>(events: AgentEvent[], type: T): Extract<AgentEvent, { type: T }> => {
  const found = events.findLast((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  if (found === undefined) throw new Error(`no ${type} among ${events.map((event) => event.type).join(", ")}`);
  return found;
};

const counting = (name: string, counts: Record<string, number>, key = name): Tool =>
  defineTool({
    name,
    description: "counts",
    args: z.strictObject({}),
    risk: "low",
    effect: "none",
    execute: async () => "counted",
    dispose: () => {
      counts[key] = (counts[key] ?? 0) + 1;
    },
  });

describe("an agent", () => {
  test("asks before it writes, and writes what was approved", async () => {
    const workspace = tempTree();
    const session = open({ workspace, model: saying(writes, "Written.") }).start();
    const events = heard(session);
    await session.submit("write it");
    await session.settled();
    await told();
    const [waiting] = last(events, "approval_requested").calls;
    expect(waiting).toMatchObject({ toolName: "write_file", plan: { files: [{ asked: "a.txt", kind: "new" }] } });
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    expect(
      await session.answer(
        { session: session.id, call: waiting?.callId ?? "" },
        { decision: "approve", digest: waiting?.digest ?? "" },
      ),
    ).toEqual({ ok: true });
    await session.settled();
    await told();
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("new\n");
    expect(last(events, "turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "Written." });
  });

  test("goes on with a session that another one has left in a file", async () => {
    const workspace = tempTree();
    const store = join(tempTree(), "deep", "agent.db");
    const model = saying(writes, "Written.");
    const first = open({ workspace, model, store });
    const begun = first.start();
    await begun.submit("write it");
    await begun.settled();
    await first.close();

    const session = await open({ workspace, model, store }).resume(begun.id);
    const events = heard(session);
    expect(await session.proceed()).toBe(true);
    await session.settled();
    await told();
    expect(last(events, "session_restored")).toMatchObject({ waiting: ["c1"], model: "the test's" });
    const [waiting] = last(events, "approval_requested").calls;
    await session.answer({ session: session.id, call: "c1" }, { decision: "approve", digest: waiting?.digest ?? "" });
    await session.settled();
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("new\n");
  });

  test("says which session there is not, and which belongs elsewhere", async () => {
    const store = join(tempTree(), "agent.db");
    const [here, elsewhere] = [tempTree(), tempTree()];
    const agent = open({ workspace: here, model: saying("Hello."), store });
    await expect(agent.resume("brisk-otter-0000")).rejects.toThrow(`there is no session "brisk-otter-0000" of ${here}`);
    const session = agent.start();
    await session.submit("hello");
    await session.settled();
    await session.close();
    await expect(open({ workspace: elsewhere, model: saying(), store }).resume(session.id)).rejects.toThrow(
      `session ${session.id} belongs to the workspace ${here}, not to ${elsewhere}`,
    );
  });

  test("opens a model by its spec, from the environment it is given", async () => {
    const workspace = tempTree();
    writeFileSync(join(workspace, "script.ndjson"), '{"v":1,"kind":"holdfast-script"}\n{"text":"Played."}\n');
    const session = open({ workspace, model: "script:script.ndjson" }).start();
    const events = heard(session);
    await session.submit("play");
    await session.settled();
    await told();
    expect(last(events, "turn_ended")).toMatchObject({ reason: "done", text: "Played." });
    const without = open({ workspace, model: "openai:gpt-5", env: {} }).start();
    await expect(without.submit("hello")).rejects.toMatchObject({ name: "ModelFailure", kind: "credentials" });
  });

  test("in the read-only mode changes nothing", async () => {
    const workspace = tempTree();
    const session = open({ workspace, model: saying(writes, "I may not."), mode: "read-only" }).start();
    await session.submit("write it");
    await session.settled();
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
  });

  test("does not let its tools write its own store", async () => {
    const workspace = tempTree();
    const call: Said = { name: "write_file", arguments: { file_path: "agent.db", content: "" } };
    const agent = open({
      workspace,
      model: saying(call, "Denied."),
      store: join(workspace, "agent.db"),
      mode: "full-auto",
    });
    const session = agent.start();
    const events = heard(session);
    await session.submit("write it");
    await session.settled();
    await told();
    expect(last(events, "turn_ended").calls).toEqual({ success: 0, error: 0, cancelled: 1, interrupted: 0 });
  });

  test("closes its sessions, and then begins no other", async () => {
    const agent = open({ workspace: tempTree(), model: saying("Hello.") });
    const session = agent.start();
    const events = heard(session);
    await session.submit("hello");
    await agent.close();
    await agent.close();
    expect(() => agent.start()).toThrow("the agent is closed");
    await expect(agent.resume(session.id)).rejects.toThrow("the agent is closed");
    await expect(session.submit("again")).rejects.toThrow();
    expect(events.length).toBeGreaterThan(0);
  });

  test.each(["relative", "/no/such/folder"])("refuses the workspace %s", (workspace) => {
    expect(() => createAgent({ workspace, model: "demo" })).toThrow(TypeError);
  });
});

describe("an agent's tools", () => {
  const speak = async (agent: Agent): Promise<Session> => {
    const session = agent.start();
    await session.submit("hello");
    await session.settled();
    return session;
  };

  test("of a class or a factory are each session's own, and disposed with it", async () => {
    const counts: Record<string, number> = {};
    let made = 0;
    const tools = [
      {
        name: "own",
        factory: () => {
          made += 1;
          return counting("own", counts, `own ${made}`);
        },
      },
    ];
    const agent = open({ workspace: tempTree(), model: saying("Hello."), tools });
    const [a, b] = [await speak(agent), await speak(agent)];
    await a.close();
    expect([made, counts]).toEqual([2, { "own 1": 1 }]);
    await b.close();
    await agent.close();
    expect(counts).toEqual({ "own 1": 1, "own 2": 1 });
  });

  test.each(["an object", "a registry"])("from %s are shared, and disposed with the last session", async (from) => {
    const counts: Record<string, number> = {};
    const tool = counting("shared", counts);
    const tools = from === "an object" ? [tool] : createToolRegistry([tool]);
    const agent = open({ workspace: tempTree(), model: saying("Hello."), tools });
    const [a, b] = [await speak(agent), await speak(agent)];
    await a.close();
    expect(counts).toEqual({});
    await b.close();
    await agent.close();
    expect(counts).toEqual({ shared: 1 });
  });

  test("for pages are not offered, because a session has no page open", async () => {
    const offered: string[][] = [];
    const model = saying("Hello.");
    const stream: Model["stream"] = (request, signal) => {
      offered.push(request.tools.map((tool) => tool.name));
      return model.stream(request, signal);
    };
    const tools = [counting("anywhere", {}), { ...counting("docs", {}), urlPatterns: ["https://docs.example.com/*"] }];
    await speak(open({ workspace: tempTree(), model: { ...model, stream }, tools }));
    expect(offered).toEqual([["anywhere"]]);
  });

  test("for artifacts are offered where sessions are kept in a file, or where a program brings them", async () => {
    const offeredWith = async (options: Partial<Parameters<typeof createAgent>[0]>): Promise<string[]> => {
      const offered: string[] = [];
      const model = saying("Hello.");
      const stream: Model["stream"] = (request, signal) => {
        offered.push(...request.tools.map((tool) => tool.name).filter((name) => name.endsWith("_artifact")));
        return model.stream(request, signal);
      };
      await speak(open({ workspace: tempTree(), model: { ...model, stream }, ...options }));
      return offered.toSorted();
    };
    const all = ["create_artifact", "read_artifact", "rewrite_artifact", "update_artifact"];
    expect(await offeredWith({})).toEqual([]);
    expect(await offeredWith({ store: join(tempTree(), "agent.db") })).toEqual(all);
    expect(await offeredWith({ tools: createArtifactTools() })).toEqual(all);
  });

  test("made for another workspace are refused with the first message", async () => {
    const [here, elsewhere] = [tempTree(), tempTree()];
    const tools = createDefaultTools({ workspace: elsewhere });
    const session = open({ workspace: here, model: saying("Hello."), tools }).start();
    await expect(session.submit("hello")).rejects.toThrow(
      new TypeError(`read_file was made for ${elsewhere} and cannot work in ${here}`),
    );
  });
});

describe("the default tools of a workspace", () => {
  test("refuse to work in another", async () => {
    const [here, elsewhere] = [tempTree({ "a.txt": "a\n" }), tempTree({ "a.txt": "b\n" })];
    const [readFile] = createDefaultTools({ workspace: here });
    if (readFile === undefined) throw new Error("no tool");
    expect((await executeTool(readFile, { file_path: "a.txt" }, { workspace: here })).output).toBe("     1\ta");
    await expect(executeTool(readFile, { file_path: "a.txt" }, { workspace: elsewhere })).rejects.toThrow(
      new TypeError(`read_file was made for ${here} and cannot work in ${elsewhere}`),
    );
  });

  test("are the same by a link to it", async () => {
    const root = tempTree({ "real/a.txt": "a\n" });
    symlinkSync(join(root, "real"), join(root, "link"));
    const [readFile] = createDefaultTools({ workspace: join(root, "link") });
    if (readFile === undefined) throw new Error("no tool");
    for (const workspace of [join(root, "link"), join(root, "real")])
      expect((await executeTool(readFile, { file_path: "a.txt" }, { workspace })).output).toBe("     1\ta");
  });

  test("need an absolute path", () => {
    expect(() => createDefaultTools({ workspace: "here" })).toThrow(TypeError);
  });
});

describe("executeTool", () => {
  test("keeps to the sealed places, and runs what a session would ask about", async () => {
    const workspace = tempTree();
    const tools = createDefaultTools({ workspace });
    const write = tools.find((tool) => tool.name === "write_file");
    if (write === undefined) throw new Error("no tool");
    const sealed = await executeTool(write, { file_path: ".git/hooks/pre-commit", content: "x" }, { workspace });
    expect([sealed.output, sealed.metadata]).toEqual(["", { code: "PROTECTED" }]);
    const guarded = await executeTool(write, { file_path: ".env", content: "A=1\n" }, { workspace });
    expect([guarded.error, readFileSync(join(workspace, ".env"), "utf8")]).toEqual([undefined, "A=1\n"]);
  });

  test.each([
    [{ decision: "allow", why: "mine" }, "policy().rules.1.origin: "],
    [{ ...mine, path: ["src/**"] }, 'policy().rules.1: Unrecognized key: "path"'],
    [{ ...mine, paths: [] }, "policy().rules.1.paths: "],
  ])("takes no policy with a rule that is none: %j", async (rule, why) => {
    const rules = [
      { ...mine, tool: "read_file" },
      { tool: "write_file", ...rule },
    ] as Rule[];
    const workspace = tempTree({});
    const policy = (): Policy => ({ rules, grants: [], mode: "ask", sealed: { roots: [] } });
    const session = open({ workspace, model: saying(writes, "Done."), policy }).start();
    await expect(session.submit("write it")).rejects.toThrow(why);
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
  });

  test("looks into no policy file of the workspace", async () => {
    const rules = { rules: [{ tool: "*", decision: "deny", why: "no" }] };
    const workspace = tempTree({ ".holdfast/policy.json": JSON.stringify(rules), "a.txt": "a\n" });
    const [readFile] = createDefaultTools({ workspace });
    if (readFile === undefined) throw new Error("no tool");
    expect((await executeTool(readFile, { file_path: "a.txt" }, { workspace })).output).toBe("     1\ta");
  });
});

test("of two agents in one process the one whose folder is exchanged stops, and the other goes on", async () => {
  const [mine, theirs] = [tempTree({ "k.txt": "mine" }), tempTree({ "k.txt": "theirs" })];
  const moved = `${mine}.aside`;
  const said = saying(writes, "Done.");
  const exchanging: Model = {
    ...said,
    stream(request, signal) {
      renameSync(mine, moved);
      symlinkSync(theirs, mine);
      return said.stream(request, signal);
    },
  };
  const events = await Promise.all(
    [
      { workspace: mine, model: exchanging },
      { workspace: theirs, model: said },
    ].map(async (options) => {
      const session = open({ ...options, mode: "full-auto" }).start();
      const all = heard(session);
      await session.submit("go");
      await session.settled();
      await told();
      return all;
    }),
  );
  // Where it is lost when a session begins, nothing begins.
  const late = open({ workspace: theirs, model: said }).start();
  renameSync(theirs, `${theirs}.aside`);
  await expect(late.submit("go")).rejects.toThrow(FolderLost);
  renameSync(`${theirs}.aside`, theirs);
  rmSync(mine);
  renameSync(moved, mine);
  const [lost, done] = events;
  expect(lost).toContainEqual(expect.objectContaining({ type: "error", code: "FOLDER_LOST" }));
  expect(lost?.at(-1)).toMatchObject({ type: "turn_ended", reason: "failed", exitCode: 74, calls: { success: 0 } });
  expect(done?.at(-1)).toMatchObject({ type: "turn_ended", reason: "done", exitCode: 0 });
  expect([existsSync(join(mine, "a.txt")), readFileSync(join(theirs, "a.txt"), "utf8")]).toEqual([false, "new\n"]);
});
