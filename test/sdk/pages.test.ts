import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  createToolRegistry,
  defineTool,
  executeTool,
  type Model,
  type Session,
  type Tool,
} from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A browser as a program has one: where it is, and what was done there. */
class Browser {
  url: string | undefined;
  readonly did: string[] = [];
}

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

function toolsOf(browser: Browser): Tool[] {
  const bound = { browser };
  return [
    defineTool({
      name: "navigate",
      description: "opens a page",
      args: z.strictObject({ url: z.string() }),
      risk: "low",
      effect: "none",
      execute: async ({ url }) => {
        bound.browser.url = url;
        return `opened ${url}`;
      },
    }),
    defineTool({
      name: "open_issue",
      description: "opens an issue on the page",
      args: z.strictObject({ title: z.string() }),
      risk: "medium",
      effect: "once",
      urlPatterns: ["*.github.com"],
      execute: async ({ title }, { pageUrl }) => {
        bound.browser.did.push(`${title} at ${pageUrl}`);
        return `opened an issue on ${pageUrl}`;
      },
    }),
  ];
}

interface Asked {
  tools: string[];
  said: string;
}

/** Calls these, one a request, and keeps what it was asked with. */
function calling(calls: readonly { name: string; arguments: object }[], asked: Asked[]): Model {
  return {
    spec: "the test's",
    async *stream({ messages, tools }) {
      asked.push({ tools: tools.map(({ name }) => name), said: String(messages.at(-1)?.content) });
      const next = calls[messages.filter((message) => message.getType() === "ai").length];
      const made =
        next === undefined ? [] : [{ id: "", name: next.name, rawArguments: JSON.stringify(next.arguments) }];
      yield { type: "done", reply: { text: next === undefined ? "Done." : "", calls: made, finish: "stop" } };
    },
  };
}

const go = (url: string) => ({ name: "navigate", arguments: { url } });
const issue = (title: string) => ({ name: "open_issue", arguments: { title } });

function begin(options: Omit<AgentOptions, "workspace">): { session: Session; events: AgentEvent[] } {
  const agent = createAgent({ workspace: tempTree(), ...options });
  agents.push(agent);
  const session = agent.start();
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  return { session, events };
}

const questions = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === "approval_requested");
const comes = (events: readonly AgentEvent[], type: AgentEvent["type"], count = 1) =>
  expect.poll(() => events.filter((event) => event.type === type).length, { timeout: 20_000 }).toBe(count);
const digestOf = (events: readonly AgentEvent[]): string => {
  const last = questions(events).at(-1);
  return last?.type === "approval_requested" ? (last.calls[0]?.digest ?? "") : "";
};

