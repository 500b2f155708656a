import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";
import { endless } from "../support/under-way.ts";

const write = asks("write_file", { file_path: "b.txt", content: "b\n" });
const auto = ["--mode", "full-auto"];
const nothing = "(no words came)";
const word = expect.stringMatching(
  /^\(This is from the agent.*\) Your last reply was empty: no text, and no tool call\./,
);
const thoughtWord = expect.stringMatching(/^\(This is from the agent.*\) Your last reply had thoughts alone/);

/** What the model was told by a request, but for the system's words: who said it, and what. */
const told = (place: Place, request: number) =>
  (place.server.requests.at(request)?.body.messages ?? []).slice(1).map(({ role, content }) => [role, content]);

const roles = (place: Place, request: number) => told(place, request).map(([role]) => role);

/** The bodies of all stored messages of the model. */
function storedReplies(place: Place): string[] {
  const db = new RawStore(join(place.home, "agent.db"));
  try {
    return db.column<string>("SELECT body FROM message WHERE type = 'ai'");
  } finally {
    db.close();
  }
}

/** Makes the stored replies that say this empty, as they were stored once: the same row, without words and without marks. */
function asStoredOnce(place: Place, said: string, instead: string): number {
  const db = new RawStore(join(place.home, "agent.db"));
  try {
    const rows = db.all<{ key: number; body: string }>("SELECT key, body FROM message WHERE type = 'ai'");
    const found = rows.filter(({ body }) => body.includes(JSON.stringify(said)));
    for (const { key, body } of found)
      db.run(
        "UPDATE message SET body = ? WHERE key = ?",
        body.replace(JSON.stringify(said), JSON.stringify(instead)),
        key,
      );
    return found.length;
  } finally {
    db.close();
  }
}

