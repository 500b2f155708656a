import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
    asks("wait_for", { path: "three.txt" }),
    asks("wait_for", { path: "none.txt" }),
    asks("hand_in", { text: "begun", draft: true }),
    asks("hand_in", { text: "done" }),
  ]);
  await place.write("three.txt", "1\n2\n3\n");
  await writeFile(join(place.home, "config.json"), '{"uid":"ada"}');
  const { stdout } = await place.run(["tools", "--json"]);
  expect(stdout).not.toContain('"error"');
  const ran = await place.json(["run", "go", "--mode", "full-auto"]);
  expect([ran.code, ran.end.text]).toEqual([0, "done"]);
  const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(said.map(({ content }) => content)).toEqual([
    `deployed ${place.workspace} to staging`,
    "3 lines",
    "Error NOT_FOUND: there is no file none.txt",
    '{"km":3.218688}',
    "Error INVALID_ARGUMENT: convert: league is no unit; the units are km,mile",
    "1 of 2 are links, 2 were seen coming",
    "three.txt is there",
    "Error TIMEOUT: wait_for did not end within 500 ms and was stopped",
    "begun",
  ]);
  const told = ran.of("tool_progress").filter(({ tip }) => tip !== undefined);
  const lastTold = (at: string) => told.findLast(({ phase, callId }) => phase === at && callId === "c6");
  expect([lastTold("arguments"), lastTold("running")]).toMatchObject([
    { tip: "2 links so far" },
    { tip: "no link", figure: 0.5 },
  ]);
});

test("what the page says of parameters, of what is asked and of names that people read", async () => {
  const place = await placeWithTools(shown, [
    asks("save_note", { text: "call home!" }),
    asks("save_note", { text: "call home!", tags: ["mine"], server: "evil.example.com" }),
    asks("send_mail", { to: "nobody", subject: "Hi", body: "-" }),
    asks("send_mail", { to: "ada@example.com", subject: "Hi", body: "-" }),
    says("Done."),
  ]);
  const without = await place.run(["tools", "save_note"]);
  expect(without.stderr).toContain('INVALID_ARGUMENT: nothing fills in its hidden parameter uid: set "uid"');
  await writeFile(join(place.home, "config.json"), '{"uid":"ada"}');
  const names = await place.run(["tools", "send_mail", "--lang", "zh"]);
  expect(names.stdout).toMatch(/shown as +发送邮件\n.*to as 收件人\n.*subject as 主题\n.*body as 正文\n/);

  const asked = await place.json(["run", "go", "--mode", "full-auto"]);
  expect([asked.code, asked.the("approval_requested").calls.map(({ arguments: args }) => args)]).toEqual([
    11,
    [{ to: "ada@example.com", subject: "Hi", body: "-" }],
  ]);
  const edit = (args: object) => place.run(["resume", asked.session, "--edit", `c4=${JSON.stringify(args)}`]);
  const locked = await edit({ to: "eve@example.com", subject: "Hi", body: "-" });
  expect(locked.stderr).toContain("to of send_mail may not be edited");
  expect((await edit({ to: "ada@example.com", subject: "Hello", body: "-" })).code).toBe(11);
  expect((await place.json(["resume", asked.session, "--approve", "all"])).code).toBe(0);
  const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(said.map(({ content }) => content)).toEqual([
    "saved for ada: call home! (urgent)",
    'Error INVALID_ARGUMENT: save_note: unknown argument "server" (known: text, tags)',
    "Error INVALID_ARGUMENT: send_mail: nobody is no address: give one with an @",
    expect.stringContaining("sent “Hello” to ada@example.com"),
  ]);
});
