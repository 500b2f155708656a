import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type Agent,
  type AgentEvent,
  createAgent,
  createToolRegistry,
  type Session,
  type ToolRegistry,
  type ToolResult,
  z,
} from "../../src/index.ts";
import { asks, type ModelServer, says, startModelServer } from "../support/model-server.ts";
import { makePng } from "../support/pictures.ts";
import { filesWith, formsIn, keyTexts } from "../support/secret-forms.ts";
import { startWebServer, type WebServer } from "../support/web-server.ts";
import { tempTree } from "../tools/temp-tree.ts";

interface At {
  browserSession: BrowserSession;
  pageUrl: string | undefined;
}
type ActionResult = Partial<Omit<ToolResult, "output">> & {
  extractedContent?: string;
  includeExtractedContentOnlyOnce?: boolean;
};
interface Action {
  description: string;
  params: z.ZodType;
  domains?: string[];
  run(params: Record<string, string>, at: At): Promise<ActionResult>;
}

/** The example's own, as a program would copy it. */
const adapter = new URL("../../examples/own-browser/adapter.mjs", import.meta.url).href;
const { BrowserTools } = (await import(adapter)) as {
  BrowserTools: new (
    session: BrowserSession,
    actions: Record<string, Action>,
    said: Record<string, object>,
  ) => { registerAll(registry: ToolRegistry): void };
};

const value = 'gx7"Q/<v>&_ 9zK+t';
const key = "JBSWY3DPEHPK3PXP";
const tag = (name: string): string => `<secret>${name}</secret>`;
const dot = makePng(6, 4, { paint: () => [0, 255, 0, 255] });

/** A browser that sends what was typed, and notes where it was. */
class BrowserSession {
  url: string | undefined;
  readonly typed: { field: string; text: string; at: string | undefined }[] = [];

  async send(): Promise<string> {
    const body = new URLSearchParams(this.typed.map(({ field, text }) => [field, text]));
    return (await fetch(new URL("/in", this.url), { method: "POST", body })).text();
  }
}

const nothing = z.strictObject({});

/** The actions of a library, with what they come to in its own words. */
const actionsFor = (host: string): Record<string, Action> => ({
  go_to: {
    description: "Opens a page.",
    params: z.strictObject({ address: z.string() }),
    run: async ({ address }, { browserSession }) => {
      browserSession.url = address;
      return { extractedContent: `${address} is open` };
    },
  },
  type_text: {
    description: "Types.",
    params: z.strictObject({ field: z.string(), text: z.string() }),
    run: async ({ field = "", text = "" }, { browserSession }) => {
      browserSession.typed.push({ field, text, at: browserSession.url });
      return { extractedContent: `typed ${text}`, metadata: { [field]: [text] } };
    },
  },
  send_form: {
    description: "Sends it.",
    params: nothing,
    run: async (_, { browserSession, pageUrl }) => ({
      extractedContent: `${"one of many lines\n".repeat(100)}${await browserSession.send()}`,
      longTermMemory: `You sent the form of ${pageUrl}.`,
      includeExtractedContentOnlyOnce: true,
      attachments: ["letters.txt", `of ${value}.txt`],
    }),
  },
  take_picture: {
    description: "What the page looks like.",
    params: nothing,
    run: async () => ({ images: [{ name: `shot of ${value}.png`, data: dot.toString("base64") }] }),
  },
  press_key: {
    description: "Presses a key.",
    params: nothing,
    run: async () => ({ error: `the field with ${value} takes no key` }),
  },
  sign_out: { description: "Signs out.", params: nothing, domains: [host], run: async () => ({}) },
});

/** Says back what it was sent, as pages write it. */
function site(sent: URLSearchParams[]): Promise<WebServer> {
  return startWebServer({
    "/in": async (request, response) => {
      let text = "";
      for await (const part of request) text += part;
      sent.push(new URLSearchParams(text));
      const said = sent.at(-1)?.get("key") ?? "";
      response.end(
        `<p>${said.replaceAll("&", "&amp;").replaceAll("<", "&lt;")} ${sent.at(-1)?.get("code")} ${text}</p>`,
      );
    },
  });
}

