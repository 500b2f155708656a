import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openModel } from "../../src/model/open-model.ts";
import { type Model, noticeMark } from "../../src/model/port.ts";
import { asRequest, hear, replyOf, typesOf } from "../support/collect.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-script-"));
});
afterEach(() => rm(folder, { recursive: true }));

const head = '{"v":1,"kind":"holdfast-script"}';

async function script(...lines: (object | string)[]): Promise<Model> {
  const text = [head, ...lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)))].join("\n");
  await writeFile(join(folder, "s.ndjson"), text);
  return reopen();
}

const reopen = (): Promise<Model> => openModel("script:s.ndjson", { env: {}, cwd: folder });

const call = (id: string): BaseMessage[] => [
  new AIMessage({ content: "", tool_calls: [{ id, name: "ls", args: {} }] }),
  new ToolMessage({ content: "a", tool_call_id: id }),
];
const you = (text: string): HumanMessage => new HumanMessage(text);
const it = (text: string): AIMessage => new AIMessage(text);

describe("a script", () => {
  test("plays a line for each request, in pieces, and says that it is one", async () => {
    const model = await script(
      { text: "Hello, 🐙 world", chunks: 2 },
      { calls: [{ name: "ls", arguments: { path: "." } }] },
    );
    expect(model.spec).toBe(`script:${join(folder, "s.ndjson")}`);
    expect(model.scripted).toBe(true);
    const first = await hear(model, asRequest("hi"));
    expect(typesOf(first)).toEqual(["text", "text", "done"]);
    expect(replyOf(first)).toEqual({ text: "Hello, 🐙 world", calls: [], finish: "stop" });
    const second = await hear(model, asRequest([you("hi"), it("Hello, 🐙 world"), you("go on")]));
    expect(replyOf(second)).toEqual({
      text: "",
      calls: [{ id: "", name: "ls", rawArguments: '{"path":"."}' }],
      finish: "tool_calls",
    });
  });

  test("sends arguments given as a string as they are", async () => {
    const model = await script({ calls: [{ name: "ls", arguments: '{"path": ', id: "x" }], finish: "stop" });
    const reply = replyOf(await hear(model, asRequest("hi")));
    expect(reply).toEqual({ text: "", calls: [{ id: "x", name: "ls", rawArguments: '{"path": ' }], finish: "stop" });
  });

  test("that cuts a reply off by its finish reason never says done", async () => {
    const model = await script({ calls: [{ name: "ls", arguments: {} }], finish: "length" });
    const heard = await hear(model, asRequest("hi"));
    expect(heard.failure?.kind).toBe("cut");
    expect(typesOf(heard)).not.toContain("done");
  });

  test("whose error a server would be asked again for goes on with the next line", async () => {
    const model = await script(
      { error: { status: 429, body: { error: { message: "slow" } } } },
      { text: "there", chunks: 1 },
    );
    const heard = await hear(model, asRequest("hi"));
    expect(typesOf(heard)).toEqual(["retry", "text", "done"]);
    expect(heard.events[0]).toMatchObject({ why: "Rate limited by the model server (429 slow)" });
  });

  test.each([
    [401, "credentials"],
    [404, "refused"],
    [400, "refused"],
  ])("with an error %i fails as a server would: %s", async (status, kind) => {
    const model = await script({ error: { status, body: "no" } }, { text: "later" });
    expect((await hear(model, asRequest("hi"))).failure).toMatchObject({ kind, status });
    expect((await hear(model, asRequest([you("hi"), you("again")]))).text).toBe("later");
  });

  test("a context overflow is one", async () => {
    const model = await script({
      error: { status: 400, body: { error: { message: "m", code: "context_length_exceeded" } } },
    });
    expect((await hear(model, asRequest("hi"))).failure?.kind).toBe("context_full");
  });

  test("without a line left says so", async () => {
    const model = await script({ text: "only one" });
    const { failure } = await hear(model, asRequest([you("hi"), it("only one"), you("more")]));
    expect(failure).toMatchObject({ kind: "script" });
    expect(failure?.message).toContain("has no more lines: all its 1 requests were answered");
  });

  test("stops between two pieces with the signal's reason", async () => {
    const model = await script({ text: "abc", chunks: 3, delayMs: 500_000 });
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      for await (const event of model.stream(asRequest("hi"), stop.signal)) {
        expect(event).toEqual({ type: "text", text: "a" });
        setImmediate(() => stop.abort(new Error("stopped")));
      }
    };
    await expect(run()).rejects.toThrow("stopped");
    const again = model.stream(asRequest("hi"), new AbortController().signal)[Symbol.asyncIterator]();
    expect(await again.next()).toEqual({ done: false, value: { type: "text", text: "a" } });
    await again.return?.();
  });
});

