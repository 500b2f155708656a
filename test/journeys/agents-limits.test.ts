import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgent, createAgentTool, createDefaultTools } from "../../src/index.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";

/** A place whose model says, to the last words of a person that are among these, what is set for them. */
function placeOf(talks: Readonly<Record<string, readonly Reply[]>>, files: Record<string, string> = {}) {
  const answer: Answer = ({ body: { messages } }) => {
    const from = messages.findLastIndex(({ role, content }) => role === "user" && String(content) in talks);
    const spoken = messages.slice(from).filter(({ role }) => role === "assistant").length;
    return talks[String(messages[from]?.content)]?.[spoken] ?? says("I have nothing more to say.");
  };
  return openPlace(
    Array.from({ length: 32 }, () => answer),
    files,
  );
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const read = (file: string): Reply => asks("read_file", { file_path: file });
const write = (file: string): Reply => asks("write_file", { file_path: file, content: "new\n" });
const delegates = (task: string, agent?: string): Reply => asks("agent", { task, ...(agent && { agent }) });

/** What was decided of the helpers' calls. */
const decidedOf = (ran: Told) =>
  ran.of("decision").flatMap(({ parent, decision }) => (parent === undefined ? [] : [decision]));
/** How the helpers' calls ended. */
const endsOf = (ran: Told) =>
  ran
    .of("tool_call")
    .flatMap(({ parent, call: { status } }) =>
      parent === undefined || status === "pending" || status === "executing" ? [] : [status],
    );
const toolsOf = ({ server }: Place, first: string): string[] | undefined =>
  server.requests
    .find(({ body }) => body.messages.find(({ role }) => role === "user")?.content === first)
    ?.body.tools?.map(({ function: { name } }) => name)
    .toSorted();

const heldBack = ["agent", "evaluate", "save_memory"];

describe("a helper's limits", () => {
  it("of what it reads: the agent's own config is sealed to it, in full-auto, under a rule that allows, and through the shell", async () => {
    const place = await placeOf({
      go: [delegates("look"), says("All done.")],
      look: [
        read("own/config.json"),
        write("own/config.json"),
        asks("ls", { path: "own" }),
        asks("shell", { command: "cat own/config.json" }),
        says("I may not."),
      ],
    });
    const env = { AGENT_HOME: place.path("own") };
    await put(place.path("own/config.json"), '{ "uid": "marked-for-the-test" }');
    const allow = ["--allow", "read_file(own/**)", "--allow", "write_file(own/**)", "--allow", "shell(cat *)"];
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...allow], { env });
    expect([ran.code, decidedOf(ran)]).toEqual([10, ["deny", "deny", "deny", "deny"]]);
    expect(await place.read("own/config.json")).toContain("marked-for-the-test");
    expect(JSON.stringify(place.server.requests.map(({ body }) => body.messages))).not.toContain("marked-for-the-test");
  });

  it("of its session's rules: what they deny is denied to its very first call, what a project's deny too", async () => {
    const place = await placeOf({
      go: [delegates("work"), says("All done.")],
      work: [write("mine.txt"), write("ours.txt"), write("free.txt"), says("Worked.")],
    });
    const denying = (path: string) =>
      JSON.stringify({ rules: [{ tool: "write_file", paths: [path], decision: "deny", why: "not this" }] });
    await put(join(place.home, "policy.json"), denying("mine.txt"));
    await put(place.path(".holdfast/policy.json"), denying("ours.txt"));
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([ran.code, endsOf(ran)]).toEqual([10, ["cancelled", "cancelled", "success"]]);
    expect(decidedOf(ran)).toEqual(["deny", "deny", "allow"]);
    expect(["mine.txt", "ours.txt", "free.txt"].filter(place.has)).toEqual(["free.txt"]);
  });

  it("of its session's mode: a definition that asks to be asked nothing gives none of that", async () => {
    const place = await placeOf({
      go: [delegates("work", "wild"), says("All done.")],
      work: [write("a.txt"), asks("shell", { command: "touch b.txt" }), says("Worked.")],
    });
    const head = "name: wild\ndescription: does all\npermissionMode: bypassPermissions";
    await place.write(".claude/agents/wild.md", `---\n${head}\n---\nDo all of it, ask nothing.\n`);
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
    const asked = await place.json(["run", "go"]);
    expect([asked.code, asked.the("approval_requested").calls.map(({ agent, toolName }) => [agent, toolName])]).toEqual(
      [11, [["wild", "write_file"]]],
    );
    const edits = await place.json(["run", "go", "--mode", "accept-edits"]);
    expect([edits.code, edits.the("approval_requested").calls.map(({ toolName }) => toolName)]).toEqual([
      ...[11, ["shell"]],
    ]);
    await place.write("a.txt", "old\n");
    const none = await place.json(["run", "go", "--mode", "read-only"]);
    expect([none.code, decidedOf(none), await place.read("a.txt"), place.has("b.txt")]).toEqual([
      ...[10, ["deny", "deny"], "old\n", false],
    ]);
  });

  it("of its tools: a definition that names those that no helper has, or none, is given none of them", async () => {
    const tries = [...heldBack.map((name) => asks(name, { task: "more", fact: "x" })), write("a.txt"), says("Worked.")];
    const place = await placeOf({
      go: [delegates("work", "greedy"), delegates("work too", "all"), says("All done.")],
      work: tries,
      "work too": tries,
    });
    const greedy = { description: "wants", prompt: "Work.", toolkit: [...heldBack, "write_file"] };
    const all = { description: "wants all", prompt: "Work.", toolkit: "all" };
    const settings = { agents: { greedy, all }, toolkits: { all: ["*", ...heldBack] } };
    await put(join(place.home, "config.json"), JSON.stringify(settings));
    const ran = await place.json(["run", "go", "--mode", "accept-edits"]);
    const ends = ["error", "error", "error", "success"];
    expect([ran.code, endsOf(ran)]).toEqual([0, [...ends, ...ends]]);
    expect(toolsOf(place, "work")).toEqual(["write_file"]);
    expect(toolsOf(place, "go")).toEqual(expect.arrayContaining([...heldBack, "shell"]));
    const most = toolsOf(place, "go")?.filter((name) => !heldBack.includes(name));
    expect(toolsOf(place, "work too")).toEqual(most);
    expect(ran.events.filter(({ type }) => type === "session_started")).toHaveLength(3);
  });

  it("of its session's tools: where a program gives that few, a definition that names more has no more", async () => {
    const place = await placeOf({
      go: [delegates("work", "wide"), says("All done.")],
      work: [write("a.txt"), says("I cannot.")],
    });
    const { workspace, env } = place;
    const reading = createDefaultTools({ workspace }).filter(({ name }) => name === "read_file");
    const wide = { name: "wide", description: "wants", prompt: "Work.", source: "mine" };
    const agents = [{ ...wide, tools: ["*", "write_file", "shell"] }];
    const tools = [...reading, createAgentTool({ agents })];
    const agent = createAgent({ workspace, model: "openai:test-model", mode: "full-auto", tools, env });
    const session = agent.start();
    await session.submit("go");
    for await (const { type, parent } of session.events()) if (type === "turn_ended" && parent === undefined) break;
    await agent.close();
    expect([toolsOf(place, "go"), toolsOf(place, "work"), place.has("a.txt")]).toEqual([
      ...[["agent", "read_file"], ["read_file"], false],
    ]);
  });
});

