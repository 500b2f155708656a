import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { toolFile, trustAll } from "../support/tool-files.ts";

/** A tool that says its settings, in its description and when it is run. */
const saying = (name: string) =>
  toolFile(
    name,
    'risk: "low", effect: "none", execute: (_args, ctx) => JSON.stringify(ctx.config), ...{ description: (ctx) => ctx.config.to.name }',
  );

const settings = (place: Place, user: object) => writeFile(join(place.home, "config.json"), JSON.stringify(user));

const users = async (place: Place, ...names: string[]): Promise<string[]> => {
  await mkdir(join(place.home, "mine"), { recursive: true });
  for (const name of names) await writeFile(join(place.home, "mine", `${name}.mjs`), saying(name));
  return names.map((name) => `mine/${name}.mjs`);
};

const goes = ["run", "go", "--mode", "full-auto"];
const of = (to: string) => ({ to: { name: to } });

it("a tool has the settings of whoever brings it: the person's and the project's do not reach each other's", async () => {
  const place = await openPlace([
    { calls: ["mine", "theirs"].map((name) => ({ name, arguments: {} })) },
    says("Done."),
  ]);
  const tools = await users(place, "mine");
  await settings(place, { tools, toolSettings: { mine: of("my secret"), theirs: of("my secret") } });
  await place.write(".holdfast/tools/theirs.mjs", saying("theirs"));
  await place.write(".holdfast/config.json", JSON.stringify({ toolSettings: { mine: of("evil"), theirs: of("own") } }));

  // Before it is trusted nothing of the project counts, and it is told what waits.
  const before = await place.run(["tools", "--json"]);
  expect(before.stdout).toContain("my secret");
  expect(before.stdout).not.toContain("evil");
  expect((await place.run(["trust"])).stdout).toContain('{"toolSettings":{"mine":{"to":{"name":"evil"}}');
  await trustAll(place);

  const ran = await place.json(goes);
  expect([place.heard(-1, -2), place.heard(-1, -1)]).toEqual(
    [of("my secret"), of("own")].map((to) => JSON.stringify(to)),
  );
  const described = place.server.requests[0]?.body.tools?.map((tool) => tool.function.description);
  expect(described?.slice(-2)).toEqual(["my secret", "own"]);
  expect(ran.of("notice").flatMap(({ code, text }) => (code === "tool_settings_unused" ? [text] : []))).toEqual([
    "toolSettings.theirs of config.json has no effect: the tool of this name is the project's, and has the settings of the project alone",
    "toolSettings.mine of the project's .holdfast/config.json has no effect: the tool of this name is yours, and has the settings of your own config.json alone",
  ]);
  expect((await place.run(["tools"])).stdout).toContain("toolSettings.theirs of config.json has no effect");
});

it("settings of no tool, and of one of the agent's own, are said to have no effect", async () => {
  const place = await openPlace([says("Done.")]);
  await settings(place, { toolSettings: { deplyo: {}, write_file: { a: 1 } } });
  const { code, of: told } = await place.json(["run", "go"]);
  expect([code, told("notice").map(({ text }) => text)]).toEqual([
    0,
    [
      "toolSettings.deplyo of config.json has no effect: no tool of this session has this name",
      "toolSettings.write_file of config.json has no effect: the agent's own tool of this name has no settings",
    ],
  ]);
});

it("what has no effect is named by agent doctor too, beside what waits for trust", async () => {
  const place = await openPlace();
  const found = async () => {
    const { code, stdout } = await place.run(["doctor", "--json"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { what: string });
    return [code, rows.find(({ what }) => what === "settings")];
  };
  const row = { what: "settings", ok: true };
  expect(await found()).toEqual([0, { ...row, text: "all are in effect" }]);
  const tools = await users(place, "mine");
  await settings(place, { tools, toolSettings: { mine: of("me") } });
  expect(await found()).toEqual([0, { ...row, text: "all are in effect" }]);
  await settings(place, { tools, toolSettings: { mine: of("me"), deplyo: {}, shell: { a: 1 } } });
  const unused = [
    "toolSettings.deplyo of config.json has no effect: no tool of this session has this name",
    "toolSettings.shell of config.json has no effect: the agent's own tool of this name has no settings",
  ];
  expect(await found()).toEqual([0, { ...row, look: true, text: unused.join("; ") }]);
  await place.write(".holdfast/config.json", JSON.stringify({ toolSettings: { theirs: {} } }));
  const [, waits] = await found();
  expect(waits).toMatchObject({
    look: true,
    text: expect.stringMatching(/^these wait for your trust: .*; toolSettings\.deplyo/),
  });
});

it("what was approved with other settings is asked about anew, by another process too", async () => {
  const place = await openPlace([asks("mine", {}), says("Done.")]);
  const tools = await users(place, "mine");
  await writeFile(
    join(place.home, "mine", "mine.mjs"),
    toolFile("mine", "execute: (_args, ctx) => ctx.config.to.name"),
  );
  await settings(place, { tools, toolSettings: { mine: of("staging") } });
  const first = await place.json(["run", "go"]);
  const [asked] = first.the("approval_requested").calls;
  await settings(place, { tools, toolSettings: { mine: of("production") } });
  const digest = asked?.digest.slice(0, 12);
  const resumed = await place.json(["resume", first.session, "--approve", `c1@${digest}`]);
  expect(resumed.code).toBe(11);
  const [anew] = resumed.of("approval_requested").at(-1)?.calls ?? [];
  expect(anew).toMatchObject({ changed: { why: "the settings of its tool changed since you were asked" } });
  const again = await place.json(["resume", first.session, "--approve", `c1@${anew?.digest.slice(0, 12)}`]);
  expect([again.code, place.heard(-1, -1)]).toEqual([0, "production"]);
});

it.each([
  ["toolSettings", [], 'config.json:1: "toolSettings": expected the settings of tools by their names'],
  ["a tool", { mine: 1 }, 'config.json:1: "toolSettings.mine": expected an object'],
  ["a name", { "my tool": {} }, '"toolSettings.my tool": tool name "my tool" must be'],
  ["its size", { mine: { text: "x".repeat(70_000) } }, '"toolSettings.mine": 70011 bytes as JSON, at most 64000'],
  ["a prototype", JSON.parse('{"mine": {"__proto__": {}}}'), '"toolSettings.mine": the key "__proto__" is not'],
])("what is wrong with %s is told with its key: 52", async (_what, toolSettings, message) => {
  const place = await openPlace();
  await settings(place, { toolSettings });
  const { code, stderr } = await place.run(["run", "go"]);
  expect(code).toBe(52);
  expect(stderr).toContain(message);
});