describe("a reply without text and without a call", () => {
  it.each<[string, Reply]>([
    ["empty", says("")],
    ["of blanks", says(" \n\t ")],
    ["of what nobody sees", says("\u200b\ufeff\u00a0\u2060\u3164")],
    ["of a finish reason alone", says("", { chunks: 1, noRole: true })],
  ])("%s: the model is told once and goes on", async (_, reply) => {
    const place = await openPlace([reply, says("Here."), says("More.")]);
    const ran = await place.run(["run", "say it"]);
    expect(ran).toMatchObject({ code: 0, stdout: "Here.\n" });
    expect(ran.stderr).toContain("the model said nothing and called no tool; it is told, and asked once more");
    expect(told(place, 1)).toEqual([
      ["user", "say it"],
      ["assistant", nothing],
      ["user", word],
    ]);
    expect((await place.run(["resume", "more"])).code).not.toBe(0);
    const [{ id }] = JSON.parse(`[${(await place.run(["sessions", "--json"])).stdout.trim()}]`) as [{ id: string }];
    expect(await place.run(["resume", id, "more"])).toMatchObject({ code: 0, stdout: "More.\n" });
    expect(told(place, 2).slice(2)).toEqual([
      ["user", word],
      ["assistant", "Here."],
      ["user", "more"],
    ]);
    expect(storedReplies(place).filter((body) => !body.includes("Here.") && !body.includes("More."))).toEqual([
      expect.stringContaining(nothing),
    ]);
  });

  it.each<[string, Reply]>([
    ["beside the text", { thought: "Hm. What is asked here?" }],
    ["beside blanks", { thought: "Hm.", text: "\n\n" }],
    ["in the text, as servers leave them that do not know them", says("<think>Hm.</think>\n\n")],
    ["in the text, and never ended", says("\n<think>\nHm. And then")],
  ])("but with thoughts %s: told so, and in the end what to set", async (_, reply) => {
    const place = await openPlace([reply, reply, says("Here.")]);
    const ran = await place.json(["run", "say it"]);
    expect(ran).toMatchObject({ code: 1, end: { reason: "failed" } });
    expect(ran.the("error")).toMatchObject({
      code: "EMPTY_REPLY",
      message: expect.stringContaining("thought and said nothing"),
      hint: expect.stringMatching(/maxOutput .*reasoning.*-m/),
    });
    expect(told(place, 1).at(-1)).toEqual(["user", thoughtWord]);
    expect(await place.json(["resume", ran.session])).toMatchObject({ code: 0, end: { text: "Here." } });
  });

  it("that has thoughts in its text and goes on is an answer, without them", async () => {
    const place = await openPlace([says("<think>Hm.</think>\n\nSeven <think>.")]);
    const ran = await place.json(["run", "say it"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Seven <think>." } });
    expect(ran.of("notice")).toMatchObject([{ code: "thinking", text: "Hm." }]);
    expect(place.server.requests).toHaveLength(1);
  });

  it.each(["👍", "0", ".", "Ω", "\u200b!"])("is not %j", async (text) => {
    const place = await openPlace([says(text)]);
    expect((await place.json(["run", "say it"])).end).toMatchObject({ reason: "done", text });
    expect(place.server.requests).toHaveLength(1);
  });

  it("after calls of the turn is one too; what they said is still there in full, and they are not run again", async () => {
    const place = await openPlace([write, says(""), says("Written."), says("Bye.")]);
    const ran = await place.json(["run", "write b", ...auto]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Written.", calls: { success: 1, error: 0 } } });
    expect(ran.of("assistant_message").map(({ id, text, calls }) => [id, text, calls])).toEqual([
      ["m1.1", "", ["c1"]],
      ["m1.2", "", []],
      ["m1.3", "Written.", []],
    ]);
    expect(roles(place, 2)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(told(place, 2)[2]).toEqual(told(place, 1)[2]);
    expect((await place.json(["resume", ran.session, "bye"])).end.text).toBe("Bye.");
  });

  it("between calls is asked on each time that there was something in between", async () => {
    const place = await openPlace([says(""), asks("ls", {}), says(" "), asks("ls", { path: "." }), says("Done.")]);
    expect(await place.json(["run", "look"])).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect(place.server.requests).toHaveLength(5);
  });
});

describe("two empty replies in a row", () => {
  it("fail the turn: 1, EMPTY_REPLY, no words, all that they took; resume goes on, with one more try", async () => {
    const took = (input: number, output: number): Reply => ({ text: "", usage: { input, output } });
    const place = await openPlace([
      took(10, 1),
      took(20, 2),
      took(40, 4),
      took(80, 8),
      took(160, 16),
      says("At last."),
    ]);
    const ran = await place.json(["run", "say it"]);
    expect(ran).toMatchObject({
      code: 1,
      end: {
        reason: "failed",
        exitCode: 1,
        resume: `agent resume ${ran.session}`,
        usage: { inputTokens: 30, outputTokens: 3 },
      },
    });
    expect(ran.end).not.toHaveProperty("text");
    expect(ran.the("error")).toMatchObject({
      code: "EMPTY_REPLY",
      message: expect.stringContaining("also when it was asked once more"),
      hint: expect.stringMatching(/go on.*agent resume.*-m/),
    });
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["empty_reply"]);
    expect(ran.of("usage").map(({ inputTokens }) => inputTokens)).toEqual([10, 20]);

    const again = await place.json(["resume", ran.session]);
    expect(again).toMatchObject({ code: 1, end: { usage: { inputTokens: 150 } } });
    expect(again.of("notice").map(({ code }) => code)).toEqual(["empty_reply"]);
    expect(roles(place, 2)).toEqual(["user", "assistant", "user", "assistant", "user"]);

    const on = await place.json(["resume", ran.session]);
    expect(on).toMatchObject({ code: 0, end: { text: "At last.", usage: { inputTokens: 321 } } });
    expect((await place.run(["resume", ran.session])).stdout).toBe("At last.\n");
    expect(storedReplies(place).filter((body) => body.includes('""'))).toEqual([]);
  });

  it("say nothing on stdout, and all to the person", async () => {
    const place = await openPlace([says(""), says("")]);
    const ran = await place.run(["run", "say it"]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(
      "the model gave an empty reply, neither text nor a call, also when it was asked once more",
    );
    expect(ran.stderr).toMatch(/agent resume/);
    const shown = (await place.run(["sessions"])).stdout;
    expect(shown).toContain("say it");
  });

  it("leave the next message of the person to be heard, in turns with the model", async () => {
    const place = await openPlace([says(""), says(""), says("Yes."), says("Again.")]);
    const { session } = await place.json(["run", "one"]);
    expect((await place.json(["resume", session, "two"])).end).toMatchObject({ reason: "done", text: "Yes." });
    expect(told(place, 2)).toEqual([
      ["user", "one"],
      ["assistant", nothing],
      ["user", word],
      ["assistant", nothing],
      ["user", "two"],
    ]);
    expect((await place.json(["resume", session, "three"])).end.text).toBe("Again.");
    expect(told(place, 3).slice(0, 5)).toEqual(told(place, 2));
  });

  it("count as steps: out of them, the turn stops there and is asked on by the next run", async () => {
    const place = await openPlace([says(""), says("Yes.")]);
    const out = await place.json(["run", "one", "--max-steps", "1"]);
    expect(out).toMatchObject({ code: 53, end: { reason: "max_steps" } });
    expect((await place.json(["resume", out.session])).end.text).toBe("Yes.");
    expect(told(place, 1).at(-1)).toEqual(["user", word]);
  });

  it("are exported as they were, and play the same", async () => {
    const place = await openPlace([says(""), says("")]);
    const { session } = await place.json(["run", "say"]);
    const script = (await place.run(["sessions", "export", session])).stdout;
    expect(script).not.toContain("no words");
    await place.write("again.ndjson", script);
    const again = await place.json(["run", "say", "-m", "script:again.ndjson"]);
    expect(again).toMatchObject({ code: 1 });
    expect(again.the("error")).toMatchObject({ code: "EMPTY_REPLY" });
  });

  it("go on in a fork of the session too", async () => {
    const place = await openPlace([asks("ls", {}), says(""), says(""), says("Forked.")]);
    const { session } = await place.json(["run", "look"]);
    const forked = (await place.run(["sessions", "fork", session, "--json"])).stdout;
    const { id } = JSON.parse(forked) as { id: string };
    expect((await place.json(["resume", id])).end).toMatchObject({ reason: "done", text: "Forked." });
    expect(roles(place, -1).at(-1)).toBe("user");
  });
});

describe("an empty reply where something else is asked for", () => {
  it("by a schema: it is told to be empty, then JSON is taken as ever", async () => {
    const place = await openPlace([says(""), says("[7"), says("7")]);
    await place.write("schema.json", '{"type":"integer"}');
    const ran = await place.json(["run", "how many?", "--output-schema", "schema.json"]);
    expect(ran).toMatchObject({ code: 0, end: { output: 7 } });
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["empty_reply", "no_output"]);
  });

  it("by a schema, twice: EMPTY_REPLY, and nothing on stdout", async () => {
    const place = await openPlace([says(""), says(" "), says("7")]);
    await place.write("schema.json", '{"type":"integer"}');
    const ran = await place.json(["run", "how many?", "--output-schema", "schema.json"]);
    expect(ran).toMatchObject({ code: 1, end: { reason: "failed" } });
    expect(ran.the("error")).toMatchObject({ code: "EMPTY_REPLY" });
    expect(await place.run(["resume", ran.session])).toMatchObject({ code: 0, stdout: "7\n" });
  });

  it("by --tool-choice required", async () => {
    const place = await openPlace([says(""), asks("ls", {}), says("Seen.")]);
    const ran = await place.json(["run", "look", "--tool-choice", "required"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Seen.", calls: { success: 1 } } });
  });
});

describe("a reply that is cut off before it says anything", () => {
  it.each<[string, Reply, RegExp]>([
    ["by its length", says("", { finish: "length" }), /limit of output tokens/],
    ["by its length, after blanks", says("\n\u200b", { finish: "length" }), /limit of output tokens/],
    ["by its length, while it thought", { thought: "Hm.", finish: "length" }, /limit of output tokens/],
    ["in front of calls that it announced", { finish: "tool_calls" }, /announced tool calls and none came/],
  ])("%s is told as cut; twice, the turn has failed and says what to set", async (_, reply, why) => {
    const place = await openPlace([reply, reply, says("Here.")]);
    const ran = await place.json(["run", "say it"]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.end).not.toHaveProperty("text");
    expect(ran.the("error")).toMatchObject({
      code: "REPLY_CUT",
      message: expect.stringMatching(why),
      hint: expect.stringContaining("maxOutput"),
    });
    expect(told(place, 1)[1]).toEqual(["assistant", "(cut off before a word of it came)"]);
    expect((await place.json(["resume", ran.session])).end.text).toBe("Here.");
    expect(storedReplies(place).filter((body) => /"c":"[\s\u200b]*"/.test(body) || body === '""')).toEqual([]);
  });
});

describe("a model that calls in XML", () => {
  const xml = ["--tool-format", "xml"];

  it.each<[string, Reply]>([
    ["empty", says("")],
    ["of blanks and layout", says("\n\n  \n")],
    ["of thoughts", { thought: "Hm." }],
  ])("and gives a reply %s is told once, then the turn fails, and goes on", async (_, reply) => {
    const place = await openPlace([reply, reply, asks("ls", {}), reply, says("Here.")], {}, { toolFormat: "xml" });
    const ran = await place.json(["run", "look", ...xml]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.the("error")).toMatchObject({ code: "EMPTY_REPLY" });
    expect(roles(place, 1)).toEqual(["user", "assistant", "user"]);
    const on = await place.json(["resume", ran.session, ...xml]);
    expect(on).toMatchObject({ code: 0, end: { text: "Here.", calls: { success: 1 } } });
    // Never two of one side in a row: templates of such models refuse it.
    const last = roles(place, -1);
    expect(last.filter((role, at) => role === last[at - 1])).toEqual([]);
  });

  it("and writes an empty call has called, and is told what is wrong with it", async () => {
    const place = await openPlace([says("<tool_call></tool_call>"), says("Here.")], {}, { toolFormat: "xml" });
    const ran = await place.json(["run", "look", ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Here.", calls: { error: 1 } } });
    expect(ran.of("notice").map(({ code }) => code)).not.toContain("empty_reply");
  });
});

describe.each([
  ["the chat", {}, "ask, or / for commands"],
  ["the plain chat", { HOLDFAST_SCREEN_READER: "1" }, "> "],
])("in %s", (_, env, prompt) => {
  it("an empty reply is said and asked on, the second is an error, and the next message goes on", async () => {
    const place = await openPlace([says(""), says(""), says("Here."), says("\u200b"), says("And here.")]);
    const pty = place.chat(["chat"], { cols: 120, rows: 40 }, env);
    const say = async (text: string, answer: string): Promise<void> => {
      await pty.waitFor(prompt);
      pty.type(text);
      await pty.waitFor(text);
      pty.key("enter");
      await pty.waitFor(answer);
    };
    await say("say it", "neither text nor a call");
    await pty.waitFor("agent resume");
    await say("once more", "Here.");
    await say("and more", "And here.");
    const shown = pty.scrollback().join("\n");
    expect(shown.match(/the model said nothing and called no tool/g)).toHaveLength(2);
    expect(shown).not.toContain(nothing);
    await pty.waitFor(prompt);
    pty.key("ctrl-d");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    expect(place.server.requests).toHaveLength(5);
  });
});

describe("kill -9 after a reply that was empty", () => {
  it("asks on once in all, and what was told stands there once", async () => {
    const place = await openPlace([says("", { usage: { input: 10, output: 1 } }), endless, says("")]);
    const running = place.spawn(["run", "say it", "--json"]);
    await running.shows('"code":"empty_reply"');
    await expect.poll(() => place.server.requests.length, { interval: 20 }).toBe(2);
    running.child.kill("SIGKILL");
    await running.done;
    const { session } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect(on).toMatchObject({ code: 1, end: { usage: { inputTokens: 21, outputTokens: 8 } } });
    expect(on.the("error")).toMatchObject({ code: "EMPTY_REPLY" });
    expect(on.of("notice").map(({ code }) => code)).not.toContain("empty_reply");
    expect(place.server.requests).toHaveLength(3);
    expect(told(place, 2)).toEqual(told(place, 1));
  });
});

describe("a store of an older agent with an empty reply", () => {
  it.each(["", "\n\n", "\u200b"])(
    "(%j) goes on: no empty message is sent, and none is left out of the turns",
    async (was) => {
      const place = await openPlace([says("Blank."), asks("ls", {}), says("Blank."), says("Three."), says("Four.")]);
      const { session } = await place.json(["run", "one"]);
      await place.json(["resume", session, "two"]);
      expect(asStoredOnce(place, "Blank.", was)).toBe(2);
      expect((await place.json(["resume", session, "three"])).end).toMatchObject({ reason: "done", text: "Three." });
      expect(told(place, -1).filter(([role]) => role !== "tool")).toEqual([
        ["user", "one"],
        ["assistant", nothing],
        ["user", "two"],
        ["assistant", ""],
        ["assistant", nothing],
        ["user", "three"],
      ]);
      expect((await place.json(["resume", session, "four"])).end.text).toBe("Four.");
      expect(told(place, -1).slice(0, 7)).toEqual(told(place, -2));
      expect((await place.run(["sessions", "verify"])).code).toBe(0);
      place.server.push(says("Five."));
      const { id } = JSON.parse((await place.run(["sessions", "fork", session, "--json"])).stdout) as { id: string };
      expect((await place.json(["resume", id, "five"])).end.text).toBe("Five.");
    },
  );
});
