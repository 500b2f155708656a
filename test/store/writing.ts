import { writeSync } from "node:fs";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { advance, type CallOf } from "../../src/core/call.ts";
import { thisProcess } from "../../src/process/process-identity.ts";
import { openStore } from "../../src/store/open-store.ts";
import { executing, pendingCall } from "./support-data.ts";

/** A process that does each write of a store once, and says after each what it was. */
const [file = ""] = process.argv.slice(2);
const digest = "a".repeat(64);
const usage = { inputTokens: 1, outputTokens: 1 };
const cut = { by: "person", upTo: "h1", madeAfter: "h1", before: 2, after: 1, kind: "prune", kept: 0 } as const;

const did = async (what: string, done: Promise<unknown>): Promise<void> => {
  await done;
  writeSync(1, `${what}\n`);
};

const store = await openStore({ file });
const id = "calm-fox-0001";
await did("a session", store.sessions.create({ id, workspace: "/w", model: "demo", title: "a title" }));
const lease = await store.acquire(id);
await did("a lease", Promise.resolve());
const begun = { id: "new-fox-0001", workspace: "/w", model: "demo" };
const words = new HumanMessage({ id: "h0", content: "go" });
await did("a session with its first message", store.begin(begun, { text: "go", message: words, queued: false }));
const journal = store.journal(lease);

const prompt = new HumanMessage({ id: "h1", content: "go" });
await did("a message", journal.addTurn({ text: "go", message: prompt, queued: false }));
await did("a message for the turn", journal.addSteer(new HumanMessage({ id: "s1", content: "slowly" })));
await did("that it was told", journal.tellSteers({ turn: 1, step: 1 }));

const [asked, read] = [pendingCall("c1", { effect: "once" }), pendingCall("c2")];
const reply = (step: number, calls: CallOf<"pending">[]): Promise<void> =>
  journal.commitReply({
    stepId: { turn: 1, step },
    after: undefined,
    message: new AIMessage({ id: `a${step}`, content: "" }),
    calls,
  });
await did("a reply", reply(1, [asked, read]));
await did("instructions of a folder", journal.tellFiles({ turn: 1, step: 1 }, [{ name: "a/AGENTS.md", text: "| x" }]));
await did(
  "a hook",
  journal.beginHook({ step: { turn: 1, step: 1 }, event: "PreToolUse", callId: "c1", attempt: 1, hook: "h" }),
);
await did("a process of a hook", journal.noteHookChild(1, { ...thisProcess(), mark: "m" }));
await did("a hook's end", journal.endHook(1, { decision: "none" }));
await did("a reply of reads", reply(2, [pendingCall("c3")]));

const verdict = { by: { actor: "policy" }, risk: "low", verdict: {} } as const;
await did("a verdict", journal.noteVerdicts([{ callId: "c1", ...verdict }]));
await did("a verdict on a read", journal.noteVerdicts([{ callId: "c2", ...verdict }]));
const waiting = advance<"pending", "awaiting_approval">(asked, { status: "awaiting_approval", digest });
await did("a question", journal.move([{ before: asked, after: waiting }]));
await did("that it was shown", journal.notePublished([{ callId: "c1", digest }]));
const denial = { kind: "answer", session: id, call: "c1", digest, decision: "deny" } as const;
await did("a request of another process", store.requests.add(denial));
await did("that it was heard", journal.noteHeard(1, { became: "stale", said: "no" }));
const approved = advance<"awaiting_approval", "pending">(waiting, { status: "pending", by: { actor: "person" } });
const answer = { callId: "c1", decision: "approve", digest, at: 1, grant: { scope: "session" } } as const;
await did("an answer", journal.move([{ before: waiting, after: approved }], answer));
await did("that its grant is kept", journal.noteGrantKept("c1"));
const running = executing(approved);
await did("a begun call", journal.move([{ before: approved, after: running, spend: digest }]));
await did("a process of it", journal.noteChild("c1", { ...thisProcess(), mark: "m" }));
const done = advance<"executing", "success">(running, { status: "success", result: { output: "done" } });
await did("its end", journal.move([{ before: running, after: done }]));
const reads = executing(read);
await did("a begun read", journal.move([{ before: read, after: reads }]));
const seen = advance<"executing", "success">(reads, { status: "success", result: { output: "done" } });
await did("a read's end", journal.move([{ before: reads, after: seen }]));

await did("an output", journal.keepOutput("c1", Buffer.from("said"), "running"));
await did("a lost job", journal.keepOutput("c1", Buffer.from("said"), "lost"));
await did("a cut of the talk", journal.addCompaction(cut, usage));
await did("that it is taken back", journal.undoCompaction("k1"));
await did("what a request took", journal.noteSpent(usage));
await did("the model's title", journal.noteModelTitle("a new title", usage));
await did("the model", journal.setModel("other"));
await did("the state", journal.setState("awaiting_approval"));
await did("another message for the turn", journal.addSteer(new HumanMessage({ id: "s2", content: "now" })));
await did("that it begins a turn", journal.steerToTurn());
await did("a third", journal.addSteer(new HumanMessage({ id: "s3", content: "no" })));
await did("that it is taken back too", journal.withdrawWaiting());
await did("a turn's end", journal.setTurn(1, "done", "done"));
await did("the person's title", store.sessions.rename(id, "mine"));
await did(
  "a removed session",
  store.sessions
    .create({ id: "old-fox-0001", workspace: "/w", model: "demo", title: "" })
    .then(() => store.sessions.remove("old-fox-0001")),
);
store.close();
