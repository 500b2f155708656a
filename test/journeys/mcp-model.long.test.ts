import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { type McpPlace, openMcpPlace } from "../support/mcp.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { describeWithEverything, everythingServer } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";

const request = (text: string): JsonObject => ({
  messages: [{ role: "user", content: { type: "text", text } }],
  systemPrompt: "Be short.",
  maxTokens: 300,
});

const wants = (...requests: JsonObject[]): Answer => asks("mcp__small__samples", { requests });

/** The small server may ask the model, by the person's own settings. */
async function placeWith(
  answers: Answer[],
  sampling: JsonObject = { sampling: "ask" },
  more: JsonObject = {},
): Promise<McpPlace> {
  const place = await openMcpPlace(answers, { trusted: false });
  const file = join(place.home, "config.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  Object.assign(config.mcpServers.small, sampling);
  Object.assign(config, more);
  config.models = { "openai:test-model": { price: { input: 1000, output: 1000 } } };
  await writeFile(file, JSON.stringify(config));
  const { code, stdout, stderr } = await place.run(["mcp", "trust", "small", "--yes"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout.includes("it may ask your model")).toBe(sampling["sampling"] === "ask");
  await writeFile(
    join(place.home, "policy.json"),
    JSON.stringify({ rules: [{ tool: "mcp__small__*", decision: "allow", why: "test" }] }),
  );
  return place;
}

const heard = (place: McpPlace): string[] => place.noted().filter((line) => line.startsWith("heard"));

async function chatOf(place: Place, size = { cols: 100, rows: 30 }) {
  const pty = place.chat(["chat"], size);
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  return pty;
}

/** All of it, however small the window is. */
async function readToEnd(pty: Awaited<ReturnType<typeof chatOf>>): Promise<void> {
  await readQuestion();
  for (;;) {
    const shown = pty.screen().join("\n");
    const [at, last, total] = /lines \d+-(\d+) of (\d+)/u.exec(shown) ?? [];
    if (at === undefined || last === total) return;
    pty.key(" ");
    await expect.poll(() => pty.screen().join("\n")).not.toContain(at);
  }
}

const notAnswered = "heard this client did not have its model answer that";

it.each([
  { cols: 100, rows: 30 },
  { cols: 60, rows: 20 },
])(
  "a person reads what a server would ask the model, then what it answered, and lets both go by one key, at $cols x $rows",
  async (size) => {
    const place = await placeWith([wants(request("Capital of France?")), says("Paris it is."), says("Done it is.")]);
    const pty = await chatOf(place, size);
    await pty.waitFor(/wants to ask your model/u);
    await pty.waitFor("Capital of France?");
    expect(place.server.requests).toHaveLength(1);
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor(/this answer of your model goes/u);
    await pty.waitFor("Paris it is.");
    expect(heard(place)).toEqual([]);
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor("Done it is.");
    expect(heard(place)).toEqual(["heard Paris it is."]);
    const [, body, last] = place.server.requests.map((one) => one.body);
    expect(body?.messages).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: "Capital of France?" },
    ]);
    expect(body?.tools).toBeUndefined();
    expect(body?.["max_completion_tokens"]).toBe(300);
    expect(JSON.stringify(last)).toContain("the person let the server have it");
    pty.leave();
    await pty.exit;
    const [row] = (await place.run(["sessions", "--json"])).stdout.split("\n", 1).map((line) => JSON.parse(line));
    const { stdout } = await place.run(["sessions", "show", row.id, "--json"]);
    expect(stdout).toContain('"askedModel":[{"action":"sent","inputTokens":11,"outputTokens":7');
    expect(place.server.violations).toEqual([]);
  },
);

it("a no sends nothing, and words of a server that a terminal would obey are not obeyed", async () => {
  const evil = request(`\u001b]0;owned\u0007\u001b[2Jred \u202e${"many words ".repeat(30)}\ny sends this`);
  const place = await placeWith([wants(evil), says("Done it is.")]);
  const pty = await chatOf(place, { cols: 60, rows: 20 });
  await pty.waitFor("many words");
  const rows = pty.screen().filter((row) => /many words|y sends this/u.test(row) && !row.includes("n says no"));
  for (const row of rows) expect(row).toMatch(/^▌ │ /u);
  expect(pty.raw()).not.toContain("\u001b]0;owned");
  expect(pty.raw()).not.toContain("\u202e");
  await readQuestion();
  pty.key("n");
  await pty.waitFor("Done it is.");
  expect(heard(place)).toEqual([notAnswered]);
  expect(place.server.requests).toHaveLength(2);
  expect(pty.raw()).toContain("did not let small ask");
  pty.leave();
  await pty.exit;
});

it("a yes counts once all of it was on the screen", async () => {
  const long = request(Array.from({ length: 60 }, (_, at) => `line ${at} of it`).join("\n"));
  const place = await placeWith([wants(long), says("Answered."), says("Done it is.")]);
  const pty = await chatOf(place, { cols: 60, rows: 20 });
  await pty.waitFor("line 3 of it");
  await readQuestion();
  pty.key("y");
  await pty.waitFor("not on the screen yet");
  expect(place.server.requests).toHaveLength(1);
  await readToEnd(pty);
  pty.key("y");
  await pty.waitFor("Answered.");
  pty.key("ctrl-c");
  await expect.poll(() => place.noted()).toContain("cancelled");
  expect(heard(place).filter((line) => line !== notAnswered)).toEqual([]);
  pty.leave();
  await pty.exit;
});

