/** `dying-graph.ts FOLDER`: asks the graph on the folder's store for a file, and dies while the question waits. */
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { createGraph } from "../../src/graph.ts";
import { openScript } from "../../src/model/script.ts";
import { openStore } from "../../src/store/open-store.ts";

const root = process.argv[2] ?? "";
const write = { calls: [{ name: "write_file", arguments: { file_path: "b.txt", content: "b\n" } }], line: 1 };
const model = openScript({ requests: [write], person: [] }, { spec: "script", name: "the test" });
const store = await openStore({ file: join(root, "agent.db") });
const parts = { workspace: join(root, "work"), model, store, systemPrompt: async () => "You are tested." };
const graph = createGraph(parts, { checkpointer: store.saver });
await graph.invoke({ messages: [new HumanMessage("write b")] }, { configurable: { thread_id: "otter" } });
process.kill(process.pid, "SIGKILL");
