import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const call = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
const write = call("write_file", { file_path: "b.txt", content: "b\n" });
const roles = (place: Place, request: number) =>
  place.server.requests
    .at(request)
    ?.body.messages.slice(1)
    .map(({ role }) => role);

describe("a call that the model writes as text", () => {
  it("is asked about as any, and its result goes back as any's", async () => {
    const place = await openPlace([says(`I write it.\n\n${write}`), says(call("ls", {})), says("Done.")]);
    const ran = await place.json(["run", "write b.txt"]);
    expect(ran).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(ran.the("approval_requested").calls).toMatchObject([
      { toolName: "write_file", arguments: { file_path: "b.txt", content: "b\n" } },
    ]);
    expect(
      ran
        .of("text_delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("I write it.\n\n");
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["text_calls"]);
    expect(place.has("b.txt")).toBe(false);
    const on = await place.json(["resume", ran.session, "--approve", "all"]);
    expect(on).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect(await place.read("b.txt")).toBe("b\n");
    expect(roles(place, -1)).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
    expect(place.server.requests.at(-1)?.body.messages[2]?.tool_calls).toMatchObject([
      { id: "c1", function: { name: "write_file" } },
    ]);
  });

  it("is denied by the same rules", async () => {
    const place = await openPlace([says(write), says("Then not.")]);
    const ran = await place.json(["run", "write it", "--mode", "read-only"]);
    expect(ran).toMatchObject({ code: 10, end: { text: "Then not.", calls: { cancelled: 1 } } });
    expect(place.has("b.txt")).toBe(false);
  });

  it("in a fence is told of once until the next call, and not to a model that calls in the protocol's way", async () => {
    const fenced = says(`So:\n\n\`\`\`\n${write}\n\`\`\``);
    const place = await openPlace([fenced, fenced, asks("ls", {}), fenced]);
    const first = await place.json(["run", "how is it written?"]);
    expect(first).toMatchObject({ code: 0, end: { calls: { success: 0 } } });
    expect(first.of("notice").map(({ code, text }) => [code, text])).toEqual([
      ["fenced_call", expect.stringContaining("the model is told")],
      ["fenced_call", expect.stringMatching(/only shown again.*--tool-format xml/)],
    ]);
    expect(place.server.requests).toHaveLength(2);
    const second = await place.json(["run", "and now?"]);
    expect(second).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(second.of("notice")).toEqual([]);
    expect(place.has("b.txt")).toBe(false);
  });
});

describe("a call that the model writes in a form that answers have, too", () => {
  const codes = (ran: { of(type: "notice"): { code: string }[] }) => ran.of("notice").map(({ code }) => code);

  it("is asked about as any where it can be nothing else", async () => {
    const place = await openPlace([
      says(`[write_file(file_path="b.txt", content='b\\n')]`),
      says('Thought: I look at it.\nAction: ls\nAction Input: {"path": "."}'),
      says("Done."),
    ]);
    const ran = await place.json(["run", "write b.txt"]);
    expect(ran).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(ran.the("approval_requested").calls).toMatchObject([
      { toolName: "write_file", arguments: { file_path: "b.txt", content: "b\n" } },
    ]);
    expect(place.has("b.txt")).toBe(false);
    const on = await place.json(["resume", ran.session, "--approve", "all"]);
    expect(on).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect(await place.read("b.txt")).toBe("b\n");
  });

  it("is told once with the reason where it cannot be read, then the person is told what to set", async () => {
    const half = '[write_file(file_path="b.txt", content="\\x4")]';
    const other = "Action: write_file\nAction Input: b.txt";
    const place = await openPlace([says(half), says(other), says("never asked for")]);
    const ran = await place.json(["run", "write b.txt"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: other, calls: { success: 0 } } });
    expect(ran.of("notice").map(({ code, text }) => [code, text])).toEqual([
      ["fenced_call", expect.stringMatching(/not taken for one \(an escape with \\x.*the model is told/)],
      ["fenced_call", expect.stringMatching(/only shown again.*--tool-format xml/)],
    ]);
    expect(place.server.requests).toHaveLength(2);
    expect(place.heard(1, 2)).toBe(half);
    expect(place.heard(1, 3)).toMatch(/^\(This is from the agent.*not taken for one: an escape with \\x/);
    expect(place.has("b.txt")).toBe(false);
  });

  it("is told again once a call has come since, and twice in a row ends the turn", async () => {
    const shown = "It is so:\n\n[ls()]";
    const place = await openPlace([says("[ls(path=x)]"), says("[ls()]"), says(shown), says(shown), says("never")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { text: shown, calls: { success: 1 } } });
    expect(codes(ran)).toEqual(["fenced_call", "text_calls", "fenced_call", "fenced_call"]);
    expect(ran.of("notice").at(-1)?.text).toContain("--tool-format xml");
    expect(place.server.requests).toHaveLength(4);
  });

  it("is an answer of a model that calls in the protocol's way, and told in a talk that goes on later: it never runs", async () => {
    const react = "Action: ls\nAction Input: {}";
    const place = await openPlace([asks("ls", {}), says("[ls()]"), says("[ls("), says(react), says("Done.")]);
    for (const [args, text, told] of [
      [["run", "how is it written?"], "[ls()]", []],
      [["run", "-c", "and half of it?"], "[ls(", []],
      [["run", "-c", "and how else?"], "Done.", ["fenced_call"]],
    ] as const) {
      const ran = await place.json([...args]);
      expect(ran).toMatchObject({
        code: 0,
        end: { reason: "done", text, calls: { success: args.length === 2 ? 1 : 0 } },
      });
      expect(codes(ran)).toEqual(told);
    }
    expect(place.server.requests).toHaveLength(5);
  });

  it("goes by the same rules where XML was asked for", async () => {
    const place = await openPlace([says("[ls()]"), says("[ls()]")]);
    const ran = await place.json(["run", "look", "--tool-format", "xml"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "[ls()]", calls: { success: 0 } } });
    expect(codes(ran)).toEqual(["fenced_call", "fenced_call"]);
  });
});

describe("a reply that ends in a call which cannot be read", () => {
  const half = '<tool_call>\n{"name": "write_file", "arguments": {"file_path": "b.tx';

  it("is told twice, then fails the turn and says what to set; it goes on in XML", async () => {
    const place = await openPlace([says(half), says(half), says(half), says("In XML now.")]);
    const ran = await place.json(["run", "write it"]);
    expect(ran).toMatchObject({ code: 1, end: { reason: "failed" } });
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["unread_call", "unread_call"]);
    expect(ran.the("error")).toMatchObject({
      code: "UNREAD_CALL",
      message: expect.stringContaining("its JSON is missing, or not whole"),
      hint: expect.stringContaining("--tool-format xml"),
    });
    expect(place.server.requests).toHaveLength(3);
    expect(roles(place, 2)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(place.heard(2, 2)).toBe(half);
    expect(place.heard(2, 3)).toMatch(/^\(This is from the agent.*could not be taken for one: its JSON is missing/);
    const on = await place.json(["resume", ran.session, "--tool-format", "xml"]);
    expect(on).toMatchObject({ code: 0, end: { text: "In XML now." } });
    expect(place.heard(3, -1)).toContain("could not be taken for one");
  });

  it("is told, and the model goes on with a call of the protocol's", async () => {
    const place = await openPlace([says(half), asks("ls", {}), says("Done.")]);
    expect(await place.json(["run", "look"])).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 1 } } });
  });

  it("also where the server refused it", async () => {
    const refusal = { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "" };
    const place = await openPlace([{ status: 400, body: { error: refusal } }, asks("ls", {}), says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 1 } } });
    expect(ran.the("notice")).toMatchObject({ code: "unread_call", text: expect.stringContaining("Failed to call") });
    expect(place.heard(1, 2)).toBe("(no words came)");
    expect(place.heard(1, 3)).toContain("the server did not take it: Failed to call a function.");
  });
});

describe("a call that is nearly right", () => {
  it.each([
    ["a prefix before its name", asks("functions.ls", {})],
    ["null for its arguments", asks("ls", "null")],
    ["single quotes", asks("ls", "{'path': '.',}")],
  ])("with %s runs", async (_, reply) => {
    const place = await openPlace([reply, says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1, error: 0 } } });
    expect(place.server.requests[1]?.body.messages[2]?.tool_calls).toMatchObject([{ function: { name: "ls" } }]);
  });

  it("of a tool that is not there goes back under its own name, and what was written goes back where it is no object", async () => {
    const place = await openPlace([asks("other.thing", {}), asks("ls", '{"path": "a'), says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 2 } } });
    expect(place.server.requests[1]?.body.messages[2]?.tool_calls).toMatchObject([
      { function: { name: "other_thing" } },
    ]);
    expect(place.heard(2, -1)).toMatch(/^Error INVALID_ARGUMENT: ls: .*; it was written "\{\\"path\\": \\"a"$/);
  });
});
