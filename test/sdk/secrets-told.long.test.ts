import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type AgentEvent,
  type AgentOptions,
  createAgent,
  defineTool,
  executeTool,
  type JsonObject,
  type Model,
  refOf,
  type Session,
  type Tool,
  type ToolContext,
  type ToolOutput,
  ToolRefusal,
  z,
} from "../../src/index.ts";
import { makePng } from "../support/pictures.ts";
import { filesWith, formsIn, keyTexts } from "../support/secret-forms.ts";
import { tempTree } from "../tools/temp-tree.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = "<secret>SITE_TOKEN</secret>";

/** A tool of one argument, into which secrets are put, that does this with it. */
const using = (act: (text: string, ctx: ToolContext) => ToolOutput | Promise<ToolOutput>): Tool =>
  defineTool({
    name: "use_text",
    description: "Uses it.",
    args: z.strictObject({ text: z.string() }),
    secrets: ["text"],
    execute: ({ text }, ctx) => act(text, ctx),
  });

interface Talk {
  session: Session;
  events: AgentEvent[];
  heard: string[];
  folder: string;
  /** Goes on with the events until one of this type, which is given back. */
  until<T extends AgentEvent["type"]>(type: T): Promise<Extract<AgentEvent, { type: T }>>;
  close(): Promise<void>;
}

/** A session whose model calls the tool once with this, and has said all then. */
async function talkOf(
  tool: Tool,
  text: string,
  more: Partial<AgentOptions> & { vision?: boolean } = {},
): Promise<Talk> {
  const heard: string[] = [];
  const { vision, ...options } = more;
  const model: Model = {
    spec: "the test's",
    ...(vision === undefined ? {} : { vision }),
    async *stream({ messages }) {
      heard.push(JSON.stringify(messages.map(({ content }) => content)));
      const isHelper = heard.at(-1)?.includes("log in by") === true;
      const isFirst = !isHelper && messages.every((message) => message.getType() !== "ai");
      const calls = isFirst ? [{ id: "", name: tool.name, rawArguments: JSON.stringify({ text }) }] : [];
      yield { type: "done", reply: { text: isFirst ? "" : "Done.", calls, finish: "stop" } };
    },
  };
  const folder = tempTree();
  const agent = createAgent({
    ...{ workspace: folder, model, tools: [tool], store: join(folder, "agent.db"), secrets: { SITE_TOKEN: value } },
    ...options,
  });
  onTestFinished(() => agent.close());
  const session = agent.start();
  const events: AgentEvent[] = [];
  await session.submit("go");
  const stream = session.events()[Symbol.asyncIterator]();
  const until: Talk["until"] = async (type) => {
    for (;;) {
      const { value: event, done } = await stream.next();
      if (done === true) throw new Error(`there was no ${type}`);
      events.push(event);
      if (event.type === type) return event as never;
    }
  };
  return { session, events, heard, folder, until, close: () => agent.close() };
}

/** Says yes to the one question, and lets the turn end. */
async function approved(talk: Talk): Promise<void> {
  await approve(talk);
  // A helper's turn ends before.
  while ((await talk.until("turn_ended")).session !== talk.session.id);
}

async function approve({ until, session }: Talk): Promise<string> {
  const { calls } = await until("approval_requested");
  const [call] = calls;
  if (call === undefined) throw new Error("nothing was asked");
  await session.answer(refOf(call), { decision: "approve", digest: call.digest });
  return call.digest;
}

/** All that is said and kept of it. */
const told = ({ events, heard }: Talk): string => [JSON.stringify(events), ...heard].join("\n");

class OwnError extends Error {
  readonly request: JsonObject;
  constructor(text: string) {
    super(`the site refused ${text}`, { cause: new Error(`sent ${text}`) });
    this.request = { text };
  }
}

describe("a tool that fails with the value in its error", () => {
  it.each<[string, (text: string) => ToolOutput]>([
    ["says so", (text) => ({ output: `tried ${text}`, error: `the site refused ${text}`, metadata: { [text]: text } })],
    [
      "has an outcome that is not known",
      (text) => ({ output: "", error: text, metadata: { code: "OUTCOME_UNKNOWN" } }),
    ],
    [
      "throws",
      (text) => {
        throw new OwnError(text);
      },
    ],
    [
      "throws no error",
      (text) => {
        throw `the site refused ${encodeURIComponent(text)}`;
      },
    ],
    [
      "refuses",
      (text) => {
        throw new ToolRefusal("NOT_FOUND", `no account for ${Buffer.from(text).toString("base64")}`);
      },
    ],
  ])("and %s: the model, events and the store have its name", async (what, act) => {
    const talk = await talkOf(using(act), tag);
    await approve(talk);
    await talk.until(what.includes("not known") ? "recovery_requested" : "turn_ended");
    expect(told(talk)).toContain(tag);
    expect(formsIn(told(talk), value)).toEqual([]);
    const open = filesWith(talk.folder, value);
    await talk.close();
    expect([open, filesWith(talk.folder, value)]).toEqual([[], []]);
  });
});

