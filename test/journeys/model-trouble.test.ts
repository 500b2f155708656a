import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

describe("the model server", () => {
  it("refuses the key: 41, and what to set", async () => {
    const place = await openPlace([
      { status: 401, body: { error: { message: "Incorrect API key provided" } } },
      says("Hello."),
    ]);
    const refused = await place.json(["run", "hi"]);
    expect(refused.code).toBe(41);
    expect(refused.the("error")).toMatchObject({
      code: "CREDENTIALS",
      hint: expect.stringContaining("OPENAI_API_KEY"),
    });
    expect(refused.end).toMatchObject({ reason: "failed", exitCode: 41, resume: `agent resume ${refused.session}` });
    expect(refused.stdout).not.toContain("sk-test-of-holdfast");

    const again = await place.json(["resume", refused.session]);
    expect(again).toMatchObject({ code: 0, end: { reason: "done", text: "Hello." } });
    expect(place.server.requests.at(-1)?.body.messages.map((message) => message.role)).toEqual(["system", "user"]);
  });

  it("has no key to refuse: 41 before anything is sent", async () => {
    const place = await openPlace();
    const none = await place.run(["run", "hi"], { env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined } });
    expect(none).toMatchObject({ code: 41, stdout: "" });
    expect(none.stderr).toContain("OPENAI_API_KEY");
    expect(none.stderr).toContain("demo");
    const told = await place.json(["run", "hi"], { env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: undefined } });
    expect(told.events.map((event) => event.type)).toEqual(["error", "turn_ended"]);
    expect(told).toMatchObject({ code: 41, end: { reason: "failed", exitCode: 41 } });
    expect(place.server.requests).toEqual([]);
    expect((await place.run(["sessions", "--all"])).stdout).toBe("no sessions\n");
  });

  it("is busy once: the retry is said, and the run succeeds", async () => {
    const place = await openPlace([{ status: 429, headers: { "retry-after": "0" } }, says("Now.")]);
    const ran = await place.json(["run", "hi"]);
    expect(ran.code).toBe(0);
    expect(ran.the("notice")).toMatchObject({ code: "retry", text: expect.stringContaining("429") });
    expect(place.server.requests).toHaveLength(2);
  });

  it("cuts its stream off: nothing of it is carried out, and the session goes on", async () => {
    const write = asks("write_file", { file_path: "b.txt", content: "b\n" }, { text: "I write.", chunks: 4 });
    const place = await openPlace([{ ...write, cutAfter: 6 }, { ...write, cutAfter: 6 }, write, says("Done.")]);
    const cut = await place.json(["run", "write b", "--mode", "full-auto"]);
    expect(cut.code).toBe(1);
    expect(cut.the("error")).toMatchObject({ code: "REPLY_CUT" });
    expect(cut.of("tool_call")).toEqual([]);
    expect(place.has("b.txt")).toBe(false);

    const on = await place.json(["resume", cut.session, "--mode", "full-auto"]);
    expect(on.code).toBe(0);
    expect(await place.read("b.txt")).toBe("b\n");
  });

  it("says that the context is full: said so, exit 1", async () => {
    const body = {
      error: { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" },
    };
    const place = await openPlace([{ status: 400, body }]);
    const full = await place.json(["run", "hi"]);
    expect(full).toMatchObject({ code: 1, end: { reason: "context_full", exitCode: 1 } });
    expect(full.the("error")).toMatchObject({ code: "CONTEXT_FULL", hint: expect.any(String) });
  });

  it("does not know the model: named, exit 1", async () => {
    const place = await openPlace([{ status: 404, body: { error: { message: "no such model" } } }]);
    const none = await place.run(["run", "hi", "-m", "openai:nothing-like-it"]);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("nothing-like-it");
  });
});