interface Scene {
  agent: Agent;
  session: Session;
  browser: BrowserSession;
  model: ModelServer;
  events: AgentEvent[];
  folder: string;
  sent: URLSearchParams[];
  /** Of the site whose secrets they are, and of another one. */
  own: string;
  other: string;
}

/** An agent with a browser of its own and secrets of one host, whose model makes these calls. */
async function openScene(calls: (at: Pick<Scene, "own" | "other">) => ReturnType<typeof asks>[]): Promise<Scene> {
  const sent: URLSearchParams[] = [];
  const { port } = await site(sent);
  const [own, other] = [`http://localhost:${port}/login`, `http://127.0.0.1:${port}/login`];
  const model = await startModelServer([...calls({ own, other }), says("Done.")]);
  onTestFinished(async () => {
    await model.close();
    expect(model.violations).toEqual([]);
  });
  const browser = new BrowserSession();
  const registry = createToolRegistry();
  new BrowserTools(browser, actionsFor(`localhost:${port}`), { type_text: { secrets: ["text"] } }).registerAll(
    registry,
  );
  const folder = tempTree();
  const domains = [`localhost:${port}`];
  const agent = createAgent({
    workspace: folder,
    model: "openai:test-model",
    models: { "openai:test-model": { vision: true } },
    env: { OPENAI_API_KEY: "sk-test-of-holdfast", OPENAI_BASE_URL: model.url, NO_PROXY: "127.0.0.1" },
    store: join(folder, "agent.db"),
    mode: "full-auto",
    tools: registry,
    page: () => browser.url,
    secrets: { SITE_KEY: { value, domains }, site_bu_2fa_code: { value: key, domains } },
  });
  onTestFinished(() => agent.close());
  return { agent, session: agent.start(), browser, model, events: [], folder, sent, own, other };
}

/** Says yes to what is asked, as it was shown, until the turn has ended. */
async function play({ session, events }: Scene): Promise<void> {
  await session.submit("log in");
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "turn_ended") return;
    if (event.type !== "approval_requested") continue;
    for (const { session: id, callId, digest } of event.calls)
      await session.answer({ session: id, call: callId }, { decision: "approve", digest });
  }
}

const goTo = (address: string) => asks("browser_go_to", { address });
const types = (field: string, text: string) => asks("browser_type_text", { field, text });
const heard = ({ model }: Scene, request: number): string =>
  JSON.stringify(model.requests[request]?.body.messages.at(-1)?.content);
const offered = ({ model }: Scene): boolean[] =>
  model.requests.map(({ body }) => JSON.stringify(body.tools).includes("browser_sign_out"));

test("a browser of a program's own logs in with a secret and a code of its page's host, which nobody reads", async () => {
  const scene = await openScene(({ own }) => [
    goTo(own),
    types("key", tag("SITE_KEY")),
    types("code", tag("site_bu_2fa_code")),
    asks("browser_send_form", {}),
    asks("browser_press_key", {}),
    asks("browser_take_picture", {}),
  ]);
  await play(scene);
  const { browser, sent, events, model, own } = scene;
  const code = browser.typed[1]?.text ?? "";
  expect(code).toMatch(/^\d{6}$/);
  expect(browser.typed).toEqual([
    { field: "key", text: value, at: own },
    { field: "code", text: code, at: own },
  ]);
  expect(Object.fromEntries(sent[0] ?? [])).toEqual({ key: value, code });

  // Each use was asked, by its name, though the mode asks about nothing else; with the page that it is for.
  const asked = events.flatMap((event) => (event.type === "approval_requested" ? event.calls : []));
  expect(asked.map(({ plan }) => plan.secrets)).toEqual([
    [{ name: "SITE_KEY", as: "text" }],
    [{ name: "site_bu_2fa_code", as: "text" }],
  ]);
  expect(asked[0]?.plan).toMatchObject({
    page: own,
    warnings: expect.arrayContaining([`it works on the page ${own}`]),
  });

  // What an action came to is what its call came to.
  expect(heard(scene, 2)).toContain(`typed ${tag("SITE_KEY")}`);
  expect(heard(scene, 4)).toContain("one of many lines");
  expect(heard(scene, 4)).toContain(`${tag("SITE_KEY")} ${tag("site_bu_2fa_code")}`);
  const later = JSON.stringify(model.requests[5]?.body.messages);
  expect([later.includes("one of many lines"), later.includes(`You sent the form of ${own}.`)]).toEqual([false, true]);
  expect(heard(scene, 5)).toContain(`the field with ${tag("SITE_KEY")} takes no key`);
  expect(heard(scene, 6)).toContain(`data:image/png;base64,${dot.toString("base64")}`);
  const results = events.flatMap((event) =>
    event.type === "tool_call" && "result" in event.call ? [event.call.result] : [],
  );
  const attachments = ["letters.txt", `of ${tag("SITE_KEY")}.txt`];
  expect(results).toContainEqual(expect.objectContaining({ attachments, title: "send_form" }));
  const shot = expect.objectContaining({ name: tag("SITE_KEY"), width: 6 });
  expect(results).toContainEqual(expect.objectContaining({ images: [shot] }));

  await nothingIsLeft(scene, [value, code, ...keyTexts(key)]);
});

