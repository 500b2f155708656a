import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools, toolFile, toolProcesses, trustAll } from "../support/tool-files.ts";

const deploy = `import { defineTool, z } from "holdfast";
import { sentence } from "./lib/sentence.mjs";
import data from "./lib/data.json" with { type: "json" };
export default defineTool({
  name: "deploy",
  description: "Deploys to an environment.",
  args: z.object({ env: z.enum(["staging", "live"]) }),
  onPartial: ({ env }, ctx) => ctx.progress({ tip: "to " + env }),
  async execute({ env }, ctx) {
    ctx.progress({ tip: "going" });
    return { output: sentence(env, data.city), title: "deployed" };
  },
});
`;
const files = {
  "deploy.mjs": deploy,
  "lib/sentence.mjs":
    'import { basename } from "node:path";\nexport const sentence = (env, city) => "deployed to " + env + " in " + basename(city);\n',
  "lib/data.json": '{"city": "in/Oslo"}',
};

const goes = ["run", "go", "--mode", "full-auto"];

/** Of the node that runs the command. */
const stripsTypes = () =>
  spawnSync(agentCommand[0], ["-p", "typeof require('module').stripTypeScriptTypes"], { encoding: "utf8" }).stdout ===
  "function\n";

it("a tool file in TypeScript runs without its types where this Node can, and is else left out in clear words", async () => {
  const place = await openPlace([asks("deploy", { env: "live" }), says("Done.")]);
  const typed = deploy
    .replace("{ env }, ctx", "{ env }: { env: string }, ctx: any")
    .replace("sentence.mjs", "sentence.ts");
  await place.write(".holdfast/tools/deploy.ts", typed.replace("z.enum", "z.enum /* a type: */"));
  await place.write(
    ".holdfast/tools/lib/sentence.ts",
    "export const sentence = (env: string, city: string): string => env + city;\n",
  );
  await place.write(".holdfast/tools/lib/data.json", '{"city": "in/Oslo"}');
  await place.write(".holdfast/tools/globals.d.ts", "declare const never: never;\n");
  await place.write(".holdfast/tools/deploy.test.ts", "throw new Error();\n");
  await trustAll(place);
  const ran = await place.json([...goes]);
  const left = ran
    .of("notice")
    .filter(({ code }) => code === "tool_left_out")
    .map(({ text }) => text);
  if (stripsTypes()) {
    expect(left).toEqual([]);
    expect(ran.of("tool_call").at(-1)).toMatchObject({
      call: { status: "success", result: { output: "livein/Oslo" } },
    });
  } else {
    expect(left).toEqual([
      expect.stringMatching(
        /deploy[.]ts is left out: it is TypeScript, which Node v\S+ does not run: use Node 22[.]18/,
      ),
    ]);
    expect((await place.run(["tools"])).stdout).toContain("it is TypeScript");
  }
});

