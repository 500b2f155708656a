import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Told } from "../support/cli.ts";
import { eventOf, openHttpPlace, startMcpHttp, streams } from "../support/mcp-http.ts";
import { asks, says } from "../support/model-server.ts";
import { startProxy } from "../support/proxy.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

it("goes over the person's proxy, which finds the address", async () => {
  const web = await startMcpHttp();
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  const url = `http://mcp.example:${web.port}/mcp`;
  const place = await openHttpPlace({ url }, [asks("mcp__web__echo", { text: "a" }), says("Done.")], {
    env: { HTTP_PROXY: proxy.url },
  });
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "success", result: { output: "a" } }]);
  expect(web.calls()).toEqual(["call echo"]);
  expect(proxy.seen.length).toBe(web.seen.length);
});

it("over a proxy that is gone nothing was done", async () => {
  const web = await startMcpHttp();
  const proxy = await startProxy();
  const url = `http://mcp.example:${web.port}/mcp`;
  const place = await openHttpPlace({ url }, [asks("mcp__web__echo", { text: "a" }), says("Done.")], {
    env: { HTTP_PROXY: proxy.url },
  });
  await proxy.close();
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "error", errorMsg: expect.stringContaining("nothing was done") }]);
});

it("Esc tells the server to stop; where it does not answer the outcome is unknown, and the session goes on for the next call", async () => {
  const web = await startMcpHttp({ hangs: { description: "Hangs.", call: () => undefined } });
  const place = await openHttpPlace(web, [
    asks("mcp__web__hangs", {}),
    asks("mcp__web__echo", { text: "after" }),
    says("Done."),
  ]);
  const rules = [{ tool: "mcp__web__*", decision: "allow", why: "test" }];
  await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules }));
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  await expect.poll(() => web.calls(), { timeout: 60_000 }).toEqual(["call hangs"]);
  pty.key("escape");
  await pty.waitFor(/was told to stop, and did not say what it had done/u);
  expect(web.seen).toContain("POST notifications/cancelled");
  pty.leave();
  await pty.exit;
  expect(web.calls()).toEqual(["call hangs"]);
  await expect.poll(() => web.seen.at(-1), { timeout: 20_000 }).toBe("DELETE");
});

it("a stream of what it says unasked that ends is opened again, and the tools are looked at again", async () => {
  const web = await startMcpHttp({
    waits: {
      description: "Waits until it is listened to again.",
      call: ({ message, response }) => {
        const listens = () => web.seen.filter((line) => line === "GET").length;
        const look = (): void => {
          if (listens() < 2) setTimeout(look, 50);
          else
            response
              .writeHead(200, streams)
              .end(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"content":[]}}\n\n`);
        };
        look();
        return undefined;
      },
    },
  });
  const place = await openHttpPlace(web, [asks("mcp__web__waits", {}), says("Done.")]);
  web.seen.length = 0;
  web.before = ({ request, response }) => {
    if (request.method !== "GET") return false;
    response.writeHead(200, streams).end();
    return true;
  };
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "success" }]);
  expect(web.seen.filter((line) => line === "POST tools/list").length).toBeGreaterThan(1);
});

it("a question that comes again by a stream that was opened again is put once, and what was answered is said again", async () => {
  const answers: unknown[] = [];
  const question = {
    id: 7,
    method: "elicitation/create",
    params: { message: "Who?", requestedSchema: { type: "object" } },
  };
  const web = await startMcpHttp({
    waits: {
      description: "Waits until it has heard twice.",
      call: ({ message, response }) => {
        const look = (): void => {
          if (answers.length < 2) setTimeout(look, 50);
          else response.writeHead(200, streams).end(eventOf({ id: message.id, result: { content: [] } }));
        };
        look();
        return undefined;
      },
    },
  });
  const place = await openHttpPlace(web, [asks("mcp__web__waits", {}), says("Done.")]);
  web.before = ({ request, response, message }) => {
    if (message?.id === question.id && message.method === undefined) answers.push(message);
    if (request.method !== "GET") return false;
    const isAsked = () => web.calls().length > 0;
    const say = (): void => {
      if (isAsked()) response.end(`id: e1\n${eventOf(question)}`);
      else setTimeout(say, 50);
    };
    response.writeHead(200, streams).flushHeaders();
    say();
    return true;
  };
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "success" }]);
  expect(answers).toMatchObject([
    { id: 7, result: { action: "cancel" } },
    { id: 7, result: { action: "cancel" } },
  ]);
  const log = (await place.run(["mcp", "logs", "web"])).stdout;
  expect(log.match(/it asked the person something/gu)).toHaveLength(1);
});
