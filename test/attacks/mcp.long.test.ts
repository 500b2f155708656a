import { chmod, mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { toolNameOf } from "../../src/tools/mcp/names.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { type McpPlace, openMcpPlace, smallServer } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const variable = (name: string): string => `\${${name}}`;

const calls = (place: McpPlace): string[] => place.noted().filter((line) => line.startsWith("call"));

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

/** A file of that many bytes, with nothing in it. */
async function sparse(file: string, bytes: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, "w", 0o755);
  await handle.truncate(bytes);
  await handle.close();
}

const projectServers = (place: Place, mcpServers: Record<string, unknown>): Promise<void> =>
  place.write(".mcp.json", JSON.stringify({ mcpServers }));

const ownServers = (place: Place, mcpServers: Record<string, unknown>): Promise<void> =>
  writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers }));

describe("what starts a server", () => {
  it("is bound where the PATH of its entry finds it", async () => {
    const place = await openPlace();
    const program = `#!${process.execPath}\nimport(${JSON.stringify(smallServer)});\n`;
    await place.write("bin/small", program);
    await chmod(place.path("bin/small"), 0o755);
    await projectServers(place, { local: { command: "small", env: { PATH: `./bin:${process.env["PATH"]}` } } });
    await place.run(["trust", "--yes"]);
    const trusted = await place.run(["mcp", "trust", "local", "--yes"]);
    expect(trusted.stdout).toMatch(/which runs .*bin\/small \(sha/);
    expect(trusted.stdout).toMatch(/careful: PATH has it look for code in .*\/bin: what lies there may change/);
    expect((await place.run(["mcp", "list"])).stdout).toMatch(/local \(this project's\): on/);
    await place.write("bin/small", `${program}//\n`);
    expect((await place.run(["mcp", "list"])).stdout).toContain("off: bin/small changed since you trusted it");
  });

  it("is bound where a variable, an option or a name without its ending names it; where nothing is bound, it is said", async () => {
    const place = await openPlace();
    for (const file of ["server.js", "hook.js", "line.sh"]) await place.write(file, "process.exit(1);\n");
    const node = process.execPath;
    const bound: Record<string, [entry: object, file: string]> = {
      ending: [{ command: node, args: ["server"] }, "server.js"],
      option: [{ command: node, args: ["--import=./hook.js", "-e", "0"] }, "hook.js"],
      variable: [{ command: node, args: ["-e", "0"], env: { NODE_OPTIONS: "--require ./hook.js" } }, "hook.js"],
      line: [{ command: "sh", args: ["-c", "cd . && ./line.sh|cat"] }, "line.sh"],
    };
    const entries = Object.fromEntries(Object.entries(bound).map(([name, [entry]]) => [name, entry]));
    await projectServers(place, { ...entries, folder: { command: node, args: ["."] } });
    await place.run(["trust", "--yes"]);
    for (const [name, [, file]] of Object.entries(bound)) {
      const { stdout } = await place.run(["mcp", "trust", name, "--yes"]);
      expect(stdout, name).toContain(`${file} (sha`);
      expect(stdout, name).not.toContain("names no program or script there");
    }
    expect((await place.run(["mcp", "trust", "folder", "--yes"])).stdout).toContain(
      "its words name no program or script there",
    );
  });

  it("is not read before the person trusts the project and the server, and never without an end", async () => {
    const place = await openPlace();
    await sparse(place.path("big"), limits.mcpStartFiles.most + 1);
    await projectServers(place, { one: { command: "./big" }, two: { command: "./big" } });
    const listed = async () => (await place.run(["mcp", "list"])).stdout;
    expect((await listed()).match(/waits for your trust in this project/g)).toHaveLength(2);
    await place.run(["trust", "--yes"]);
    expect((await listed()).match(/it waits for your trust: agent mcp trust/g)).toHaveLength(2);
    const trusted = await place.run(["mcp", "trust", "one", "--yes"]);
    expect([trusted.code, trusted.stderr]).toEqual([1, expect.stringContaining("come to more than 400 MB")]);
  });

  it("is none of a project that names too many", async () => {
    const place = await openPlace();
    const most = limits.mcpServers.most;
    const entries = Array.from({ length: most + 1 }, (_, at) => [`s${at}`, { command: "true" }] as const);
    await projectServers(place, Object.fromEntries(entries));
    await place.run(["trust", "--yes"]);
    const { stdout } = await place.run(["mcp", "list"]);
    expect(stdout).toContain(`it has more than ${most} servers`);
    expect(stdout).not.toContain("s0");
  });

  it("is another one by the time it was looked at, and is not trusted; changed while the person reads, it is not started", async () => {
    const place = await openPlace();
    const mark = join(place.home, "noted");
    const entry = { command: process.execPath, args: ["server.mjs"], env: { MCP_MODE: "grows", MCP_NOTE: mark } };
    await place.write("server.mjs", await readFile(smallServer, "utf8"));
    await projectServers(place, { local: entry });
    await place.run(["trust", "--yes"]);
    const grown = await place.run(["mcp", "trust", "local", "--yes"]);
    expect([grown.code, grown.stderr]).toEqual([
      1,
      expect.stringContaining("local was not trusted: it is another one"),
    ]);
    expect((await place.run(["mcp", "list"])).stdout).toContain("off: it waits for your trust: agent mcp trust local");

    const starts = (await readFile(mark, "utf8")).split("\n").length;
    const pty = place.prints(["mcp", "trust", "local", "--json"], { cols: 200, rows: 30 });
    await pty.waitFor("Type yes:");
    expect(pty.screen().join("\n")).toMatch(/which runs .*server\.mjs/);
    await place.write("server.mjs", `${await readFile(smallServer, "utf8")}// other\n`);
    pty.type("yes\r");
    await pty.waitFor("it is another one by now than was shown");
    await pty.exit;
    expect((await readFile(mark, "utf8")).split("\n").length).toBe(starts);
  });

  it("of the person's own is on in each workspace, and off in each once its script is another one", async () => {
    const place = await openPlace();
    const script = place.path("srv.mjs");
    const other = join(dirname(place.workspace), "other");
    await mkdir(other);
    const text = await readFile(smallServer, "utf8");
    for (const file of [script, join(other, "srv.mjs")]) await writeFile(file, text);
    await ownServers(place, {
      fixed: { command: process.execPath, args: [script] },
      each: { command: process.execPath, args: [`${variable("workspaceFolder")}/srv.mjs`] },
    });
    const listed = async (cwd: string) => (await place.run(["mcp", "list"], { cwd })).stdout.match(/: (?:on|off)/g);
    await place.run(["mcp", "trust", "fixed", "--yes"]);
    await place.run(["mcp", "trust", "each", "--yes"]);
    expect(await listed(other)).toEqual([": on", ": off"]);
    await place.run(["mcp", "trust", "each", "--yes"], { cwd: other });
    expect(await listed(other)).toEqual([": on", ": on"]);
    expect(await listed(place.workspace)).toEqual([": on", ": on"]);
    await writeFile(script, `${text}//\n`);
    expect(await listed(other)).toEqual([": off", ": on"]);
    expect(await listed(place.workspace)).toEqual([": off", ": off"]);
  });
});

describe("the arguments of a call", () => {
  const padded = (count: number) => Array.from({ length: count }, (_, at) => `word ${at}`);

  it("reach no sealed file: not from the folder of the server, not as a name, not behind many words", async () => {
    const given = [
      { path: "../../config.json" },
      { path: "gone/../../../config.json" },
      { files: { "../../config.json": true } },
      { words: padded(1_500), path: ".git/config" },
      { path: " .git/config " },
    ];
    const place = await openMcpPlace([...given.map((args) => asks("mcp__small__look", args)), says("Done.")]);
    await place.write(".git/config", "[core]\n");
    await place.write(".git/HEAD", "ref: refs/heads/main\n");
    const ran = await place.json(goes);
    expect(settled(ran).map((call) => ("ended" in call ? call.ended?.why : call.status))).toEqual(
      given.map(() => "policy"),
    );
    expect(calls(place)).toEqual([]);
  });

  it("are put before a person where they have more texts than are looked at, whatever a rule says", async () => {
    const args = { words: padded(limits.mcpNamed.most + 1), path: ".env" };
    const place = await openMcpPlace([asks("mcp__small__look", args), says("Done.")]);
    const ran = await place.json(goes);
    expect(ran.code).toBe(11);
    expect(ran.the("approval_requested").calls[0]?.verdict.rule).toMatchObject({ source: "confirm" });
    expect(calls(place)).toEqual([]);
  });
});

describe("a server that says too much", () => {
  it("is ended where nobody asked for it, and the turn goes on", async () => {
    const place = await openMcpPlace([asks("mcp__small__babbles", {}), says("Done.")]);
    const ran = await place.json(goes);
    expect(ran.the("recovery_requested").calls[0]?.known).toContain("it says far more than it was asked for");
    expect(place.alive()).toEqual([]);
  });

  it("is heard on, where it is its stderr, and its log stays small", async () => {
    const place = await openMcpPlace([asks("mcp__small__shouts", {}), says("Done.")]);
    const ran = await place.json(goes);
    expect(settled(ran)).toMatchObject([{ status: "success", result: { output: "hoarse" } }]);
    const log = join(place.home, "logs", "mcp", "small.log");
    for (const file of [log, `${log}.1`])
      expect((await stat(file).catch(() => ({ size: 0 }))).size).toBeLessThan(2 * limits.mcpLog.most);
    const { stdout } = await place.run(["mcp", "logs", "small"]);
    expect(stdout).toMatch(/bytes left out: it says too much/);
  });

  it("is asked for its tools once at a time, however often it says that they are others", async () => {
    const place = await openMcpPlace([asks("mcp__small__renews", {}), says("Done.")]);
    const ran = await place.json(goes);
    expect(settled(ran)).toMatchObject([{ status: "success", result: { output: "renewed" } }]);
    expect(place.noted().filter((line) => line === "list").length).toBeLessThan(20);
  });

  it("and does not read: what it was not told is not done, and the next call has a new one", async () => {
    const place = await openMcpPlace([
      asks("mcp__small__deafens", {}),
      asks("mcp__small__echo", { text: "a" }),
      asks("mcp__small__echo", { text: "b" }),
      says("Done."),
    ]);
    const ran = await place.json(goes);
    expect(settled(ran)).toMatchObject([
      { status: "success" },
      { status: "error", errorCode: "FAILED", errorMsg: expect.stringContaining("nothing was done") },
      { status: "success", result: { output: "b" } },
    ]);
    expect(place.alive()).toEqual([]);
  });

  it("in a failure is told in short, and all of it is kept", async () => {
    const place = await openMcpPlace([
      asks("mcp__small__complains", {}),
      asks("read_file", { file_path: "call:c1" }),
      says("Done."),
    ]);
    const ran = await place.json(goes);
    const [failed, read] = settled(ran);
    const told = failed !== undefined && "errorMsg" in failed ? failed.errorMsg : "";
    expect(told.length).toBeLessThanOrEqual(limits.mcpError.most);
    expect(told).toMatch(/^first so it is[\s\S]* last$/);
    expect(read).toMatchObject({ status: "success" });
  });
});

describe("what a tool says of itself", () => {
  it("is shown whole before it is trusted, and the model is told no sign of it that nobody sees", async () => {
    const place = await openMcpPlace([says("Done.")], { trusted: false });
    const hidden = "\u200b\u{e0041}\u202e";
    const tool = (name: string, a: object) => ({
      name,
      description: "Plain.",
      inputSchema: { type: "object", properties: { a: { type: "string", ...a } } },
    });
    await writeFile(
      `${place.changed}.tools`,
      JSON.stringify([
        tool("told", { description: `Zebras are white${hidden} and black` }),
        tool("valued", { enum: [`white${hidden}`] }),
        tool(`na${hidden}med`, {}),
      ]),
    );
    const { stdout } = await place.run(["mcp", "trust", "small", "--yes"]);
    expect(stdout).toContain("Zebras are white and black");
    expect(stdout).toContain("its schema has signs in it that nobody sees");
    await place.json(["run", "go"]);
    const told = JSON.stringify(place.server.requests.at(-1)?.body);
    expect(told).toContain("Zebras are white and black");
    for (const sign of hidden) expect(told).not.toContain(sign);
  });

  it("may be much, and locks nobody out: what could not be read again is not written", async () => {
    const place = await openMcpPlace([], { trusted: false });
    const tools = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `big${at}`,
        description: "x".repeat(46_500),
        inputSchema: { type: "object" },
      }));
    const say = (count: number) => writeFile(`${place.changed}.tools`, JSON.stringify(tools(count)));
    const table = () => readFile(join(place.home, "servers.json"), "utf8").catch(() => "");
    await say(30);
    expect((await place.run(["mcp", "trust", "small", "--yes"])).code).toBe(0);
    const before = await table();
    expect(before.length).toBeGreaterThan(1_000_000);
    await say(185);
    expect(await place.run(["mcp", "trust", "small", "--yes"])).toMatchObject({
      code: expect.not.stringMatching(/^0$/),
      stderr: expect.stringContaining("servers.json"),
    });
    expect(await table()).toBe(before);
    expect((await place.run(["mcp", "list"])).stdout).toContain("small (yours): on");
    expect((await place.run(["mcp", "remove", "small"])).code).toBe(0);
  });

  it("takes no other tool's name", async () => {
    const place = await openMcpPlace([asks("mcp__small__echo", { text: "a" }), says("Done.")], { trusted: false });
    const name = toolNameOf("small", "x!");
    const tool = (called: string) => ({ name: called, description: "Plain.", inputSchema: { type: "object" } });
    const same = name.slice("mcp__small__".length);
    await writeFile(`${place.changed}.tools`, JSON.stringify([tool("x!"), tool(same)]));
    expect((await place.run(["mcp", "trust", "small", "--yes"])).code).toBe(0);
    expect(settled(await place.json(goes))).toMatchObject([{ status: "success" }]);
  });
});

it("a server whose trust was taken back is ended, and answers no further call", async () => {
  const place = await openMcpPlace(
    [asks("mcp__small__removes", {}), asks("mcp__small__echo", { text: "a" }), says("Done.")],
    { trusted: false },
  );
  const file = join(place.home, "config.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  config.mcpServers.small.env.MCP_REMOVES = join(place.home, "servers.json");
  await writeFile(file, JSON.stringify(config));
  await place.run(["mcp", "trust", "small", "--yes"]);
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([
    { status: "success" },
    { status: "error", errorCode: "DENIED", errorMsg: expect.stringContaining("it waits for your trust") },
  ]);
  expect(calls(place)).toEqual(["call removes"]);
});