describe("tools for pages, in a session of a program that has a browser", () => {
  test("are offered as the page changes, and a call of one elsewhere is a tool that is not there, with the reason", async () => {
    const browser = new Browser();
    const asked: Asked[] = [];
    const calls = [
      issue("too early"),
      go("https://example.com/login?token=t0p"),
      issue("there?"),
      go("https://github.com/a"),
    ];
    const { session, events } = begin({
      model: calling(calls, asked),
      tools: toolsOf(browser),
      page: () => browser.url,
    });
    await session.submit("open an issue");
    await comes(events, "turn_ended");
    const [both, one] = [["navigate", "open_issue"], ["navigate"]];
    expect(asked.map(({ tools }) => tools)).toEqual([one, one, one, one, both]);
    expect(asked[1]?.said).toContain(
      "Error UNKNOWN_TOOL: open_issue is for pages of *.github.com alone, and no page is open",
    );
    expect(asked[3]?.said).toContain(
      "open_issue is for pages of *.github.com alone, and the page is https://example.com/login",
    );
    expect(JSON.stringify(asked)).not.toContain("the page is https://example.com/login?token");
    expect(browser.did).toEqual([]);
  });

  test("are asked about with their page, and a yes for one page is none for another", async () => {
    const browser = new Browser();
    browser.url = "https://github.com/ada/good?tab=1";
    const { session, events } = begin({
      model: calling([issue("a bug")], []),
      tools: toolsOf(browser),
      page: async () => browser.url,
    });
    await session.submit("open an issue");
    await comes(events, "approval_requested");
    expect(JSON.stringify(questions(events))).toContain("it works on the page https://github.com/ada/good");
    browser.url = "https://gist.github.com/eve";
    await session.answer({ session: session.id, call: "c1" }, { decision: "approve", digest: digestOf(events) });
    await comes(events, "approval_requested", 2);
    expect(browser.did).toEqual([]);
    expect(JSON.stringify(questions(events)[1])).toContain("it works on the page https://gist.github.com/eve");
    browser.url = "https://gist.github.com/eve#part";
    await session.answer({ session: session.id, call: "c1" }, { decision: "approve", digest: digestOf(events) });
    await comes(events, "turn_ended");
    expect(browser.did).toEqual(["a bug at https://gist.github.com/eve#part"]);
  });

  test("that was left for another kind of page meanwhile runs nothing", async () => {
    const browser = new Browser();
    browser.url = "https://github.com/";
    const asked: Asked[] = [];
    const { session, events } = begin({
      model: calling([issue("a bug")], asked),
      tools: toolsOf(browser),
      page: () => browser.url,
    });
    await session.submit("open an issue");
    await comes(events, "approval_requested");
    browser.url = "https://github.com.evil.example/";
    await session.answer({ session: session.id, call: "c1" }, { decision: "approve", digest: digestOf(events) });
    await comes(events, "turn_ended");
    expect([browser.did, asked[1]?.said]).toEqual([
      [],
      expect.stringContaining("the page is https://github.com.evil.example/"),
    ]);
  });

  test("are not there while the browser cannot say its page, which is told once", async () => {
    const asked: Asked[] = [];
    const browser = new Browser();
    const { session, events } = begin({
      model: calling([go("https://github.com/"), go("https://github.com/b")], asked),
      tools: toolsOf(browser),
      page: () => {
        throw new Error("the browser was closed");
      },
    });
    await session.submit("go");
    await comes(events, "turn_ended");
    expect(asked.map(({ tools }) => tools)).toEqual([["navigate"], ["navigate"], ["navigate"]]);
    expect(events.filter((event) => event.type === "notice" && event.code === "page_unknown")).toMatchObject([
      { text: "the open page is not known: the browser was closed" },
    ]);
  });

  test("go on where the browser says nothing", async () => {
    const asked: Asked[] = [];
    const { session, events } = begin({
      model: calling([], asked),
      tools: toolsOf(new Browser()),
      page: () => new Promise(() => undefined),
    });
    await session.submit("go");
    await comes(events, "turn_ended");
    expect(asked.map(({ tools }) => tools)).toEqual([["navigate"]]);
    expect(JSON.stringify(events)).toContain("nothing said which it is within 2 s");
  });
});

test("one call outside a session works on the page that it is given", async () => {
  const browser = new Browser();
  const [, tool] = toolsOf(browser);
  if (tool === undefined) throw new Error("no tool");
  const at = { workspace: tempTree() };
  expect(await executeTool(tool, { title: "x" }, at)).toMatchObject({
    error: "open_issue is for pages of *.github.com alone, and no page is open",
    metadata: { code: "UNKNOWN_TOOL" },
  });
  const there = await executeTool(tool, { title: "x" }, { ...at, pageUrl: "https://github.com/a" });
  expect([there.output, browser.did]).toEqual([
    "opened an issue on https://github.com/a",
    ["x at https://github.com/a"],
  ]);
});

test("a pattern that is none is refused with its tool's name", () => {
  const [tool] = toolsOf(new Browser()) as [Tool, ...Tool[]];
  const wrong = { ...tool, urlPatterns: ["user@github.com"] };
  expect(() => createToolRegistry([wrong])).toThrow(
    'urlPatterns of navigate: "user@github.com" is no pattern of pages: write *.github.com, www.google.*, or https://github.com/**/issues',
  );
});
