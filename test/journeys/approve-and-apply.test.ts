import { chmod, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { sha256 } from "../../src/core/json.ts";
import { openPlace } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";

const edit = (from: string, to: string, file = "a.txt") =>
  asks("edit_file", { file_path: file, old_string: from, new_string: to });

const editCall = (from: string, to: string, file = "a.txt") => ({
  name: "edit_file",
  arguments: { file_path: file, old_string: from, new_string: to },
});

const calls = (name: string, ...all: JsonObject[]): Reply => ({
  calls: all.map((args) => ({ name, arguments: args })),
});

describe("a run without a person", () => {
  it("reads, stops at the edit, and applies exactly what was approved", async () => {
    const place = await openPlace(
      [asks("read_file", { file_path: "a.txt" }), edit("two", "deux"), says("It is French now.")],
      { "a.txt": "one\r\ntwo\r\nthree" },
    );
    await chmod(place.path("a.txt"), 0o640);

    const paused = await place.json(["run", "make two French"]);
    expect(paused.code).toBe(11);
    expect(await place.read("a.txt")).toBe("one\r\ntwo\r\nthree");
    const [call] = paused.the("approval_requested").calls;
    expect(call).toMatchObject({
      callId: "c2",
      toolName: "edit_file",
      risk: "medium",
      arguments: { file_path: "a.txt", old_string: "two", new_string: "deux" },
      verdict: { decision: "ask", rule: { source: "table" } },
      plan: {
        summary: "edit a.txt (+1 -1)",
        files: [
          {
            asked: "a.txt",
            real: place.path("a.txt"),
            kind: "modify",
            before: sha256("one\r\ntwo\r\nthree"),
            after: sha256("one\r\ndeux\r\nthree"),
            mode: 0o640,
            eol: "crlf",
          },
        ],
      },
    });
    expect(call?.plan.diff).toContain("-two");
    expect(call?.plan.diff).toContain("+deux");
    expect(paused.end).toMatchObject({
      reason: "awaiting_approval",
      exitCode: 11,
      calls: { success: 1, error: 0, cancelled: 0, interrupted: 0 },
      resume: `agent resume ${paused.session}`,
    });

    const done = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(done.code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\r\ndeux\r\nthree");
    expect((await stat(place.path("a.txt"))).mode & 0o777).toBe(0o640);
    expect(done.the("session_restored")).toMatchObject({ waiting: ["c2"], contextUsed: 18 });
    expect(done.the("approval_requested").calls[0]?.digest).toBe(call?.digest);
    expect(done.the("decision")).toMatchObject({
      callId: "c2",
      decision: "approve",
      by: "person",
      digest: call?.digest,
    });
    expect(done.of("tool_call").map((event) => event.call.status)).toEqual(["pending", "executing", "success"]);
    expect(done.of("tool_call").at(-1)?.call).toMatchObject({
      callId: "c2",
      toolName: "edit_file",
      effect: "file",
      attempt: 1,
      by: { actor: "person" },
      digest: call?.digest,
    });
    expect(done.end).toMatchObject({ reason: "done", exitCode: 0, text: "It is French now.", calls: { success: 2 } });
    expect(done.end).not.toHaveProperty("resume");
    expect(place.server.requests).toHaveLength(3);
  });

  it("tells of itself before the model is called, and of each call from first to last", async () => {
    let seenBefore = "";
    const run = { stdout: () => "" };
    const place = await openPlace(
      [
        () => {
          seenBefore = run.stdout();
          return asks("ls", {}, { text: "Let me look." });
        },
        says("Nothing here."),
      ],
      { "a.txt": "1" },
    );
    const running = place.spawn(["run", "look around", "--json"]);
    run.stdout = running.stdout;
    const ran = await running.done;
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(seenBefore.split("\n")[0] ?? "")).toMatchObject({
      v: 1,
      seq: 1,
      type: "session_started",
      model: "openai:test-model",
      workspace: place.workspace,
      mode: "ask",
    });
    expect(seenBefore).toContain('"type":"user_message"');
    const events = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; call?: object });
    expect(
      events.map((event) => event.type).filter((type) => type !== "text_delta" && type !== "tool_progress"),
    ).toEqual([
      "session_started",
      "user_message",
      "assistant_message",
      "tool_call",
      "usage",
      "decision",
      "tool_call",
      "tool_call",
      "assistant_message",
      "usage",
      "turn_ended",
    ]);
    const calls = events.flatMap((event) => (event.call === undefined ? [] : [event.call]));
    expect(calls[0]).toMatchObject({ callId: "c1", status: "pending", toolName: "ls", arguments: {}, times: {} });
    expect(calls[1]).toMatchObject({ callId: "c1", status: "executing", attempt: 1 });
    expect(calls[1]).not.toHaveProperty("arguments");
    expect(calls[2]).toMatchObject({
      status: "success",
      toolName: "ls",
      result: { output: expect.stringContaining("a.txt") },
    });
  });

  it("prints the answer alone on stdout without --json, and how to go on where it waits", async () => {
    const place = await openPlace([says("Hello \u001b[31mthere.")]);
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    place.server.push(asks("write_file", { file_path: "b.txt", content: "b\n" }));
    const paused = await place.run(["run", "write b"]);
    expect(paused).toMatchObject({ code: 11, stdout: "" });
    expect(paused.stderr).toContain("+b");
    expect(paused.stderr).toMatch(/agent resume [\w-]+ --approve all/);
    expect(place.has("b.txt")).toBe(false);
  });
});

