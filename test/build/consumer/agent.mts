// A program that drives the agent: a model of its own, a store in memory, one question and its answer.
import {
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
const asked: string[] = [];
const outcomes: AnswerOutcome[] = [];
const settled: ToolCallInfo["status"][] = [];
let text: string | undefined;
const answer = async ({ callId, digest, plan }: WaitingCall): Promise<void> => {
  asked.push(plan.summary);
  outcomes.push(await session.answer({ session: session.id, call: callId }, { decision: "approve", digest }));
};
await session.submit("write it");
for await (const event of session.events()) {
  if (event.type === "approval_requested") for (const call of event.calls) await answer(call);
  if (event.type === "tool_call" && "arguments" in event.call) settled.push(event.call.status);
  if (event.type !== "turn_ended") continue;
  text = event.text;
  break;
}
await agent.close();
console.log(JSON.stringify({ asked, outcomes, settled, text }));
