import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import type { PolicyCheckLine } from "../../src/policy/types.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";

const write = (file: string, content = "new\n"): Reply => asks("write_file", { file_path: file, content });

/** How one write ends under these flags, and whether its file is there after it. */
async function tryWrite(file: string, argv: readonly string[], files: Record<string, string> = {}) {
  const place = await openPlace([write(file), says("So.")], files);
  const ran = await place.json(["run", "write it", ...argv]);
  const [decision] = ran.of("decision");
  return { place, ran, code: ran.code, there: place.has(file), rule: decision?.rule };
}

describe("the mode", () => {
  it.each([
    ["ask", "b.txt", 11, false],
    ["accept-edits", "b.txt", 0, true],
    ["accept-edits", ".env", 11, false],
    ["read-only", "b.txt", 10, false],
    ["full-auto", "b.txt", 0, true],
    ["full-auto", "AGENTS.md", 11, false],
    ["full-auto", ".github/workflows/ci.yml", 11, false],
    ["full-auto", ".git/config", 10, false],
    ["full-auto", ".holdfast/policy.json", 10, false],
  ])("%s, for a write of %s: exit %i", async (mode, file, code, there) => {
    expect(await tryWrite(file, ["--mode", mode])).toMatchObject({ code, there });
  });

  it("never opens the agent's own state, even where it lies in the workspace", async () => {
    const place = await openPlace([write("home/policy.json", "{}"), says("So.")]);
    const ran = await place.json(["run", "loosen it", "--allow", "write_file", "-C", ".."]);
    expect(ran.code).toBe(10);
    expect(ran.of("tool_call").at(-1)?.call).toMatchObject({
      status: "cancelled",
      by: { actor: "policy", rule: "sealed" },
    });
    expect(place.heard(-1, -1)).toContain("Not run: denied by policy");
    expect(place.has("../home/policy.json")).toBe(false);
  });

  it("lets nothing out of the workspace, by no way round", async () => {
    const place = await openPlace([write("../outside.txt"), says("So.")]);
    const ran = await place.json(["run", "out", "--mode", "full-auto"]);
    expect(ran.end.calls.success).toBe(0);
    expect(place.has("../outside.txt")).toBe(false);
  });
});

