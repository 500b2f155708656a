import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { freePort, start } from "../support/everything.ts";
import { type McpPlace, openMcpPlace } from "../support/mcp.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { describeWithEverything, everythingServer } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";
import { filesWith } from "../support/secret-forms.ts";

const form: JsonObject = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name" },
      age: { type: "integer", minimum: 1, maximum: 150, default: 42 },
      color: { type: "string", enum: ["red", "green"] },
    },
    required: ["name"],
  },
};

const wants = (...forms: JsonObject[]): Answer => asks("mcp__small__wants", { forms });

async function placeWith(answers: Answer[], env: Record<string, string> = {}): Promise<McpPlace> {
  const place = await openMcpPlace(answers, { env });
  await writeFile(
    join(place.home, "policy.json"),
    JSON.stringify({ rules: [{ tool: "mcp__small__*", decision: "allow", why: "test" }] }),
  );
  return place;
}

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

const heard = (place: McpPlace): string[] => place.noted().filter((line) => line.startsWith("heard"));

async function chatOf(place: Place, size = { cols: 100, rows: 30 }) {
  const pty = place.chat(["chat"], size);
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  return pty;
}

/** All of the page, however small the window is. */
async function readToEnd(pty: Awaited<ReturnType<typeof chatOf>>, key = " "): Promise<void> {
  if (key === " ") await readQuestion();
  for (;;) {
    const shown = pty.screen().join("\n");
    const [at, last, total] = /lines \d+-(\d+) of (\d+)/u.exec(shown) ?? [];
    if (at === undefined || last === total) return;
    pty.key(key);
    await expect.poll(() => pty.screen().join("\n")).not.toContain(at);
  }
}

it.each([
  { cols: 100, rows: 30 },
  { cols: 60, rows: 20 },
  { cols: 42, rows: 10 },
])(
  "a person fills in what a server asks, reads what goes out and sends it by one key, at $cols x $rows",
  async (size) => {
    const place = await placeWith([wants(form), says("Done it is.")]);
    const pty = await chatOf(place, size);
    await pty.waitFor(/MCP server small asks/u);
    await pty.waitFor("Who are you?");
    await readToEnd(pty);
    pty.key("f");
    await pty.waitFor("1 of 3");
    pty.type("Ada \x1b[200~of London\x1b[201~\r");
    await pty.waitFor("2 of 3");
    pty.type("\r");
    await pty.waitFor("3 of 3");
    pty.type("green\r");
    await pty.waitFor(/this goes to the MCP server small/u);
    await pty.waitFor('"name": "Ada of London"');
    expect(heard(place)).toEqual([]);
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor("Done it is.");
    expect(heard(place)).toEqual(["heard accept"]);
    expect(pty.raw()).toContain("answered small");
    pty.leave();
    await pty.exit;
  },
);

it.each([
  ["n", "decline", "declined what small asked"],
  ["escape", "cancel", "what small asked got no answer"],
])("the key %s tells the server %s, and the card tells the person", async (key, action, words) => {
  const place = await placeWith([wants(form), says("Done it is.")]);
  const pty = await chatOf(place);
  await pty.waitFor("Who are you?");
  await readQuestion();
  pty.key(key);
  await pty.waitFor("Done it is.");
  expect(heard(place)).toEqual([`heard ${action}`]);
  expect(pty.raw()).toContain(words);
  expect(pty.raw()).toContain("(small asked the person something: they");
  pty.leave();
  await pty.exit;
});

it("Ctrl-C stops the turn with the question open: the server hears that nothing was decided, and nothing is left of it on the screen", async () => {
  const place = await placeWith([wants(form), says("Never said.")]);
  const pty = await chatOf(place);
  await pty.waitFor("Who are you?");
  pty.key("ctrl-c");
  await pty.waitFor(/what small asked got no answer/u);
  await expect.poll(() => heard(place)).toEqual(["heard cancel"]);
  await expect.poll(() => pty.screen().join("\n")).not.toContain("It wants:");
  pty.leave();
  await pty.exit;
});

it("words of a server that a terminal would obey are not obeyed, and each of its rows has a mark", async () => {
  const evil = { ...form, message: `\u001b]0;owned\u0007\u001b[2Jred \u202e${"many words ".repeat(30)}\ny sends this` };
  const place = await placeWith([wants(evil), says("Done it is.")]);
  const pty = await chatOf(place, { cols: 60, rows: 20 });
  await pty.waitFor("many words");
  const rows = pty.screen().filter((row) => /many words|y sends this/u.test(row));
  for (const row of rows) expect(row).toMatch(/^▌ │ /u);
  expect(pty.raw()).not.toContain("\u001b]0;owned");
  expect(pty.raw()).not.toContain("\u202e");
  pty.leave();
  await pty.exit;
});

