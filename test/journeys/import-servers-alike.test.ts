import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { imported } from "../support/imported-servers.ts";

const ref = (name: string): string => `\${${name}}`;
const held = "s3cret1";
const run = { command: "npx", args: ["server"] };
const url = "https://mcp.example.com/mcp";

/** What an import of a file of this text writes into the person's config.json, and says. */
async function taken(program: string, file: string, text: string) {
  const place = await openPlace();
  const person = join(place.home, "person");
  await mkdir(dirname(join(person, file)), { recursive: true });
  await writeFile(join(person, file), text);
  const ran = await place.run(["import", program, "--yes"], { env: { HOME: person } });
  const written = await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}");
  const { mcpServers = {} } = JSON.parse(written) as { mcpServers?: Record<string, unknown> };
  return { said: ran.stdout + ran.stderr, mcpServers };
}

describe("a server that is imported is given what it was given there", () => {
  it.each([
    ...["PATH", "HOME", "LD_PRELOAD", "NODE_OPTIONS", "NPM_CONFIG_REGISTRY", "UV_INDEX_URL", "ENV"],
    ...["PIP_INDEX_URL", "PYTHON_PATH", "DOCKER_HOST", "JAVA_TOOL_OPTIONS", "BASH_ENV", "DYLD_INSERT_LIBRARIES"],
    ...["PYTHONPATH", "HTTPS_PROXY", "no_proxy", "all_proxy"],
  ])(
    "and is not taken where its env sets what may decide what is started, and no line is proposed: %s",
    async (label) => {
      const { servers, why, told } = await imported({ literal: { ...run, env: { [label]: held, KEY: held } } });
      expect(servers).toEqual({});
      expect(why["literal"]).toBe(`its env sets ${label}, which may decide what is started`);
      expect(told).not.toContain(held);
      expect(told).not.toMatch(/agent mcp add literal|MCP_LITERAL/u);
    },
  );

  it("and may be given such a variable as it is here, where it was there", async () => {
    const names = ["NODE_OPTIONS", "HOME", "HTTPS_PROXY", "PYTHONPATH"];
    const env = Object.fromEntries(names.map((name) => [name, ref(name)]));
    expect((await imported({ named: { ...run, env } })).servers).toEqual({ named: { ...run, env } });
  });

  it("by a variable of its own for each value, never one that is set to something else here", async () => {
    const { servers } = await imported({
      one: { ...run, env: { API_KEY: "1", GITHUB_TOKEN: "2" } },
      two: { ...run, env: { API_KEY: "3" } },
    });
    expect(servers).toEqual({
      one: { ...run, env: { API_KEY: ref("MCP_ONE_API_KEY"), GITHUB_TOKEN: ref("MCP_ONE_GITHUB_TOKEN") } },
      two: { ...run, env: { API_KEY: ref("MCP_TWO_API_KEY") } },
    });
  });

  it("and is not taken where its variable would be another's, or one that the person's settings name", async () => {
    const mine = { command: "mine", env: { KEY: ref("MCP_THIRD_KEY") } };
    const { servers, why, told } = await imported(
      {
        "foo-api": { type: "http", url, headers: { Key: "1" } },
        foo: { type: "http", url, headers: { "Api-Key": "2" } },
        third: { ...run, env: { KEY: "3" } },
        naming: { ...run, env: { KEY: ref("MCP_FOO_API_KEY") } },
        both: { ...run, env: { KEY: "4", key: "5" } },
        free: { ...run, env: { KEY: "6" } },
        "slow-api": { command: "npx", args: ["server", held], env: { KEY: "7" } },
        slow: { command: "npx", args: ["server", held], env: { API_KEY: "8" } },
        also: { command: "npx", args: ["server", held], env: { MINE: ref("MCP_MINE"), OTHER: ref("MCP_FREE_KEY") } },
        own: { command: "npx", args: ["server", held], env: { MINE: ref("MCP_MINE") } },
        mine: { command: "npx", args: ["server", held] },
      },
      { mine },
    );
    expect(Object.keys(servers)).toEqual(["mine", "foo-api", "free"]);
    const proposed = [...told.matchAll(/to be completed: (.*)/gu)].map(([, line]) => line);
    expect(proposed).toEqual([
      `agent mcp add slow-api --env 'KEY=${ref("MCP_SLOW_API_KEY")}' -- npx server '<argument 2>'`,
      `agent mcp add own --env 'MINE=${ref("MCP_MINE")}' -- npx server '<argument 2>'`,
    ]);
    expect(told).toContain("set MCP_SLOW_API_KEY in your environment");
    const twice = (name: string) => `its variable would be ${name}, which stands for something else already`;
    expect(why).toMatchObject({
      foo: twice("MCP_FOO_API_KEY"),
      third: twice("MCP_THIRD_KEY"),
      naming: twice("MCP_FOO_API_KEY"),
      both: twice("MCP_BOTH_KEY"),
    });
    expect(told).not.toContain(held);
  });
});