it("what an answer cost counts as the turn's, whether or not the server gets it", async () => {
  // 18 tokens cost 0.018: the first reply is below it, and the two together are not.
  const place = await placeWith([wants(request("One?")), says("Answered."), says("Never said.")], undefined, {
    maxCost: 0.03,
  });
  const pty = await chatOf(place);
  await pty.waitFor("One?");
  await readQuestion();
  pty.key("y");
  await pty.waitFor("11 tokens in, 7 out, cost 0.0180");
  await readQuestion();
  pty.key("n");
  await pty.waitFor(/the turn has cost as much as/u);
  expect(heard(place)).toEqual([notAnswered]);
  expect(place.server.requests).toHaveLength(2);
  pty.leave();
  await pty.exit;
});

it("in plain lines the words send and no decide", async () => {
  const place = await placeWith([wants(request("One?"), request("Two?")), says("Answer one."), says("Done it is.")]);
  place.env["HOLDFAST_SCREEN_READER"] = "1";
  const pty = await chatOf(place);
  await pty.waitFor(/│ One\?[\s\S]*Type send, no or cancel:/u);
  pty.type("y\r");
  await pty.waitFor("Nothing was sent. Type send, no or cancel.");
  pty.type("send\r");
  await pty.waitFor(/│ Answer one\.[\s\S]*Type send, no or cancel:/u);
  pty.type("send\r");
  await pty.waitFor(/│ Two\?[\s\S]*Type send, no or cancel:/u);
  pty.type("no\r");
  await pty.waitFor("Done it is.");
  expect(heard(place)).toEqual(["heard Answer one.", notAnswered]);
  pty.leave();
  await pty.exit;
});

it("killed with the question open or with the model at work: resumed, nothing is sent again", async () => {
  const place = await placeWith([wants(request("One?")), says("Never read.", { hangAfter: 0 })]);
  const pty = await chatOf(place);
  await pty.waitFor("One?");
  await readToEnd(pty);
  pty.key("y");
  await expect.poll(() => place.server.requests.length).toBe(2);
  process.kill(pty.pid, "SIGKILL");
  await pty.exit;
  await expect.poll(() => place.alive(), { timeout: 20_000 }).toEqual([]);
  const [session] = (await place.run(["sessions", "--json"])).stdout.split("\n", 1).map((line) => JSON.parse(line));
  const resumed = await place.json(["resume", session.id]);
  expect(resumed.code).toBe(11);
  expect(resumed.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__small__samples" }]);
  expect(place.server.requests).toHaveLength(2);
  expect(place.noted().filter((line) => line.startsWith("call"))).toEqual(["call samples"]);
});

it("in a run nobody is there, and where the settings do not say so no server asks a model; a project's cannot say so", async () => {
  const place = await placeWith([wants(request("One?")), says("Done it is.")]);
  const ran = await place.json(["run", "go"]);
  expect(ran.code).toBe(0);
  // As it was trusted, and not in the run.
  expect(place.noted().filter((line) => line === "may ask the model")).toHaveLength(1);
  expect(heard(place)).toEqual([notAnswered]);
  expect(place.server.requests).toHaveLength(2);
  const closed = await placeWith([wants(request("One?")), says("Done it is.")], {});
  const pty = await chatOf(closed);
  await pty.waitFor("Done it is.");
  expect(heard(closed)).toEqual(["heard refused: this client does not let this server use its model"]);
  expect(closed.noted()).not.toContain("may ask the model");
  pty.leave();
  await pty.exit;
  const entry = { command: process.execPath, args: ["server.mjs"], sampling: "ask" };
  await writeFile(join(closed.workspace, ".mcp.json"), JSON.stringify({ mcpServers: { theirs: entry } }));
  const listed = await closed.run(["mcp", "list"]);
  expect(listed.stdout).toContain("it says that it may ask your model, which only your own config.json may");
});

describeWithEverything("the server that shows all of MCP (needs @modelcontextprotocol/server-everything)", () => {
  const start = { command: process.execPath, args: [everythingServer, "stdio"] };

  async function placeOf(...later: Answer[]): Promise<Place> {
    const ask = asks("mcp__every__trigger-sampling-request", { prompt: "Capital of France?", maxTokens: 50 });
    const place = await openPlace([ask, ...later]);
    const every = { ...start, sampling: "ask" };
    await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { every } }));
    const { code, stderr } = await place.run(["mcp", "trust", "every", "--yes"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const rules = [{ tool: "mcp__every__*", decision: "allow", why: "test" }];
    await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules }));
    return place;
  }

  it("asks the model by two yeses, and says what it heard", async () => {
    const place = await placeOf(says("Paris it is."), says("Done it is."));
    const pty = await chatOf(place);
    await pty.waitFor(/wants to ask your model/u);
    await pty.waitFor("Capital of France?");
    expect(place.server.requests).toHaveLength(1);
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor(/this answer of your model goes/u);
    await pty.waitFor("Paris it is.");
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor("Done it is.");
    const [, body, last] = place.server.requests.map((one) => one.body);
    expect(JSON.stringify(body?.messages)).toContain("Capital of France?");
    expect([body?.tools, body?.["max_completion_tokens"]]).toEqual([undefined, 50]);
    expect(JSON.stringify(last)).toMatch(/LLM sampling result[\s\S]*Paris it is\./u);
    expect(JSON.stringify(last)).toContain("the person let the server have it");
    pty.leave();
    await pty.exit;
  });

  it("hears of an answer that it does not get by a no", async () => {
    const place = await placeOf(says("Paris it is."), says("Done it is."));
    const pty = await chatOf(place);
    await pty.waitFor(/wants to ask your model/u);
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor(/this answer of your model goes/u);
    await readToEnd(pty);
    pty.key("n");
    await pty.waitFor("Done it is.");
    const last = JSON.stringify(place.server.requests.at(-1)?.body);
    expect(last).toContain("this client did not have its model answer that");
    expect(last).not.toContain("Paris it is.");
    pty.leave();
    await pty.exit;
  });
});