describe("a denial", () => {
  it("reaches the model with its reason, and the run ends with 10", async () => {
    const place = await openPlace([edit("1", "2"), says("As you like.")], { "a.txt": "1\n" });
    const paused = await place.json(["run", "change it"]);
    const done = await place.json(["resume", paused.session, "--deny", "c1", "--reason", "use a constant"]);
    expect(done.code).toBe(10);
    expect(await place.read("a.txt")).toBe("1\n");
    expect(place.heard(-1, -1)).toBe("Not run: denied by the person: use a constant");
    expect(done.end).toMatchObject({ reason: "done", exitCode: 10, text: "As you like.", calls: { cancelled: 1 } });
    expect(done.of("tool_call").at(-1)?.call).toMatchObject({
      status: "cancelled",
      by: { actor: "person" },
      ended: { why: "denied" },
      reason: "use a constant",
    });
  });

  it("of one call of two lets the other go on", async () => {
    const place = await openPlace(
      [
        asks("write_file", { file_path: "b.txt", content: "b\n" }, { calls: [editCall("1", "2")] }),
        says("One of two."),
      ],
      { "a.txt": "1\n" },
    );
    const paused = await place.json(["run", "both"]);
    expect(paused.the("approval_requested").calls.map((call) => call.callId)).toEqual(["c1", "c2"]);
    const half = await place.json(["resume", paused.session, "--approve", "c2"]);
    expect(half.code).toBe(11);
    expect(await place.read("a.txt")).toBe("1\n");
    const done = await place.json(["resume", paused.session, "--deny", "c1", "--reason", "no b"]);
    expect(done.code).toBe(10);
    expect([place.has("b.txt"), await place.read("a.txt")]).toEqual([false, "2\n"]);
    expect(place.heard(-1, -2)).toBe("Not run: denied by the person: no b");
    expect(done.end.calls).toEqual({ success: 1, error: 0, cancelled: 1, interrupted: 0 });
  });

  it("of an earlier call makes the later call on the same file a new question", async () => {
    const place = await openPlace(
      [asks("edit_file", editCall("1", "2").arguments, { calls: [editCall("x", "y")] }), says("Only y.")],
      { "a.txt": "1 x\n" },
    );
    const paused = await place.json(["run", "both in one file"]);
    const asked = paused.the("approval_requested").calls;
    expect(asked[1]?.plan.diff).toContain("-2 x");

    const again = await place.json(["resume", paused.session, "--deny", "c1", "--approve", "c2"]);
    expect(again.code).toBe(11);
    expect(await place.read("a.txt")).toBe("1 x\n");
    const [call] = again.of("approval_requested").at(-1)?.calls ?? [];
    expect(call).toMatchObject({ callId: "c2", changed: { from: asked[1]?.digest, to: call?.digest } });
    expect(call?.digest).not.toBe(asked[1]?.digest);
    expect(call?.plan.diff).toContain("-1 x");
    expect(call?.plan.diff).toContain("+1 y");

    expect((await place.json(["resume", paused.session, "--approve", "c2"])).code).toBe(10);
    expect(await place.read("a.txt")).toBe("1 y\n");
  });

  it("of an earlier call settles a later one that cannot be done without it, and the model is told", async () => {
    const place = await openPlace(
      [asks("edit_file", editCall("1", "2").arguments, { calls: [editCall("2", "3")] }), says("Neither.")],
      { "a.txt": "1\n" },
    );
    const paused = await place.json(["run", "twice"]);
    const done = await place.json(["resume", paused.session, "--deny", "c1"]);
    expect(done.code).toBe(10);
    expect(await place.read("a.txt")).toBe("1\n");
    expect(place.heard(-1, -1)).toMatch(/^Not run: it can no longer be done: /);
  });
});

