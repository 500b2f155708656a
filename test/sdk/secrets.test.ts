import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  type AgentOptions,
  createAgent,
  createDefaultTools,
  defineTool,
  executeTool,
  type JsonObject,
  type Model,
  refOf,
  type Tool,
  type ToolSource,
} from "../../src/index.ts";
import { formsIn } from "../support/secret-forms.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = "<secret>SITE_TOKEN</secret>";

async function folder(): Promise<string> {
  const made = await realpath(await mkdtemp(join(tmpdir(), "holdfast-secrets-")));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Types a text into a page, and says what it typed. */
const typing = (typed: string[]): Tool =>
  defineTool({
    name: "type_text",
    description: "Types.",
    args: z.strictObject({ text: z.string(), more: z.array(z.string()).default([]), note: z.string().optional() }),
    secrets: ["text", "more"],
    execute: ({ text, more, note }, { progress }) => {
      typed.push(text, ...more, note ?? "");
      progress({ text: `typed ${text}` });
      return { output: `typed ${text}`, title: text, metadata: { [text]: [Buffer.from(text).toString("hex")] } };
    },
  });

describe("executeTool with secrets", () => {
  it("puts them in where the tool takes them, and masks what comes of it", async () => {
    const [workspace, typed, told] = [await folder(), [] as string[], [] as string[]];
    const given = { text: tag, more: [`a ${tag}`], note: tag };
    const progress = ({ text = "" }) => void told.push(text);
    const result = await executeTool(typing(typed), given, { workspace, secrets: { SITE_TOKEN: value }, progress });
    expect(typed).toEqual([value, `a ${value}`, tag]);
    expect(result).toEqual({
      output: `typed ${tag}\n(${tag} in note was taken as it is written: no secret is put in there)`,
      title: tag,
      metadata: { [tag]: [tag] },
    });
    expect(told).toEqual([`typed ${tag}`]);
  });

  it("gives one that is bound to hosts to its page alone, and refuses what there is not", async () => {
    const [workspace, typed] = [await folder(), [] as string[]];
    const secrets = { SITE_TOKEN: { value, domains: ["*.example.org"] } };
    const codes = await Promise.all(
      [
        "https://www.example.org/a",
        "https://example.org@evil.test/",
        "https://example.org.evil.test/",
        "ftp://www.example.org/a",
        "file://www.example.org/a",
        undefined,
      ].map(async (pageUrl) => {
        const at = pageUrl === undefined ? {} : { pageUrl };
        const { metadata } = await executeTool(typing(typed), { text: tag }, { workspace, secrets, ...at });
        return metadata?.["code"];
      }),
    );
    expect(codes).toEqual([undefined, ...Array.from({ length: 5 }, () => "INVALID_ARGUMENT")]);
    expect(typed).toEqual([value, ""]);
    expect((await executeTool(typing(typed), { text: tag }, { workspace })).error).toContain("none is set");
  });

  it("gives a command the variable", async () => {
    const workspace = await folder();
    const shell = createDefaultTools({ workspace, shell: { sandbox: "off", secrets: true } }).find(
      ({ name }) => name === "shell",
    );
    const given = { command: 'printf %s "$SITE_TOKEN" | base64; echo "$SITE_TOKEN"', secrets: ["SITE_TOKEN"] };
    const { output } = await executeTool(shell as Tool, given, { workspace, secrets: { SITE_TOKEN: value } });
    expect([output.split(tag).length, formsIn(output, value)]).toEqual([3, []]);
  });

  it("gives the code of the moment", async () => {
    const [workspace, typed] = [await folder(), [] as string[]];
    const secrets = { site_totp: "JBSWY3DPEHPK3PXP" };
    const result = await executeTool(typing(typed), { text: "<secret>site_totp</secret>" }, { workspace, secrets });
    expect(typed[0]).toMatch(/^\d{6}$/);
    expect(result.output).toBe("typed <secret>site_totp</secret>");
  });

  it("takes no value that cannot be one, and tells none", async () => {
    const used = executeTool(typing([]), {}, { workspace: await folder(), secrets: { SITE_TOKEN: "abc12" } });
    await expect(used).rejects.toThrow(/^secrets: SITE_TOKEN cannot be one: it has fewer than 6 characters/);
  });
});

/** What the model hears of one call of this tool, which is approved. */
async function calledOnce(tool: ToolSource, given: JsonObject, more: Partial<AgentOptions> = {}): Promise<string> {
  const heard: string[] = [];
  const model: Model = {
    spec: "the test's",
    async *stream({ messages }) {
      heard.push(String(messages.at(-1)?.content));
      const isFirst = messages.every((message) => message.getType() !== "ai");
      const calls = isFirst ? [{ id: "", name: "type_text", rawArguments: JSON.stringify(given) }] : [];
      yield { type: "done", reply: { text: isFirst ? "" : "Done.", calls, finish: "stop" } };
    },
  };
  const agent = createAgent({
    ...{ workspace: await folder(), model, tools: [tool], secrets: { SITE_TOKEN: value }, ...more },
  });
  onTestFinished(() => agent.close());
  const session = agent.start();
  await session.submit("go");
  for await (const event of session.events()) {
    if (event.type === "turn_ended") break;
    if (event.type !== "approval_requested") continue;
    for (const call of event.calls) await session.answer(refOf(call), { decision: "approve", digest: call.digest });
  }
  return heard.at(-1) ?? "";
}

describe("createAgent with secrets", () => {
  it.each<[string, (typed: string[]) => ToolSource, Partial<AgentOptions>]>([
    ["a factory makes", (typed) => ({ name: "type_text", factory: () => typing(typed) }), {}],
    ["has settings", typing, { config: { speed: 3 } }],
    ["has settings of its own", typing, { toolSettings: { type_text: { speed: 3 } } }],
  ])("puts them in for a tool that %s", async (_, made, more) => {
    const typed: string[] = [];
    expect(await calledOnce(made(typed), { text: tag }, more)).toContain(`typed ${tag}`);
    expect(typed[0]).toBe(value);
  });

  it("asks about each use, and the model knows names alone", async () => {
    const [workspace, typed, heard] = [await folder(), [] as string[], [] as string[]];
    const model: Model = {
      spec: "the test's",
      async *stream({ messages }) {
        heard.push(JSON.stringify(messages));
        const isFirst = messages.every((message) => message.getType() !== "ai");
        const calls = isFirst ? [{ id: "m1", name: "type_text", rawArguments: JSON.stringify({ text: tag }) }] : [];
        yield { type: "done", reply: { text: isFirst ? "" : "Done.", calls, finish: "stop" } };
      },
    };
    const agent = createAgent({
      ...{ workspace, model, tools: [typing(typed)], mode: "full-auto", secrets: { SITE_TOKEN: value } },
    });
    onTestFinished(() => agent.close());
    const session = agent.start();
    await session.submit("go");
    const events: string[] = [];
    for await (const event of session.events()) {
      events.push(JSON.stringify(event));
      if (event.type === "turn_ended" && event.reason === "done") break;
      if (event.type !== "approval_requested") continue;
      for (const { session: id, callId, digest } of event.calls)
        await session.answer({ session: id, call: callId }, { decision: "approve", digest });
    }
    expect(typed[0]).toBe(value);
    expect(events.some((line) => line.includes("approval_requested"))).toBe(true);
    expect([formsIn(events.join("\n"), value), formsIn(heard.join("\n"), value)]).toEqual([[], []]);
    expect(heard[0]).toContain("# The person's secrets");
  });
});