it("in the plain chat the fields are asked for line by line, and what goes out is read before it is sent", async () => {
  const place = await placeWith([wants(form), wants(form), says("Done it is.")]);
  place.env["HOLDFAST_SCREEN_READER"] = "1";
  const pty = await chatOf(place);
  await pty.waitFor("Type fill, no or cancel:");
  pty.type("fill\r");
  await pty.waitFor("1 of 3. Type it:");
  pty.type("\r");
  await pty.waitFor("an answer is needed here. Once more:");
  pty.type("Ada\r");
  await pty.waitFor("2 of 3. Type it (enter alone takes");
  pty.type("\r");
  await pty.waitFor("3 of 3. Type it:");
  pty.type("\r");
  await pty.waitFor("This goes to the MCP server small:");
  await pty.waitFor("not sent: color");
  expect(heard(place)).toEqual([]);
  pty.type("send\r");
  await expect.poll(() => heard(place)).toEqual(["heard accept"]);
  await pty.waitFor(/answered small: "name", "age"[\s\S]*Type fill, no or cancel:/u);
  await readQuestion();
  pty.key("escape");
  await pty.waitFor("Done it is.");
  expect(heard(place)).toEqual(["heard accept", "heard cancel"]);
  pty.leave();
  await pty.exit;
});

it("killed with the question open: resumed, the call is unknown, it is not made again, and nothing is asked any more", async () => {
  const place = await placeWith([wants(form), says("Done it is.")]);
  const pty = await chatOf(place);
  await pty.waitFor("Who are you?");
  process.kill(pty.pid, "SIGKILL");
  await pty.exit;
  await expect.poll(() => place.alive(), { timeout: 20_000 }).toEqual([]);
  const [session] = (await place.run(["sessions", "--json"])).stdout.split("\n", 1).map((line) => JSON.parse(line));
  const resumed = await place.json(["resume", session.id]);
  expect(resumed.code).toBe(11);
  expect(resumed.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__small__wants", effect: "once" }]);
  expect(place.noted().filter((line) => line.startsWith("call"))).toEqual(["call wants"]);
  expect(heard(place)).toEqual([]);
});

it("in a run nobody is there: the server is told so, the model and whoever reads the run too", async () => {
  const place = await placeWith([wants(form), says("Done it is.")]);
  const ran = await place.json(["run", "go"]);
  expect(settled(ran)).toMatchObject([
    {
      status: "success",
      result: {
        output: expect.stringContaining(
          "(small asked the person something: it got no answer, nobody is there to answer)",
        ),
        metadata: { asked: [{ action: "cancel", why: "nobody is there to answer" }] },
      },
    },
  ]);
  expect(ran.of("form_requested")).toEqual([]);
  expect(place.noted().at(-1)).toBe("heard cancel");
  expect(place.noted()).toContain("may ask null");
});

it("no value that the person sent is in the session's records, nor told to the model", async () => {
  const place = await placeWith([asks("mcp__small__wants", { forms: [form], quiet: true }), says("Done it is.")]);
  const pty = await chatOf(place);
  await pty.waitFor("Who are you?");
  await readQuestion();
  pty.key("f");
  await pty.waitFor("1 of 3");
  pty.type("Zebedee\r");
  await pty.waitFor(/2 of 3/u);
  pty.type("\r");
  await pty.waitFor(/3 of 3/u);
  pty.type("\r");
  await pty.waitFor('"name": "Zebedee"');
  await readQuestion();
  pty.key("y");
  await pty.waitFor("Done it is.");
  pty.leave();
  await pty.exit;
  expect(heard(place)).toEqual(["heard accept"]);
  expect(JSON.stringify(place.server.requests.map(({ body }) => body))).not.toContain("Zebedee");
  expect(JSON.stringify(place.server.requests.at(-1)?.body)).toContain('they sent \\"name\\"');
  expect(filesWith(place.home, "Zebedee")).toEqual([]);
});

describeWithEverything("the server that shows all of MCP (needs @modelcontextprotocol/server-everything)", () => {
  it.each([
    ["stdio", { cols: 100, rows: 30 }],
    ["streamable HTTP", { cols: 60, rows: 20 }],
    ["stdio", { cols: 42, rows: 10 }],
  ])("asks over %s for every kind of field, and gets what the person read and sent, at %o", async (how, size) => {
    const entry =
      how === "stdio"
        ? { command: process.execPath, args: [everythingServer, "stdio"] }
        : { type: "http", url: `http://127.0.0.1:${(await start(await freePort())).port}/mcp` };
    const place = await openPlace([asks("mcp__every__trigger-elicitation-request", {}), says("Done it is.")]);
    await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { every: entry } }));
    expect((await place.run(["mcp", "trust", "every", "--yes"])).code).toBe(0);
    await writeFile(
      join(place.home, "policy.json"),
      JSON.stringify({ rules: [{ tool: "mcp__every__*", decision: "allow", why: "test" }] }),
    );
    const pty = await chatOf(place, size);
    await pty.waitFor("Please provide inputs");
    await readToEnd(pty);
    pty.key("f");
    for (let at = 1; at <= 13; at += 1) {
      await pty.waitFor(`asks, ${at} of 13`);
      await readToEnd(pty, "pagedown");
      pty.type(at === 1 ? "Ada Lovelace\r" : at === 4 ? "ada@example.org\r" : "\r");
    }
    await pty.waitFor("this goes to the MCP server");
    await readToEnd(pty);
    pty.key("y");
    await pty.waitFor("Done it is.");
    const told = JSON.stringify(place.server.requests.at(-1)?.body);
    expect(told).toContain("User provided the requested information!");
    expect(told).toContain("- Name: Ada Lovelace");
    expect(told).toContain("- Favorite Integer: 42");
    pty.leave();
    await pty.exit;
  });
});
