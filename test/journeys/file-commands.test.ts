import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const lastSaid = ({ server }: Place): string =>
  String(server.requests.at(-1)?.body.messages.findLast(({ role }) => role === "user")?.content);

const results = ({ server }: Place): string[] =>
  (server.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));

/** Files of commands: what they say, what is typed, and what the person's message then is. */
const commands = [
  ["home/commands/mine.md", "---\ndescription: Mine\n---\nMine: $ARGUMENTS.", "/mine a b", "Mine: a b."],
  [".holdfast/commands/own.md", "Own $2, then $1.", '/own one "two three"', "Own two three, then one."],
  [".holdfast/commands/deep/er.md", "Deeper.", "/deep:er", "Deeper."],
  [".claude/commands/claude.md", "Claude $ARGUMENTS", "/claude src", "Claude src"],
  [".claude/commands/a/b.md", "---\nallowed-tools: Bash(*)\n---\nNested.", "/a:b more", "Nested.\n\nmore"],
  [".opencode/commands/open.md", "Open $1.", "/open x", "Open x."],
  [".gemini/commands/gem/it.toml", 'description = "G"\nprompt = "Gemini {{args}}."', "/gem:it now", "Gemini now."],
] as const;

const placeWith = async (answers = 20): Promise<Place> => {
  const place = await openPlace(Array.from({ length: answers }, () => says("Done.")));
  for (const [path, text] of commands) {
    const file = path.startsWith("home/") ? join(dirname(place.home), path) : place.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return place;
};

const sourceOf = (path: string): string => path.replace("home/", "");

describe("commands that files bring", () => {
  it("of each folder that people have are what the person says, once they are trusted", async () => {
    const place = await placeWith();
    const refused = await place.run(["run", "/claude src"]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("/claude of .claude/commands/claude.md is left out: it waits for your trust"),
    ]);
    expect(place.server.requests).toEqual([]);
    const { stdout } = await place.spawn(["trust", "--yes"]).done;
    expect(stdout).toContain("│ Claude $ARGUMENTS");
    expect((await place.run(["trust"])).stdout).toContain("in force: 6 commands\n");

    for (const [path, , typed, message] of commands) {
      const ran = await place.json(["run", typed]);
      const whole = `"${typed}" (${sourceOf(path)})\n\n${message}`;
      expect(lastSaid(place)).toBe(whole);
      expect(ran.the("user_message").text).toBe(whole);
      const shown = await place.run(["sessions", "show", ran.session]);
      expect(shown.stdout).toContain(`"${typed}" (${sourceOf(path)})`);
    }
    const rows = (await place.run(["skills", "--json"])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ name, source }) => [name, source])).toEqual([
      ["mine", "commands/mine.md"],
      ["deep:er", ".holdfast/commands/deep/er.md"],
      ["own", ".holdfast/commands/own.md"],
      ["a:b", ".claude/commands/a/b.md"],
      ["claude", ".claude/commands/claude.md"],
      ["open", ".opencode/commands/open.md"],
      ["gem:it", ".gemini/commands/gem/it.toml"],
    ]);
  });

  it("read and run what they name as calls, before the model's first word: asked about like the model's own", async () => {
    const place = await openPlace([says("Reviewed."), says("Done.")], {
      "notes.md": "The notes.",
      ".holdfast/commands/review.md": "Look at @notes.md and @none.md: !`touch $1` and !`echo hello`",
    });
    await place.run(["trust", "--yes"]);
    const asked = await place.json(["run", "/review 'made here'"]);
    expect([asked.end.reason, asked.code]).toEqual(["awaiting_approval", 11]);
    expect(place.server.requests).toEqual([]);
    const [waiting] = asked.the("approval_requested").calls;
    expect(waiting?.arguments).toMatchObject({ command: "touch 'made here'" });
    expect(place.has("made here")).toBe(false);

    const done = place.spawn(["resume", asked.session, "--approve", "all", "--json"]);
    expect((await done.done).code).toBe(0);
    expect(place.has("made here")).toBe(true);
    expect(lastSaid(place)).toBe(
      `"/review 'made here'" (.holdfast/commands/review.md)\n\nLook at @notes.md (read for this message: it follows) and @none.md: \`touch 'made here'\` (run for this message: its result follows) and \`echo hello\` (run for this message: its result follows)`,
    );
    const [notes, , hello] = results(place);
    expect(notes).toContain("The notes.");
    expect(hello).toContain("hello");

    const denied = await place.json(["run", "/review x"]);
    await place.json(["resume", denied.session, "--deny", "all", "--reason", "not now"]);
    expect(results(place)[1]).toContain("not now");
    expect(place.has("x")).toBe(false);
  });

  it("are offered behind a slash with what they are for, and run in the chat", async () => {
    const place = await placeWith();
    await place.run(["trust", "--yes"]);
    const chat = place.chat(["chat"]);
    await chat.waitFor("❯");
    chat.type("/cla");
    await chat.waitFor("Claude $ARGUMENTS · .claude/commands/claude.md");
    chat.type("\t");
    await chat.waitFor("/claude");
    chat.type("src\r");
    await chat.waitFor("Done.");
    expect(lastSaid(place)).toBe('"/claude src" (.claude/commands/claude.md)\n\nClaude src');
    chat.type("/nothing\r");
    await chat.waitFor("there is no command /nothing");
    chat.type("/gem:it now\r");
    await chat.waitFor("Gemini now.");
    chat.type("/help\r");
    await chat.waitFor("shift+tab");
    chat.type("\u0004");
    expect(await chat.exit).toMatchObject({ code: 0 });
  });

  it("run in a chat of plain lines, and as the first prompt of a chat", async () => {
    const place = await placeWith();
    await place.run(["trust", "--yes"]);
    const chat = place.chat(["chat", "/own a b"], undefined, { TERM: "dumb" });
    await chat.waitFor("Own b, then a.");
    await chat.waitFor("Done.");
    chat.type("/nothing\r");
    await chat.waitFor("there is no command /nothing");
    chat.type("/a:b more\r");
    await chat.waitFor("Nested.");
    chat.type("\u0004");
    await chat.exit;
    expect(
      place.server.requests.map(({ body }) => body.messages.findLast(({ role }) => role === "user")?.content),
    ).toEqual([
      '"/own a b" (.holdfast/commands/own.md)\n\nOwn b, then a.',
      '"/a:b more" (.claude/commands/a/b.md)\n\nNested.\n\nmore',
    ]);
  });
});
