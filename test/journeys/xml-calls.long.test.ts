import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

const xml = ["--tool-format", "xml"];

/** A place whose server knows no tools: it refuses every request that speaks of them. */
const open = (answers: Answer[], files: Record<string, string> = {}): Promise<Place> =>
  openPlace(answers, files, { toolFormat: "xml" });

const edit = (from: string, to: string) =>
  asks("edit_file", { file_path: "a.txt", old_string: from, new_string: to }, { text: "I change it.", chunks: 9 });

describe("a model that writes its call into a code fence", () => {
  const fenced = "I write it:\n```xml\n<tool_call><name>ls</name></tool_call>\n```";

  it("is told so and goes on, again after a call; what it shows right after that is text, and the end of the turn", async () => {
    const place = await open([says(fenced), asks("ls", {}), says(fenced), says(fenced), says("As I said.")]);
    const ran = await place.json(["run", "look", ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: fenced, calls: { success: 1 } } });
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["fenced_call", "fenced_call", "fenced_call"]);
    const told = place.server.requests[1]?.body.messages.at(-1)?.content;
    expect(told).toMatch(/^\(This is from the agent, not from the person\.\) A tool call was only shown, in code, /);
    expect(place.server.requests).toHaveLength(4);

    // The next turn's model is told of the last one with the person's words.
    await place.json(["resume", ran.session, "and?", ...xml]);
    expect(place.heard(-1, -1)).toMatch(/^<notice>A tool call in your last message.*\n\nand\?$/s);
    expect(place.heard(-1, 3)).toBe(told);
  });

  it("goes on where the process died while it was asked, and is not told twice", async () => {
    const place = await open([says(fenced), says("", { hangAfter: 1 }), says("Shown only.")]);
    const running = place.spawn(["run", "look", "--json", ...xml]);
    await expect.poll(() => place.server.requests.length).toBe(2);
    running.child.kill("SIGKILL");
    const { stdout } = await running.done;
    const { session } = JSON.parse(stdout.split("\n", 1)[0] ?? "") as { session: string };
    const ran = await place.json(["resume", session, ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Shown only." } });
    const said = place.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(said.filter((text) => text.includes("A tool call was only shown"))).toHaveLength(1);
  });
});

