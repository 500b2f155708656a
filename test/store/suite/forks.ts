import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { advance, type CallOf } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/core/tool.ts";
import { forkSession } from "../../../src/records/fork.ts";
import { brokenLink } from "../../../src/store/journal/call-events.ts";
import type { Store } from "../../../src/store/types.ts";
import { begin, commitCalls, type Driven, drive, pendingCall, stateOf } from "../support.ts";
import type { Backend } from "./backend.ts";

const bytes = Buffer.from("before\n");
const verdict = { decision: "ask", risk: "medium", rule: { source: "table" }, why: "it changes a file" };
const ended = { why: "partly", files: ["a.txt"] };
const plan: Plan = {
  summary: "edit a.txt (+1 -1)",
  cwd: "/w",
  files: [
    {
      asked: "a.txt",
      real: "/w/a.txt",
      kind: "modify",
      before: sha256(bytes),
      after: sha256("after\n"),
      mode: 0o644,
      eol: "lf",
      bom: false,
      encoding: "utf-8",
      added: 1,
      removed: 1,
      hunks: [],
    },
  ],
};

async function forked(store: Store, at?: string): Promise<string> {
  const row = store.sessions.get("calm-fox-0001");
  const made = row === undefined ? undefined : await forkSession(store, row, at);
  if (made === undefined) throw new Error("nothing was forked");
  return made.id;
}

const unseen = { why: "forked", unknown: true, note: "its process ended while it ran" } as const;

