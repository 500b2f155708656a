import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools } from "../support/tool-files.ts";

const page = readFileSync("docs/tools.md", "utf8");

/** Each file that the page shows: its first line names it. */
const shown = Object.fromEntries(
  [...page.matchAll(/```js\n\/\/ \.holdfast\/tools\/(\S+)\n(.*?)```/gs)].map(([, name = "", text = ""]) => [
    name,
    text,
  ]),
);

test("every file of docs/tools.md is a tool that does what the page says", async () => {
  expect([...page.matchAll(/```js\n/g)]).toHaveLength(Object.keys(shown).length);
  const place = await placeWithTools(shown, [
    asks("deploy", { env: "staging" }),
    asks("count_lines", { path: "three.txt" }),
    asks("count_lines", { path: "none.txt" }),
    asks("convert", { value: 2, from: "mile", to: "km" }),
    asks("convert", { value: 2, from: "league", to: "km" }),
    asks("check_links", { links: ["https://example.org/", "no link"] }),
    says("Done."),
  ]);
  await place.write("three.txt", "1\n2\n3\n");
  const { stdout } = await place.run(["tools", "--json"]);
  expect(stdout).not.toContain('"error"');
  const ran = await place.json(["run", "go", "--mode", "full-auto"]);
  expect(ran.code).toBe(0);
  const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(said.map(({ content }) => content)).toEqual([
    `deployed ${place.workspace} to staging`,
    "3 lines",
    "Error NOT_FOUND: there is no file none.txt",
    '{"km":3.218688}',
    "Error INVALID_ARGUMENT: convert: league is no unit; the units are km,mile",
    "1 of 2 are links, 2 were seen coming",
  ]);
  const told = ran.of("tool_progress").filter(({ tip }) => tip !== undefined);
  const lastTold = (at: string) => told.findLast(({ phase, callId }) => phase === at && callId === "c6");
  expect([lastTold("arguments"), lastTold("running")]).toMatchObject([
    { tip: "2 links so far" },
    { tip: "no link", figure: 0.5 },
  ]);
});
