import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

/** The person's settings, beside what else they say. */
async function settings(place: Place, config: object): Promise<void> {
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(place.home, { recursive: true, mode: 0o700 });
  await writeFile(`${place.home}/config.json`, JSON.stringify(config), { mode: 0o600 });
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("servers and models of the settings", () => {
  it("are used by -m NAME:MODEL, with what is said of the model, and again by resume", async () => {
    const place = await openPlace([asks("write_file", { file_path: "b.txt", content: "b\n" }), says("Done.")]);
    await settings(place, {
      servers: { mine: { baseUrl: place.server.url, apiKeyEnv: "MY_KEY" } },
      models: { "mine:*": { contextWindow: 9000, maxOutput: 100, extra: { seed: 1 } } },
    });
    const env = { MY_KEY: "sk-of-mine", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const paused = await place.json(["run", "write", "-m", "mine:some:model"], { env });
    expect(paused).toMatchObject({ code: 11 });
    expect(paused.the("session_started").model).toBe("mine:some:model");
    expect(paused.the("usage").contextWindow).toBe(9000);
    expect(place.server.requests[0]).toMatchObject({
      headers: { authorization: "Bearer sk-of-mine" },
      body: { model: "some:model", max_tokens: 100, seed: 1 },
    });
    expect((await place.json(["resume", paused.session, "--approve", "all"], { env })).end.text).toBe("Done.");
    const [row] = lines((await place.run(["sessions", "--json"])).stdout);
    expect(row).toMatchObject({ model: "mine:some:model" });
  });

  it("may call tools in XML, each by its entry", async () => {
    const place = await openPlace([asks("ls", {}), says("Nothing.")], {}, { toolFormat: "xml" });
    await settings(place, { models: { "openai:test-*": { toolFormat: "xml" } } });
    expect((await place.json(["run", "look"])).end).toMatchObject({ text: "Nothing.", calls: { success: 1 } });
  });

  it("are refused where they are unknown: 2 where it was typed, 52 where it is set", async () => {
    const place = await openPlace();
    const typed = await place.run(["run", "hi", "-m", "nobody:x"]);
    expect(typed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no server "nobody"; the servers are openai,'),
    });
    const set = await place.run(["run", "hi"], { env: { AGENT_MODEL: "nobody:x" } });
    expect(set).toMatchObject({ code: 52, stderr: expect.stringContaining('there is no server "nobody"') });
    expect((await place.run(["sessions"], { env: { AGENT_MODEL: "nobody:x" } })).code).toBe(0);
  });

  it.each([
    [{ servers: { "a b": { baseUrl: "http://x/v1" } } }, "a server's name has letters, digits"],
    [{ servers: { demo: { baseUrl: "http://x/v1" } } }, "script and demo are no servers"],
    [{ servers: { a: { baseUrl: "ftp://x" } } }, "servers.a.baseUrl"],
    [{ servers: { a: { baseUrl: "https://me:secret@x/v1" } } }, "an address without credentials in it"],
    [{ servers: { a: { apiKey: "sk-1" } } }, "servers.a.apiKey"],
    [{ servers: { groq: {}, a: { apiKeyEnv: "A_KEY" } } }, '"servers.a": its baseUrl is missing'],
    [{ models: { gpt: {} } }, "a model is named SERVER:NAME"],
    [{ models: { "a:b": { extra: { messages: [] } } } }, "are the agent's own"],
    [{ models: { "a:b": { price: { input: -1, output: 1 } } } }, "models.a:b.price.input"],
    [{ models: { "a:b": { toolFormat: "yaml" } } }, "models.a:b.toolFormat"],
  ])("are checked when they are read: %j", async (config, said) => {
    const place = await openPlace();
    await settings(place, config);
    const ran = await place.run(["run", "hi"]);
    expect(ran).toMatchObject({ code: 52, stderr: expect.stringContaining(said) });
  });

  it("are never a project's to set, trusted or not", async () => {
    for (const key of ["servers", "models", "model", "baseUrl"]) {
      const place = await openPlace([], { ".holdfast/config.json": JSON.stringify({ [key]: {} }) });
      const ran = await place.run(["run", "hi"]);
      expect(ran).toMatchObject({ code: 52, stderr: expect.stringContaining(`"${key}": unknown key`) });
      expect(place.server.requests).toEqual([]);
    }
  });
});

describe("agent models", () => {
  it("lists what is configured and what the servers answer", async () => {
    const place = await openPlace();
    await settings(place, {
      servers: { mine: { baseUrl: place.server.url }, gone: { baseUrl: "http://127.0.0.1:1/v1" } },
      models: { "openai:test-model": { price: { input: 1, output: 2 } } },
    });
    const listed = await place.run(["models", "--json"]);
    expect(listed.code).toBe(0);
    expect(lines(listed.stdout)).toEqual([
      {
        model: "openai:test-model",
        server: "openai",
        configured: true,
        current: true,
        price: { input: 1, output: 2 },
        contextWindow: 128_000,
      },
      { model: "mine:test-model", server: "mine", configured: false, current: false, contextWindow: 128_000 },
      { server: "gone", why: expect.stringContaining("ECONNREFUSED") },
    ]);
    const table = await place.run(["models"]);
    expect(table.stdout).toMatch(
      /openai:test-model +128,000 +native +in use, in your settings, 1 in, 2 out for a million tokens\n/,
    );
    expect(table.stderr).toMatch(/^gone gave no list of its models: /);
  });

  it("has nothing that nobody configured, and says what to set", async () => {
    const place = await openPlace();
    const env = {
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: undefined,
      OPENAI_MODEL: undefined,
      AGENT_MODEL: undefined,
    };
    const table = await place.run(["models"], { env });
    expect(table).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Set OPENAI_API_KEY") });
    expect(await place.run(["models", "--json"], { env })).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});
