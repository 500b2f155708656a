import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { openMcpPlace, smallServer } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";
import { toolFile, trustAll } from "../support/tool-files.ts";

/** How settings name a variable of the environment. */
const variable = (name: string): string => `\${${name}}`;

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

it("a server of the settings is off until its tools were seen and trusted; then a call of one asks, runs, and leaves no process", async () => {
  const place = await openMcpPlace([says("No tool."), asks("mcp__small__echo", { text: "hello" }), says("Done.")], {
    trusted: false,
  });
  const before = await place.json(["run", "go"]);
  expect(before.of("notice").map(({ code, text }) => [code, text])).toEqual([
    ["mcp_off", "MCP server small: it waits for your trust: agent mcp trust small"],
  ]);
  expect(place.noted()).toEqual([]);

  const trusted = await place.run(["mcp", "trust", "small", "--yes"]);
  expect(trusted.code).toBe(0);
  expect(trusted.stdout).toContain("│ Says it back.");
  expect(trusted.stdout).toContain("left out: tasked: it is for tasks alone, and this version has none");
  expect(trusted.stdout).toContain("left out: broken: its definition cannot be read");
  expect(trusted.stdout).toContain("its arguments are not checked: its schema is not that of an object");
  expect(trusted.stdout).not.toContain("\u001b[31m");
  expect(place.alive()).toEqual([]);

  const asked = await place.json(["run", "go"]);
  expect(asked.code).toBe(11);
  const [call] = asked.the("approval_requested").calls;
  expect(call).toMatchObject({ toolName: "mcp__small__echo", risk: "medium", plan: { network: true, sandbox: false } });
  expect(call?.plan.command).toBe('small: echo {"text":"hello"}');
  const done = await place.json(["resume", asked.session, "--approve", "all"]);
  expect(done.of("tool_call").at(-1)).toMatchObject({ call: { status: "success", result: { output: "hello" } } });
  expect(place.noted().filter((line) => line.startsWith("call"))).toEqual(["call echo"]);
  expect(place.alive()).toEqual([]);
});

it("agent tools --json has every tool with schema, risk, effect and source: the agent's own, a project's, a server's, and the one that finds them", async () => {
  const place = await openMcpPlace();
  await place.write(".holdfast/tools/mine.mjs", toolFile("mine", `effect: "none", execute: () => "x"`));
  await trustAll(place);
  const { stdout } = await place.run(["tools", "--json"]);
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const row of rows)
    expect(row).toMatchObject({
      ...{ name: expect.any(String), source: expect.any(String), schema: { type: "object" } },
      ...{ risk: expect.stringMatching(/^(?:low|medium|high)$/u), effect: expect.any(String) },
    });
  const facts = rows.map(({ name, source, risk, effect }) => [name, source, risk, effect]);
  expect(facts).toEqual(
    expect.arrayContaining([
      ["read_file", "builtin", "low", "none"],
      ["mine", "project", "medium", "none"],
      ["mcp__small__echo", "mcp small", "medium", "once"],
      ["search_tools", "builtin", "low", "none"],
    ]),
  );
  expect(rows.find(({ name }) => name === "mcp__small__echo")).toMatchObject({
    schema: { properties: { text: { type: "string" } } },
  });
  expect((await place.run(["tools", "search_tools"])).stdout).toContain("mcp__small__echo");
  await writeFile(join(place.home, "config.json"), "{}");
  expect((await place.run(["tools"])).stdout).not.toContain("search_tools");
});

