import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { type McpPlace, openMcpPlace } from "../support/mcp.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

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

const heard = (place: McpPlace): string[] => place.noted().filter((line) => line.startsWith("heard"));

async function chatOf(place: McpPlace, size = { cols: 100, rows: 30 }, how: { env?: Record<string, string> } = {}) {
  const pty = place.chat(["chat"], { ...size, ...how });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  return pty;
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
    await readQuestion();
    pty.key("f");
    await pty.waitFor(/Your name/u);
    pty.type("Ada \x1b[200~of London\x1b[201~\r");
    await pty.waitFor(/whole number/u);
    pty.type("\r");
    await pty.waitFor(/2 green/u);
    pty.type("green\r");
    await pty.waitFor(/this goes to the MCP server small/u);
    await pty.waitFor('"name": "Ada of London"');
    expect(heard(place)).toEqual([]);
    for (let at = 0; at < 3; at += 1) {
      pty.key(" ");
      await readQuestion();
    }
    pty.key("y");
    await pty.waitFor("Done it is.");
    expect(heard(place)).toEqual(["heard accept"]);
    expect(pty.raw()).toContain("sent small");
    pty.leave();
    await pty.exit;
  },
);