/** A session that begins as another one was. */
export function forks({ open }: Backend): void {
  /** A turn of three steps: an edit that the person approved and that ran, a call that is `left`, and a question. */
  async function worked(left: "executing" | "interrupted" | "awaiting_approval"): Promise<Driven> {
    const driven = await drive(await open());
    const { journal } = driven;
    await journal.addTurn({ text: "go", message: new HumanMessage({ id: "h1", content: "go" }), queued: false });

    const first = pendingCall("c1", { toolName: "edit_file", effect: "file" });
    await commitCalls(journal, "1.1", [first]);
    const asked = advance(first, { status: "awaiting_approval", digest: "d1" });
    await journal.move([{ before: first, after: asked, plan, verdict }]);
    const approved = advance(asked, { status: "pending", by: { actor: "person" } });
    const answer = { callId: "c1", digest: "d1", decision: "approve", at: 5 } as const;
    await journal.move([{ before: asked, after: approved }], answer);
    const running = advance(approved, { status: "executing", by: { actor: "person" }, times: { started: 6 } });
    await journal.move([{ before: approved, after: running, spend: "d1", keep: [bytes] }]);
    const done = advance(running, { status: "success", result: { output: "x".repeat(900) }, times: { settled: 7 } });
    await journal.move([{ before: running, after: Object.assign(done, { ended }) }]);

    const second = pendingCall("c2", { toolName: "shell", effect: "once" });
    await commitCalls(journal, "1.2", [second]);
    if (left === "awaiting_approval") {
      await journal.move([{ before: second, after: advance(second, { status: left, digest: "d2" }) }]);
      return driven;
    }
    const started: CallOf<"executing"> = await begin(journal, second);
    if (left === "interrupted")
      await journal.move([{ before: started, after: advance(started, { status: left, ended: { why: "unseen" } }) }]);
    return driven;
  }

  describe("a fork in the store", () => {
    test("has its origin's calls with results, plans, answers, kept bytes and life, under a chain of its own", async () => {
      const { store, journal } = await worked("awaiting_approval");
      const id = await forked(store);
      const fork = store.readJournal(id);
      expect(fork.allCalls()).toEqual(journal.allCalls().slice(0, 1));
      expect(fork.call("c1")).toHaveProperty("ended", ended);
      expect(fork.planOf("c1")).toEqual(plan);
      expect(fork.verdictOf("c1")).toEqual(verdict);
      expect(fork.answersOf("c1")).toEqual(journal.answersOf("c1"));
      expect(Buffer.from(fork.bytesOf(sha256(bytes)) ?? [])).toEqual(bytes);
      const bare = ({ hash: _hash, ...event }: ReturnType<typeof fork.events>[number]) => event;
      expect(fork.events().map(bare)).toEqual(journal.events().slice(0, 5).map(bare));
      expect(brokenLink(id, fork.events())).toBeUndefined();
      expect(store.verify(id)).toEqual({ session: id, calls: 1, events: 5 });
      expect(fork.turns()).toEqual([{ turn: 1, text: "go", messageId: "h1", state: "running", reason: "forked" }]);
      expect(store.sessions.get(id)).toMatchObject({
        workspace: "/w",
        model: "demo",
        title: "a title",
        state: "idle",
        inputTokens: 0,
        forkedFrom: { session: "calm-fox-0001", at: "c1" },
      });
    });

    test("has the messages as the graph keeps them, and stands before the next step", async () => {
      const { store } = await worked("awaiting_approval");
      const state = await stateOf(store.saver, await forked(store));
      expect(state).toMatchObject({ turn: 1, step: 2, ending: null });
      const messages = state?.["messages"] as { id: string; content: string; getType(): string }[];
      expect(messages.map((message) => [message.getType(), message.id, message.content])).toEqual([
        ["human", "h1", "go"],
        ["ai", "m-1.1", ""],
        ["tool", "o-c1", ""],
      ]);
    });

    test.each([
      ["awaiting_approval", { why: "forked" }, ["cancelled"]],
      ["executing", unseen, ["interrupted", "cancelled"]],
      ["interrupted", unseen, ["cancelled"]],
    ] as const)("settles a call that is %s there, and leaves the origin's", async (left, end, moves) => {
      const { store, journal } = await worked(left);
      const before = journal.events();
      const id = await forked(store, "c2");
      expect(store.readJournal(id).call("c2")).toMatchObject({
        status: "cancelled",
        by: { actor: "person" },
        ended: end,
      });
      const events = store.readJournal(id).events();
      expect(events.slice(before.length).map(({ to }) => to)).toEqual(moves);
      expect(store.readJournal(id).openCalls()).toEqual([]);
      expect(store.verify(id)).toEqual({ session: id, calls: 2, events: before.length + moves.length });
      expect([journal.call("c2")?.status, journal.events()]).toEqual([left, before]);
    });

    test("and its origin are removed one without the other", async () => {
      const { store, lease } = await worked("interrupted");
      const [first, second] = [await forked(store), await forked(store)];
      await store.sessions.remove(first);
      expect(store.verify("calm-fox-0001").problem).toBeUndefined();
      lease.release();
      await store.sessions.remove("calm-fox-0001");
      expect(store.verify(second)).toEqual({ session: second, calls: 1, events: 5 });
      expect(store.damage()).toBeUndefined();
      expect(store.sessions.list().map((row) => row.id)).toEqual([second]);
    });

    test("that is cut off before it is whole is no session, and the next one works", async () => {
      const { store } = await worked("interrupted");
      const dying: Store = {
        ...store,
        sessions: store.sessions,
        saver: store.saver,
        file: store.file,
        readJournal: (session) => store.readJournal(session),
        fork: () => Promise.reject(new Error("killed")),
      };
      await expect(forked(dying)).rejects.toThrow("killed");
      expect(store.sessions.list().map((row) => row.id)).toEqual(["calm-fox-0001"]);
      expect(store.verify(await forked(store)).problem).toBeUndefined();
      expect(store.damage()).toBeUndefined();
    });

    test("does not take the id of a session that is there", async () => {
      const { store } = await worked("interrupted");
      await store.sessions.create({ id: "taken", workspace: "/w", model: "demo", title: "" });
      const spec = { from: "calm-fox-0001", id: "taken", steps: [], steers: [], at: null, settle: () => [] };
      const lastTurn = { turn: 0, state: "done", reason: "done" } as const;
      await expect(store.fork({ ...spec, lastTurn })).rejects.toThrow("there is a session taken already");
      await expect(store.fork({ ...spec, from: "nobody", id: "new", lastTurn })).rejects.toThrow("no session nobody");
      expect(store.sessions.get("new")).toBeUndefined();
    });
  });
}