describe("what a server may not do", () => {
  it("a tool that is another one than was trusted is off, and it is said what changed", async () => {
    const place = await openMcpPlace([asks("mcp__small__echo", { text: "a" }), says("Done.")]);
    await writeFile(place.changed, "");
    const ran = await place.json(goes);
    expect(ran.of("tool_call").at(-1)).toMatchObject({
      call: {
        status: "error",
        errorCode: "DENIED",
        errorMsg: expect.stringContaining("the server changed its description since it was trusted"),
      },
    });
    expect(place.noted().filter((line) => line.startsWith("call"))).toEqual([]);
    const tested = await place.run(["mcp", "test", "small"]);
    expect(tested).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("echo is off: the server changed its description"),
    });
  });

  it("an entry that is another one than was trusted does not start, and it is said what changed", async () => {
    const place = await openMcpPlace();
    const file = join(place.home, "config.json");
    const config = JSON.parse(await readFile(file, "utf8"));
    config.mcpServers.small.env.MORE = "1";
    await writeFile(file, JSON.stringify(config));
    const starts = place.noted().length;
    const listed = await place.run(["mcp", "list"]);
    expect(listed.stdout).toContain("off: its env.MORE changed since you trusted it: agent mcp trust small");
    expect((await place.run(["tools"])).stdout).not.toContain("mcp__small__");
    expect(place.noted().length).toBe(starts);
  });

  it("names a sealed file in its arguments, and is denied; one that is guarded is asked about, whatever a rule says", async () => {
    const place = await openMcpPlace([
      asks("mcp__small__look", { path: ".git/config" }),
      asks("mcp__small__look", { path: ".env" }),
      says("Done."),
    ]);
    await place.write(".git/config", "[core]\n");
    await place.write(".git/HEAD", "ref: refs/heads/main\n");
    await place.write(".env", "KEY=1\n");
    await writeFile(
      join(place.home, "policy.json"),
      JSON.stringify({ rules: [{ tool: "mcp__small__*", decision: "allow", why: "test" }] }),
    );
    const ran = await place.json(["run", "go"]);
    expect(ran.of("tool_call").filter(({ call }) => call.status === "cancelled")[0]?.call).toMatchObject({
      ended: { why: "policy" },
    });
    expect(ran.code).toBe(11);
    expect(ran.the("approval_requested").calls[0]).toMatchObject({
      risk: "high",
      verdict: { rule: { source: "guarded" } },
    });
    expect(place.noted().filter((line) => line.startsWith("call"))).toEqual([]);
  });

  it("a pattern of its schema that has no end is stopped, a foreign schema costs nothing, and what it asks of us is answered in one way", async () => {
    const place = await openMcpPlace([
      asks("mcp__small__evil", { a: `${"a".repeat(40)}!` }),
      asks("mcp__small__foreign", { a: 1 }),
      asks("mcp__small__roots", {}),
      says("Done."),
    ]);
    const ran = await place.json(goes);
    const ended = ran.of("tool_call").flatMap(({ call }) => (["success", "error"].includes(call.status) ? [call] : []));
    expect(ended[0]).toMatchObject({ status: "error", errorCode: "INVALID_ARGUMENT" });
    expect(ended[1]).toMatchObject({ status: "success", result: { output: "ok" } });
    const output = (ended[2] as { result?: { output: string } }).result?.output ?? "";
    expect(output).toContain(`file://${place.workspace}`);
    expect(output).toContain("refused");
    expect(output).toContain('"action":"cancel"');
    expect(output).toContain("(small asked the person something: it got no answer, nobody is there to answer)");
  });
});