/** While the session is open, and once all is closed. */
async function nothingIsLeft({ agent, session, model, events, folder }: Scene, values: readonly string[]) {
  const { script } = await agent.sessions.export(session.id);
  const history = JSON.stringify(await agent.sessions.history(session.id));
  const said = [JSON.stringify(model.requests.map(({ body }) => body)), JSON.stringify(events), script, history];
  expect(said.flatMap((text) => values.flatMap((one) => formsIn(text, one)))).toEqual([]);
  const open = filesWith(folder, values);
  await agent.close();
  expect([open, filesWith(folder, values)]).toEqual([[], []]);
}

test("it types no secret into another site's page, and a bare name is a word: the model is told", async () => {
  const scene = await openScene(({ own, other }) => [
    types("key", tag("SITE_KEY")),
    goTo(other),
    types("key", tag("SITE_KEY")),
    asks("browser_sign_out", {}),
    goTo(own),
    types("key", "SITE_KEY"),
    types(tag("SITE_KEY"), "a word"),
    asks("browser_sign_out", {}),
  ]);
  await play(scene);
  const { browser, events, own } = scene;
  expect(browser.typed).toEqual([
    { field: "key", text: "SITE_KEY", at: own },
    { field: tag("SITE_KEY"), text: "a word", at: own },
  ]);
  expect(events.filter(({ type }) => type === "approval_requested")).toEqual([]);
  const { host } = new URL(own);
  expect(heard(scene, 1)).toContain(`the secret SITE_KEY goes to ${host} alone, and it is not known to which host`);
  expect(heard(scene, 3)).toContain(`the secret SITE_KEY goes to ${host} alone, and this call speaks to 127.0.0.1`);
  expect(heard(scene, 6)).toContain(`SITE_KEY in text was taken as a word; a secret is put in for ${tag("SITE_KEY")}`);
  expect(heard(scene, 7)).toContain(`${tag("SITE_KEY")} in field was taken as it is written`);

  // A tool for the site's pages is there on them alone.
  expect(offered(scene)).toEqual([false, false, false, false, false, true, true, true, true]);
  expect(heard(scene, 4)).toContain(`UNKNOWN_TOOL: browser_sign_out is for pages of ${host} alone`);
  expect(heard(scene, 8)).not.toContain("UNKNOWN_TOOL");
  await nothingIsLeft(scene, [value, ...keyTexts(key)]);
});

test("it types into no page that came between the question and the typing", async () => {
  const scene = await openScene(({ own }) => [goTo(own), types("key", tag("SITE_KEY"))]);
  const { session, browser, other, events } = scene;
  await session.submit("log in");
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "turn_ended") break;
    if (event.type !== "approval_requested") continue;
    browser.url = other;
    for (const { session: id, callId, digest } of event.calls)
      await session.answer({ session: id, call: callId }, { decision: "approve", digest });
  }
  expect(browser.typed).toEqual([]);
  expect(heard(scene, 2)).toContain("and this call speaks to 127.0.0.1");
});
