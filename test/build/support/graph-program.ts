/**
 * A program of its own on LangGraph, bundled as the command is: a question asked after something was awaited, and one that a
 * child graph asks inside a node of its parent. Prints what was asked and what came of the answers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ heard: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }) });
type Value = typeof State.State;

const ask = async (question: string): Promise<Partial<Value>> => {
  await sleep(1);
  const answer: unknown = interrupt(question);
  await sleep(1);
  return { heard: [`${question} ${String(answer)}`] };
};

const child = new StateGraph(State)
  .addNode("asking", () => ask("and in the child?"))
  .addEdge(START, "asking")
  .addEdge("asking", END)
  .compile();

const graph = new StateGraph(State)
  .addNode("first", () => ask("after an await?"))
  .addNode("parent", async () => {
    await sleep(1);
    const { heard } = await child.invoke({ heard: [] });
    return { heard };
  })
  .addEdge(START, "first")
  .addEdge("first", "parent")
  .addEdge("parent", END)
  .compile({ checkpointer: new MemorySaver() });

const at = { configurable: { thread_id: "one" } };
const asked: unknown[] = [];
const askedNow = async (): Promise<unknown[]> =>
  (await graph.getState(at)).tasks.flatMap((task) => task.interrupts.map((one) => one.value as unknown));

await graph.invoke({ heard: [] }, at);
asked.push(await askedNow());
await graph.invoke(new Command({ resume: "yes" }), at);
asked.push(await askedNow());
const { heard } = (await graph.invoke(new Command({ resume: "yes, too" }), at)) as Value;
process.stdout.write(JSON.stringify({ asked, heard }));
