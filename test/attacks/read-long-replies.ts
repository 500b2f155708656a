import { parentPort, workerData } from "node:worker_threads";
import { HumanMessage } from "@langchain/core/messages";
import { withTextCalls } from "../../src/model/text-calls/with-text-calls.ts";
import { asRequest, hear, saying } from "../support/collect.ts";

/* Reads each of the replies that it is given, and says so: in a thread that can be ended. */

const tools = [{ name: "ls", description: "ls", parameters: { type: "object", properties: {} } }];

for (const [kind, text] of Object.entries(workerData as Record<string, string>)) {
  const { events, failure } = await hear(withTextCalls(saying(text)), asRequest([new HumanMessage("go")], { tools }));
  if (failure !== undefined || events.at(-1)?.type !== "done") throw new Error(kind, { cause: failure });
  parentPort?.postMessage(kind);
}