describe("--allow", () => {
  it("opens what it names for this run, and no more", async () => {
    expect(await tryWrite("src/b.txt", ["--allow", "write_file(src/**)"])).toMatchObject({ code: 0, there: true });
    expect(await tryWrite("b.txt", ["--allow", "write_file(src/**)"])).toMatchObject({ code: 11, there: false });
    expect(await tryWrite("b.txt", ["--allow", "write_file"])).toMatchObject({ code: 0, there: true });
    expect(await tryWrite(".env", ["--allow", "write_file"])).toMatchObject({ code: 11, there: false });
  });

  it("that cannot be read is a usage error, and ends the run before the model is asked", async () => {
    const place = await openPlace();
    const ran = await place.run(["run", "hi", "--allow", "write_file("]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain('--allow: "write_file(" is not a rule: write tool or tool(pattern)');
    expect(place.server.requests).toEqual([]);
  });
});

describe("the user's rules", () => {
  const rules = (place: Place, text: string) => writeFile(join(place.home, "policy.json"), text);
  const allow =
    '{\n  "rules": [\n    { "tool": "write_file", "paths": ["src/**"], "decision": "allow", "why": "mine" }\n  ]\n}\n';

  it("decide, and the decision names file and line", async () => {
    const place = await openPlace([write("src/b.txt"), says("So.")]);
    await rules(place, allow);
    const ran = await place.json(["run", "write"]);
    expect(ran.code).toBe(0);
    expect(ran.the("decision")).toMatchObject({
      decision: "allow",
      by: "policy",
      rule: `user:${join(place.home, "policy.json")}:3`,
    });
  });

  it.each([
    ["is not JSON", '{ "rules": [', 1],
    ["has a key that nobody knows", '{\n "rules": [],\n "colour": 1 }', 3],
    [
      "has a failing example",
      '{ "rules": [\n { "tool": "shell", "command": "npm test", "decision": "allow", "why": "x", "match": ["npm run x"] } ] }',
      2,
    ],
    [
      "has an empty pattern",
      '{ "rules": [\n { "tool": "write_file", "paths": [""], "decision": "allow", "why": "x" } ] }',
      2,
    ],
    [
      "allows every command",
      '{ "rules": [\n { "tool": "shell", "command": "*", "decision": "allow", "why": "x" } ] }',
      2,
    ],
  ])("whose file %s stop the run with 52, named with the line", async (_, text, line) => {
    const place = await openPlace();
    await rules(place, text);
    const ran = await place.json(["run", "write"]);
    expect(ran.code).toBe(52);
    const named = `${join(place.home, "policy.json")}:${line}`;
    expect(ran.the("error")).toMatchObject({ code: "CONFIGURATION", message: expect.stringContaining(named) });
    expect(ran.stderr).toContain(named);
    expect(ran.end.exitCode).toBe(52);
    expect(place.server.requests).toEqual([]);
    expect((await place.run(["policy", "check", "write_file", '{"file_path":"b.txt","content":""}'])).code).toBe(52);
  });

  it.each([
    ["is cut", '{\n"maxSteps": 5,\n', 3, "the file ends too early"],
    ["is empty", "", 1, "the file is empty"],
    ["holds no JSON", "\u0000\u0001", 1, "is not JSON"],
    ["is no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 1, "the file cannot be read"],
    ["has a key twice", '{\n"maxSteps": 5,\n"maxSteps": 50 }', 3, 'the key "maxSteps" is given twice in one object'],
    ["has a key that nobody knows", '{\n"maxSteps": 5, // few\n"apiKey": "sk-x" }', 3, '"apiKey": unknown key'],
    ["has a value out of range", '{\n"ignore": ["a",\n""] }', 3, '"ignore.1": '],
  ])("whose config.json %s stop every command with 52, named with the line", async (_, text, line, message) => {
    for (const file of ["config.json", "project"]) {
      const place = await openPlace();
      const config = file === "project" ? place.path(".holdfast/config.json") : join(place.home, file);
      await mkdir(dirname(config), { recursive: true });
      await writeFile(config, text);
      const ran = await place.run(["run", "hi"]);
      expect(ran.code).toBe(52);
      expect(ran.stderr).toContain(`${config}:${line}: `);
      expect(ran.stderr).toContain(message);
    }
  });

  it("may be written with comments, trailing commas and a byte order mark, in every file of them", async () => {
    const hand = (text: string) => `\ufeff// mine\n${text.replace(/\}\s*$/u, "/* all */,\n}\n")}`;
    const place = await openPlace([write("src/b.txt"), write("gen/c.txt"), says("So.")], {
      ".holdfast/config.json": hand('{ "maxSteps": 7 }'),
      ".holdfast/policy.json": hand('{ "rules": [{ "tool": "write_file", "paths": ["gen/**"], "decision": "deny" }] }'),
    });
    await writeFile(join(place.home, "config.json"), hand(`{ "model": "openai:by-hand" }`));
    await writeFile(
      join(place.home, "policy.json"),
      hand('{ "rules": [{ "tool": "write_file", "paths": ["src/**"], "decision": "allow" }] }'),
    );
    await writeFile(join(place.home, "grants.json"), hand('{ "v": 1, "grants": [] }'));
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
    const trust = join(place.home, "trust.json");
    await writeFile(trust, hand(await readFile(trust, "utf8")));
    expect((await place.run(["trust"])).stdout).toContain("trusted already");
    const ran = await place.json(["run", "write"], { env: { OPENAI_MODEL: undefined } });
    expect(ran).toMatchObject({ code: 10 });
    expect([place.has("src/b.txt"), place.has("gen/c.txt")]).toEqual([true, false]);
    expect(place.server.requests[0]?.body.model).toBe("by-hand");
  });

  it("whose grants have a key twice stop the run with 52, named with the line", async () => {
    const place = await openPlace();
    await writeFile(join(place.home, "grants.json"), '{ "v": 1, // one\n"grants": [],\n"v": 1 }');
    const ran = await place.run(["run", "hi"]);
    expect(ran.code).toBe(52);
    expect(ran.stderr).toContain(`grants.json:3: the key "v" is given twice in one object`);
  });

  it("may set the model and its server; a project may not", async () => {
    const place = await openPlace([says("Hi.")]);
    const settings = { model: "openai:from-config", baseUrl: place.server.url };
    await writeFile(join(place.home, "config.json"), JSON.stringify(settings));
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: undefined };
    expect((await place.run(["run", "hi"], { env })).code).toBe(0);
    expect(place.server.requests[0]?.body.model).toBe("from-config");
    await place.write(".holdfast/config.json", JSON.stringify(settings));
    expect((await place.run(["run", "hi"], { env })).code).toBe(52);
  });
});

describe("the project's rules", () => {
  const allow = '{ "rules": [{ "tool": "write_file", "paths": ["src/**"], "decision": "allow", "why": "theirs" }] }';
  const deny = '{ "rules": [{ "tool": "write_file", "paths": ["gen/**"], "decision": "deny", "why": "generated" }] }';

  it("allow nothing until the person trusts them, as they are", async () => {
    const place = await openPlace(
      [write("src/b.txt"), write("src/c.txt"), says("So."), write("src/d.txt"), says("So.")],
      {
        ".holdfast/policy.json": allow,
      },
    );
    expect((await place.json(["run", "write"])).code).toBe(11);

    const asked = await place.run(["trust"]);
    expect(asked.code).toBe(2);
    expect(asked.stdout).toContain('"why": "theirs"');
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
    expect((await place.run(["trust"])).stdout).toContain("trusted already");
    expect((await place.json(["run", "write"])).code).toBe(0);
    expect(place.has("src/c.txt")).toBe(true);

    await place.write(".holdfast/policy.json", allow.replace("theirs", "theirs, changed"));
    expect((await place.json(["run", "write"])).code).toBe(11);
    expect((await place.run(["trust"])).stdout).toContain("changed since you trusted");
  });

  it("deny at once", async () => {
    const denied = await tryWrite("gen/b.txt", ["--mode", "full-auto"], { ".holdfast/policy.json": deny });
    expect(denied).toMatchObject({ code: 10, there: false });
    expect(denied.place.heard(-1, -1)).toContain("generated");
  });
});

describe("agent policy", () => {
  const check = async (place: Place, lines: readonly unknown[], flags: readonly string[] = []) => {
    const stdin = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const ran = await place.run(["policy", "check", "--stdin", ...flags], { stdin });
    return {
      ...ran,
      verdicts: ran.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as PolicyCheckLine),
    };
  };

  it("heeds where the path of a rule leads by a link", async () => {
    const rules = [{ tool: "*", paths: ["link/**"], decision: "deny", why: "not for the model" }];
    const place = await openPlace([], { "docs/a.txt": "x\n", ".holdfast/policy.json": JSON.stringify({ rules }) });
    const decisions = async () => {
      const { verdicts } = await check(place, [
        { tool: "read_file", args: { file_path: "docs/a.txt" } },
        { tool: "shell", args: { command: "cat docs/a.txt" } },
      ]);
      return verdicts.map((one) => ("decision" in one ? one.decision : one.error));
    };
    expect((await decisions())[0]).toBe("allow");
    await symlink("docs", join(place.workspace, "link"));
    expect(await decisions()).toEqual(["deny", "deny"]);
  });

  it("judges one call, and exits 0 whatever the decision", async () => {
    const place = await openPlace();
    const ran = await place.run(["policy", "check", "write_file", '{"file_path":".git/config","content":"x"}']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({
      tool: "write_file",
      decision: "deny",
      risk: "high",
      rule: { source: "sealed" },
      why: expect.stringContaining(".git"),
    });
    for (const argv of [
      ["nothing", "{}"],
      ["write_file", "{"],
      ["write_file", '{"file_path":5}'],
      [],
      ["write_file", '{"file_path":"a","content":""}}, {"x":1'],
    ]) {
      expect([argv, (await place.run(["policy", "check", ...argv])).code]).toEqual([argv, 2]);
    }
  });

  it("judges a line each from stdin, bad lines in their place", async () => {
    const place = await openPlace();
    const { code, verdicts } = await check(place, [
      { tool: "read_file", args: { file_path: "a.txt" } },
      "not json",
      { tool: "write_file", args: { file_path: "a.txt", content: "" } },
      { tool: "write_file", args: { file_path: ".env", content: "" } },
      { tool: "no_such_tool", args: {} },
      { args: {} },
      null,
      { tool: "ls" },
    ]);
    expect(code).toBe(0);
    expect(verdicts.map((one) => ("error" in one ? "error" : `${one.decision} ${one.rule.source}`))).toEqual([
      "allow table",
      "error",
      "ask table",
      "ask guarded",
      "error",
      "error",
      "error",
      "allow table",
    ]);
    const auto = await check(
      place,
      [{ tool: "write_file", args: { file_path: "a.txt", content: "" } }],
      ["--mode", "full-auto"],
    );
    expect(auto.verdicts[0]).toMatchObject({ decision: "allow", rule: { source: "mode" } });
  });

  it("lists by which methods and with which secrets a rule holds", async () => {
    const place = await openPlace();
    const rule = {
      tool: "web_fetch",
      hosts: ["api.example.org"],
      methods: ["POST", "PUT"],
      secrets: ["SITE_TOKEN"],
      decision: "allow",
      why: "mine",
    };
    await place.write("../home/policy.json", JSON.stringify({ rules: [rule] }));
    expect((await place.run(["policy", "list"])).stdout).toContain(
      "allow  web_fetch api.example.org by POST, PUT with secrets SITE_TOKEN  ·  mine",
    );
    expect(JSON.parse((await place.run(["policy", "list", "--json"])).stdout)).toMatchObject(rule);
  });

  it("lists what is in force and takes a grant back", async () => {
    const place = await openPlace([write("b.txt"), says("So."), write("c.txt")], {
      ".holdfast/policy.json":
        '{ "rules": [{ "tool": "edit_file", "paths": ["x"], "decision": "allow", "why": "theirs" }] }',
    });
    const file = join(place.home, "grants.json");
    expect((await place.run(["policy", "list"])).stdout).toContain("not in effect");
    await openGrantBook(file).add({
      id: "g-test",
      scope: "project",
      key: place.workspace,
      tool: "write_file",
      at: 1,
      why: "by hand",
    });
    expect((await place.run(["policy", "list"])).stdout).toContain("g-test");
    expect((await place.json(["run", "write"])).code).toBe(0);
    expect((await place.run(["policy", "revoke", "g-test"])).code).toBe(0);
    expect((await place.run(["policy", "revoke", "g-test"])).code).toBe(2);
    expect(await openGrantBook(file).all()).toEqual([]);
    expect((await place.run(["policy", "list"])).stdout).not.toContain("g-test");
    expect((await place.json(["run", "write"])).code).toBe(11);
  });
});

describe("a store that cannot be used", () => {
  it("is named, with 74, and nothing of it is touched", async () => {
    const place = await openPlace();
    const file = join(place.home, "agent.db");
    await writeFile(file, "this is no database at all, but somebody's file\n".repeat(100));
    const before = await readFile(file);
    const ran = await place.run(["run", "hi"]);
    expect(ran.code).toBe(74);
    expect(`${ran.stdout}${ran.stderr}`).toContain(file);
    expect(await readFile(file)).toEqual(before);
  });
});
