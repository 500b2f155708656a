import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools, toolFile } from "../support/tool-files.ts";

const edit = (from: string, to: string) => ({ file_path: "a.txt", old_string: from, new_string: to });
const write = (file: string, content: string) => ({ file_path: file, content });

type Place = Awaited<ReturnType<typeof openPlace>>;
const parsed = <T>(ndjson: string): T[] =>
  ndjson
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

/** What each call of a session was and came to, and the words around them, without times and places. */
async function storyOf(place: Place, id: string): Promise<unknown[]> {
  type Entry = { role: string; text?: string; call?: ToolCallInfo };
  const entries = parsed<Entry>((await place.run(["sessions", "show", id, "--json"])).stdout);
  return entries.map(({ role, text, call }) => {
    if (call === undefined) return [role, text];
    const { callId, toolName, arguments: args, status, attempt } = call;
    return [callId, toolName, args, status, attempt, "reason" in call ? call.reason : undefined];
  });
}

async function exported(place: Place, id: string): Promise<string> {
  const file = join(place.home, `${id}.ndjson`);
  expect(await place.run(["sessions", "export", id, "-o", file])).toMatchObject({ code: 0, stdout: "" });
  return file;
}

describe("agent sessions export", () => {
  it("gives a file that plays the same session again, offline and without a word of the person", async () => {
    const files = { "a.txt": "one\ntwo\n" };
    const place = await openPlace(
      [
        asks("read_file", { file_path: "a.txt" }, { text: "I look." }),
        asks("edit_file", edit("one", "1"), { calls: [{ name: "write_file", arguments: write("b.txt", "b\n") }] }),
        asks("read_file", "{broken"),
        asks("make_tea", { cups: 2 }),
        says("First done."),
        asks("edit_file", edit("two", "2")),
        asks("write_file", write("c.txt", "c\n")),
        says("Second done."),
      ],
      files,
    );
    const { session } = await place.json(["run", "begin"]);
    await place.json(["resume", session, "--deny", "c2", "--reason", "keep it", "--approve", "c3"]);
    await place.json(["resume", session, "go on"]);
    const edited = JSON.stringify(edit("two", "zwei"));
    await place.json(["resume", session, "--edit", `c6=${edited}`, "--approve", "c6"]);
    await place.json(["resume", session, "never mind"]);
    const story = await storyOf(place, session);
    expect(story).toHaveLength(18);

    const other = await openPlace([], files);
    const file = await exported(place, session);
    const played = await other.json(["run", "--answers", "-m", `script:${file}`], {
      env: { OPENAI_API_KEY: undefined },
    });
    expect(await storyOf(other, played.session)).toEqual(story);
    expect(other.server.requests).toEqual([]);
    expect([await other.read("a.txt"), await other.read("b.txt"), other.has("c.txt")]).toEqual([
      "one\nzwei\n",
      "b\n",
      false,
    ]);
  });

  it("plays what rules or a mode allowed where the person is asked, and ends each turn where it ended", async () => {
    const place = await openPlace([
      asks("write_file", write("b.txt", "b\n")),
      { status: 400, body: { error: { message: "no" } } },
      { status: 400, body: { error: { message: "no again" } } },
      says("Now."),
    ]);
    const first = await place.json(["run", "begin", "--mode", "accept-edits"]);
    expect(first.code).toBe(1);
    expect((await place.json(["resume", first.session, "once more"])).code).toBe(1);
    expect((await place.json(["resume", first.session, "and again"])).code).toBe(0);

    const other = await openPlace();
    const played = await other.json(["run", "--answers", "-m", `script:${await exported(place, first.session)}`]);
    expect(played).toMatchObject({ code: 0, end: { text: "Now." } });
    expect(await storyOf(other, played.session)).toEqual(await storyOf(place, first.session));
    expect(await other.read("b.txt")).toBe("b\n");
  });

  it("takes back what the person took back", async () => {
    const place = await openPlace(
      [asks("edit_file", edit("one", "1")), says("Done."), asks("read_file", { file_path: "a.txt" }), says("Seen.")],
      { "a.txt": "one\n" },
    );
    const { session } = await place.json(["run", "begin"]);
    await place.json(["resume", session, "--approve", "all"]);
    await place.json(["undo", session]);
    await place.json(["resume", session, "--approve", "all"]);
    await place.json(["resume", session, "look"]);

    const other = await openPlace([], { "a.txt": "one\n" });
    const file = await exported(place, session);
    expect(parsed<object>(await readFile(file, "utf8"))).toContainEqual({ undo: ["c1"] });
    const played = await other.json(["run", "--answers", "-m", `script:${file}`]);
    expect(played).toMatchObject({ code: 0, end: { text: "Seen." } });
    expect(await storyOf(other, played.session)).toEqual(await storyOf(place, session));
    expect(await other.read("a.txt")).toBe("one\n");
  });

  it("ends where a call still waits, and it waits again", async () => {
    const place = await openPlace([asks("write_file", write("b.txt", "b\n"))]);
    const { session } = await place.json(["run", "begin"]);
    const other = await openPlace();
    const played = await other.json(["run", "-m", `script:${await exported(place, session)}`]);
    expect(played).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(other.has("b.txt")).toBe(false);
  });

  it("replaces secrets by their names, and says which and how often", async () => {
    const place = await openPlace([
      asks("write_file", write("b.txt", 'key = "s3cr3t-of-me"\n')),
      says("hunter22 it is"),
    ]);
    const env = { MY_TOKEN: "s3cr3t-of-me", db_password: "hunter22", SHORT_KEY: "key", KEYS: "begin" };
    const { session } = await place.json(["run", "begin with s3cr3t-of-me"], { env });
    await place.json(["resume", session, "--approve", "all"], { env });
    const { stdout, stderr } = await place.run(["sessions", "export", session], { env });
    expect(stdout).not.toMatch(/s3cr3t|hunter22/);
    expect(parsed(stdout).slice(1)).toMatchObject([
      { prompt: "begin with ‹MY_TOKEN›" },
      { calls: [{ name: "write_file", arguments: write("b.txt", 'key = "‹MY_TOKEN›"\n') }] },
      { person: [{ decision: "approve" }] },
      { text: "‹db_password› it is" },
    ]);
    expect(stderr.split("\n")).toEqual([
      "replaced MY_TOKEN 2 times by ‹MY_TOKEN›",
      "replaced db_password 1 time by ‹db_password›",
      expect.stringMatching(/^looked for: .* Not seen: all other secrets/),
      "",
    ]);
  });

  it("leaves no part of a secret where a title, a summary or a reply was cut", async () => {
    const secret = "ghp_0123456789abcdefghij";
    const replies = [
      asks("send", { text: `${"y".repeat(130)} ${secret} and more` }),
      { text: `It is ${secret.slice(0, 15)}`, finish: "length" },
      says("Done."),
    ];
    const send = toolFile("send", 'args: z.object({ text: z.string() }), execute: () => "sent"');
    const place = await placeWithTools({ "send.mjs": send }, replies);
    const env = { GH_PAT: secret };
    const { session } = await place.json(["run", `${"x".repeat(65)} ${secret} and more`], { env });
    await place.run(["resume", session, "--approve", "all"], { env });
    const exportedAs = async (...form: string[]) =>
      (await place.run(["sessions", "export", session, ...form], { env })).stdout;
    for (const page of [await exportedAs("--html"), await exportedAs("--md")]) {
      expect(page).toContain(`${"x".repeat(65)} ‹GH_PAT›…`);
      expect(page).toContain(`${"y".repeat(130)} ‹GH_PAT›…`);
      expect(page).toContain("It is ‹GH_PAT›");
      expect(page).not.toContain("ghp_01");
    }
    expect(await exportedAs()).toContain("It is ‹GH_PAT›");
    expect(await exportedAs()).not.toContain("ghp_01");
  });

  it("writes a private file and never over one that is there", async () => {
    const place = await openPlace([says("Hello.")]);
    const { session } = await place.json(["run", "hi"]);
    const file = await exported(place, session);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file, "utf8");
    expect(await place.run(["sessions", "export", session, "-o", file])).toMatchObject({ code: 1 });
    expect(await readFile(file, "utf8")).toBe(before);
    const nowhere = await place.run(["sessions", "export", session, "-o", join(place.home, "no", "where")]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain(join(place.home, "no", "where"));
  });

  it("is played from its own words only in a new session", async () => {
    const place = await openPlace([says("Hello.")]);
    const { session } = await place.json(["run", "hi"]);
    const file = await exported(place, session);
    expect((await place.run(["run", "--session", session, "-m", `script:${file}`])).code).toBe(2);
    expect((await place.run(["run"])).code).toBe(2);
  });
});
