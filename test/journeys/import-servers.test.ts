import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { smallServer } from "../support/mcp.ts";

const ref = (name: string): string => `\${${name}}`;
const json = (value: unknown): string => JSON.stringify(value);
const secret = "s3cret-of-nobody-at-all";

/** A place with files in the person's home and in the project; each run, and what it wrote, is searched for the secret. */
async function placeWith(home: Record<string, string>, project: Record<string, string> = {}) {
  const place = await openPlace([], project);
  const folder = join(place.home, "person");
  await mkdir(folder);
  for (const [path, text] of Object.entries(home)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const [own, theirs] = [join(place.home, "config.json"), join(place.workspace, ".mcp.json")];
  const textOf = (file: string) => readFile(file, "utf8").catch(() => "");
  const serversOf = async (file: string): Promise<Record<string, unknown>> =>
    JSON.parse((await textOf(file)) || "{}").mcpServers ?? {};
  const env = { HOME: folder };
  const take = async (name: string, ...more: string[]) => {
    const ran = await place.run(["import", name, ...more], { env });
    for (const text of [ran.stdout, ran.stderr, await textOf(own)]) expect(text).not.toContain(secret);
    return ran;
  };
  return { place, folder, own, theirs, env, textOf, serversOf, take };
}

/** Why each server of a program was not taken over, by its name. */
async function reasons(run: Promise<{ stdout: string }>): Promise<Record<string, unknown>> {
  const rows = (await run).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return Object.fromEntries(rows.filter(({ kind }) => kind === "server").map(({ name, why }) => [name, why]));
}

describe("agent import of the person's servers", () => {
  it("shows the change, writes it after a yes alone, and each is off until it is trusted; then it starts and its tools are there", async () => {
    const small = { type: "stdio", command: "node", args: [`/srv/${secret}/server.mjs`], env: { MCP_NOTE: secret } };
    const { place, own, env, take, textOf } = await placeWith({
      ".claude.json": json({
        mcpServers: { small, files: { command: "npx", args: ["-y", "@scope/server-files@1.2.3", "/srv/docs"] } },
      }),
    });
    const mine = '{ // mine\n  "maxSteps": 9 }\n';
    await writeFile(own, mine);
    const preview = await take("claude");
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining("agent import claude --yes") });
    expect(preview.stdout).toContain(`+        "${ref("MCP_SMALL_ARG_1")}"`);
    expect(preview.stdout).toContain("to be set in your environment: ");
    expect(await textOf(own)).toBe(mine);

    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("each server is off until you trust it") });
    expect(ran.stderr).toContain("to be set in your environment, each to what stands in its place there: ");
    const text = await textOf(own);
    expect(text).toContain("{ // mine\n");
    expect(JSON.parse(text.replace(" // mine", ""))).toEqual({
      maxSteps: 9,
      mcpServers: {
        small: { command: "node", args: [ref("MCP_SMALL_ARG_1")], env: { MCP_NOTE: ref("MCP_SMALL_MCP_NOTE") } },
        files: { command: "npx", args: ["-y", "@scope/server-files@1.2.3", "/srv/docs"] },
      },
    });

    const again = await take("claude", "--yes");
    expect(again).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
    expect(again.stdout).toContain("a server of this name stands in your config.json already");
    expect(await textOf(own)).toBe(text);

    const unset = await place.run(["mcp", "list"], { env });
    expect(unset.stdout.match(/: off: /gu)).toHaveLength(2);
    expect(unset.stdout).toMatch(/the variable MCP_SMALL_\w+ that it names is not set/u);
    const note = join(place.home, "noted");
    const values = { MCP_SMALL_ARG_1: smallServer, MCP_SMALL_MCP_NOTE: note };
    const set = { ...env, ...values };
    expect(
      (await place.run(["mcp", "list"], { env: set })).stdout.match(/off: it waits for your trust/gu),
    ).toHaveLength(2);
    expect(await textOf(note)).toBe("");
    expect((await place.run(["mcp", "trust", "small", "--yes"], { env: set })).code).toBe(0);
    expect(await textOf(note)).toMatch(/^start \d+/u);
    expect((await place.run(["tools"], { env: set })).stdout).toContain("mcp__small__echo");
  });

  it("writes nothing where the person says no", async () => {
    const { place, folder, own, textOf } = await placeWith({
      ".claude.json": json({ mcpServers: { a: { command: "a" } } }),
    });
    const chat = place.prints(["import", "claude"], undefined, { HOME: folder });
    await chat.waitFor("Type yes: ");
    chat.type("no\r");
    expect(await chat.exit).toMatchObject({ code: 1 });
    expect(await textOf(own)).toBe("");
  });

  it("maps what each program says, as far as it means the same here", async () => {
    const url = "https://mcp.example.com/mcp";
    const { place, folder, own, env, take, serversOf } = await placeWith({
      ".gemini/settings.json": json({
        mcp: { excluded: ["gone"] },
        mcpServers: {
          gem: {
            command: "gem",
            args: ["$GEM_DIR", "--stdio"],
            env: { KEY: "$KEY" },
            trust: true,
            includeTools: ["read_file"],
          },
          reached: { httpUrl: url, headers: { Authorization: secret } },
          old: { url },
          typed: { url, type: "http" },
          gone: { command: "gone" },
          less: { command: "less", excludeTools: ["rm"] },
        },
      }),
      ".codex/config.toml": [
        `[mcp_servers.cod]\ncommand = "cod"\nargs = ["serve"]\nenv_vars = ["COD_KEY"]\nenv = { OTHER = "${secret}" }`,
        `[mcp_servers.far]\nurl = "${url}"\nbearer_token_env_var = "FAR_TOKEN"\nstartup_timeout_sec = 3\n` +
          `http_headers = { X-Team = "${secret}" }\nenv_http_headers = { X-Other = "OTHER" }`,
        '[mcp_servers.off]\ncommand = "off"\nenabled = false',
        "",
      ].join("\n"),
      ".config/opencode/opencode.json": json({
        mcp: {
          open: {
            type: "local",
            command: ["npx", "-y", "open-server", secret],
            environment: { KEY: secret },
            enabled: true,
          },
          away: { type: "remote", url, headers: { "X-Key": "{env:KEY}" }, oauth: {} },
          none: { type: "local", command: [] },
          odd: { type: "other", url },
        },
      }),
      ".config/Code/User/mcp.json": `{ // mine\n "inputs": [{ "id": "k", "default": "${secret}" }], "servers": ${json({
        vis: {
          type: "stdio",
          command: "docker",
          args: ["run", "-i", "--rm", "-e", "VIS_TOKEN", "ghcr.io/vis/vis-server"],
          env: { VIS_TOKEN: ref("input:k") },
        },
        boxed: { command: "boxed", sandboxEnabled: true },
        given: { command: "given", envFile: "/x/.env" },
        sse: { type: "sse", url },
      })} }`,
      ".claude.json": json({ mcpServers: { cla: { type: "http", url, headers: { "X-Api-Key": secret } } } }),
    });
    await writeFile(
      join(folder, ".claude.json"),
      json({
        mcpServers: {
          cla: { type: "http", url, headers: { "X-Api-Key": secret } },
          idle: { command: "idle", disabled: true },
        },
        projects: {
          [place.workspace]: {
            mcpServers: { here: { command: "here" }, shut: { command: "shut" } },
            disabledMcpServers: ["shut"],
          },
          "/elsewhere": { mcpServers: { elsewhere: { command: "x" } } },
        },
      }),
    );
    const outs: string[] = [];
    for (const name of ["gemini", "codex", "opencode", "vscode", "claude"]) {
      const ran = await take(name, "--yes");
      expect(ran.code).toBe(0);
      outs.push(ran.stdout);
    }
    const http = (headers?: object) => ({ type: "http", url, ...(headers === undefined ? {} : { headers }) });
    expect(await serversOf(own)).toEqual({
      gem: {
        command: "gem",
        args: [ref("MCP_GEM_ARG_1"), "--stdio"],
        env: { KEY: ref("MCP_GEM_KEY") },
        tools: ["read_file"],
      },
      reached: http({ Authorization: ref("MCP_REACHED_AUTHORIZATION") }),
      typed: http(),
      cod: { command: "cod", args: ["serve"], env: { OTHER: ref("MCP_COD_OTHER"), COD_KEY: ref("MCP_COD_COD_KEY") } },
      far: http({
        "X-Team": ref("MCP_FAR_X_TEAM"),
        "X-Other": ref("MCP_FAR_X_OTHER"),
        Authorization: `Bearer ${ref("MCP_FAR_AUTHORIZATION")}`,
      }),
      open: { command: "npx", args: ["-y", "open-server", ref("MCP_OPEN_ARG_3")], env: { KEY: ref("MCP_OPEN_KEY") } },
      away: http({ "X-Key": ref("MCP_AWAY_X_KEY") }),
      vis: {
        command: "docker",
        args: ["run", "-i", "--rm", "-e", "VIS_TOKEN", "ghcr.io/vis/vis-server"],
        env: { VIS_TOKEN: ref("MCP_VIS_VIS_TOKEN") },
      },
      cla: http({ "X-Api-Key": ref("MCP_CLA_X_API_KEY") }),
      here: { command: "here" },
    });
    const all = outs.join("");
    for (const line of [
      "server old (https://mcp.example.com): not written: it speaks the older HTTP of MCP (sse)",
      "server gone (gone): not written: it is turned off there",
      "server less (less): not written: some of its tools are left out there",
      "without trust: nothing is trusted or allowed by an import",
      "without startup_timeout_sec: how long",
      "server off (off): not written: it is turned off there",
      "without oauth: how it is signed in to is not taken over",
      "server none: not written: its command is no list of texts",
      "server odd (https://mcp.example.com): not written: its type is none that is known here",
      "server boxed (boxed): not written: it runs in a sandbox there",
      "server given (given): not written: what it is given stands in a file",
      "server sse (https://mcp.example.com): not written: it speaks the older HTTP",
      "- inputs: not written: what it asks for there is a variable of your environment here",
      "server idle (idle): not written: it is turned off there",
      "server shut (shut): not written: it is turned off there",
      "!   without its folder: it is there for the work in this folder alone",
    ])
      expect(all).toContain(line);
    expect(all).not.toContain("elsewhere");
    const listed = await place.run(["mcp", "list"], { env });
    expect(listed.stdout.match(/: off: /gu)).toHaveLength(10);
    expect((await place.run(["policy", "list"], { env })).stdout).not.toContain("mcp__");
  });

  it("leaves what is there under a name, or nearly this name, as it is", async () => {
    const { own, take, textOf } = await placeWith({
      ".claude.json": json({
        mcpServers: {
          a: { command: "theirs" },
          "B-c": { command: "theirs" },
          b_c: { command: "two" },
          d: { command: "d" },
        },
      }),
    });
    await writeFile(own, json({ mcpServers: { a: { command: "mine" }, "b.c": { command: "mine" } } }));
    const ran = await take("claude", "--yes");
    expect(ran.stdout).toContain("server a (theirs): not written: a server of this name stands in your config.json");
    expect(ran.stdout.match(/: not written: a server of nearly this name stands in/gu)).toHaveLength(2);
    expect(JSON.parse(await textOf(own)).mcpServers).toEqual({
      a: { command: "mine" },
      "b.c": { command: "mine" },
      d: { command: "d" },
    });
  });
});