describe("edited arguments", () => {
  it("alone are a new question, and with an approval are what runs", async () => {
    const place = await openPlace([edit("1", "2"), says("Three it is.")], { "a.txt": "1\n" });
    const paused = await place.json(["run", "change it"]);
    const first = paused.the("approval_requested").calls[0]?.digest;
    const three = JSON.stringify(editCall("1", "3").arguments);

    const edited = await place.json(["resume", paused.session, "--edit", `c1=${three}`]);
    expect(edited.code).toBe(11);
    expect(await place.read("a.txt")).toBe("1\n");
    const [call] = edited.of("approval_requested").at(-1)?.calls ?? [];
    expect(call).toMatchObject({ changed: { from: first, to: call?.digest }, arguments: { new_string: "3" } });

    const four = JSON.stringify(editCall("1", "4").arguments);
    const done = await place.json(["resume", paused.session, "--edit", `c1=${four}`, "--approve", "c1"]);
    expect(done.code).toBe(0);
    expect(await place.read("a.txt")).toBe("4\n");
    expect(place.heard(-1, -1)).toMatch(
      /^\(The arguments were changed by the person, or by a hook of theirs, before it ran: .*"new_string":"4"/,
    );
    const said = place.server.requests.at(-1)?.body.messages.at(-2)?.tool_calls?.[0]?.function.arguments ?? "";
    expect(JSON.parse(said)).toMatchObject({ new_string: "2" });
  });

  it("that are wrong change nothing and say so", async () => {
    const place = await openPlace([edit("1", "2")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const wrong = await place.json([
      "resume",
      session,
      "--edit",
      'c1={"file_path":"a.txt","old_string":"no such","new_string":"x"}',
    ]);
    expect(wrong.code).toBe(11);
    expect(wrong.stderr).toContain("old_string");
    for (const bad of ["c1", "c1={", "c1=[]", "=5"]) {
      expect(await place.run(["resume", session, "--edit", bad])).toMatchObject({ code: 2 });
    }
    expect(await place.read("a.txt")).toBe("1\n");
  });
});

describe("an approval", () => {
  it("of another digest than the one asked about runs nothing", async () => {
    const place = await openPlace([edit("1", "2"), says("Done.")], { "a.txt": "1\n" });
    const paused = await place.json(["run", "change it"]);
    const digest = paused.the("approval_requested").calls[0]?.digest ?? "";
    const stale = await place.json(["resume", paused.session, "--approve", `c1@${"0".repeat(64)}`]);
    expect(stale.code).toBe(11);
    expect(stale.stderr).toContain("c1 was not approved: its digest is");
    expect(await place.read("a.txt")).toBe("1\n");
    expect((await place.json(["resume", paused.session, "--approve", `c1@${digest.slice(0, 12)}`])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("2\n");
  });

  it("does not overwrite a file that changed meanwhile; the second one is for the new bytes", async () => {
    const place = await openPlace([edit("1", "2"), says("Done.")], { "a.txt": "1\n" });
    const paused = await place.json(["run", "change it"]);
    await place.write("a.txt", "mine\n1\n");

    const changed = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(changed.code).toBe(11);
    expect(await place.read("a.txt")).toBe("mine\n1\n");
    const [call] = changed.of("approval_requested").at(-1)?.calls ?? [];
    expect(call?.changed).toMatchObject({
      from: paused.the("approval_requested").calls[0]?.digest,
      to: call?.digest,
      before: { diff: expect.stringContaining("-1") },
    });
    expect(call?.plan.diff).toContain(" mine");

    expect((await place.json(["resume", paused.session, "--approve", "all"])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("mine\n2\n");
  });

  it("of a call that is not waiting is refused before anything else is decided", async () => {
    const place = await openPlace([edit("1", "2"), says("Done.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const wrong = await place.json(["resume", session, "--approve", "all", "--deny", "c9"]);
    expect(wrong).toMatchObject({ code: 2, end: { reason: "awaiting_approval", exitCode: 2 } });
    expect(wrong.the("error").message).toContain("c9");
    expect(wrong.stderr).toContain("c9");
    expect(await place.read("a.txt")).toBe("1\n");
    expect((await place.run(["resume", session, "--approve", "all"])).code).toBe(0);
    const late = await place.run(["resume", session, "--approve", "c1"]);
    expect(late.code).toBe(2);
    expect(late.stderr).toContain("--approve c1: no call with this id waits for that (waiting: none)");
    expect(await place.read("a.txt")).toBe("2\n");
  });

  it("does not hold for a call whose edit was refused in the same command", async () => {
    const place = await openPlace([edit("1", "2"), says("Done.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const mistyped = ["--edit", 'c1={"file_path":"a.txt","contents":"x"}', "--approve", "all"];
    const ran = await place.json(["resume", session, ...mistyped]);
    expect(ran).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(ran.stderr).toContain("contents");
    expect(await place.read("a.txt")).toBe("1\n");
  });

  it("of all leaves out what another flag names", async () => {
    const two = calls("write_file", { file_path: "b.txt", content: "b" }, { file_path: "c.txt", content: "c" });
    const place = await openPlace([two, says("Done.")]);
    const { session } = await place.json(["run", "write"]);
    const ran = await place.json(["resume", session, "--approve", "all", "--deny", "c2"]);
    expect(ran.code).toBe(10);
    expect([await place.has("b.txt"), await place.has("c.txt")]).toEqual([true, false]);
  });

  it.each([
    ["--approve", "c1", "--deny", "c1"],
    ["--deny", "all", "--approve", "all"],
  ])("beside a denial of the same (%s %s %s %s) is a usage error, and nothing is decided", async (...flags) => {
    const place = await openPlace([edit("1", "2"), says("Never asked.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const ran = await place.run(["resume", session, ...flags]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("contradict each other: nothing was decided");
    expect(await place.read("a.txt")).toBe("1\n");
    expect((await place.json(["resume", session])).the("session_restored").waiting).toEqual(["c1"]);
  });

  it("may name its call with the session, and no call of another one", async () => {
    const two = calls("write_file", { file_path: "b.txt", content: "b" }, { file_path: "c.txt", content: "c" });
    const place = await openPlace([two, says("Done.")]);
    const { session, the } = await place.json(["run", "write"]);
    const [first] = the("approval_requested").calls;
    for (const flags of [
      ["--approve", "brisk-otter-0000:c1"],
      ["--deny", `${session}@c1:c1`],
      ["--approve", "c1", "--deny", `${session}:c1`],
      ["--approve", `${session}:`],
      ["--deny", "c1@9f3c11223344"],
    ]) {
      const ran = await place.run(["resume", session, ...flags]);
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
    }
    expect(await place.has("b.txt")).toBe(false);
    const named = ["--approve", `${session}:c1@${first?.digest.slice(0, 12)}`, "--deny", `${session}:c2`];
    expect((await place.json(["resume", session, ...named])).code).toBe(10);
    expect([await place.has("b.txt"), await place.has("c.txt")]).toEqual([true, false]);
  });

  it("that is stale keeps the question, and the prompt that came with it is not sent", async () => {
    const place = await openPlace([edit("1", "2"), says("Never asked.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    await place.write("a.txt", "1\nmine\n");
    const ran = await place.json(["resume", session, "then say hi", "--approve", "c1"]);
    expect(ran).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(ran.stderr).toContain("the message was not sent");
    expect(await place.read("a.txt")).toBe("1\nmine\n");
    expect(place.server.requests).toHaveLength(1);
  });

  it("is taken before the prompt that comes with it", async () => {
    const place = await openPlace([edit("1", "2"), says("Done."), says("And more.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const both = await place.json(["resume", session, "--approve", "all", "go on"]);
    expect(both.code).toBe(0);
    expect(await place.read("a.txt")).toBe("2\n");
    expect(both.of("turn_ended").map((end) => end.text)).toEqual(["Done.", "And more."]);
    expect(place.heard(-1, -1)).toBe("go on");
  });

  it("that is still missing is given up by a new prompt, and the model is told", async () => {
    const place = await openPlace([edit("1", "2"), says("Other things, then.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "change it"]);
    const other = await place.json(["resume", session, "do something else"]);
    expect(other.code).toBe(0);
    expect(await place.read("a.txt")).toBe("1\n");
    expect(other.of("notice").map((notice) => notice.code)).toContain("superseded");
    expect(place.heard(-1, -2)).toBe("Not run: the person sent a new message instead of an answer");
    expect(place.heard(-1, -1)).toBe("do something else");
  });
});
