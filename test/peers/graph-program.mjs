// graph-program.mjs WORKSPACE ask | answer: a program on LangGraph's API. It dies at the question, and answers it in its next life.
import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { createGraph, openStore } from "holdfast/graph";

const [workspace, what] = process.argv.slice(2);
const store = await openStore({ file: `${workspace}/../graph.db` });
const graph = createGraph({ workspace, model: "openai:test-model", store }, { checkpointer: store.saver });
const at = { configurable: { thread_id: "one" }, streamMode: ["messages", "custom"] };
const heard = { words: "", custom: [] };
const run = async (input) => {
  for await (const [mode, data] of await graph.stream(input, at))
    if (mode === "custom") heard.custom.push(data.type);
    else if (data[0].getType() === "ai") heard.words += data[0].content;
};
if (what === "ask") await run({ messages: [new HumanMessage("write it")] });
else {
  const [{ value }] = (await graph.getState(at)).tasks.flatMap((task) => task.interrupts);
  const answers = Object.fromEntries(
    value.calls.map(({ callId, digest }) => [callId, { decision: "approve", digest }]),
  );
  await run(new Command({ resume: { answers } }));
}
const told = JSON.stringify({ words: heard.words, custom: [...new Set(heard.custom)].sort() });
process.stdout.write(`${told}\n`, () => {
  if (what === "ask") process.kill(process.pid, "SIGKILL");
  else store.close();
});