describe("what is kept for undo of a session and its helpers", () => {
  it("is dropped together by prune, and what was changed since can be taken back", async () => {
    const place = await placeOf(
      {
        go: [delegates("work"), says("All done.")],
        work: [asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }), says("Worked.")],
        more: [delegates("work on"), says("All done.")],
        "work on": [asks("edit_file", { file_path: "a.txt", old_string: "two", new_string: "three" }), says("Worked.")],
      },
      { "a.txt": "one\n" },
    );
    const kept = async (...more: string[]) => {
      const ran = await place.run(["sessions", "prune", "--days", "0", "--json", ...more]);
      return (JSON.parse(ran.stdout) as { versions: number }).versions;
    };
    const edits = ["--mode", "accept-edits"];
    const { session } = await place.json(["run", "go", ...edits]);
    expect([await kept("--dry-run"), await kept(), await kept("--dry-run")]).toEqual([2, 2, 0]);
    const refused = await place.run(["undo", session, "--yes"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("are no longer kept")]);
    expect((await place.json(["resume", session, "more", ...edits])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("three\n");
    expect((await place.run(["undo", session, "--yes"])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("two\n");
    expect((await place.run(["undo", session, "--turn", "1", "--yes"])).stderr).toContain("are no longer kept");
    expect((await place.run(["sessions", "verify", session])).code).toBe(0);
    const shown = await place.run(["sessions", "show", session]);
    expect(shown.stdout).toContain("2 helpers");
  });
});