describe("how a call ends", () => {
  it("a server that dies under a call leaves its outcome unknown, and is started anew for the next", async () => {
    const place = await openMcpPlace([
      asks("mcp__small__dies", {}),
      asks("mcp__small__echo", { text: "b" }),
      says("Done."),
    ]);
    const ran = await place.json(goes);
    expect(ran.code).toBe(11);
    expect(ran.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__small__dies", effect: "once" }]);
    const resumed = await place.json([
      "resume",
      ran.session,
      "--done",
      "c1",
      "--mode",
      "full-auto",
      "--sandbox",
      "off",
    ]);
    expect(resumed.of("tool_call").at(-1)).toMatchObject({ call: { status: "success", result: { output: "b" } } });
    expect(place.noted().filter((line) => line.startsWith("call"))).toEqual(["call dies", "call echo"]);
    expect(place.alive()).toEqual([]);
  });

  it("a message past 10 MB ends the server, and the outcome is unknown", async () => {
    const place = await openMcpPlace([asks("mcp__small__floods", {}), says("Done.")]);
    const ran = await place.json(goes);
    expect(ran.the("recovery_requested").calls[0]?.known).toContain("longer than 10 MB");
    expect(place.alive()).toEqual([]);
  });

  it("a long answer is told once, a failure is one, a picture is a picture, and progress reaches the card", async () => {
    const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const place = await openMcpPlace(
      [
        asks("mcp__small__long", {}),
        asks("mcp__small__fails", {}),
        asks("mcp__small__picture", {}),
        asks("mcp__small__slow", {}),
        says("Done."),
      ],
      { env: { MCP_PICTURE: picture } },
    );
    const ran = await place.json(goes);
    const ended = ran.of("tool_call").flatMap(({ call }) => (["success", "error"].includes(call.status) ? [call] : []));
    expect(ended[0]).toMatchObject({
      result: {
        outputOnce: true,
        longTermMemory: expect.stringMatching(/^small: long answered 11,000 bytes, which begin: much of it/),
      },
    });
    expect(ended[1]).toMatchObject({ status: "error", errorMsg: "no such row" });
    expect(ended[2]).toMatchObject({ status: "success", result: { images: [{ mediaType: "image/png" }] } });
    expect(ran.of("tool_progress").some(({ tip, figure }) => tip === "a quarter" && figure === 0.25)).toBe(true);
  });

  it("killed with a call under way, its processes end with it; resumed, the call is unknown and is not made again", async () => {
    const place = await openMcpPlace([asks("mcp__small__hangs", {}), says("Done.")], { env: { MCP_MODE: "stubborn" } });
    const running = place.spawn([...goes, "--json"]);
    await running.shows("executing");
    await expect.poll(() => place.noted().includes("call hangs"), { timeout: 20_000 }).toBe(true);
    running.child.kill("SIGKILL");
    await running.done;
    const session = JSON.parse(running.stdout().split("\n", 1)[0] ?? "").session as string;
    await expect.poll(() => place.alive(), { timeout: 10_000 }).toEqual([]);
    const resumed = await place.json(["resume", session]);
    expect(resumed.code).toBe(11);
    expect(resumed.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__small__hangs", effect: "once" }]);
    expect(place.noted().filter((line) => line.startsWith("call"))).toEqual(["call hangs"]);
  });

  it("junk on its stdout is passed over, and what it said beside is in its log without what a terminal would obey", async () => {
    const place = await openMcpPlace([asks("mcp__small__echo", { text: "c" }), says("Done.")], {
      env: { MCP_MODE: "junk" },
    });
    const ran = await place.json(goes);
    expect(ran.of("tool_call").at(-1)).toMatchObject({ call: { status: "success", result: { output: "c" } } });
    const log = await place.run(["mcp", "logs", "small"]);
    expect(log.stdout).toContain("said: Welcome!");
    expect(log.stdout).toContain("ready ");
    expect(readFileSync(join(place.home, "logs", "mcp", "small.log"), "latin1")).not.toContain("\u001b");
  });
});

describe("a server of the project", () => {
  const entry = { command: process.execPath, args: ["server.mjs"] };
  const withServer = async () => {
    const place = await openPlace([asks("mcp__local__echo", { text: "d" }), says("Done.")]);
    await place.write("server.mjs", await readFile(smallServer, "utf8"));
    await place.write(
      ".mcp.json",
      JSON.stringify({ mcpServers: { local: entry, web: { type: "sse", url: "https://example.org" } } }),
    );
    return place;
  };

  it("waits for the project's trust, then for its own; a script that starts it is bound by its bytes", async () => {
    const place = await withServer();
    expect((await place.run(["mcp", "trust", "local", "--yes"])).code).toBe(1);
    expect((await place.run(["trust", "--yes"])).stdout).toContain("mcpServers");
    const trusted = await place.run(["mcp", "trust", "local", "--yes"]);
    expect(trusted.stdout).toMatch(/which runs .*server\.mjs \(sha/);
    const listed = await place.run(["mcp", "list"]);
    expect(listed.stdout).toMatch(/local \(this project's\): on, \d+ tools/);
    expect(listed.stdout).toContain("web (this project's): off: it speaks the older HTTP of MCP");
    await place.write("server.mjs", "throw new Error();\n");
    expect((await place.run(["mcp", "list"])).stdout).toContain("off: server.mjs changed since you trusted it");
  });

  it("does not name variables of the person's environment", async () => {
    const place = await withServer();
    await place.write(
      ".mcp.json",
      JSON.stringify({ mcpServers: { local: { ...entry, env: { KEY: variable("OPENAI_API_KEY") } } } }),
    );
    await place.run(["trust", "--yes"]);
    const listed = await place.run(["mcp", "list"]);
    expect(listed.stdout).toContain("which only your own config.json may");
    expect(existsSync(join(place.home, "servers.json"))).toBe(false);
  });
});

it("a server of the person's own runs nothing of a project that is named as it is, and is told of the workspace", async () => {
  const place = await openPlace([asks("mcp__own__echo", { text: "e" }), says("Done.")]);
  const hostile = "require('node:fs').writeFileSync(process.env.MARK, 'ran');\n";
  await place.write("server.cjs", hostile);
  await place.write("node_modules/own-server/index.js", hostile);
  const mark = join(place.home, "ran");
  const entry = (args: string[]) => ({ command: process.execPath, args, env: { MARK: mark } });
  const file = join(place.home, "config.json");
  const mcpServers = {
    own: entry(["server.cjs"]),
    module: entry(["-e", "require('own-server')"]),
    at: entry([`${variable("workspaceFolder")}/server.cjs`]),
  };
  await writeFile(file, JSON.stringify({ mcpServers }));
  for (const name of ["own", "module"]) expect((await place.run(["mcp", "trust", name, "--yes"])).code).toBe(1);
  expect(existsSync(mark)).toBe(false);
  expect((await place.run(["mcp", "trust", "at", "--yes"])).stdout).toMatch(/which runs .*\/work\/server\.cjs \(sha/);
});

it("add and remove change nothing else of config.json", async () => {
  const place = await openPlace();
  const file = join(place.home, "config.json");
  const text = '{\n  // mine\n  "maxSteps": 7,\n}\n';
  await writeFile(file, text);
  const added = await place.run([
    "mcp",
    "add",
    "fs",
    "--env",
    `A=${variable("HOME")}`,
    "--",
    "npx",
    "-y",
    "server-fs",
    ".",
  ]);
  expect(added).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("off until you trust it: agent mcp trust fs"),
  });
  const now = await readFile(file, "utf8");
  expect(now).toContain("// mine");
  expect(now).toContain(`"A": "${variable("HOME")}"`);
  expect((await place.run(["mcp", "list"])).stdout).toBe(
    "fs (yours): off: it waits for your trust: agent mcp trust fs\n  npx -y server-fs . (with A)\n",
  );
  expect((await place.run(["mcp", "add", "fs", "--", "x"])).code).toBe(2);
  expect((await place.run(["mcp", "remove", "fs"])).code).toBe(0);
  expect((await place.run(["mcp", "list"])).stdout).toBe("");
  expect(await readFile(file, "utf8")).toContain("// mine");
});
