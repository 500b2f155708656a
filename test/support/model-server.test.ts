import { afterEach, beforeEach, expect, test } from "vitest";
import { type ModelServer, says, startModelServer } from "./model-server.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer([says("fine")]);
});
afterEach(() => server.close());

const post = (body: unknown): Promise<Response> =>
  fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });

const call = (id: string, args = "{}"): object => ({ id, type: "function", function: { name: "ls", arguments: args } });
const user = { role: "user", content: "hi" };
const said = (id: string): object => ({ role: "tool", tool_call_id: id, content: "x" });
const asked = (...calls: object[]): object => ({ role: "assistant", content: "", tool_calls: calls });
const request = (...messages: object[]): object => ({ model: "m", stream: true, messages });

test("a well-formed history is answered by a stream", async () => {
  const answer = await post(
    request({ role: "system", content: "s" }, user, asked(call("a"), call("b")), said("b"), said("a")),
  );
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/"content":"fin?"[\s\S]*data: \[DONE\]\n\n$/u);
  expect(server.violations).toEqual([]);
});

test.each([
  ["a call without its tool message", [user, asked(call("a"))], "unanswered calls: a"],
  ["a message of the person between call and tool message", [user, asked(call("a")), user, said("a")], "did not have"],
  ["a tool message for no call", [user, said("a")], "no assistant call"],
  ["a tool message twice", [user, asked(call("a")), said("a"), said("a")], "no assistant call"],
  ["an empty id", [user, asked(call("")), said("")], "a call without an id"],
  ["one id twice", [user, asked(call("a"), call("a")), said("a")], "used twice"],
  ["arguments that are no JSON", [user, asked(call("a", '{"x"')), said("a")], "not a JSON object"],
  ["a system message in the middle", [user, { role: "system", content: "s" }], "after the conversation began"],
  ["an assistant message that says nothing", [user, { role: "assistant", content: "" }], "neither content nor calls"],
])("%s is refused and recorded", async (_, messages, fault) => {
  const answer = await post(request(...messages));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(fault);
  expect(server.violations[0]).toContain(fault);
});

test("a request too many is refused and recorded", async () => {
  await (await post(request(user))).text();
  expect((await post(request(user))).status).toBe(400);
  expect(server.violations).toEqual(["request 2: the server has no answer left"]);
});

test("the list of models is there", async () => {
  const answer = await fetch(`${server.url}/models`);
  expect(await answer.json()).toEqual({ object: "list", data: [{ id: "test-model", context_length: 128_000 }] });
});
