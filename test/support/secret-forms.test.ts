import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createAgent, defineTool, type Model } from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";
import { makePng } from "./pictures.ts";
import { cellsOf, filesWith } from "./secret-forms.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';

test("a value is found wherever a store has it: in its files while it is open, and packed in what it keeps of a call", async () => {
  const folder = tempTree();
  const long = `${"one of many lines\n".repeat(400)}${value}`;
  const tells = defineTool({
    name: "tell_much",
    description: "Tells much.",
    args: z.strictObject({}),
    risk: "low",
    effect: "none",
    execute: async (_, { outputs, callId }) => {
      await outputs?.keep(callId, Buffer.from(long));
      return { output: long, images: [{ name: "dot", data: makePng(1, 1).toString("base64") }] };
    },
  });
  const model: Model = {
    spec: "the test's",
    async *stream({ messages }) {
      const isFirst = messages.every((message) => message.getType() !== "ai");
      const calls = isFirst ? [{ id: "", name: "tell_much", rawArguments: "{}" }] : [];
      yield { type: "done", reply: { text: isFirst ? "" : `It is ${value}`, calls, finish: "stop" } };
    },
  };
  const store = join(folder, "agent.db");
  const agent = createAgent({ workspace: folder, model, store, tools: [tells] });
  onTestFinished(() => agent.close());
  const session = agent.start();
  await session.submit("go");
  for await (const event of session.events()) if (event.type === "turn_ended") break;
  const found = filesWith(folder, value);
  expect(found).toEqual(expect.arrayContaining([`${store}-wal: json`, `${store}, tool_call.packed: json`]));
  expect(found).toContain(`${store}, call_output.bytes: plain`);
  expect(cellsOf(store).map(({ place }) => place)).toContain("kept_bytes.bytes");
  expect(filesWith(folder, "another-value-of-it")).toEqual([]);
});