describe("a tool file of the project", () => {
  it("does nothing until the project is trusted, then runs as every other tool, in the built command", async () => {
    const place = await openPlace([says("No tool."), asks("deploy", { env: "live" }), says("Done.")]);
    for (const [name, text] of Object.entries(files)) await place.write(`.holdfast/tools/${name}`, text);

    const before = await place.json(["run", "go"]);
    expect(before.of("notice").map(({ code, text }) => [code, text])).toEqual([
      ["untrusted", expect.stringContaining("1 tool file")],
      ["tool_left_out", expect.stringContaining(".holdfast/tools/deploy.mjs is left out: it waits for your trust")],
    ]);
    await trustAll(place);
    const { code, stdout } = await place.spawn([...goes, "--json"]).done;

    expect(code).toBe(0);
    const offered = (request: number) =>
      place.server.requests.at(request)?.body.tools?.map((tool) => tool.function.name);
    expect(offered(0)).not.toContain("deploy");
    expect(place.server.requests.at(1)?.body.tools?.at(-1)?.function).toEqual({
      name: "deploy",
      description: "Deploys to an environment.",
      parameters: {
        type: "object",
        properties: { env: { type: "string", enum: ["staging", "live"] } },
        additionalProperties: false,
        required: ["env"],
      },
    });
    expect(place.heard(-1, -1)).toBe("deployed to live in Oslo");
    expect(stdout).toContain('"phase":"arguments","tip":"to live"');
    expect(stdout).toContain('"phase":"running","tip":"going"');
    expect(toolProcesses(place.workspace)).toEqual([]);
  });

  it("is asked about as medium, with the bytes that would run, and refuses what does not fit", async () => {
    const place = await placeWithTools(files, [asks("deploy", { env: "mars" }), asks("deploy", { env: "live" })]);
    const ran = await place.json(["run", "go"]);
    expect(ran.code).toBe(11);
    expect(place.heard(-1, -1)).toContain('env must be "staging" or "live"');
    const [waiting] = ran.the("approval_requested").calls;
    expect(waiting).toMatchObject({ toolName: "deploy", risk: "medium", plan: { summary: 'deploy {"env":"live"}' } });
    expect(waiting?.plan.operands?.map(({ path }) => path)).toEqual(
      ["deploy.mjs", "lib/sentence.mjs", "lib/data.json"].map((name) => place.path(`.holdfast/tools/${name}`)),
    );
  });

  it("is listed with where it is from, and what is left out with why", async () => {
    const place = await placeWithTools({
      ...files,
      "ls.mjs": toolFile("ls", "execute: () => 'mine'"),
      "broken.mjs": "export default {",
      "foreign.mjs": 'import "lodash";\nexport default [];',
      "above.mjs": 'import "../config.json";\nexport default [];',
      "bare.mjs": 'import "fs";\nexport default [];',
      "writes.mjs": toolFile("writes", "effect: 'file', execute: () => ''"),
      "who.mjs": `import { z } from "holdfast";
const tool = { description: "", args: z.object({ uid: z.string(), goal: z.string() }), execute: () => "" };
export default [{ ...tool, name: "who", hidden: ["uid", "goal"] }, { ...tool, name: "sees" }, { ...tool, name: "mute", hidden: ["voice"] }];
`,
      "sure.mjs": toolFile("sure", "confirm: 'yes', execute: () => ''"),
      "throws.mjs": toolFile("throws", "get confirm() { throw new Error('not sure') }, execute: () => ''"),
      "nothing.mjs": "export const tool = 1;",
      "ends.mjs": "process.exit(0);",
    });
    const { stdout } = await place.run(["tools", "--json"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ name }) => name)).toContain("sees");
    expect(rows.find(({ name }) => name === "deploy")).toMatchObject({
      source: "project",
      risk: "medium",
      effect: "once",
    });
    expect(
      rows.filter(({ error }) => error !== undefined).map(({ name, source, error }) => [name, source, error]),
    ).toEqual([
      [".holdfast/tools/above.mjs", "project", expect.stringContaining('imports "../config.json", which is not below')],
      [".holdfast/tools/bare.mjs", "project", 'it imports "fs": write "node:fs"'],
      [".holdfast/tools/broken.mjs", "project", expect.stringContaining("SyntaxError")],
      [".holdfast/tools/ends.mjs", "project", expect.stringContaining("ended by itself (exit code 0)")],
      [".holdfast/tools/foreign.mjs", "project", expect.stringContaining('a tool file may import "holdfast"')],
      [".holdfast/tools/nothing.mjs", "project", expect.stringContaining("no `export default`")],
      [".holdfast/tools/sure.mjs", "project", expect.stringContaining("expected boolean")],
      [".holdfast/tools/throws.mjs", "project", "not sure"],
      [
        "who of .holdfast/tools/who.mjs",
        "project",
        expect.stringContaining("INVALID_ARGUMENT: nothing fills in its hidden parameter uid: set"),
      ],
      ["mute of .holdfast/tools/who.mjs", "project", "its hidden names voice, which is none of its parameters"],
      [".holdfast/tools/writes.mjs", "project", expect.stringContaining("its effect must be none, once or child")],
      ["ls of .holdfast/tools/ls.mjs", "project", "the agent itself has a tool of this name"],
    ]);
  });

  it("that logs and ends its process has its last line told, without secrets and controls, and no other", async () => {
    const value = "gx7Q-loud-9zKt";
    const logs = (name: string, said: string) =>
      toolFile(name, `effect: "none", risk: "low", execute: () => { ${said}; process.exit(0); }`);
    const place = await placeWithTools(
      {
        "calm.mjs": toolFile(
          "calm",
          `effect: "none", risk: "low", execute: () => { console.log("CALM"); return "calm"; }`,
        ),
        "loud.mjs": logs(
          "loud",
          'console.log("FIRSTLINE"); console.log("\\u0007SECRET\\u001b[31mLOUD\\u001b[0m\\u202e " + ["gx7Q", "loud", "9zKt"].join("-"))',
        ),
        // A cut would leave a part of the value.
        "long.mjs": logs("long", 'console.log("x".repeat(995) + ["gx7Q", "loud", "9zKt"].join("-"))'),
      },
      [asks("calm", {}), asks("loud", {}), asks("long", {}), says("Done.")],
    );
    expect(await place.run(["secrets", "set", "SITE_TOKEN", "--stdin"], { stdin: `${value}\n` })).toMatchObject({
      code: 0,
    });
    const ran = await place.json(goes);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1, error: 2 } } });
    const told = ran.of("tool_call").flatMap(({ call }) => ("errorMsg" in call ? [call.errorMsg] : []));
    const ended = (name: string) =>
      `the process of your own tools ended while ${name} ran: it ended by itself (exit code 0)`;
    expect(told).toEqual([
      `${ended("loud")}: SECRETLOUD <secret>SITE_TOKEN</secret>`,
      `${ended("long")}; its last line has 1009 characters`,
    ]);
    expect(place.heard(-1, -1)).toContain("its last line has 1009 characters");
    const shown = await place.run(["sessions", "export", ran.session]);
    for (const text of [ran.stdout, shown.stdout, JSON.stringify(place.server.requests)])
      expect(text).not.toMatch(/gx7Q|CALM|FIRSTLINE/);
  });

  it("is shown with what the model is told of it", async () => {
    const place = await placeWithTools({ ...files, "ls.mjs": toolFile("ls", "execute: () => 'mine'") });
    const { code, stdout } = await place.run(["tools", "deploy"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^deploy\n.*project.*Deploys to an environment\..*"staging"/s),
    ]);
    const gone = await place.run(["tools", "deplay"]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("did you mean deploy?")]);
  });

  it("gets hidden and injected arguments, which neither the model nor the record holds, also after a kill at the question", async () => {
    const secret = `import { defineTool, z } from "holdfast";
export default defineTool({
  name: "sign",
  description: "Signs.",
  args: z.object({
    text: z.string(), zone: z.string(), at: z.string(),
    token: z.string(), uid: z.string(), workspace: z.string(), rounds: z.number().default(40417),
  }),
  hidden: ["token", "uid", "workspace", "rounds"],
  inject: { token: () => "s3cret-" + process.env.HOME.length, zone: "UTC", at: (ctx, args) => args.text + "@" + ctx.sessionId },
  validate: ({ text, uid }) => (text === "" ? "there is nothing to sign" : undefined),
  execute: ({ token, uid, ...args }, ctx) => ({
    length: token.length, who: uid.replaceAll(/./g, "*"), here: args.workspace === ctx.workspace, half: args.rounds / 2,
    zone: args.zone, at: args.at,
  }),
});
`;
    const answers = [
      asks("sign", { text: "" }),
      asks("sign", { text: "a", token: "mine" }),
      asks("sign", { text: "a", uid: "root" }),
      asks("sign", { text: "a" }),
      says("Done."),
    ];
    const place = await placeWithTools({ "sign.mjs": secret }, answers);
    await writeFile(join(place.home, "config.json"), '{"uid":"ada-l0velace"}');
    const first = place.spawn(["run", "go", "--json"]);
    await first.shows("approval_requested");
    first.child.kill("SIGKILL");
    const { stdout } = await first.done;
    const session = (JSON.parse(stdout.split("\n", 1)[0] ?? "") as { session: string }).session;
    const edited = await place.run(["resume", session, "--edit", 'c4={"text":"a","uid":"root"}']);
    expect([edited.code, edited.stderr]).toEqual([11, expect.stringContaining('unknown argument "uid"')]);
    const ran = await place.json(["resume", session, "--approve", "all"]);

    expect(JSON.parse(place.heard(-1, -1))).toEqual({
      ...{ length: expect.any(Number), who: "*".repeat("ada-l0velace".length), here: true, half: 20208.5 },
      ...{ zone: "UTC", at: `a@${session}` },
    });
    const messages = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect(messages.slice(0, 3).map(({ content }) => content)).toEqual([
      expect.stringContaining("there is nothing to sign"),
      expect.stringContaining('unknown argument "token" (known: text, zone, at)'),
      expect.stringContaining('unknown argument "uid" (known: text, zone, at)'),
    ]);
    const { parameters } = place.server.requests.at(0)?.body.tools?.at(-1)?.function ?? {};
    expect(parameters).toMatchObject({ required: ["text"] });
    const shown = await place.run(["sessions", "show", session, "--calls"]);
    const exported = await place.run(["sessions", "export", session]);
    const listed = await place.run(["tools", "sign", "--json"]);
    const files = (await readdir(place.home, { recursive: true, withFileTypes: true })).filter(
      (one) => one.isFile() && one.name !== "config.json",
    );
    expect(files.map(({ name }) => name)).toContain("agent.db");
    const kept = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")));
    const told = [stdout, edited.stdout, ran.stdout, shown.stdout, exported.stdout, listed.stdout];
    for (const text of [...told, ...kept, JSON.stringify(place.server.requests)])
      expect(text).not.toMatch(/s3cret|l0velace|40417/);
  });

  it("describes itself from the context, once a turn, and has one instance for each call", async () => {
    const file = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, z } from "holdfast";
let described = 0;
const log = (line) => appendFileSync(join(process.cwd(), "log.txt"), line + "\\n");
export default [
  defineTool({
    name: "query", effect: "none", risk: "low", category: "data",
    description: async (ctx) => "Queries " + (await Promise.resolve(ctx.sessionId === "" ? "nothing" : "tables")) + " " + ++described,
    args: async () => z.object({ table: z.enum(["users", "table" + described]) }),
    execute: ({ table }) => ({ table }),
  }),
  class Own {
    name = "own"; description = "Own."; args = z.object({}); effect = "none"; risk = "low"; runs = 0;
    async plan(_, { cwd }) { this.runs += 1; return { summary: "own", cwd }; }
    execute() { return "run " + ++this.runs; }
    dispose() { log("disposed after " + this.runs); }
  },
];
`;
    const answers = [
      asks("query", { table: "users" }),
      asks("query", { table: "none" }),
      asks("own", {}),
      asks("own", {}),
      says("Done."),
    ];
    const place = await placeWithTools({ "query.mjs": file }, answers);
    expect((await place.json(["run", "go"])).code).toBe(0);
    const tools = place.server.requests.map(({ body }) => body.tools?.find((tool) => tool.function.name === "query"));
    const told = tools.map((tool) => [tool?.function.description, tool?.function.parameters["properties"]]);
    expect(told[0]?.[0]).toMatch(/^Queries tables \d$/);
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect(said.map(({ content }) => content)).toEqual([
      '{"table":"users"}',
      expect.stringContaining('table must be "users" or'),
      "run 2",
      "run 2",
    ]);
    expect((await place.read("log.txt")).trim().split("\n")).toEqual([
      "disposed after 2",
      "disposed after 2",
      "disposed after 0",
    ]);
    expect((await place.run(["tools", "query", "--json"])).stdout).toContain('"category":"data"');
  });

  it("sees its arguments by the instance that serves the call, after a kill at the question by a new one, and ends each", async () => {
    const file = `import { appendFileSync } from "node:fs";
import { z } from "holdfast";
let made = 0;
export default () => {
  const id = ++made;
  const log = (what, ctx) => appendFileSync("log.txt", [process.pid, id, ctx?.callId ?? "", what].join(" ") + "\\n");
  return {
    name: "send", description: "Sends.", args: z.object({ to: z.string() }),
    onPartial: (given, ctx) => log("sees " + given.to, ctx),
    plan: async (_, ctx) => (log("plans", ctx), { summary: "send", cwd: ctx.cwd }),
    execute: (_, ctx) => (log("runs", ctx), "sent"),
    dispose: () => log("ends"),
  };
};
`;
    const place = await placeWithTools({ "send.mjs": file }, [
      asks("send", { to: "Ann" }),
      asks("send", { to: "Bob" }),
      says("Done."),
    ]);
    const first = place.spawn(["run", "go", "--json"]);
    await first.shows("approval_requested");
    first.child.kill("SIGKILL");
    const { stdout } = await first.done;
    const { session } = JSON.parse(stdout.split("\n", 1)[0] ?? "") as { session: string };
    expect((await place.json(["resume", session, "--approve", "all"])).code).toBe(11);
    expect((await place.json(["resume", session, "--deny", "all"])).code).toBe(10);

    const lines = (await place.read("log.txt")).trim().split("\n");
    const parts = lines.map((line) => line.split(" "));
    const processes = [...new Set(parts.map(([pid]) => pid))];
    // Of each process what its instances did, but the one that described the tool. The first was killed at its end, or just before.
    const did = processes.map((pid) => {
      const own = parts.filter(([by, id]) => by === pid && id !== "1");
      const ids = [...new Set(own.map(([, id]) => id))];
      return ids.map((of) => [
        ...new Set(own.filter(([, id]) => id === of).map(([, , ...what]) => what.join(" ").trim())),
      ]);
    });
    expect(did[0]?.map((one) => one.filter((what) => !/sees (A|An)?$|^ends$/.test(what)))).toEqual([
      ["c1 sees Ann", "c1 plans"],
    ]);
    expect(did[1]?.map((one) => one.filter((what) => !/sees (B|Bo)?$/.test(what)))).toEqual([
      ["c1 plans", "c1 runs", "ends"],
      ["c2 sees Bob", "c2 plans", "ends"],
    ]);
    expect(did.slice(2)).toEqual([[["c2 plans", "ends"]]]);
    expect(toolProcesses(place.workspace)).toEqual([]);
  });

  it("exports a list, a class or a factory just as well", async () => {
    const place = await placeWithTools(
      {
        "several.mjs": `import { defineTool, z } from "holdfast";
const tool = (name) => defineTool({ name, description: name, args: z.object({}), effect: "none", risk: "low", execute: () => name });
class Third { name = "third"; description = "third"; args = z.object({}); effect = "none"; risk = "low"; n = 0; execute() { return "third " + ++this.n; } }
export default [tool("first"), (ctx) => ({ ...tool("second"), execute: () => ctx.workspace }), Third];
`,
      },
      [asks("first", {}), asks("second", {}), asks("third", {}), asks("third", {}), says("Done.")],
    );
    expect((await place.json(["run", "go"])).code).toBe(0);
    const told = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect(told.map(({ content }) => content)).toEqual(["first", place.workspace, "third 1", "third 1"]);
  });
});

describe("a tool file that the settings name", () => {
  it("replaces a tool of the agent in prompt and execution, and is judged as what it is", async () => {
    const place = await openPlace([asks("ls", {}), says("Done.")]);
    await place.write("../home/my/ls.mjs", toolFile("ls", "effect: 'none', execute: () => 'my own list'"));
    await place.write("../home/config.json", '{"tools": ["my/ls.mjs"]}');

    const waiting = await place.json(["run", "go"]);
    expect([waiting.code, waiting.the("approval_requested").calls[0]?.verdict.rule]).toEqual([11, { source: "table" }]);
    const tools = place.server.requests.at(0)?.body.tools ?? [];
    expect(tools.filter((tool) => tool.function.name === "ls").map((tool) => tool.function.description)).toEqual([
      "Tool ls.",
    ]);
    const ended = await place.json(["resume", waiting.session, "--approve", "all"]);
    expect([ended.code, place.heard(-1, -1)]).toEqual([0, "my own list"]);
  });

  it("is sealed where it lies in the workspace, and imports nothing from there", async () => {
    const place = await openPlace([asks("write_file", { file_path: "mine.mjs", content: "evil" }), says("So.")], {
      "mine.mjs": toolFile("mine", "execute: () => 'mine'"),
      "other.mjs": 'import "./lib.mjs";\nexport default [];',
      "lib.mjs": "",
    });
    const named = [join(place.workspace, "mine.mjs"), join(place.workspace, "other.mjs")];
    await place.write("../home/config.json", JSON.stringify({ tools: named }));
    const ran = await place.json(goes);
    expect([ran.code, place.heard(-1, -1)]).toEqual([10, expect.stringContaining("mine.mjs is sealed")]);
    expect(ran.of("notice").map(({ text }) => text)).toEqual([
      expect.stringContaining("lies in the workspace, where the agent writes"),
    ]);
  });

  it("ends the start with 52 where another has its name, naming both; one that is not there is told", async () => {
    const place = await openPlace([says("Hello.")]);
    for (const file of ["one.mjs", "two.mjs"])
      await place.write(`../home/${file}`, toolFile("deploy", "execute: () => ''"));
    await place.write("../home/config.json", '{"tools": ["one.mjs", "two.mjs"]}');
    const ran = await place.json(["run", "go"]);
    expect([ran.code, ran.the("error").message]).toEqual([
      52,
      "two tools are named deploy: one of one.mjs and one of two.mjs",
    ]);
    await place.write("../home/config.json", '{"tools": ["gone.mjs"]}');
    const told = await place.json(["run", "go"]);
    expect([told.code, told.the("notice").text]).toEqual([0, expect.stringContaining("there is no file")]);
  });

  it("gets its risk from the policy files: the user's either way, the project's upwards", async () => {
    const place = await openPlace([asks("deploy", {}), says("Done."), asks("deploy", {})]);
    await place.write("../home/deploy.mjs", toolFile("deploy", "risk: 'high', execute: () => 'done'"));
    await place.write("../home/config.json", '{"tools": ["deploy.mjs"]}');
    await place.write("../home/policy.json", '{"risk": {"deploy": "low"}}');
    expect((await place.json(["run", "go"])).code).toBe(0);
    await place.write(".holdfast/policy.json", '{"risk": {"deploy": "high"}}');
    const ran = await place.json(["run", "go"]);
    expect([ran.code, ran.the("approval_requested").calls[0]?.risk]).toEqual([11, "high"]);
  });
});

describe("agent tools new", () => {
  it("writes a tool and its test, which passes as it is, and writes over nothing", async () => {
    const place = await openPlace();
    const made = await place.run(["tools", "new", "greet_person"]);
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^wrote \.holdfast\/tools\/greet_person\.mjs\nwrote .*\.test\.mjs\n.*node --test/s),
    ]);
    const bin = join(place.workspace, "..", "bin");
    mkdirSync(bin);
    symlinkSync(agentCommand[1], join(bin, "agent"));
    symlinkSync(agentCommand[0], join(bin, "node")); // the one that the command was installed with
    const env = { ...process.env, HOME: place.home, PATH: `${bin}:${process.env["PATH"]}`, NODE_OPTIONS: "" };
    const test = spawnSync(process.execPath, ["--test", place.path(".holdfast/tools/greet_person.test.mjs")], {
      env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("NODE_TEST"))),
      encoding: "utf8",
    });
    expect([test.status, test.stdout]).toEqual([0, expect.stringMatching(/pass 2\b/)]);
    expect((await place.run(["tools", "--json"])).stdout).not.toContain("test.mjs");

    const again = await place.run(["tools", "new", "greet_person"]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
    expect(await place.run(["tools", "new", "ls"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is a tool ls already"),
    });
    expect(await place.run(["tools", "new", "no good"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("must be 1 to 64"),
    });
  });
});
