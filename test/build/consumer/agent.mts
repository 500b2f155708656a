// A program that drives the agent: a model of its own, a store in memory, one question and its answer.
import {
  type AgentEvent,
  type AnswerOutcome,
  createAgent,
  createDefaultTools,
  type Model,
  type ModelEvent,
  type Session,
  type ToolCallInfo,
  type WaitingCall,
} from "holdfast";

const workspace = process.argv[2] ?? "";

const model: Model = {
  spec: "mine",
  async *stream({ messages, tools }, signal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const calls = messages.flatMap((message) => message.tool_calls ?? []).map(({ name }) => name);
    if (calls.length > 0) {
      const read = messages.at(-1)?.content;
      yield { type: "done", reply: { text: `I wrote it: ${typeof read === "string"}`, calls: [], finish: "stop" } };
      return;
    }
    const name = tools.find((tool) => tool.name === "write_file")?.name ?? "";
    const rawArguments = JSON.stringify({ file_path: "written.txt", content: "by the agent\n" });
    yield { type: "done", reply: { text: "", calls: [{ id: "1", name, rawArguments }], finish: "tool_calls" } };
  },
};

const agent = createAgent({ workspace, model, tools: createDefaultTools({ workspace }), store: "memory", mode: "ask" });
const session: Session = agent.start();
const waiting: WaitingCall[] = [];
const settled: ToolCallInfo["status"][] = [];
let text: string | undefined;
const hear = (event: AgentEvent): void => {
  if (event.type === "approval_requested") waiting.push(...event.calls);
  if (event.type === "tool_call" && "arguments" in event.call) settled.push(event.call.status);
  if (event.type === "turn_ended") text = event.text;
};
const all = (async () => {
  for await (const event of session.events()) hear(event);
})();

await session.submit("write it");
await session.settled();
await new Promise((resolve) => setImmediate(resolve));
const outcomes: AnswerOutcome[] = [];
for (const { callId, digest } of waiting) outcomes.push(await session.answer(callId, { decision: "approve", digest }));
await session.settled();
await agent.close();
await all;
console.log(JSON.stringify({ asked: waiting.map(({ plan }) => plan.summary), outcomes, settled, text }));