describe("agent import of a project's servers", () => {
  const servers = {
    plain: { type: "stdio", command: "node", args: [`${ref("workspaceFolder")}/tools/server.js`, "--stdio"] },
    reached: { type: "http", url: "https://mcp.example.com/mcp" },
    valued: { command: "valued", env: { TOKEN: secret } },
    headed: { type: "http", url: "https://mcp.example.com/mcp", headers: { Authorization: secret } },
    worded: { command: "worded", args: ["--api-key", secret] },
  };

  it("go to its .mcp.json, never to the person's settings; those that need values are told; they are off until project and server are trusted", async () => {
    const { place, own, theirs, env, take, textOf, serversOf } = await placeWith(
      {},
      { ".vscode/mcp.json": json({ servers }) },
    );
    const ran = await take("vscode", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("agent trust") });
    expect(await textOf(own)).toBe("");
    expect(await serversOf(theirs)).toEqual({
      plain: { command: "node", args: ["./tools/server.js", "--stdio"] },
      reached: { type: "http", url: "https://mcp.example.com/mcp" },
    });
    expect(ran.stdout.match(/not written: it needs values that are not copied.*agent mcp add/gu)).toHaveLength(3);
    expect((await stat(theirs)).mode & 0o777).toBe(0o644);
    const listed = await place.run(["mcp", "list"], { env });
    expect(listed.stdout.match(/off: it waits for your trust in this project/gu)).toHaveLength(2);
    expect((await take("vscode", "--yes")).stderr).toBe("there is nothing to write\n");
    const claude = await take("claude", "--yes");
    expect(claude.stdout.match(/not written: it is read here as it is/gu)).toHaveLength(2);
  });

  it.each([
    ["claude", ".claude/settings.json", json({ mcpServers: { one: { command: "one" } } })],
    ["gemini", ".gemini/settings.json", json({ mcpServers: { one: { command: "one" } } })],
    ["codex", ".codex/config.toml", '[mcp_servers.one]\ncommand = "one"\n'],
    ["opencode", "opencode.json", json({ mcp: { one: { type: "local", command: ["one"] } } })],
    ["vscode", ".vscode/mcp.json", json({ servers: { one: { command: "one" } } })],
  ])("are read where %s has them: %s", async (program, file, text) => {
    const { own, theirs, take, textOf, serversOf } = await placeWith({}, { [file]: text });
    expect((await take(program, "--yes")).code).toBe(0);
    expect(await serversOf(theirs)).toEqual({ one: { command: "one" } });
    expect(await textOf(own)).toBe("");
  });

  it("are put beside those that there are, and a file that is broken, too full or a link is left alone", async () => {
    const given = { ".vscode/mcp.json": json({ servers: { one: { command: "one" } } }) };
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`s${at}`, { command: "x" }]));
    for (const [text, why] of [
      ['{"mcpServers": ', "cannot be written: "],
      ['{"mcpServers": null}', '"mcpServers" must be an object'],
      ["[]", '"mcpServers" must be an object'],
      [json({ mcpServers: many }), "may have no more than 50 servers"],
    ] as const) {
      const { theirs, take, textOf } = await placeWith({}, { ...given, ".mcp.json": text });
      expect(await take("vscode", "--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining(why) });
      expect(await textOf(theirs)).toBe(text);
    }
    const linked = await placeWith({ "other.json": "{}" }, given);
    await symlink(join(linked.folder, "other.json"), linked.theirs);
    expect((await linked.take("vscode", "--yes")).stdout).toContain("it is a link, or no plain file");
    expect(await linked.textOf(join(linked.folder, "other.json"))).toBe("{}");
    const beside = await placeWith({}, { ...given, ".mcp.json": '{ "mcpServers": { "a": { "command": "a" } } }\n' });
    await chmod(beside.theirs, 0o664);
    expect((await beside.take("vscode", "--yes")).code).toBe(0);
    expect(await beside.serversOf(beside.theirs)).toEqual({ a: { command: "a" }, one: { command: "one" } });
    expect((await stat(beside.theirs)).mode & 0o777).toBe(0o664);
  });

  it.each<[what: string, make: (file: string, outside: string) => unknown]>([
    ["a FIFO", (file) => execFileSync("mkfifo", [file])],
    ["a device", (file) => symlink("/dev/zero", file)],
    ["a link out of the project", (file, outside) => symlink(outside, file)],
    ["more than 1 MB", (file) => writeFile(file, `{"servers":{"a":{"command":"a"}},"x":"${"x".repeat(1_000_000)}"}`)],
  ])("are not read, nor written, through what is no plain file of it: %s", async (_, make) => {
    const { folder, place, theirs, take, textOf } = await placeWith(
      { "out.json": json({ servers: { a: { command: "a" } } }) },
      { ".vscode/.keep": "" },
    );
    await make(join(place.workspace, ".vscode", "mcp.json"), join(folder, "out.json"));
    expect(await take("vscode", "--yes")).toMatchObject({ code: 1, stdout: expect.stringContaining("! not read: ") });
    expect(await textOf(theirs)).toBe("");
    const beside = await placeWith({}, { ".vscode/mcp.json": json({ servers: { a: { command: "a" } } }) });
    await make(beside.theirs, join(folder, "out.json"));
    expect((await beside.take("vscode", "--yes")).stdout).toContain("the project's .mcp.json cannot be written: ");
  });

  it("are told with their reasons in --json, which writes nothing", async () => {
    const { theirs, take, textOf } = await placeWith({}, { ".vscode/mcp.json": json({ servers }) });
    expect(await reasons(take("vscode", "--json"))).toEqual({
      plain: undefined,
      reached: undefined,
      valued: expect.stringContaining("it needs values"),
      headed: expect.stringContaining("it needs values"),
      worded: expect.stringContaining("it needs values"),
    });
    expect(await textOf(theirs)).toBe("");
  });
});
