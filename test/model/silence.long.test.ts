import { expect, it } from "vitest";
import { openOpenAI } from "../../src/model/openai.ts";
import { serverOf } from "../../src/model/servers.ts";
import { noProgressOf, silenceOf } from "../../src/model/silence.ts";
import { openPlace } from "../support/cli.ts";
import { asRequest, hear } from "../support/collect.ts";
import { says } from "../support/model-server.ts";

const minute = 60_000;

it.each([
  ["http://127.0.0.1:11434/v1", 10],
  ["http://127.8.8.8/v1", 10],
  ["http://localhost:1234/v1", 10],
  ["http://models.localhost/v1", 10],
  ["http://[::1]:8080/v1", 10],
  ["http://[::ffff:127.0.0.1]:8080/v1", 10],
  ["http://0.0.0.0:8080/v1", 10],
  ["http://LOCALHOST:1/v1", 10],
  ["http://192.168.1.7:11434/v1", 2],
  ["https://api.openai.com/v1", 2],
  ["https://localhost.example.com/v1", 2],
  ["https://127.0.0.1.example.com/v1", 2],
])("a server at %s may be silent for %i minutes", (baseUrl, minutes) => {
  expect(silenceOf({}, baseUrl)).toBe(minutes * minute);
  expect(silenceOf({ silenceMs: 5_000 }, baseUrl)).toBe(5_000);
});

it("is found before the want of progress, which is not tried again", () => {
  expect([2 * minute, 10 * minute, 60 * minute].map((silence) => noProgressOf(silence) > silence)).toEqual([
    true,
    true,
    true,
  ]);
  expect(noProgressOf(2 * minute)).toBe(10 * minute);
});

it("is the person's word on a server, known or their own, and on no other", () => {
  const settings = {
    ollama: { silenceMs: 3_600_000 },
    work: { baseUrl: "https://m.example.com/v1", silenceMs: 1_000 },
  };
  const silences = ["ollama", "work", "openai"].map((name) => serverOf(name, settings, {})?.silenceMs);
  expect(silences).toEqual([3_600_000, 1_000, undefined]);
});

it("ends a request, which is made again, and says in the end what to set", async () => {
  const place = await openPlace([{ hangAfter: 0 }, says("there"), ...[1, 2, 3, 4, 5].map(() => ({ hangAfter: 0 }))]);
  const server = serverOf("work", { work: { baseUrl: place.server.url, silenceMs: 1_000 } }, {});
  if (server === undefined) throw new Error("no server");
  const clock = { sleep: async () => undefined, random: () => 0, now: () => 0 };
  const model = openOpenAI({ model: "m", server, env: {}, clock });
  const heard = await hear(model, asRequest("hi"));
  expect([heard.events[0]?.type, heard.text]).toEqual(["retry", "there"]);
  const silent = await hear(model, asRequest("hi"));
  expect(silent.failure).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("nothing came for 1 s"),
    hint: expect.stringContaining("servers.work.silenceMs in config.json"),
  });
});

it("comes from config.json; what cannot be meant is refused by name", async () => {
  const place = await openPlace([{ hangAfter: 0 }, says("there")]);
  const config = (silenceMs: unknown) =>
    place.write("../home/config.json", JSON.stringify({ servers: { openai: { silenceMs } } }));
  await config(1_000);
  const ran = await place.json(["run", "hi"]);
  expect(ran).toMatchObject({ code: 0, end: { text: "there" } });
  expect(ran.of("notice")).toMatchObject([{ code: "retry", text: expect.stringContaining("nothing came for 1 s") }]);
  for (const wrong of [0, -1, 999, 1.5, "2 minutes", 7 * 3_600_000]) {
    await config(wrong);
    const refused = await place.run(["run", "hi"]);
    expect(refused).toMatchObject({ code: 52, stdout: "" });
    expect(refused.stderr).toContain("silenceMs");
  }
});