describe("what a call tells while it runs", () => {
  const halves = [value.slice(0, 8), value.slice(8)];

  it("has no value that is told in two pieces, in a tip or in a text", async () => {
    const shown: string[] = [];
    const tool = using((_, { progress }) => {
      for (const field of ["tip", "text"]) for (const half of halves) progress({ [field]: half });
      progress({ text: "typed", figure: 1 });
      return "done";
    });
    await executeTool(
      tool,
      { text: tag },
      {
        workspace: tempTree(),
        secrets: { SITE_TOKEN: value },
        progress: ({ tip, text, figure }) => void shown.push(`${tip ?? ""}|${text ?? ""}|${figure ?? ""}`),
      },
    );
    expect(shown).toEqual(["||", `${tag}||`, "||", `|${tag}|`, "|typed|1"]);
  });

  it("is told whole at its end where it was the beginning of none", async () => {
    const shown: unknown[] = [];
    const tool = using((_, { progress }) => {
      progress({ text: `it begins with ${halves[0]}` });
      return "done";
    });
    await executeTool(
      tool,
      { text: "x" },
      {
        workspace: tempTree(),
        secrets: { SITE_TOKEN: value },
        progress: (one) => void shown.push(one),
      },
    );
    expect(shown).toEqual([{ text: "it begins with " }, { text: `it begins with ${halves[0]}` }]);
  });

  it("is so in the events of a session", async () => {
    const tool = using(async (text, { progress }) => {
      progress({ text: `typed ${text.slice(0, 8)}` });
      // The first is told before the other takes its place.
      await new Promise((resolve) => setTimeout(resolve, 300));
      progress({ text: `${text.slice(8)} into the page` });
      return "done";
    });
    const talk = await talkOf(tool, tag);
    await approved(talk);
    const texts = talk.events.flatMap((event) => (event.type === "tool_progress" ? [event.text] : []));
    expect(texts).toEqual(["typed ", `${tag} into the page`]);
  });
});

describe("what a call hands to a session of its own", () => {
  class Asked {
    readonly task: string;
    readonly instructions: string;
    constructor(text: string) {
      this.task = `log in by ${text}`;
      this.instructions = text;
    }
  }

  it.each([
    ["a plain object", (text: string) => ({ task: `log in by ${text}`, instructions: text })],
    ["an object of a class", (text: string) => new Asked(text)],
  ])("has the name in the place of a value that it was given, in %s", async (_, specOf) => {
    const helped: Tool = {
      ...using(async (text, { runChild }) => (await runChild?.(specOf(text)))?.text ?? ""),
      effect: "child",
    };
    const talk = await talkOf(helped, tag);
    await approved(talk);
    expect(talk.heard).toHaveLength(3);
    expect(talk.heard[1]).toContain(`log in by ${tag}`);
    expect(formsIn(told(talk), value)).toEqual([]);
    expect(filesWith(talk.folder, value)).toEqual([]);
  });
});

describe("the code of a second factor", () => {
  // Vectors of RFC 6238, of which the model's call needs the last six digits.
  const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const [first, second] = [1_111_111_109_000, 1_111_111_111_000];

  it("is that of the moment at which the tool runs, and that of its own moment where the call is run again", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: first - 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const typed: string[] = [];
    const tool = using((text) => {
      typed.push(text);
      const metadata = { code: "OUTCOME_UNKNOWN" };
      return typed.length === 1 ? { output: "", error: `no answer to ${text}`, metadata } : `the page took ${text}`;
    });
    const talk = await talkOf(tool, "<secret>site_bu_2fa_code</secret>", { secrets: { site_bu_2fa_code: key } });
    const { calls } = await talk.until("approval_requested");
    const [call] = calls;
    if (call === undefined) throw new Error("nothing was asked");
    vi.setSystemTime(first);
    await talk.session.answer(refOf(call), { decision: "approve", digest: call.digest });
    await talk.until("recovery_requested");
    expect(typed).toEqual(["081804"]);
    vi.setSystemTime(second);
    await talk.session.recover(refOf(call), "retry");
    await talk.until("turn_ended");
    expect(typed).toEqual(["081804", "050471"]);
    expect(talk.heard.at(-1)).toContain("the page took <secret>site_bu_2fa_code</secret>");
    const values = [...typed, ...keyTexts(key)];
    expect(values.flatMap((one) => formsIn(told(talk), one))).toEqual([]);
    expect(filesWith(talk.folder, values)).toEqual([]);
  });
});

describe("the digest of a call with a secret", () => {
  it("is of its name: another value is the same call, another secret is another one", async () => {
    const workspace = tempTree();
    const tool = using(() => "done");
    const digestWith = async (secrets: Record<string, string>, name = "SITE_TOKEN"): Promise<string> =>
      approve(await talkOf(tool, `<secret>${name}</secret>`, { workspace, secrets }));
    const one = await digestWith({ SITE_TOKEN: value });
    expect(one).toMatch(/^[\da-f]{64}$/);
    expect(await digestWith({ SITE_TOKEN: "another-value-of-it" })).toBe(one);
    expect(await digestWith({ OTHER_TOKEN: value }, "OTHER_TOKEN")).not.toBe(one);
  });
});

describe("a picture of a tool", () => {
  const dot = makePng(6, 4, { paint: () => [0, 255, 0, 255] }).toString("base64");
  const tool = using(() => ({ output: "taken", images: [{ name: "shot.png", data: dot }] }));

  it.each([
    [true, "is sent to a model that sees"],
    [false, "is described to one that does not"],
  ])("(vision %s) %s", async (vision) => {
    const talk = await talkOf(tool, "x", { vision, mode: "full-auto" });
    await talk.until("turn_ended");
    expect(talk.heard.at(-1)?.includes(`data:image/png;base64,${dot}`)).toBe(vision);
    expect(talk.heard.at(-1)).toContain("picture shot.png: PNG, 6x4 pixels");
  });
});