describe("a session that is resumed", () => {
  test("goes on at the line that its history has come to", async () => {
    await script(
      { calls: [{ name: "ls", arguments: {} }] },
      { error: { status: 503 } },
      { text: "two" },
      { text: "three" },
    );
    const history = [you("hi"), ...call("c1")];
    const here = await reopen();
    expect(typesOf(await hear(here, asRequest(history)))[0]).toBe("retry");
    expect((await hear(await reopen(), asRequest(history))).text).toBe("two");
    expect((await hear(await reopen(), asRequest([...history, it("two"), you("more")]))).text).toBe("three");
    expect((await hear(here, asRequest([you("hi")]))).events.some(({ type }) => type === "call")).toBe(true);
  });

  test("after a turn that broke off does not break off there again", async () => {
    const lines = [{ text: "one" }, { error: { status: 401 } }, { text: "two" }];
    await script(...lines);
    const broken = [you("a"), it("one"), you("b")];
    expect((await hear(await reopen(), asRequest(broken))).failure?.kind).toBe("credentials");
    expect((await hear(await reopen(), asRequest([...broken, you("c")]))).text).toBe("two");
    const second = await reopen();
    await hear(second, asRequest(broken));
    expect((await hear(second, asRequest(broken))).text).toBe("two");
  });

  test("after a turn that broke off between a call and the next word", async () => {
    await script({ calls: [{ name: "ls", arguments: {} }] }, { text: "cut", finish: "length" }, { text: "two" });
    const history = [you("a"), ...call("c1")];
    expect((await hear(await reopen(), asRequest(history))).failure?.kind).toBe("cut");
    const notice = new HumanMessage({ content: "it was cut", additional_kwargs: { [noticeMark]: true } });
    const goesOn = [...history, new AIMessage("cut"), notice];
    expect((await hear(await reopen(), asRequest(goesOn))).text).toBe("two");
  });

  test("with a message after a stopped turn skips no line that would have answered", async () => {
    await script({ text: "one" }, { text: "two" });
    expect((await hear(await reopen(), asRequest([you("a"), you("b")]))).text).toBe("one");
  });
});

describe("the person's answers", () => {
  test("are used up by asking, for their tool, in order", async () => {
    const model = await script(
      { person: [{ match: { toolName: "edit_file" }, decision: "deny", reason: "no" }, { decision: "approve" }] },
      { text: "x" },
      { person: [{ match: { toolName: "edit_file" }, decision: "edit", arguments: { a: 1 } }] },
    );
    expect(model.answerFor?.("edit_file")).toEqual({ decision: "deny", reason: "no" });
    expect(model.answerFor?.("write_file")).toEqual({ decision: "approve" });
    expect(model.answerFor?.("write_file")).toBeUndefined();
    expect(model.answerFor?.("edit_file")).toEqual({ decision: "edit", arguments: { a: 1 } });
    expect(model.answerFor?.("edit_file")).toBeUndefined();
  });
});

describe("a file that is no script", () => {
  const opening = async (text: string | Uint8Array): Promise<unknown> => {
    await writeFile(join(folder, "s.ndjson"), text);
    return reopen();
  };
  test.each([
    ["", ":1: the file is empty"],
    ["\n\n", ":1: the file is empty"],
    ["hello", ":1: not JSON"],
    ['{"v":2,"kind":"holdfast-script"}', ":1: the first line must be"],
    ['{"text":"a"}', ":1: the first line must be"],
    [`${head}\n{"text":"a"`, ":2: not JSON"],
    [`${head}\n\n{"txt":"a"}`, ":3: "],
    [`${head}\n{}`, ":2: expected text, calls or error"],
    [`${head}\n[1]`, ":2: "],
    [`${head}\n{"text":4}`, ":2: text"],
    [`${head}\n{"calls":[{"name":"ls"}]}`, ":2: calls.0.arguments"],
    [`${head}\n{"calls":[{"name":"ls","arguments":[1]}]}`, ":2: calls.0.arguments"],
    [`${head}\n{"text":"a","chunks":0}`, ":2: chunks"],
    [`${head}\n{"error":{"status":200}}`, ":2: error.status"],
    [`${head}\n{"text":"a","error":{"status":500}}`, ":2: a line with an error"],
    [`${head}\n{"person":[{"decision":"maybe"}]}`, ":2: person.0.decision"],
    [`${head}\n{"person":[{"decision":"edit"}]}`, ":2: person.0: arguments belong"],
    [new Uint8Array([0, 255, 254, 10, 3]), ":1: not JSON"],
  ])("%j is refused with its place", async (text, said) => {
    await expect(opening(text)).rejects.toMatchObject({
      name: "ModelFailure",
      kind: "script",
      message: expect.stringContaining(`s.ndjson${said}`),
    });
  });

  test("that is not there names it and what to give", async () => {
    await expect(openModel("script:gone.ndjson", { env: {}, cwd: folder })).rejects.toMatchObject({
      kind: "script",
      message: expect.stringContaining(join(folder, "gone.ndjson")),
      hint: expect.stringContaining("script:FILE"),
    });
  });

  test("a mark at its beginning and line ends of another system do not matter", async () => {
    await writeFile(join(folder, "s.ndjson"), `\uFEFF${head}\r\n{"text":"a"}\r\n`);
    expect((await hear(await reopen(), asRequest("hi"))).text).toBe("a");
  });
});

describe("a spec", () => {
  test("is openai:NAME, and the name may have a colon", async () => {
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    expect((await openModel("openai:gpt-5-mini", { env })).spec).toBe("openai:gpt-5-mini");
    expect((await openModel("openai:gpt-5-mini", { env })).contextWindow).toBe(400_000);
    expect((await openModel("openai:qwen3:8b", { env })).spec).toBe("openai:qwen3:8b");
    expect((await openModel("openai:qwen3:8b", { env, contextWindow: 32_768 })).contextWindow).toBe(32_768);
  });

  test.each(["", "  ", "openai:", "script:", "two words", "openai:two words", "gpt-5", "demmo"])(
    "%j names no model",
    async (spec) => {
      await expect(openModel(spec, { env: { OPENAI_API_KEY: "k" } })).rejects.toMatchObject({
        name: "ModelFailure",
        kind: "refused",
        hint: expect.stringContaining("SERVER:NAME"),
      });
    },
  );

  test("of OpenAI without a key fails at once", async () => {
    await expect(openModel("openai:gpt-5", { env: {} })).rejects.toMatchObject({ kind: "credentials" });
  });
});
