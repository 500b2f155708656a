import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type Agent,
  type AgentOptions,
  createAgent,
  type Model,
  refOf,
  SessionBusy,
  SessionInUse,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const secret = "sk-quite-secret-0001";

/** Writes one file a turn, then says so with a secret. */
const writing: Model = {
  spec: "own:model",
  async *stream({ messages }) {
    const spoken = messages.filter((message) => message.getType() === "ai").length;
    const call = { id: "", name: "write_file", rawArguments: JSON.stringify({ file_path: "a.txt", content: "new\n" }) };
    const reply = spoken === 0 ? { text: "", calls: [call] } : { text: `Done by ${secret}.`, calls: [] };
    yield { type: "done", reply: { ...reply, finish: "stop", usage: { inputTokens: 10, outputTokens: 2 } } };
  },
};

const open = (options: Partial<AgentOptions>): Agent => {
  const agent = createAgent({ workspace: tempTree(), model: writing, env: { MY_TOKEN: secret }, ...options });
  onTestFinished(() => agent.close());
  return agent;
};

async function said(agent: Agent, text: string, mode: "full-auto" | "ask" = "full-auto") {
  const session = agent.start({ mode });
  await session.submit(text);
  await session.settled();
  return session;
}

test("what the commands show of a session a program has by data, also of one in memory that is driven", async () => {
  const agent = open({});
  const session = await said(agent, "write it");
  const { sessions } = agent;
  const { id } = session;
  const short = id.slice(0, -2);
  expect(await sessions.list()).toEqual([await sessions.get(short)]);
  expect(await sessions.get(id)).toMatchObject({
    ...{ id, title: "write it", workspace: session.workspace, state: "idle", model: "own:model", filesChanged: 1 },
    usage: { inputTokens: 20, outputTokens: 4 },
  });
  const { transcript } = await sessions.history(short);
  expect(transcript.map(({ role }) => role)).toEqual(["user", "assistant", "call", "assistant"]);
  expect(await sessions.history(id, { most: 1 })).toMatchObject({ earlier: 3 });
  expect(await sessions.diff(id)).toEqual([
    { path: "a.txt", added: 1, removed: 0, diff: expect.stringContaining("+new\n") },
  ]);
  const [life] = await sessions.calls(id);
  expect(life).toMatchObject({ call: { toolName: "write_file", status: "success" } });
  expect(life && refOf(life)).toEqual({ session: id, call: "c1" });
  expect(transcript.flatMap((entry) => (entry.role === "call" ? [refOf(entry)] : []))).toEqual([
    { session: id, call: "c1" },
  ]);
  expect(life?.events.map(({ to }) => to)).toEqual(["pending", "executing", "success"]);
  const { script, replaced } = await sessions.export(id);
  expect(script.split("\n")[0]).toBe('{"v":1,"kind":"holdfast-script"}');
  expect([script.includes(secret), script.includes("‹MY_TOKEN›"), replaced]).toEqual([
    ...[false, true],
    [{ name: "MY_TOKEN", count: 1 }],
  ]);
  expect(await sessions.verify()).toMatchObject({ ok: true, sessions: [{ session: id, calls: 1, events: 3 }] });
  expect(await sessions.rename(short, "  A new\nname ")).toBe("A new name");
  expect(await sessions.get(id)).toMatchObject({ title: "A new name" });
  await expect(sessions.rename(id, " ")).rejects.toThrow("the title is empty");
  expect(await agent.stats()).toMatchObject([{ tool: "write_file", calls: 1, success: 1 }]);
  expect(await agent.stats({ limit: 0 })).toEqual([]);
});

test("a fork goes on by itself, and what is no session of the workspace is not there", async () => {
  const store = join(tempTree(), "agent.db");
  const agent = open({ store });
  const session = await said(agent, "write it");
  const { sessions } = agent;
  const forked = await sessions.fork(session.id, { at: "c1" });
  expect(forked).toMatchObject({ turns: 1, calls: 1, at: "c1", goesOn: true });
  await expect(sessions.fork(session.id, { at: "c7" })).rejects.toThrow(`session ${session.id} has no call "c7"`);
  const again = await agent.resume(forked.id.slice(0, -1), { mode: "full-auto" });
  await again.submit("and more");
  await again.settled();
  expect(await sessions.list()).toHaveLength(2);
  const unknown = { name: "UnknownSession", matches: [] };
  await expect(sessions.get("none")).rejects.toMatchObject(unknown);
  await expect(sessions.get("")).rejects.toMatchObject(unknown);
  const elsewhere = open({ store });
  for (const wanted of [
    elsewhere.sessions.history(session.id),
    elsewhere.sessions.remove(session.id, { force: true }),
    elsewhere.resume(session.id),
  ])
    await expect(wanted).rejects.toMatchObject({ ...unknown, message: expect.stringContaining("belongs to the") });
  await expect(elsewhere.sessions.get(session.id.slice(0, -1))).rejects.toMatchObject(unknown);
  expect([await elsewhere.sessions.list(), (await elsewhere.sessions.verify()).sessions]).toEqual([[], []]);
  expect((await agent.sessions.verify()).sessions).toHaveLength(2);
});

test("a store that could not be opened is tried again, and what a script plays needs no price", async () => {
  const store = join(tempTree(), "later", "agent.db");
  writeFileSync(join(store, "../../later"), "no folder");
  const agent = open({ store, model: { ...writing, scripted: true }, maxCost: 1 });
  await expect(agent.sessions.list()).rejects.toMatchObject({ name: "StoreFailure" });
  rmSync(join(store, ".."));
  mkdirSync(join(store, ".."));
  expect(await agent.sessions.list()).toEqual([]);
  const session = await said(agent, "write it");
  expect(await agent.sessions.get(session.id)).toMatchObject({ state: "idle", filesChanged: 1 });
});

test("a session is removed whole, but not while it waits or is driven, here or by another", async () => {
  const store = join(tempTree(), "agent.db");
  const workspace = tempTree();
  const [agent, other] = [open({ store, workspace }), open({ store, workspace })];
  const waits = await said(agent, "write it", "ask");
  const { sessions } = other;
  await expect(sessions.remove(waits.id)).rejects.toThrow(SessionInUse);
  for (const of of [sessions, agent.sessions])
    await expect(of.remove(waits.id, { force: true })).rejects.toThrow(SessionBusy);
  // It is as it was: read by another meanwhile, and gone on with.
  expect(await sessions.get(waits.id)).toMatchObject({ state: "awaiting_approval", waitsFor: [{ callId: "c1" }] });
  expect(await sessions.rename(waits.id, "Waits")).toBe("Waits");
  await waits.submit("leave it");
  await waits.settled();
  await waits.close();
  const asks = await said(agent, "write it", "ask");
  const deny = other.sessions.answer(waits.id, { session: asks.id, call: "c1" }, { decision: "deny" });
  await expect(deny).rejects.toThrow(`session ${asks.id} is none that session ${waits.id} drives`);
  expect(await sessions.get(asks.id)).toMatchObject({ waitsFor: [{ session: asks.id, callId: "c1" }] });
  writeFileSync(join(workspace, "stays.txt"), "");
  expect(typeof (await sessions.remove(waits.id, { force: true }))).toBe("boolean");
  await expect(agent.sessions.get(waits.id)).rejects.toMatchObject({ name: "UnknownSession" });
  await agent.close();
  await expect(agent.sessions.list()).rejects.toThrow("the agent is closed");
  await expect(agent.stats()).rejects.toThrow("the agent is closed");
});
