import { writeSync } from "node:fs";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { advance, type CallOf } from "../../src/core/call.ts";
import { openStore } from "../../src/store/open-store.ts";
import { loadDriver } from "../../src/store/sqlite/driver/load-driver.ts";
import { executing, pendingCall, putState } from "./support-data.ts";

/** Another process that writes to a store: `session`, how many steps, and before which statement it dies (0: never). */
const [file = "", session = "", steps = "0", dieBefore = "0"] = process.argv.slice(2);

/** Written before the next thing is done, so that what was said is what was acknowledged. */
const say = (what: string): void => {
  writeSync(1, `${what}\n`);
};

async function dieAt(count: number): Promise<void> {
  const probe = (await loadDriver()).open(":memory:", { blockMs: 0, make: true });
  const statement = Object.getPrototypeOf(probe.prepare("SELECT 1")) as { run: (...values: unknown[]) => unknown };
  probe.close();
  const run = statement.run;
  let left = count;
  statement.run = function (this: unknown, ...values: unknown[]) {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return run.apply(this, values);
  };
}

const store = await openStore({ file });
if (store.sessions.get(session) === undefined)
  await store.sessions.create({ id: session, workspace: "/w", model: "demo", title: "a child's" });
const journal = store.journal(await store.acquire(session));
const prompt = new HumanMessage({ id: "h1", content: "go" });
if (dieBefore !== "0") await dieAt(Number(dieBefore));
await journal.addTurn({ text: "go", message: prompt, queued: false });
say("turn 1");

let messages: BaseMessage[] = [prompt];
let at: string | undefined;
const put = async (step: number): Promise<void> => {
  at = await putState(store.saver, { thread: session, after: at }, { messages, turn: 1, step }, step);
  say(`put ${messages.length}`);
};
for (let step = 1; step <= Number(steps); step += 1) {
  const call = pendingCall(`c${step}`, { effect: "once", toolName: "shell" });
  const reply = new AIMessage({ id: `a${step}`, content: "", tool_calls: [] });
  await journal.commitReply({ stepId: { turn: 1, step }, after: messages.at(-1), message: reply, calls: [call] });
  say(`reply 1.${step}`);
  messages = [...messages, reply];
  await put(step);
  const running = executing(call);
  await journal.move([{ before: call, after: running }]);
  say(`executing c${step}`);
  const success = { status: "success", result: { output: "x".repeat(500) }, times: { settled: 3 } } as const;
  const done: CallOf<"success"> = advance<"executing", "success">(running, success);
  await journal.move([{ before: running, after: done }]);
  say(`success c${step}`);
  messages = [...messages, new ToolMessage({ id: `t${step}`, content: "", tool_call_id: `c${step}` })];
  await put(step);
}
store.close();
say("end");