describe("an entry of another program is taken as that program reads it", () => {
  it("codex has no variables in its texts, and names them by three settings alone", async () => {
    const { mcpServers, said } = await taken(
      "codex",
      ".codex/config.toml",
      `[mcp_servers.text]
command = "npx"
args = ["server"]
env = { KEY = "${ref("OTHER")}" }
[mcp_servers.word]
command = "npx"
args = ["server", "${ref("OTHER")}"]
[mcp_servers.both]
command = "npx"
args = ["server"]
env = { KEY = "1" }
env_vars = ["KEY"]
[mcp_servers.token]
url = "${url}"
bearer_token_env_var = "sesame"
[mcp_servers.twice]
url = "${url}"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { authorization = "1" }
[mcp_servers.large]
url = "${url}"
bearer_token_env_var = "SESAME7X9Q2"
[mcp_servers.larger]
url = "${url}"
env_http_headers = { Key = "SESAME7X9Q2" }
[mcp_servers.folder]
command = "npx"
args = ["server"]
env_vars = ["workspaceFolder"]
[mcp_servers.web]
url = "${url}"
env_http_headers = { Key = "WEB_KEY" }
`,
    );
    expect(mcpServers).toEqual({
      text: { ...run, env: { KEY: ref("MCP_TEXT_KEY") } },
      web: { type: "http", url, headers: { Key: ref("WEB_KEY") } },
    });
    expect(said).toContain("server word: not written: argument 2 may hold a secret");
    expect(said).toContain("server both: not written: its env: one of them stands there in two ways");
    expect(said).toContain("server token: not written: its headers: what should name a variable is no name of one");
    expect(said).toContain("server twice: not written: its headers: one of them stands there in two ways");
    for (const name of ["large", "larger", "folder"])
      expect(said).toContain(
        `server ${name}: not written: what should name a variable may hold a secret, or means another one here\n`,
      );
    expect(said).not.toMatch(/sesame|MCP_(?:LARGE|FOLDER)/iu);
  });

  it("only Visual Studio Code has a word for the workspace: to others it is a variable, which here it is not", async () => {
    const word = (name: string) => ({ command: "npx", args: ["server", name] });
    const set = (name: string) => ({ ...run, env: { KEY: name } });
    const named = ref("workspaceFolder");
    const gemini = { word: word("$workspaceFolder"), named: set(named), bare: set("$workspaceFolder") };
    const open = {
      word: { command: ["npx", "server", "{env:workspaceFolder}"] },
      named: { command: ["npx", "server"], environment: { KEY: "{env:workspaceFolder}" } },
    };
    const code = { word: word(named), named: set(named), variable: set(ref("env:workspaceFolder")) };
    const own = { ...run, env: { KEY: ref("MCP_NAMED_KEY") } };
    const of = async (...given: Parameters<typeof taken>) => (await taken(...given)).mcpServers;
    expect((await imported({ word: word(named), named: set(named) })).servers).toEqual({ named: own });
    expect(await of("gemini", ".gemini/settings.json", JSON.stringify({ mcpServers: gemini }))).toEqual({
      named: own,
      bare: { ...run, env: { KEY: ref("MCP_BARE_KEY") } },
    });
    expect(await of("opencode", ".config/opencode/opencode.json", JSON.stringify({ mcp: open }))).toEqual({
      named: own,
    });
    expect(await of("vscode", ".config/Code/User/mcp.json", JSON.stringify({ servers: code }))).toEqual({
      word: word(named),
      named: set(named),
      variable: { ...run, env: { KEY: ref("MCP_VARIABLE_KEY") } },
    });
  });

  it.each([
    [["node", "server.js"], "argument 1"],
    [["node", "index.js"], "argument 1"],
    [["sh", "server"], "argument 1"],
    [["node", "server"], "argument 1"],
    [["npm", "run", "start"], "argument 2"],
    [["node", "run"], "argument 1"],
    [["python3", "--verbose", "run"], "argument 2"],
    [["node", "--verbose", "server"], "argument 2"],
    [["npx", "server", "main.js"], "argument 2"],
  ])("not where what is started is looked for in the folder where it runs: %j", async ([command, ...args], which) => {
    const { servers, why } = await imported({ x: { command, args } });
    expect(servers).toEqual({});
    expect(why["x"]).toBe(`${which} may hold a secret, or mean something else here`);
  });

  it("but where that is named by its whole path, or by a variable", async () => {
    const given = {
      path: { command: "node", args: ["/usr/bin/env", "server"] },
      variable: { command: "node", args: ["--verbose", ref("SERVER_FILE"), "run"] },
      fetched: { command: "npm", args: ["exec", "-y", "server", "run"] },
    };
    expect((await imported(given)).servers).toEqual(given);
  });

  it("by its type, where that is one that is known and means what stands there", async () => {
    const { servers, why } = await imported({
      ...Object.fromEntries(["stdio", "local"].map((type) => [type, { ...run, type }])),
      ...Object.fromEntries(
        ["http", "streamable-http", "streamableHttp", "remote"].map((type) => [type, { url, type }]),
      ),
      ws: { url, type: "ws" },
      odd: { ...run, type: { stdio: true } },
      crossed: { ...run, type: "http" },
    });
    expect(Object.keys(servers)).toEqual(["stdio", "local", "http", "streamable-http", "streamableHttp", "remote"]);
    expect(why["ws"]).toBe("its type is none of a server that is reached");
    expect(why["odd"]).toBe("its type is none of a server that is started");
    expect(why["crossed"]).toBe(why["odd"]);
  });

  it("where its program, by its whole path, is a file that may be run", async () => {
    const place = await openPlace();
    const [plain, fit] = [join(place.home, "plain"), join(place.home, "fit")];
    for (const file of [plain, fit]) await writeFile(file, "#!/bin/sh\n");
    await chmod(fit, 0o700);
    const { servers, why } = await imported({
      folder: { command: "/etc" },
      plain: { command: plain },
      fit: { command: fit },
    });
    expect(servers).toEqual({ fit: { command: fit } });
    expect([why["folder"], why["plain"]]).toEqual(
      Array(2).fill("its program may hold a secret, or mean something else here"),
    );
  });

  it("opencode has its words in one list", async () => {
    const mcp = {
      a: { command: ["npx", "server"] },
      b: { command: ["npx"], args: ["server"] },
      c: { command: ["npx", ["server"]] },
    };
    const { mcpServers, said } = await taken("opencode", ".config/opencode/opencode.json", JSON.stringify({ mcp }));
    expect(mcpServers).toEqual({ a: run });
    expect(said).toContain("server b: not written: its command is a list, and it has args");
    expect(said).toContain("server c: not written: its command and args are no texts");
  });
});

