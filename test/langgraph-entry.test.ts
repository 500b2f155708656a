import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../src/core/json.ts";
import { calls, type Line, says } from "./support/play.ts";
import { approvalOf, approveAll, ask, at, type Graph, thread } from "./support/thread-place.ts";

afterEach(() => vi.unstubAllEnvs());

let places = 0;

/** The graph that langgraph.json names, loaded anew as a server loads it, of a person who works in a folder of their own. */
async function openEntry(lines: readonly Line[], config: JsonObject = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "holdfast-entry-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const [workspace, script] = [join(home, "work"), join(home, "script.ndjson")];
  await mkdir(workspace);
  const head = { v: 1, kind: "holdfast-script" };
  await writeFile(script, [head, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  await mkdir(join(home, "agent"), { mode: 0o700 });
  await writeFile(join(home, "agent", "config.json"), JSON.stringify(config));
  vi.stubEnv("HOME", home);
  vi.stubEnv("AGENT_HOME", join(home, "agent"));
  vi.stubEnv("AGENT_MODEL", `script:${script}`);
  const flags = (text = "") => vi.stubEnv("AGENT_FLAGS", `-C ${workspace} ${text}`);
  flags();
  const { graphs } = JSON.parse(await readFile(new URL("../langgraph.json", import.meta.url), "utf8")) as {
    graphs: Record<string, string>;
  };
  const [file = "", name = ""] = graphs["agent"]?.split(":") ?? [];
  const loaded = (await import(new URL(`../${file}?${places++}`, import.meta.url).href)) as Record<
    string,
    () => Promise<Graph>
  >;
  const graph = loaded[name];
  if (graph === undefined) throw new Error(`no ${name} in ${file}`);
  /** As a server does it for each run. */
  const open = async (checkpointer: MemorySaver): Promise<Graph> => {
    const made = await graph();
    made.checkpointer = checkpointer;
    return made;
  };
  return { home, workspace, flags, graph, open };
}

const write = (content: string) => calls(["write_file", { file_path: "it.txt", content }]);

it("is asked for at each run, and each time it is the same sessions over the same store", async () => {
  const place = await openEntry([write("one\n"), says("Done."), says("Hello.")]);
  const checkpointer = new MemorySaver();
  await (await place.open(checkpointer)).invoke(ask("write"), thread);
  const [reads, writes] = await Promise.all([place.open(checkpointer), place.open(checkpointer)]);
  expect((await approvalOf(reads)).calls).toMatchObject([{ toolName: "write_file" }]);
  const other = place.open(new MemorySaver()).then((graph) => graph.invoke(ask("hello"), at("badger")));
  await Promise.all([approveAll(writes), other]);
  expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
});

it("has the agent of the command in this folder: its settings, tools of one's own and limits, and the flags of AGENT_FLAGS", async () => {
  const place = await openEntry(
    [
      calls(["who", {}]),
      says("no JSON"),
      says('{"n": 1}'),
      ...Array.from({ length: 3 }, () => calls(["who", {}])),
      says("unused"),
    ],
    { uid: "ann", tools: ["who.mjs"] },
  );
  const tool = `import { defineTool, z } from "holdfast";
export default defineTool({
  name: "who", description: "Says who asks.", args: z.object({}), risk: "low", effect: "none",
  execute: async (_args, { uid }) => uid + " asks",
});\n`;
  await writeFile(join(place.home, "agent", "who.mjs"), tool);
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  await writeFile(join(place.home, "schema.json"), JSON.stringify(schema));
  place.flags(`--mode full-auto\t--max-steps 3  --output-schema ${join(place.home, "schema.json")}`);
  const graph = await place.open(new MemorySaver());
  const answered = (await graph.invoke(ask("who?"), thread)).messages;
  expect(answered[2]?.content).toBe("ann asks");
  expect(answered.at(-1)?.content).toBe('{"n": 1}');
  const limited = await graph.invoke(ask("again"), thread);
  expect(limited.messages.at(-1)?.getType()).toBe("tool");
});

it.each([
  ["--frobnicate", "AGENT_FLAGS: unknown option '--frobnicate'"],
  ["--mode never", /^--mode takes one of .* not "never"$/],
  ["run", 'AGENT_FLAGS: "run" is no flag'],
  ["--session otter", "AGENT_FLAGS: --session is for one run of the command"],
  ["-c", "AGENT_FLAGS: --continue is for one run of the command"],
  ["--image a.png", "AGENT_FLAGS: --image is for one run of the command"],
  ["--json", "AGENT_FLAGS: --json is for one run of the command"],
  ["-C /nowhere", "there is no folder /nowhere"],
  ["--output-schema /nowhere.json", /\/nowhere\.json/],
])("says in one sentence what of AGENT_FLAGS cannot be (%s), and is had once it was mended", async (flags, words) => {
  const place = await openEntry([says("Hello.")]);
  place.flags(flags);
  await expect(place.graph()).rejects.toThrow(words);
  place.flags();
  const { messages } = await (await place.open(new MemorySaver())).invoke(ask("hello"), thread);
  expect(messages.at(-1)?.content).toBe("Hello.");
});
