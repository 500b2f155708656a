import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/json.ts";
import { Exchange } from "../../../../src/tools/mcp/messages.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";

it("a question that comes again while the person is asked is put once, and nothing but their answer goes out", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "holdfast-again-")), "log");
  const log = openServerLog(file);
  const sent: JsonObject[] = [];
  let [put, answer]: [number, () => void] = [0, () => undefined];
  const exchange = new Exchange({
    ...{ workspace: "/w", log, toolsChanged: () => undefined, tooMuch: () => undefined },
    send: async (message) => {
      sent.push(message);
      return true;
    },
    asks: () => {
      put += 1;
      return new Promise((done) => {
        answer = () => done({ result: { action: "decline" } });
      });
    },
  });
  const question = JSON.stringify({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params: {} });
  for (let at = 0; at < 3; at += 1) exchange.hear(question);
  expect([put, sent]).toEqual([1, []]);
  answer();
  await expect.poll(() => sent.length).toBe(1);
  exchange.hear(question);
  exchange.hear(question.replace("{}", '{"message":"another"}'));
  exchange.hear(JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(300), method: "elicitation/create", params: {} }));
  expect(put).toBe(1);
  expect(sent).toMatchObject([
    { id: "q", result: { action: "decline" } },
    { id: "q", result: { action: "decline" } },
    { id: "q", error: { code: -32600 } },
    { error: { message: "that id is too long" } },
  ]);
  log.flush();
  expect(readFileSync(file, "utf8").match(/was not heard/gu)).toHaveLength(2);
});

it("while the answer is on its way, no other reply under its id goes out", async () => {
  const sent: JsonObject[] = [];
  let out: () => void = () => undefined;
  const exchange = new Exchange({
    workspace: "/w",
    log: openServerLog(join(mkdtempSync(join(tmpdir(), "holdfast-again-")), "log")),
    toolsChanged: () => undefined,
    tooMuch: () => undefined,
    send: (message) => {
      sent.push(message);
      return new Promise((done) => {
        out = () => done(false);
      });
    },
    asks: async () => ({ result: { action: "accept", content: { name: "Ada" } } }),
  });
  const question = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "elicitation/create", params: {} });
  exchange.hear(question);
  await expect.poll(() => sent.length).toBe(1);
  exchange.hear(question);
  expect(sent).toHaveLength(1);
  out();
  await nextTurn();
  exchange.hear(question);
  const answer = { id: 7, result: { action: "accept", content: { name: "Ada" } } };
  expect(sent).toMatchObject([answer, answer]);
});
