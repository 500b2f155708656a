import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type AgentEvent,
  type AgentOptions,
  createAgent,
  defineTool,
  type Model,
  type Session,
  SessionBusy,
  z,
} from "../../src/index.ts";
import { RawStore } from "../support/raw-store.ts";
import { tempTree } from "../tools/temp-tree.ts";

type Said = string | { name: string; arguments: object };

const saying = (spec: string, ...said: Said[]): Model => ({
  spec,
  async *stream({ messages }) {
    const next = said[messages.filter((message) => message.getType() === "ai").length] ?? "Nothing more.";
    const call =
      typeof next === "string" ? [] : [{ id: "", name: next.name, rawArguments: JSON.stringify(next.arguments) }];
    yield { type: "done", reply: { text: typeof next === "string" ? next : "", calls: call, finish: "stop" } };
  },
});

function open(options: AgentOptions) {
  const agent = createAgent(options);
  onTestFinished(() => agent.close().catch(() => undefined));
  return agent;
}

/** The events up to the next end of a turn, or question. */
async function upTo(session: Session, ...types: AgentEvent["type"][]): Promise<AgentEvent> {
  for await (const event of session.events()) if (types.includes(event.type)) return event;
  throw new Error(`the session ended before ${types}`);
}

const writes: Said = { name: "write_file", arguments: { file_path: "a.txt", content: "new\n" } };

test("a session whose process died on a machine of another name is taken over, and goes on with what waited", async () => {
  const workspace = tempTree();
  const store = join(tempTree(), "agent.db");
  const options = { workspace, store, model: saying("own:model", writes, "Written.") };
  const died = open(options);
  const left = died.start();
  await left.submit("write it");
  await left.settled();
  const db = new RawStore(store);
  db.exec("UPDATE lease SET host = 'elsewhere', pid = 1");
  db.close();

  const agent = open(options);
  await expect(agent.resume(left.id)).rejects.toThrow(SessionBusy);
  const session = await agent.resume(left.id, { takeOver: true });
  expect(await session.proceed()).toBe(true);
  const asked = await upTo(session, "approval_requested");
  if (asked.type !== "approval_requested") throw new Error("not asked");
  const [{ callId, digest } = { callId: "", digest: "" }] = asked.calls;
  const ref = { session: session.id, call: callId };
  expect(await session.answer(ref, { decision: "approve", digest })).toEqual({ ok: true });
  await session.settled();
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("new\n");
  // Who had it, lives and did not know, writes nothing more.
  await expect(left.submit("and again")).rejects.toThrow(SessionBusy);
});

test("a session is taken over from the agent's own one too, which then writes nothing more", async () => {
  const agent = open({ workspace: tempTree(), model: saying("own:model", writes, "Written.") });
  const first = agent.start();
  await first.submit("write it");
  await first.settled();
  await expect(agent.resume(first.id)).rejects.toThrow(SessionBusy);
  const second = await agent.resume(first.id, { takeOver: true });
  await expect(first.submit("again")).rejects.toThrow(SessionBusy);
  await second.submit("leave it");
  await second.settled();
});

test("a session has a person, a mode, a model and services of its own; others have the agent's", async () => {
  const told: unknown[] = [];
  const who = defineTool({
    name: "who",
    description: "Says who asks.",
    args: z.object({}),
    effect: "none",
    risk: "low",
    execute: (_, { uid, services }) => {
      told.push([uid, services]);
      return "told";
    },
  });
  const call: Said = { name: "who", arguments: {} };
  const agent = open({
    workspace: tempTree(),
    tools: [who],
    model: saying("own:agents", call, "By the agent's."),
    uid: "ann",
    services: { db: "main", log: "on" },
  });
  const model = saying("own:sessions", call, "By its own.");
  const [common, own] = [
    agent.start(),
    agent.start({ uid: "bob", services: { db: "bobs" }, mode: "read-only", model }),
  ];
  await common.submit("who?");
  expect(await upTo(common, "turn_ended")).toMatchObject({ text: "By the agent's." });
  await own.submit("who?");
  expect(await upTo(own, "turn_ended")).toMatchObject({ text: "By its own." });
  expect(told).toEqual([
    ["ann", { db: "main", log: "on" }],
    ["bob", { db: "bobs", log: "on" }],
  ]);
  expect(await upTo(own, "session_started")).toMatchObject({ model: "own:sessions", mode: "read-only" });
  await own.close();
  const again = await agent.resume(own.id, { uid: "cid" });
  expect(await upTo(again, "session_restored")).toMatchObject({ model: "own:agents", mode: "ask" });
  // The agent's model and the session's can be had by their names.
  await common.setModel("own:agents");
  await expect(common.setModel("own:sessions")).rejects.toThrow();
});
