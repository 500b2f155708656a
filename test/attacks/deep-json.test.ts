import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const lists = (levels: number): string => `{"path":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const said = "nested deeper than 200 levels";

const header = '{"v":1,"kind":"holdfast-script"}\n';

describe("JSON from outside that is nested too deeply is bad input, wherever it comes from", () => {
  const line = (args: string): string => `{"text":"","calls":[{"name":"ls","arguments":${args}}]}`;

  test.each<[string, string]>([
    ["arguments of lists", line(lists(5_000))],
    ["arguments of objects", line(objects(5_000))],
    ["arguments that are one level too deep", line(lists(201))],
    ["half a million levels", line(lists(500_000))],
    ["levels that do not end", line(lists(5_000)).slice(0, -4_000)],
    ["an edit by the scripted person", `{"person":[{"decision":"edit","arguments":${objects(5_000)}}]}`],
    ["the body of an error", `{"error":{"status":400,"body":${lists(5_000)}}}`],
    ["a field that there is not", `{"prompt":"x","more":${lists(5_000)}}`],
  ])("a script: %s", async (_, content) => {
    const place = await openPlace([], { "deep.jsonl": `${header}${content}\n` });
    const ran = await place.run(["run", "look", "--model", "script:deep.jsonl"]);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain("deep.jsonl:2");
    expect(ran.code).toBe(1);
  });

  test("a script whose arguments have 200 levels is played, and so is one that has brackets in its texts", async () => {
    const brackets = JSON.stringify({ text: `${"[{".repeat(500)} \\" "${"[".repeat(500)}` });
    const place = await openPlace([], { "s.jsonl": `${header}${line(lists(200))}\n${brackets}\n` });
    const ran = await place.json(["run", "look", "--model", "script:s.jsonl"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", calls: { error: 1 } } });
    expect(ran.stdout).not.toContain("nested");
  });

  test.each([lists(5_000), objects(201), lists(500_000).slice(0, 100_000)])("--edit and policy check", async (args) => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "a\n" }), says("Done.")]);
    const { session } = await place.json(["run", "write", "--mode", "ask"]);
    const edited = await place.run(["resume", session, "--edit", `c1=${args}`]);
    expect(edited).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    const checked = await place.run(["policy", "check", "ls", args]);
    expect(checked).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    const stdin = `{"tool":"ls","args":${args}}\n{"tool":"ls","args":{}}\n`;
    const lines = (await place.run(["policy", "check", "--stdin"], { stdin })).stdout.trim().split("\n");
    expect(lines.map((one) => JSON.parse(one) as unknown)).toMatchObject([
      { error: expect.stringContaining(said) },
      { decision: "allow" },
    ]);
    // The call still waits, and is what it was.
    const approved = await place.json(["resume", session, "--approve", "all"]);
    expect([approved.code, await place.read("a.txt")]).toEqual([0, "a\n"]);
  });

  test.each(["config.json", "policy.json"])("%s", async (name) => {
    const place = await openPlace([says("Done.")], { [`.holdfast/${name}`]: `{"x":${lists(5_000)}}` });
    const ran = await place.run(["run", "look"]);
    expect(ran.stderr).not.toMatch(/internal|RangeError|\n {4}at /i);
    expect(ran.code).not.toBe(70);
  });
});

describe("a script that is no file to read ends the command, by its name, before anything is stored", () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ["a named pipe", (path) => void execFileSync("mkfifo", [path]), /named pipe/],
    [
      "a link to a named pipe",
      (path) => {
        execFileSync("mkfifo", [`${path}.f`]);
        symlinkSync(`${path}.f`, path);
      },
      /pipe/,
    ],
    ["a device", (path) => symlinkSync("/dev/zero", path), /a device/],
    ["a folder", (path) => void mkdirSync(path), /is a folder/],
    ["nothing", () => undefined, /ENOENT|no such file/],
    ["a link that leads round", (path) => symlinkSync(path, path), /ELOOP|too many/],
    [
      "60 MB",
      (path) => {
        execFileSync("touch", [path]);
        truncateSync(path, 60_000_000);
      },
      /60\.0 MB; the limit for this is 16\.0 MB/,
    ],
  ])("%s", async (_, make, why) => {
    const place = await openPlace();
    make(place.path("odd.jsonl"));
    const ran = await place.run(["run", "look", "--model", "script:odd.jsonl"]);
    expect(ran.stderr).toMatch(why);
    expect(ran.stderr).toContain("odd.jsonl");
    expect(ran.code).toBe(1);
    expect((await place.run(["sessions", "--all", "--json"])).stdout).toBe("");
  });

  test("a link to a script is played", async () => {
    const place = await openPlace([], { "real.jsonl": `${header}{"text":"Played."}\n` });
    symlinkSync(place.path("real.jsonl"), place.path("link.jsonl"));
    expect(await place.run(["run", "x", "--model", "script:link.jsonl"])).toMatchObject({
      code: 0,
      stdout: "Played.\n",
    });
  });
});
