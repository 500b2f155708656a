import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place, trustOf } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";

const head = "name: scout\ndescription: Looks about\ntools: Read, Task, agent, save_memory, mcp__x";
const scout = (more = head, body = "Look about."): string => `---\n${more}\n---\n${body}\n`;
const path = ".claude/agents/scout.md";

interface Row {
  name: string;
  source?: string;
  error?: string;
  tools?: string[];
  description?: string;
}

const agentsOf = async (place: Place): Promise<Row[]> =>
  (await place.run(["agents", "--json"])).stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

/** A model that hands a task to the scout and says what else it was told. */
const handing: Answer = ({ body }) =>
  body.messages.find(({ role }) => role === "user")?.content === "go" &&
  !body.messages.some(({ role }) => role === "tool")
    ? asks("agent", { task: "look", agent: "scout" })
    : says("Done.");

const openScout = (files: Record<string, string>): Promise<Place> =>
  openPlace(
    Array.from({ length: 12 }, () => handing),
    files,
  );

const described = ({ server }: Place): string =>
  server.requests.at(-1)?.body.tools?.find(({ function: { name } }) => name === "agent")?.function.description ?? "";

describe("agents that a project has for another program", () => {
  it("do nothing before they are trusted, nor with one other byte; trusted, one has what it may have and no more", async () => {
    const place = await openScout({ [path]: scout() });
    const before = await place.json(["run", "go"]);
    expect(before.of("notice").map(({ text }) => text)).toContainEqual(expect.stringContaining("1 agent."));
    expect(described(place)).not.toContain("Looks about");
    expect(await place.run(["trust", "--yes"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("│ Look about."),
    });
    expect((await place.run(["trust"])).stdout).toContain("in force: 1 agent\n");

    const ran = await place.json(["run", "go"]);
    const of = (first: string) =>
      place.server.requests.findLast(({ body }) => body.messages.some(({ content }) => content === first))?.body;
    expect(of("look")?.tools?.map(({ function: { name } }) => name)).toEqual(["read_file"]);
    expect(String(of("look")?.messages[0]?.content)).toContain("Look about.");
    const unused = ran.of("notice").filter(({ code }) => code === "agent_keys_unused");
    expect(unused.map(({ text }) => text)).toEqual([
      `of other programs' agents not heeded here: ${path}: tools agent, save_memory, mcp__x`,
    ]);

    await place.write(path, scout(head.replace("about", "abouT")));
    await place.json(["run", "go"]);
    expect(described(place)).not.toContain("Looks");
    expect(await agentsOf(place)).toEqual([{ name: path, error: "it waits for your trust (agent trust)" }]);
  });

  it("say what they are for in plain words, in one line that can be read", async () => {
    const words = "\\e]0;title\\a\\e[2Jred\\u202e\\n".repeat(60);
    const place = await openScout({ [path]: scout(`name: scout\ndescription: "${words}"`) });
    await place.run(["trust", "--yes"]);
    const [{ description = "" } = {}] = await agentsOf(place);
    expect([description.length <= 300, /\p{C}/u.test(description), description.slice(0, 20)]).toEqual([
      true,
      false,
      " ]0;title [2Jred ]0;",
    ]);
    await place.json(["run", "go"]);
    expect(/(?!\n)\p{C}/u.test(described(place))).toBe(false);
  });

  it("of 10 MB, a FIFO and what a link leads to out of the workspace keep trust from all", async () => {
    const place = await openScout({ ".holdfast/agents/own.md": scout("description: o") });
    const put = (name: string): string => place.path(`.claude/agents/${name}`);
    mkdirSync(put(""), { recursive: true });
    const obstacles = async (make: (at: string) => void): Promise<string[]> => {
      make(put("x.md"));
      const { code } = await place.run(["trust", "--yes"]);
      const found = await trustOf(place);
      rmSync(put("x.md"), { force: true });
      expect([code, found.files.map((file) => file.path)]).toEqual([1, [".holdfast/agents/own.md"]]);
      return found.obstacles;
    };
    writeFileSync(join(place.home, "secret.md"), "the secret");
    expect(await obstacles((at) => writeFileSync(at, "x".repeat(10_000_000)))).toHaveLength(1);
    expect(await obstacles((at) => void execFileSync("mkfifo", [at]))).toHaveLength(1);
    expect(await obstacles((at) => symlinkSync(join(place.home, "secret.md"), at))).toEqual([
      ".claude/agents/x.md: a link that leads out of the workspace",
    ]);
    expect(await obstacles((at) => symlinkSync("nowhere", at))).toHaveLength(1);
    rmSync(put(""), { recursive: true });
    symlinkSync(place.home, place.path(".claude/agents"));
    expect((await trustOf(place)).obstacles).toEqual([".claude/agents: a link that leads out of the workspace"]);
    rmSync(place.path(".claude/agents"));
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
  });

  it("whose bytes are no text do not count, trusted or not", async () => {
    const place = await openScout({});
    mkdirSync(place.path(".claude/agents"), { recursive: true });
    writeFileSync(place.path(path), Buffer.concat([Buffer.from(scout()), Buffer.from([0xff, 0xfe])]));
    await place.run(["trust", "--yes"]);
    expect(await agentsOf(place)).toEqual([{ name: path, error: "it is no UTF-8 text" }]);
  });

  it("are not read where git ignores them, whatever leads there", async () => {
    const place = await openScout({
      ".gitignore": ".claude/\nvendor\n.gemini/agents/mine.md\n",
      [path]: scout(),
      "vendor/agents/a.md": scout("description: v"),
      ".gemini/agents/mine.md": scout("description: m"),
      ".gemini/agents/ours.md": scout("description: o"),
    });
    mkdirSync(place.path(".opencode"));
    symlinkSync("../vendor/agents", place.path(".opencode/agents"));
    symlinkSync("../../vendor/agents/a.md", place.path(".gemini/agents/link.md"));
    expect((await trustOf(place)).files.map((file) => file.path)).toEqual([".gemini/agents/ours.md"]);
    await place.run(["trust", "--yes"]);
    expect((await agentsOf(place)).map(({ name, source }) => [name, source])).toEqual([
      ["ours", ".gemini/agents/ours.md"],
    ]);
  });

  it("take no name that the person or the project has given", async () => {
    const named = (name: string) => scout(`name: ${name}\ndescription: theirs`);
    const place = await openScout({
      ".holdfast/agents/planner.md": scout("description: ours"),
      ".claude/agents/a.md": named("scout"),
      ".claude/agents/b.md": named("planner"),
      ".claude/agents/c.md": named("third"),
      ".gemini/agents/third.md": scout("description: also"),
      ".claude/agents/d.md": named("'scout\\u200b'"),
    });
    writeFileSync(
      join(place.home, "config.json"),
      JSON.stringify({ agents: { scout: { description: "mine", prompt: "Mine." } } }),
    );
    await place.run(["trust", "--yes"]);
    expect((await agentsOf(place)).map(({ name, source, error }) => [name, source ?? error])).toEqual([
      ["scout", "config.json"],
      ["planner", ".holdfast/agents/planner.md"],
      ["third", ".claude/agents/c.md"],
      ["scout of .claude/agents/a.md", "another one has this name, and comes first"],
      ["planner of .claude/agents/b.md", "another one has this name, and comes first"],
      [expect.stringMatching(/^scout.* of \.claude\/agents\/d\.md$/u), expect.stringContaining("begins with a letter")],
      ["third of .gemini/agents/third.md", "another one has this name, and comes first"],
    ]);
    const told = (await place.json(["run", "go"])).of("notice").filter(({ code }) => code === "agent_left_out");
    expect(told).toHaveLength(1);
  });
});
