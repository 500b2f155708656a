import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { filesWith } from "../support/secret-forms.ts";

const all = (pty: Pty): string => pty.scrollback().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(all(one)));
const none = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined, OPENAI_MODEL: undefined };
const settings = (place: Place, said: unknown): Promise<void> =>
  writeFile(join(place.home, "config.json"), JSON.stringify(said));
const bye = async (pty: Pty): Promise<number> => {
  pty.leave();
  return (await pty.exit).code;
};
/** The number in front of a line of the choice. */
const numberOf = (pty: Pty, line: RegExp): string => {
  const found = all(pty)
    .split("\n")
    .find((row) => line.test(row));
  return /^\s*(\d+) /.exec(found ?? "")?.[1] ?? `not shown: ${line.source}`;
};
const asked = /ctrl\+c leaves:/;

describe.each([
  [100, 30],
  [60, 20],
])("a chat whose model has no key asks what to begin with, at %ix%i", (cols, rows) => {
  const size = { cols, rows };

  it("a server of this machine that answers: its models by number, name or a part of it; what was typed early stands in the input", async () => {
    const models = ["tiny-one", "tiny-two", "large"].map((id) => ({ id }));
    const place = await openPlace([says("Hello from tiny-two.")], {}, { models });
    await settings(place, { servers: { here: { baseUrl: place.server.url } } });
    const pty = place.chat(["chat"], size, none);
    pty.type("are you there\r");
    await shows(pty, asked);
    expect(place.server.requests).toEqual([]);
    pty.type("9\r");
    await shows(pty, /there is no such number/);
    pty.type(`${numberOf(pty, /here, at http/)}\r`);
    await shows(pty, /1 {2}large[\s\S]*3 {2}tiny-two[\s\S]*model, by name/);
    pty.type("none of it\r");
    await shows(pty, /no model of it has "none of it"/);
    pty.type("tiny\r");
    await shows(pty, /2 {2}tiny-two[\s\S]*by name or 1 to 2/);
    pty.type("2\r");
    await shows(pty, /next time: agent chat -m here:tiny-two[\s\S]*❯ are you there/);
    pty.key("enter");
    await pty.waitFor("Hello from tiny-two.");
    expect(await bye(pty)).toBe(0);
    expect(place.server.requests).toMatchObject([{ body: { model: "tiny-two" } }]);
  });

  it("a key that is typed is not shown, serves this start alone, and is kept nowhere", async () => {
    const key = "sk-typed-0123456789-of-nobody";
    const place = await openPlace([says("Hello by the key.")], {}, { key });
    await settings(place, { servers: { far: { baseUrl: place.server.url, apiKeyEnv: "FAR_KEY" } } });
    const pty = place.chat(["chat", "-m", "far:test-model"], size, none);
    await shows(pty, asked);
    expect(all(pty)).toContain("No key: FAR_KEY is not set");
    pty.type(`${numberOf(pty, /a key for far/)}\r`);
    await shows(pty, /FAR_KEY \(it is not shown\):/);
    pty.type("two words\r");
    await shows(pty, /that is no key[\s\S]*ctrl\+c leaves:/);
    pty.type(`${numberOf(pty, /a key for far/)}\r`);
    await shows(pty, /that is no key[\s\S]*FAR_KEY \(it is not shown\):/);
    pty.type(`${key}\r`);
    await pty.waitFor("ask, or / for commands");
    pty.type("hello\r");
    await pty.waitFor("Hello by the key.");
    expect(await bye(pty)).toBe(0);
    expect(all(pty)).not.toContain(key);
    expect([...filesWith(place.home, key), ...filesWith(place.workspace, key)]).toEqual([]);
  });

  it("a server whose key is set is asked for its models only once it is chosen", async () => {
    const place = await openPlace([says("Hello over there.")], {}, { key: "k-far" });
    await settings(place, { servers: { far: { baseUrl: place.server.url, apiKeyEnv: "FAR_KEY" } } });
    const pty = place.chat(["chat"], size, { ...none, FAR_KEY: "k-far" });
    await shows(pty, asked);
    expect(place.server.lists).toEqual([]);
    pty.type(`${numberOf(pty, /far: FAR_KEY is set/)}\r`);
    await shows(pty, /next time: agent chat -m far:test-model/);
    await pty.waitFor("ask, or / for commands");
    pty.type("hello\r");
    await pty.waitFor("Hello over there.");
    expect(await bye(pty)).toBe(0);
  });

  it("the tour, whatever was to be said to the model", async () => {
    const place = await openPlace();
    const pty = place.chat(["chat", "change all files"], size, none);
    await shows(pty, asked);
    pty.type("1\r");
    await shows(pty, /This is a scripted demo/);
    await bye(pty);
    expect(all(pty)).not.toContain("change all files");
  });

  it.each(["ctrl-c", "ctrl-d"])("%s leaves with what is missing, as without a terminal", async (key) => {
    const place = await openPlace();
    const pty = place.chat(["chat"], size, none);
    await shows(pty, asked);
    pty.key(key);
    expect((await pty.exit).code).toBe(41);
    expect(all(pty)).toMatch(/agent: No key: OPENAI_API_KEY is not set\s+Set OPENAI_API_KEY/);
  });
});

it("a list that holds escape sequences is shown without them, and a server that does not answer is told", async () => {
  const place = await openPlace([], {}, { models: ["a\u001b[31mred", "b"].map((id) => ({ id })) });
  await settings(place, {
    servers: {
      here: { baseUrl: place.server.url },
      gone: { baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "GONE_KEY" },
    },
  });
  const pty = place.chat(["chat"], { cols: 100, rows: 30 }, { ...none, GONE_KEY: "k" });
  await shows(pty, asked);
  pty.type(`${numberOf(pty, /gone: GONE_KEY is set/)}\r`);
  await shows(pty, /gone gave no list of models: .*[\s\S]*ctrl\+c leaves:/);
  pty.type(`${numberOf(pty, /here, at http/)}\r`);
  await shows(pty, /by name or 1 to 2:/);
  expect(all(pty)).toMatch(/1 {2}a.*red/);
  pty.key("ctrl-c");
  await shows(pty, /by name or 1 to 2:[\s\S]*ctrl\+c leaves:/);
  pty.key("ctrl-c");
  expect((await pty.exit).code).toBe(41);
});

it("a name of a server that a shell would run is no command to be pasted", async () => {
  const place = await openPlace([says("Hello all the same.")], {}, { models: [{ id: "$(id)" }] });
  await settings(place, { servers: { here: { baseUrl: place.server.url } } });
  const pty = place.chat(["chat"], { cols: 100, rows: 30 }, none);
  await shows(pty, asked);
  pty.type(`${numberOf(pty, /here, at http/)}\r`);
  await pty.waitFor("ask, or / for commands");
  expect(all(pty)).not.toContain("agent chat -m");
  pty.type("hello\r");
  await pty.waitFor("Hello all the same.");
  expect(await bye(pty)).toBe(0);
});
