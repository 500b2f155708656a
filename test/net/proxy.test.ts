import { afterEach, beforeEach, expect, test } from "vitest";
import { openOpenAI } from "../../src/model/openai.ts";
import type { Model } from "../../src/model/port.ts";
import { asRequest, hear } from "../support/collect.ts";
import { type ModelServer, says, startModelServer } from "../support/model-server.ts";
import { type ForwardProxy, startProxy } from "../support/proxy.ts";

let proxy: ForwardProxy;
let server: ModelServer;
beforeEach(async () => {
  proxy = await startProxy();
  server = await startModelServer([says("through"), says("again")]);
});
afterEach(async () => {
  await server.close();
  await proxy.close();
});

const modelWith = (env: Record<string, string>): Model =>
  openOpenAI({
    model: "m",
    env: { OPENAI_BASE_URL: server.url, ...env },
    idleMs: 60_000,
    clock: { sleep: async () => undefined },
  });

test.each(["HTTP_PROXY", "http_proxy"])("%s carries the request and its stream", async (name) => {
  const model = modelWith({ [name]: proxy.url });
  expect((await hear(model, asRequest("hi"))).text).toBe("through");
  expect((await hear(model, asRequest("hi"))).text).toBe("again");
  expect(proxy.seen.length).toBeGreaterThan(0);
  expect(proxy.seen[0]).toContain(`127.0.0.1:${server.port}`);
});

test("HTTPS_PROXY alone carries nothing of a plain http server", async () => {
  expect((await hear(modelWith({ HTTPS_PROXY: proxy.url }), asRequest("hi"))).text).toBe("through");
  expect(proxy.seen).toEqual([]);
});

test.each(["127.0.0.1", "*", "example.com,127.0.0.1"])("NO_PROXY=%s goes straight", async (hosts) => {
  expect((await hear(modelWith({ HTTP_PROXY: proxy.url, NO_PROXY: hosts }), asRequest("hi"))).text).toBe("through");
  expect(proxy.seen).toEqual([]);
});

test("a stream cut behind the proxy is cut, and stopping hangs up behind it", async () => {
  server.push();
  const model = modelWith({ HTTP_PROXY: proxy.url });
  await hear(model, asRequest("hi"));
  await hear(model, asRequest("hi"));
  server.push(says("x".repeat(50), { chunks: 10, cutAfter: 3 }), says("x".repeat(50), { chunks: 10, hangAfter: 3 }));
  expect((await hear(model, asRequest("hi"))).failure?.kind).toBe("cut");
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    for await (const event of model.stream(asRequest("hi"), stop.signal)) {
      if (event.type === "text") stop.abort(new Error("stopped"));
    }
  };
  await expect(run()).rejects.toThrow("stopped");
  expect(await server.requests[3]?.ended).toBe("hung up");
});

test("a proxy that is not there is unavailable, and says so", async () => {
  await proxy.close();
  const { failure } = await hear(modelWith({ HTTP_PROXY: proxy.url }), asRequest("hi"));
  expect(failure?.kind).toBe("unavailable");
  expect(failure?.hint).toMatch(/proxy|listens/);
});
