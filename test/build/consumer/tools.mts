// A program that uses tools alone: neither LangGraph nor a model's client is installed beside it.
import {
  type CallFacts,
  createAgent,
  createDefaultTools,
  createToolRegistry,
  decide,
  defineTool,
  describeTools,
  digestOf,
  executeTool,
  type Json,
  MissingPackage,
  type Plan,
  type Policy,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolSchema,
  type Verdict,
} from "holdfast";
import { z } from "zod";

const workspace = process.argv[2] ?? "";

const addDays = defineTool({
  name: "add_days",
  description: ({ pageUrl }) => (pageUrl === undefined ? "Adds days to a date." : `Adds days, at ${pageUrl}.`),
  args: z.strictObject({
    day: z.string().transform((text) => new Date(text)),
    days: z.int().default(1),
    zone: z.string(),
  }),
  hidden: ["zone"],
  inject: { zone: (ctx: ToolContext, given): Json => `${ctx.sessionId}${Object.keys(given).length}` },
  risk: "low",
  effect: "none",
  async plan({ day }, { cwd }): Promise<Plan> {
    return { summary: `look at ${day.getTime()}`, cwd };
  },
  async execute({ day, days, zone }): Promise<ToolResult> {
    const sum = new Date(day.getTime() + days * 86_400_000);
    return {
      output: `${sum.toISOString().slice(0, 10)} ${zone}`,
      images: [
        {
          name: "a",
          mediaType: "image/png",
          data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC",
        },
      ],
    };
  },
});

class Shout implements Tool<{ text: string }> {
  readonly name = "shout";
  readonly description = "Shouts.";
  readonly args = z.strictObject({ text: z.string() });
  readonly risk = "low";
  readonly #end = "!";
  async execute({ text }: { text: string }): Promise<string> {
    return `${text.toUpperCase()}${this.#end}`;
  }
}

const registry = createToolRegistry([addDays])
  .register(Shout)
  .register({
    name: "read_file",
    factory: async () => createDefaultTools({ workspace }).find(({ name }) => name === "read_file") ?? addDays,
  });

const run = async (name: string, args: unknown): Promise<string> => {
  const tool: Tool | undefined = await registry.get(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  const { output, error }: ToolResult = await executeTool(tool, args, { workspace, sessionId: "s" });
  return error ?? output;
};

const noContext: ToolContext = {
  ...{ workspace, cwd: workspace, sessionId: "", callId: "", stepId: "" },
  ...{ signal: new AbortController().signal, config: {}, services: {} },
  progress: () => undefined,
};
const facts: CallFacts = { tool: "shout", effect: "once", paths: [], commands: [], hosts: [], workspace };
const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
const verdict: Verdict = decide(facts, policy);
const digest: string = digestOf({ toolName: "shout", arguments: {}, plan: { summary: "", cwd: workspace } });
const [row] = await describeTools([addDays], workspace);
const schemas = await registry.schemasFor("https://example.com/");

const agent = createAgent({ workspace, model: "demo" });
const missing: unknown = await agent
  .start()
  .submit("hello")
  .catch((error: unknown) => error);

const one = await toolSchema(new Shout(), noContext);

console.log(
  JSON.stringify({
    one: one.parameters["required"] ?? null,
    names: registry.toolNames(),
    ran: [
      await run("add_days", { day: "2026-01-31" }),
      await run("shout", { text: "hey" }),
      await run("read_file", { file_path: "a.txt" }),
    ],
    decision: verdict.decision,
    digest: digest.length,
    row: row?.risk,
    described: schemas[0]?.description,
    missing: missing instanceof MissingPackage ? missing.message : String(missing),
  }),
);