describe("a model that calls tools in XML", () => {
  it("reads, is asked about its edit, and what is applied is what was approved", async () => {
    const place = await open(
      [asks("read_file", { file_path: "a.txt" }), edit("a < b && c", "]]> <b>&amp;</b>"), says("Done.")],
      { "a.txt": "if a < b && c\r\n" },
    );
    const paused = await place.json(["run", "change it", ...xml]);
    expect(paused).toMatchObject({ code: 11, end: { reason: "awaiting_approval", calls: { success: 1 } } });
    expect(paused.of("assistant_message").map(({ text, calls }) => [text, calls])).toEqual([
      ["", ["c1"]],
      ["I change it.", ["c2"]],
    ]);
    const told = paused.of("text_delta").map(({ text }) => text);
    expect(told.join("")).toBe("I change it.");
    expect(paused.of("tool_progress").find(({ phase }) => phase === "arguments")).toMatchObject({
      callId: "c1",
      toolName: "read_file",
    });
    const [call] = paused.the("approval_requested").calls;
    expect(call).toMatchObject({
      callId: "c2",
      toolName: "edit_file",
      arguments: { file_path: "a.txt", old_string: "a < b && c", new_string: "]]> <b>&amp;</b>" },
      plan: { summary: "edit a.txt (+1 -1)" },
    });
    expect(place.heard(1, -1)).toMatch(
      /^<tool_result>\n {2}<name>read_file<\/name>\n {2}<call>c1<\/call>\n {2}<status>success<\/status>\n {2}<output><!\[CDATA\[ {5}1\tif a < b && c/,
    );

    const done = await place.json(["resume", paused.session, "--approve", `c2@${call?.digest}`, ...xml]);
    expect(done).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect(await place.read("a.txt")).toBe("if ]]> <b>&amp;</b>\r\n");
  });

  it("reads a denial with its reason, and what the person made of its arguments", async () => {
    const place = await open([edit("1", "2"), edit("1", "3"), says("Four it is.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it", ...xml]);
    expect((await place.json(["resume", session, "--deny", "c1", "--reason", "not two", ...xml])).code).toBe(11);
    expect(place.heard(-1, -1)).toContain("<output><![CDATA[Not run: denied by the person: not two]]></output>");
    const four = JSON.stringify({ file_path: "a.txt", old_string: "1", new_string: "4" });
    expect((await place.json(["resume", session, "--edit", `c2=${four}`, "--approve", "c2", ...xml])).code).toBe(10);
    expect(await place.read("a.txt")).toBe("4\n");
    expect(place.heard(-1, -1)).toMatch(
      /The arguments were changed by the person, or by a hook of theirs, before it ran: .*"new_string":"4"/,
    );
    expect(place.heard(-1, -2)).toContain("<new_string><![CDATA[3]]></new_string>");
  });

  it("is asked anew where the file changed meanwhile", async () => {
    const place = await open([edit("1", "2"), says("Done.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it", ...xml]);
    await place.write("a.txt", "mine\n1\n");
    expect((await place.json(["resume", session, "--approve", "all", ...xml])).code).toBe(11);
    expect(await place.read("a.txt")).toBe("mine\n1\n");
    expect((await place.json(["resume", session, "--approve", "all", ...xml])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("mine\n2\n");
  });

  it("mends a call that cannot be read: the error says what is wrong and nothing ran", async () => {
    const place = await open(
      [asks("write_file", "<file_path>b.txt</file_path><content>1</content><content>2</content>"), says("Oh.")],
      {},
    );
    const ran = await place.json(["run", "write", "--mode", "accept-edits", ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1, success: 0 } } });
    expect(place.heard(-1, -1)).toContain(
      "<status>error</status>\n  <output><![CDATA[Error INVALID_ARGUMENT: write_file: <content> stands in one call twice]]>",
    );
    expect(place.has("b.txt")).toBe(false);
  });

  it("has nothing run of a message whose last call was cut off, not even the calls before it", async () => {
    const whole =
      "<tool_call><name>write_file</name><params><file_path>b.txt</file_path><content>b</content></params></tool_call>";
    const place = await open([says(`${whole}<tool_call><name>write_file</name><params><file_path>c`), says("Again.")]);
    const ran = await place.json(["run", "write", "--mode", "accept-edits", ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "Again." } });
    expect(place.heard(1, -1)).toContain(
      "the call of write_file ends before its </tool_call>. None of its calls was run.",
    );
    expect([place.has("b.txt"), ran.of("tool_call")]).toEqual([false, []]);
  });

  it("that is cut off in its first call goes on once, and what it took is counted", async () => {
    const usage = { input: 1000, output: 50 };
    const place = await open([says("<tool_call>\n<name>wri", { usage }), says("Again.", { usage })]);
    const price = { models: { "openai:*": { price: { input: 10, output: 100 } } } };
    await mkdir(place.home, { recursive: true, mode: 0o700 });
    await writeFile(`${place.home}/config.json`, JSON.stringify(price), { mode: 0o600 });
    const ran = await place.json(["run", "write", "--max-cost", "1", ...xml]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "Again." } });
    expect(ran.end.usage).toMatchObject({ inputTokens: 2000, outputTokens: 100, cost: expect.closeTo(0.03, 9) });
  });

  it("goes on at the dialog after kill -9, with the same question, and writes once", async () => {
    const place = await open([edit("1", "2"), says("Here again.")], { "a.txt": "1\n" });
    const shown = async (argv: string[]) => {
      const pty = place.chat(argv, { cols: 100, rows: 30 });
      await pty.waitFor((one) => one.screen().join("\n").includes("❯ n"));
      await readQuestion();
      return pty;
    };
    const first = await shown(["chat", "change it", ...xml]);
    first.kill("SIGKILL");
    await first.exit;
    expect(await place.read("a.txt")).toBe("1\n");
    const second = await shown(["resume", ...xml]);
    second.type("y");
    await second.waitFor("Here again.");
    expect(await place.read("a.txt")).toBe("2\n");
    expect(place.server.requests).toHaveLength(2);
  });

  it("may go on with a session that began in the other way, and back", async () => {
    const place = await openPlace([asks("ls", {}), says("One."), says("Two."), says("Three.")], { "a.txt": "" });
    const { session } = await place.json(["run", "look"]);
    expect((await place.json(["resume", session, "and?", ...xml])).end.text).toBe("Two.");
    expect(place.server.requests.at(-1)?.body.tools).toBeUndefined();
    expect(place.heard(-1, 2)).toContain("<name>ls</name>");
    expect((await place.json(["resume", session, "so?"])).end.text).toBe("Three.");
    expect(place.server.requests.at(-1)?.body.messages[2]?.tool_calls).toHaveLength(1);
  });
});
