import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { filesWith, formsIn } from "../support/secret-forms.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = "<secret>SITE_KEY</secret>";

/** Says back what it was given, also on its stderr, and notes it beside its file. */
const server = `
const { createInterface } = require("node:readline");
const { writeFileSync } = require("node:fs");
const tool = { name: "post", description: "Posts.", inputSchema: { type: "object", properties: { body: { type: "object" }, to: { type: "string" } } } };
const results = {
  initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "posts", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: given }) => {
    writeFileSync(__filename + ".given", JSON.stringify(given));
    process.stderr.write("posted " + given.body.key + "\\n");
    return { content: [{ type: "text", text: "posted " + JSON.stringify(given) }] };
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }) + "\\n");
});
`;

interface Posts extends Place {
  given(): unknown;
}

async function openPosts(answers: Answer[], entry: object, ...domains: string[]): Promise<Posts> {
  const place = await openPlace(answers);
  const file = join(place.home, "secrets", "posts.cjs");
  const flags = domains.flatMap((one) => ["--domain", one]);
  expect(await place.run(["secrets", "set", "SITE_KEY", "--stdin", ...flags], { stdin: value })).toMatchObject({
    code: 0,
  });
  await writeFile(file, server);
  const posts = { command: process.execPath, args: [file], ...entry };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { posts } }));
  expect(await place.run(["mcp", "trust", "posts", "--yes"])).toMatchObject({ code: 0 });
  return { ...place, given: () => JSON.parse(readFileSync(`${file}.given`, "utf8")) };
}

const posts = asks("mcp__posts__post", { body: { key: tag, other: ["x", `Bearer ${tag}`] }, to: tag });

it("a server is given a secret in the arguments that your settings name, once you said yes; nothing that it says back has it", async () => {
  const place = await openPosts([posts, says("Done.")], { secrets: { post: ["body"] } });
  const asked = await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
  expect(asked.code).toBe(11);
  expect(asked.the("approval_requested").calls[0]).toMatchObject({
    plan: {
      secrets: [{ name: "SITE_KEY", as: "body" }],
      warnings: expect.arrayContaining(["your secret SITE_KEY goes along (in body)"]),
    },
  });
  const ran = await place.json(["resume", asked.session, "--approve", "all"]);
  expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
  expect(place.given()).toEqual({ body: { key: value, other: ["x", `Bearer ${value}`] }, to: tag });
  expect(place.heard(1, -1)).toContain(`${tag} in to was taken as it is written`);
  expect((await place.run(["mcp", "logs", "posts"])).stdout).toContain(`posted ${tag}\n`);
  const shown = [asked, ran].map(({ stdout, stderr }) => stdout + stderr).join("\n");
  expect(formsIn(shown + JSON.stringify(place.server.requests.map(({ body }) => body)), value)).toEqual([]);
  expect(filesWith(dirname(place.home), value, ["secrets"])).toEqual([]);
});

it("one that is bound to hosts goes to no program that is started, and none goes where settings do not say so", async () => {
  const bound = await openPosts([posts, says("Done.")], { secrets: { post: ["body"] } }, "api.example.org");
  const ran = await bound.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
  expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1 } } });
  expect(bound.heard(1, -1)).toContain("the secret SITE_KEY goes to api.example.org alone");
  const plain = await openPosts([posts, says("Done.")], {});
  await plain.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
  expect(plain.given()).toMatchObject({ body: { key: tag } });
});

it.each([
  ["a project's entry", { secrets: { post: ["body"] } }, ".mcp.json", "only your own config.json may"],
  ["a browser's entry", { secrets: {}, browser: true }, "config.json", "whose tools say themselves"],
  ["what is no list", { secrets: { post: "body" } }, ".mcp.json", "its secrets are no object of lists"],
])("is off: %s", async (_, more, file, why) => {
  const place = await openPlace();
  const text = JSON.stringify({ mcpServers: { posts: { command: process.execPath, args: ["x.cjs"], ...more } } });
  await writeFile(file === ".mcp.json" ? place.path(file) : join(place.home, file), text);
  expect((await place.run(["mcp", "list"])).stdout).toContain(why);
});