describe("a call of the model", () => {
  it.each([
    ["with arguments that are no JSON", asks("read_file", '{"file_path": "a.txt"'), "INVALID_ARGUMENT"],
    ["with arguments that are no object", asks("read_file", '["a.txt"]'), "INVALID_ARGUMENT"],
    ["with an argument nobody knows", asks("read_file", { file_path: "a.txt", colour: "red" }), "INVALID_ARGUMENT"],
    ["without an argument it needs", asks("read_file", {}), "INVALID_ARGUMENT"],
    ["of a tool that is not there", asks("launch_rocket", { command: "ls" }), "UNKNOWN_TOOL"],
    ["of a tool that has no possible name", asks("read file; rm -rf /", {}), "UNKNOWN_TOOL"],
  ])("%s is one error it can mend, and it goes on", async (_, reply, code) => {
    const place = await openPlace([reply, says("I see.")], { "a.txt": "1\n" });
    const ran = await place.json(["run", "read it"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "I see.", calls: { error: 1, success: 0 } } });
    const [call, ...more] = ran.of("tool_call").map((event) => event.call);
    expect(call).toMatchObject({ callId: "c1", status: "error", errorCode: code, attempt: 1 });
    expect(more).toEqual([]);
    expect(place.heard(-1, -1)).toMatch(new RegExp(`^Error ${code}: `));
  });

  it("with a wrong name is told the right one", async () => {
    const place = await openPlace([asks("read_fil", { file_path: "a.txt" }), says("I see.")]);
    await place.json(["run", "read it"]);
    expect(place.heard(-1, -1)).toContain("did you mean read_file?");
  });

  it("beside a broken one runs all the same", async () => {
    const place = await openPlace(
      [
        asks(
          "ls",
          {},
          {
            calls: [
              { name: "ls", arguments: "{" },
              { name: "read_file", arguments: { file_path: "a.txt" } },
            ],
          },
        ),
        says("I see."),
      ],
      { "a.txt": "alpha\n" },
    );
    const ran = await place.json(["run", "look"]);
    expect(ran.end.calls).toEqual({ success: 2, error: 1, cancelled: 0, interrupted: 0 });
    expect(place.heard(-1, -1)).toContain("alpha");
    expect(place.heard(-1, -2)).toContain("INVALID_ARGUMENT");
    expect(place.heard(-1, -3)).toContain("a.txt");
  });

  it("that fails in the same way again and again ends the turn as stuck", async () => {
    const same = asks("read_file", { file_path: "none.txt" });
    const place = await openPlace([same, same, same, says("never asked")]);
    const stuck = await place.json(["run", "read it"]);
    expect(stuck).toMatchObject({ code: 53, end: { reason: "stuck", exitCode: 53 } });
    expect(stuck.the("error")).toMatchObject({
      code: "STUCK",
      message: "the same call failed 3 times in a row, so the turn was ended",
    });
    expect(place.server.requests).toHaveLength(3);
    expect((await place.json(["resume", stuck.session, "try another way"])).end.text).toBe("never asked");
  });
});

describe("the step limit", () => {
  it("ends the run with 53, and resuming goes on with a fresh budget", async () => {
    const look = asks("ls", {});
    const place = await openPlace([look, look, look, look, says("Looked enough.")]);
    const first = await place.json(["run", "look", "--max-steps", "2"]);
    expect(first).toMatchObject({ code: 53, end: { reason: "max_steps", exitCode: 53, resume: expect.any(String) } });
    expect(place.server.requests).toHaveLength(2);
    expect(await place.json(["resume", first.session, "--max-steps", "2"])).toMatchObject({ code: 53 });
    expect(place.server.requests).toHaveLength(4);
    const last = await place.json(["resume", first.session, "--max-steps", "2"]);
    expect(last).toMatchObject({ code: 0, end: { text: "Looked enough.", calls: { success: 4 } } });
    expect((await place.json(["resume", first.session])).code).toBe(0);
    expect(place.server.requests).toHaveLength(5);
  });

  it("is reached by no turn that ends with it", async () => {
    const place = await openPlace([asks("ls", {}), says("Enough.")]);
    expect(await place.json(["run", "look", "--max-steps", "2"])).toMatchObject({ code: 0, end: { text: "Enough." } });
  });

  it("may be taken down by a project that is trusted, and by nothing that is no number", async () => {
    const place = await openPlace([asks("ls", {})], { ".holdfast/config.json": '{"maxSteps": 1}' });
    await place.run(["trust", "--yes"]);
    expect((await place.json(["run", "look"])).code).toBe(53);
    for (const bad of ["0", "-1", "1e9", "x", ""])
      expect(await place.run(["run", "look", "--max-steps", bad])).toMatchObject({ code: 2 });
  });
});
