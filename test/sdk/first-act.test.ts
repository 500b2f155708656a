import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAgent, type Model, type Session } from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const model: Model = {
  spec: "own:model",
  async *stream() {
    yield { type: "done", reply: { text: "Hello.", calls: [], finish: "stop" } };
  },
};

const nothing = { ok: false, message: "nothing was said in this session yet: it begins with a message" };

/** What can be asked of a session before its first message, and what becomes of it. */
const acts: Record<string, [act: (session: Session, call: string) => unknown, becomes: unknown]> = {
  runCommand: [(session) => session.runCommand("touch made"), nothing],
  stopJob: [(session, call) => session.stopJob({ session: session.id, call }), nothing],
  undo: [(session) => session.undo({ turn: "last" }), { ok: false, message: "this session has changed nothing yet" }],
  compact: [(session) => session.compact(), nothing],
  undoCompaction: [(session) => session.undoCompaction(), nothing],
  answer: [
    (session, call) => session.answer({ session: session.id, call }, { decision: "deny" }),
    expect.objectContaining({ ok: false, code: "not_waiting" }),
  ],
  recover: [
    (session, call) => session.recover({ session: session.id, call }, "done"),
    expect.objectContaining({ ok: false, code: "not_waiting" }),
  ],
  offersOf: [(session, call) => session.offersOf({ session: session.id, call }), { grants: [] }],
  takeBack: [(session) => session.takeBack(), []],
  progress: [(session) => session.progress(), []],
  stop: [(session) => session.stop(), undefined],
  settled: [(session) => session.settled(), undefined],
};

test("what is asked of a session before its first message is refused in words, or does nothing, and the session can begin", async () => {
  const workspace = tempTree();
  const agent = createAgent({ workspace, model, mode: "full-auto" });
  onTestFinished(() => agent.close());
  for (const [name, [act, becomes]] of Object.entries(acts)) {
    const session = agent.start();
    expect([name, await act(session, "c1")]).toEqual([name, becomes]);
    await session.close();
  }
  const session = agent.start();
  for (const [act] of Object.values(acts)) await act(session, "c1");
  expect([await agent.sessions.list(), existsSync(join(workspace, "made"))]).toEqual([[], false]);
  await session.submit("go");
  await session.settled();
  expect(await agent.sessions.list()).toMatchObject([{ id: session.id }]);
  expect(await session.runCommand("touch made")).toEqual({ ok: true });
  await session.settled();
  expect(existsSync(join(workspace, "made"))).toBe(true);
});