it("of config.json, the person's and the project's, an import shows what it adds and nothing that stands around it", async () => {
  const place = await openPlace([], { "GEMINI.md": "Be brief.\n" });
  const person = join(place.home, "person");
  const hook = { matcher: "Bash", hooks: [{ type: "command", command: "~/bin/look" }] };
  await mkdir(join(person, ".claude"), { recursive: true });
  await mkdir(join(place.workspace, ".holdfast"));
  await writeFile(join(person, ".claude", "settings.json"), JSON.stringify({ hooks: { PreToolUse: [hook] } }));
  await writeFile(join(person, ".claude.json"), JSON.stringify({ mcpServers: { one: run } }));
  const mine = { mcpServers: { mine: { command: "mine", env: { KEY: held } } }, hooks: { PreToolUse: [] } };
  await writeFile(join(place.home, "config.json"), JSON.stringify(mine, null, 1));
  await writeFile(join(place.workspace, ".holdfast", "config.json"), `{\n  // ${held}\n  "instructions": []\n}\n`);
  const told: string[] = [];
  for (const [program, how] of [
    ["claude", "--json"],
    ["claude", "--yes"],
    ["gemini", "--json"],
    ["gemini", "--yes"],
  ] as const) {
    const { stdout, stderr } = await place.run(["import", program, how], { env: { HOME: person } });
    told.push(stdout + stderr);
  }
  expect(told.join("\n")).not.toContain(held);
  const added = { hooks: { PreToolUse: [hook] }, mcpServers: { one: run } };
  expect(told[1]).toContain(`${join(place.home, "config.json")} gets\n${JSON.stringify(added, null, 2)}\n`);
  expect(told[3]).toContain(
    `.holdfast/config.json gets\n${JSON.stringify({ instructions: ["GEMINI.md"] }, null, 2)}\n`,
  );
  const written = JSON.parse(await readFile(join(place.home, "config.json"), "utf8")) as object;
  expect(written).toEqual({ mcpServers: { ...mine.mcpServers, one: run }, hooks: added.hooks });
});
