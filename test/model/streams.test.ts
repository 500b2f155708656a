import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { openModel } from "../../src/model/open-model.ts";
import type { ToolFormat } from "../../src/model/port.ts";
import type { ToolSchema } from "../../src/tools/use/schema.ts";
import { asRequest, type Heard, hear } from "../support/collect.ts";
import { type ModelServer, type Reply, startModelServer } from "../support/model-server.ts";

/*
 * What servers really send, a file a stream: a head in JSON that says what is odd about it and what becomes of it, a line `---`, and
 * the bytes of the answer.
 */

interface Head {
  quirk: string;
  status?: number;
  type?: string;
  /** Bytes that are written at a time. */
  piece?: number;
  /** The connection is lost behind the bytes. */
  cut?: true;
  format?: ToolFormat;
  /** What a tool has said before; `native`: to a call of the protocol's. */
  before?: { said: string; native?: true };
  becomes: JsonObject;
}

const folder = join(import.meta.dirname, "streams");
const files = readdirSync(folder).filter((file) => file.endsWith(".stream"));

function read(file: string): { head: Head; reply: Reply } {
  const all = readFileSync(join(folder, file));
  const end = all.indexOf("\n---\n");
  const head = JSON.parse(all.subarray(0, end).toString("utf8")) as Head;
  const { status, type, piece, cut } = head;
  const reply: Reply = {
    bytes: all.subarray(end + 5),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
    ...(piece === undefined ? {} : { piece }),
    ...(cut === undefined ? {} : { cut }),
  };
  return { head, reply };
}

const tool = (name: string, properties: JsonObject, required: string[]): ToolSchema => ({
  ...{ name, description: `${name}.` },
  parameters: { type: "object", properties, required, additionalProperties: false },
});

const tools: ToolSchema[] = [
  tool("read_file", { file_path: { type: "string" }, offset: { type: "integer" } }, ["file_path"]),
  tool("ls", { path: { type: "string" }, ignore: { type: "array", items: { type: "string" } } }, []),
  tool("write_file", { file_path: { type: "string" }, content: { type: "string" } }, ["file_path", "content"]),
];

function history({ before }: Head) {
  const asked = new HumanMessage("Look at a.txt");
  if (before === undefined) return [asked];
  const call = { type: "tool_call" as const, id: "c1", name: "read_file", args: { file_path: "a.txt" } };
  const additional_kwargs = before.native === true ? {} : { text_calls: "Llama" };
  return [
    asked,
    new AIMessage({ content: "", tool_calls: [call], additional_kwargs }),
    new ToolMessage({ tool_call_id: "c1", content: before.said }),
  ];
}

/** What became of it, without what is not there. */
function became({ events, text, failure }: Heard): object {
  const thought = events.flatMap((event) => (event.type === "thought" ? [event.text] : [])).join("");
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.code] : []));
  const retries = events.filter(({ type }) => type === "retry").length;
  const last = events.at(-1);
  const more = {
    ...(thought === "" ? {} : { thought }),
    ...(notices.length === 0 ? {} : { notices }),
    ...(retries === 0 ? {} : { retries }),
  };
  if (failure !== undefined || last?.type !== "done") {
    const { kind, message, hint } = failure ?? {};
    return { ...(text === "" ? {} : { text }), ...more, failure: { kind, message, ...(hint && { hint }) } };
  }
  const { reply } = last;
  expect(text.trimEnd()).toBe(reply.text.trimEnd());
  const calls = reply.calls.map(({ id, name, rawArguments, problem }) => [
    id,
    name,
    rawArguments,
    ...(problem ? [problem] : []),
  ]);
  return {
    ...(reply.text === "" ? {} : { text: reply.text }),
    ...more,
    ...(calls.length === 0 ? {} : { calls }),
    ...(reply.textCalls === undefined ? {} : { form: reply.textCalls }),
    ...(reply.unread === undefined ? {} : { unread: reply.unread.wrong }),
    ...(reply.fenced === undefined ? {} : { fenced: true }),
    ...(reply.untaken === undefined ? {} : { untaken: reply.untaken.wrong }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
  };
}

/** What becomes of a stream, in a word; the first that fits. */
const fates: readonly (readonly [fate: string, fits: (heard: JsonObject) => boolean])[] = [
  ["fails, and says why", ({ failure }) => failure !== undefined],
  ["calls, read from text", ({ form }) => form !== undefined],
  ["calls, one of them an error for the model", ({ calls }) => isCalls(calls) && calls.some((call) => call.length > 3)],
  ["calls", ({ calls }) => isCalls(calls)],
  [
    "text, and a call that the model is told of",
    ({ unread, untaken, fenced }) => (unread ?? untaken ?? fenced) !== undefined,
  ],
  ["text", ({ text }) => text !== undefined],
  ["thoughts alone", ({ thought }) => thought !== undefined],
];

const isCalls = (calls: Json | undefined): calls is Json[][] => Array.isArray(calls);

const fateOf = (heard: JsonObject): string | undefined => fates.find(([, fits]) => fits(heard))?.[0];

/** The streams by what became of them, as it was heard. */
const seen = new Map<string, string[]>(fates.map(([fate]) => [fate, []]));

function table(): string {
  const rows = [...seen].map(([fate, names]) => `${String(names.length).padStart(4)}  ${fate}: ${names.join(", ")}`);
  return `\n${rows.join("\n")}\n${String([...seen.values()].flat().length).padStart(4)}  of ${files.length} streams\n`;
}

let server: ModelServer;
let next: Reply = {};
beforeAll(async () => {
  server = await startModelServer(() => next);
});
afterAll(async () => {
  await server.close();
  if (process.env["HOLDFAST_TABLE"] !== undefined) process.stdout.write(table());
});

describe("a stream", () => {
  it.each(files)("%s", async (file) => {
    const { head, reply } = read(file);
    next = reply;
    const model = await openModel("mine:test-model", {
      env: {},
      servers: { mine: { baseUrl: server.url } },
      models: { "mine:*": { contextWindow: 100_000 } },
      clock: { sleep: async () => undefined },
      ...(head.format === undefined ? {} : { toolFormat: head.format }),
    });
    const heard = JSON.stringify(became(await hear(model, asRequest(history(head), { tools }))));
    const came = JSON.parse(heard.replaceAll(server.url, "SERVER")) as JsonObject;
    expect(came).toEqual(head.becomes);
    expect(server.violations).toEqual([]);
    const fate = fateOf(came);
    expect(fate).toBeDefined();
    seen.get(fate ?? "")?.push(file.replace(".stream", ""));
  });

  it("is recorded for each quirk that the page names, and named there", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/models.md"), "utf8");
    const table = page.slice(page.indexOf("### What servers send")).split("\n## ")[0] ?? "";
    const named = new Set([...table.matchAll(/`([\w-]+)`(?=[^|]*\|\s*$)/gm)].flatMap(([, name]) => name ?? []));
    expect(files.map((file) => file.replace(".stream", "")).filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !files.includes(`${name}.stream`))).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(60);
  });
});
