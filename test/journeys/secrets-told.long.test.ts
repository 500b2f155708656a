import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/process/find-program.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";
import { makePng } from "../support/pictures.ts";
import { filesWith, formsIn } from "../support/secret-forms.ts";
import { toolFile, trustAll } from "../support/tool-files.ts";

const itWithJq = it.skipIf((await findProgram("jq", "/", process.env["PATH"])) === undefined);

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = "<secret>SITE_TOKEN</secret>";

const set = async (place: Place): Promise<void> => {
  const kept = await place.run(["secrets", "set", "SITE_TOKEN", "--stdin"], { stdin: value });
  expect(kept).toMatchObject({ code: 0 });
};

async function placeWith(answers: Answer[]): Promise<Place> {
  const place = await openPlace(answers);
  await set(place);
  return place;
}

/** Nothing that was printed, sent or kept has the value. */
async function tellsNothing(place: Place, session: string, ...printed: { stdout: string; stderr: string }[]) {
  const shown = await place.run(["sessions", "show", session]);
  const exported = await place.run(["sessions", "export", session]);
  const texts = [...printed, shown, exported].map(({ stdout, stderr }) => stdout + stderr);
  texts.push(JSON.stringify(place.server.requests.map(({ body }) => body)));
  expect(texts.flatMap((text) => formsIn(text, value))).toEqual([]);
  expect(filesWith(dirname(place.home), value, ["secrets"])).toEqual([]);
}

describe("a command with a secret", () => {
  const prints = async (command: string, shown: string) => {
    const place = await placeWith([asks("shell", { command, secrets: ["SITE_TOKEN"] }), says("Done.")]);
    const asked = await place.json(["run", "go", ...freely]);
    const ran = await place.json(["resume", asked.session, "--approve", "all", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(place.heard(1, -1)).toContain(shown);
    await tellsNothing(place, asked.session, asked, ran);
  };

  it.each([
    ["env", `SITE_TOKEN=${tag}\n`],
    ["printenv", `SITE_TOKEN=${tag}\n`],
    ["export -p", tag],
  ])("that lists its environment shows the name: %s", prints);
  itWithJq("that lists its environment shows the name: jq -n env (needs jq)", () =>
    prints("jq -n env", `"SITE_TOKEN": "${tag}"`),
  );

  it("has no tag in its words: that is INVALID_ARGUMENT, whether or not it is given the secret", async () => {
    const command = `echo ${tag}`;
    const place = await placeWith([
      asks("shell", { command }),
      asks("shell", { command, secrets: ["SITE_TOKEN"] }),
      says("Done."),
    ]);
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...freely]);
    expect(ran.of("approval_requested")).toEqual([]);
    const codes = ran.of("tool_call").flatMap(({ call }) => ("errorCode" in call ? [call.errorCode] : []));
    expect(codes).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT"]);
    expect(place.heard(1, -1)).toMatch(/^Error INVALID_ARGUMENT: /);
  });
});

describe("a tool of a file that comes upon a value", () => {
  // As nobody looks for it.
  const backwards = JSON.stringify([...value].reverse().join(""));
  const found = `[...${backwards}].reverse().join("")`;

  it.each([
    ["throws it", `execute: () => { throw new Error("no entry for " + ${found}) }`],
    ["fails with it", `execute: () => ({ output: ${found}, error: "no entry for " + ${found} })`],
    [
      "writes it and ends its process",
      `execute: () => { process.stderr.write("error: no entry for " + ${found} + "\\n"); process.exit(3) }`,
    ],
  ])("and %s: what the person, the model and the records are told has its name", async (_, fields) => {
    const place = await placeWith([asks("look_up", {}), says("Done."), asks("look_up", {}), says("Done.")]);
    await place.write(".holdfast/tools/look_up.mjs", toolFile("look_up", `risk: "low", effect: "none", ${fields}`));
    await trustAll(place);
    const ran = await place.json(["run", "go"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1 } } });
    expect(place.heard(1, -1)).toContain(`no entry for ${tag}`);
    const plain = await place.run(["run", "go"]);
    expect(plain.stdout + plain.stderr).toContain(`no entry for ${tag}`);
    await tellsNothing(place, ran.session, ran, plain);
  });
});

/** Tells in two pieces what it was given, and shows a picture. */
const server = (picture: string) => `
const { createInterface } = require("node:readline");
const tool = { name: "post", description: "Posts.", inputSchema: { type: "object", properties: { body: { type: "string" } } } };
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const results = {
  initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "posts", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": async ({ arguments: { body }, _meta }) => {
    const cut = [body.slice(0, 8), body.slice(8) + " was posted", "x".repeat(3990) + body];
    for (const [at, message] of cut.entries()) {
      send({ method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: at, message } });
      // Of what comes at once only the first is told.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return { content: [{ type: "text", text: "posted" }, { type: "image", mimeType: "image/png", data: "${picture}" }] };
  },
};
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: (await results[method]?.(params)) ?? {} });
});
`;

describe("a call of a server", () => {
  const dot = makePng(6, 4, { paint: () => [0, 255, 0, 255] }).toString("base64");

  it.each([
    [true, "sees is sent"],
    [false, "does not see is described"],
  ])("tells no value in two pieces of its progress; a model that (%s) %s its picture", async (vision) => {
    const place = await placeWith([asks("mcp__posts__post", { body: tag }), says("Done.")]);
    const file = join(place.home, "secrets", "posts.cjs");
    await writeFile(file, server(dot));
    const posts = { command: process.execPath, args: [file], secrets: { post: ["body"] } };
    const models = { "openai:*": { vision } };
    await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { posts }, models }));
    expect(await place.run(["mcp", "trust", "posts", "--yes"])).toMatchObject({ code: 0 });
    const asked = await place.json(["run", "go", "--sandbox", "off"]);
    const ran = await place.json(["resume", asked.session, "--approve", "all"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    const tips = ran.of("tool_progress").flatMap(({ tip }) => (tip?.startsWith("starting") ? [] : (tip ?? [])));
    expect(tips.join("\n")).toContain(`${tag} was posted`);
    expect(tips.join("\n")).not.toContain(value.slice(0, 8));
    expect(tips.join("\n")).not.toContain(value.slice(8));
    const said = JSON.stringify(place.server.requests[1]?.body.messages);
    expect(said.includes(`data:image/png;base64,${dot}`)).toBe(vision);
    expect(said).toContain("PNG, 6x4 pixels");
    await tellsNothing(place, asked.session, asked, ran);
    expect(readFileSync(file, "utf8")).not.toContain(value);
  });
});
