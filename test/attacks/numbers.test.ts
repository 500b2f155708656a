import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const inexact = "the number 9007199254740993 would become 9007199254740992; send it as a string";

describe("a number in a call's arguments that would be another one when it is read", () => {
  it("is refused as INVALID_ARGUMENT and named, and the call does not run; one that is kept is taken", async () => {
    const place = await openPlace(
      [
        asks("read_file", '{"file_path":"a.txt","offset":9007199254740993}'),
        asks("read_file", '{"file_path":"a.txt","offset":1.0000000000000000001}'),
        asks("read_file", '{"file_path":"a.txt","offset":1e0,"limit":2}'),
        says("Read."),
      ],
      { "a.txt": "one\n" },
    );
    const ran = await place.json(["run", "read it"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1, error: 2 } } });
    const ends = ran.of("tool_call").flatMap(({ call }) => (call.status === "error" ? [call] : []));
    expect(ends).toMatchObject([
      { errorCode: "INVALID_ARGUMENT", errorMsg: expect.stringContaining(inexact) },
      { errorCode: "INVALID_ARGUMENT", errorMsg: expect.stringContaining("would become 1; send it as a string") },
    ]);
    expect(place.heard(1, -1)).toContain(inexact);
  });

  it("is refused of a script's model, and where it stands for the person's words", async () => {
    const place = await openPlace([], { "a.txt": "one\n" });
    const script = (name: string, ...lines: string[]): string => {
      const file = join(place.home, name);
      writeFileSync(file, `${['{"v":1,"kind":"holdfast-script"}', ...lines].join("\n")}\n`);
      return file;
    };
    const called = '{"calls":[{"name":"read_file","arguments":{"file_path":"a.txt","offset":9007199254740993}}]}';
    const ran = await place.json(["run", "go", "-m", `script:${script("calls.ndjson", called, '{"text":"So."}')}`]);
    expect(ran).toMatchObject({ code: 0, end: { text: "So.", calls: { success: 0, error: 1 } } });
    expect(ran.stdout).toContain(inexact);
    const person = '{"person":[{"match":{"toolName":"ls"},"decision":"edit","arguments":{"path":9007199254740993}}]}';
    const bad = await place.run(["run", "go", "-m", `script:${script("person.ndjson", person, '{"text":"So."}')}`]);
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining(inexact)]);
  });

  it("is refused of --edit with 2, and of policy check in its line", async () => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "x" })]);
    const paused = await place.json(["run", "write"]);
    const args = '{"file_path":"a.txt","content":"x","more":9007199254740993}';
    const edited = await place.run(["resume", paused.session, "--edit", `c1=${args}`]);
    expect([edited.code, edited.stderr]).toEqual([2, expect.stringContaining(`--edit c1: not exact: ${inexact}`)]);
    const checked = await place.run(["policy", "check", "write_file", args]);
    expect([checked.code, checked.stderr]).toEqual([2, expect.stringContaining(inexact)]);
    const lines = await place.run(["policy", "check", "--stdin"], { stdin: `{"tool":"write_file","args":${args}}\n` });
    expect(JSON.parse(lines.stdout)).toEqual({ error: `INVALID_ARGUMENT: the arguments are not exact: ${inexact}` });
  });

  it("is text where it is asked for as text, with all its digits", async () => {
    const place = await openPlace([
      asks("write_file", '{"file_path":"a.txt","content":"9007199254740993"}'),
      says("So."),
    ]);
    const ran = await place.json(["run", "write", "--mode", "full-auto"]);
    expect([ran.code, await place.read("a.txt")]).toEqual([0, "9007199254740993"]);
  });
});
