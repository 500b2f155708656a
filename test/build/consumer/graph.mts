// The agent as a graph, driven by LangGraph's own API.
import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { Model } from "holdfast";
import { type AgentGraph, createGraph, type Question, type ResumeValue } from "holdfast/graph";

const workspace = process.argv[2] ?? "";

const model: Model = {
  spec: "mine",
  async *stream({ messages }) {
    const asked = messages.some((message) => message.getType() === "ai");
    const rawArguments = JSON.stringify({ file_path: "graph.txt", content: "by the graph\n" });
    const calls = asked ? [] : [{ id: "1", name: "write_file", rawArguments }];
    yield { type: "done", reply: { text: asked ? "Done." : "", calls, finish: "stop" } };
  },
};

const graph: AgentGraph = createGraph({ workspace, model }, { checkpointer: new MemorySaver() });
const at = { configurable: { thread_id: "one" } };
await graph.invoke({ messages: [new HumanMessage("write it")] }, at);
const question = (await graph.getState(at)).tasks.flatMap((task) => task.interrupts)[0]?.value as Question | undefined;
if (question?.kind !== "approval") throw new Error("nothing is asked");
const answers: ResumeValue["answers"] = Object.fromEntries(
  question.calls.map(({ callId, digest }) => [callId, { decision: "approve" as const, digest }]),
);
const { messages } = await graph.invoke(new Command({ resume: { answers } satisfies ResumeValue }), at);
console.log(JSON.stringify({ asked: question.calls.map(({ plan }) => plan.summary), last: messages.at(-1)?.content }));
