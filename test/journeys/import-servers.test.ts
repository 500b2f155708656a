import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { smallServer } from "../support/mcp.ts";

const ref = (name: string, form = ""): string => `\${${form}${name}}`;
const json = (value: unknown): string => JSON.stringify(value);
const secret = "s3cret-of-nobody-at-all";

/** A place with files in the person's home and in the project; each run is searched for the secret, with all that it wrote. */
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
  const rows = async (name: string) =>
    (await take(name, "--json")).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === "server");
  return { place, folder, own, theirs, textOf, serversOf, take, rows };
}

/** Each server of Claude's for all folders, as it would be written: its entry, or why there is none. */
async function said(mcpServers: unknown): Promise<unknown[]> {
  const { rows } = await placeWith({ ".claude.json": json({ mcpServers }) });
  return (await rows("claude")).map(({ entry, why }) => entry ?? why);
}

describe("agent import of the person's servers", () => {
  it("copies them with variables in the place of values, once; they are off until each is trusted, and then their tools are there", async () => {
    const small = { type: "stdio", command: process.execPath, args: [smallServer], env: { MCP_NOTE: secret } };
    const { place, folder, own, take, textOf, serversOf } = await placeWith({
      ".claude.json": json({ mcpServers: { small, hub: { command: "hub", env: { TOKEN: ref("HUB_TOKEN") } } } }),
    });
    await writeFile(own, '{ // mine\n  "maxSteps": 9 }\n');
    const preview = await take("claude");
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining("agent import claude --yes") });
    expect(await textOf(own)).toBe('{ // mine\n  "maxSteps": 9 }\n');
    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("each server is off until you trust it") });
    expect(ran.stderr).toContain("to be set in your environment, for no value was copied: MCP_NOTE, HUB_TOKEN\n");
    const text = await textOf(own);
    expect(text).toContain("{ // mine\n");
    expect(JSON.parse(text.replace(" // mine", ""))).toEqual({
      maxSteps: 9,
      mcpServers: {
        small: { command: process.execPath, args: [smallServer], env: { MCP_NOTE: ref("MCP_NOTE") } },
        hub: { command: "hub", env: { TOKEN: ref("HUB_TOKEN") } },
      },
    });
    const again = await take("claude", "--yes");
    expect(again).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
    expect(again.stdout).toContain("your config.json has the same server of this name");
    expect(await serversOf(own).catch(() => textOf(own))).toBe(text);

    const env = { HOME: folder };
    const unset = await place.run(["mcp", "trust", "small", "--yes"], { env });
    expect(unset.stdout + unset.stderr).toContain("the variable MCP_NOTE that it names is not set");
    const set = { ...env, MCP_NOTE: join(place.home, "noted") };
    expect((await place.run(["mcp", "list"], { env: set })).stdout).toContain("off: it waits for your trust");
    expect((await place.run(["mcp", "trust", "small", "--yes"], { env: set })).code).toBe(0);
    expect((await place.run(["tools"], { env: set })).stdout).toContain("mcp__small__echo");
  });

  it("leaves what is there under a name as it is, and says whether it is the same", async () => {
    const { own, take, textOf } = await placeWith({
      ".claude.json": json({ mcpServers: { a: { command: "a", args: [] }, b: { command: "theirs" } } }),
      ".gemini/settings.json": json({ mcpServers: { c: { command: "c" } } }),
    });
    const mine = json({ mcpServers: { a: { type: "stdio", command: "a" }, b: { command: "mine" } } });
    await writeFile(own, mine);
    const ran = await take("claude", "--yes");
    expect(ran.stdout).toContain("server a (a): not written: your config.json has the same server of this name");
    expect(ran.stdout).toContain("server b (theirs): not written: your config.json has another server of this name");
    expect(await textOf(own)).toBe(mine);
    expect((await take("gemini", "--yes")).code).toBe(0);
    expect(Object.keys(JSON.parse(await textOf(own)).mcpServers)).toEqual(["a", "b", "c"]);
  });

  it("names what it leaves out of one with the reason, counts what took something away, and copies none that is turned off", async () => {
    const { take } = await placeWith({
      ".claude.json": json({
        mcpServers: {
          a: {
            command: "a",
            ...{ timeout: 5, alwaysAllow: ["x"], autoApprove: [], trust: true, cwd: "/x", odd: 1, description: "d" },
            excludeTools: ["rm"],
          },
          off: { command: "off", disabled: true },
        },
      }),
    });
    const { stdout, stderr } = await take("claude");
    expect(stdout.split("\n").filter((line) => line.includes("without"))).toEqual([
      "  -   without timeout: how long a server may take is the same for all here",
      "  -   without alwaysAllow: nothing is trusted or allowed by an import: agent mcp trust, and rules",
      "  -   without trust: nothing is trusted or allowed by an import: agent mcp trust, and rules",
      expect.stringContaining("without cwd: your servers run in a folder of the agent's own"),
      "  -   without odd: it is not known here",
      "  !   without excludeTools: its tools are trusted all together; a deny rule takes one away",
    ]);
    expect(stdout).toContain("server off (off): not written: it is turned off there");
    expect(stderr).toContain("is not written here: 1, marked with !");
  });

  it("copies none whose words may hold a secret, in any of their forms, and shows it without", async () => {
    const args = [
      ["--api-key", secret],
      [`--token=${secret}`],
      ["-e", `TOKEN=${secret}`],
      ["--header", `Authorization: Bearer ${secret}`],
      ["--header", `X-Api-Key:${secret}`],
      [`{"apiKey":"${secret}"}`],
      [`postgres://me:${secret}@db/x`],
      [`https://x.example/mcp?k=${secret}`],
      [`https://x.example/s/${secret.replaceAll("-", "")}0123456789abcdef/mcp`],
      ["--db", ref(`DB:-${secret}`)],
      ["sh", "-c", `KEY=${secret} run`],
    ];
    const outcome = await said(
      Object.fromEntries([
        ...args.map((words, at) => [`n${at}`, { command: "npx", args: words }]),
        ["own", { command: `KEY=${secret} x` }],
      ]),
    );
    expect(outcome).toHaveLength(args.length + 1);
    expect(new Set(outcome)).toEqual(new Set(["it may hold a secret, which is not copied"]));
    // Names of variables and what stands beside them are none.
    const plain = [
      ["--api-key", ref("KEY")],
      [`--token=${ref("KEY")}`, "--verbose"],
      [`Authorization:${ref("AUTH")}`],
      ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/srv/a"],
    ];
    const kept = Object.fromEntries(plain.map((words, at) => [`n${at}`, { command: "npx", args: words }]));
    expect(await said(kept)).toEqual(Object.values(kept));
  });

  it("gives two servers with different values of one name a variable each", async () => {
    const { take, own, serversOf } = await placeWith({
      ".claude.json": json({
        mcpServers: {
          "a-1": { command: "a", env: { KEY: "one", SAME: "x" } },
          b: { command: "b", env: { KEY: "two", SAME: "x" } },
        },
      }),
    });
    await take("claude", "--yes");
    expect(await serversOf(own)).toEqual({
      "a-1": { command: "a", env: { KEY: ref("A_1_KEY"), SAME: ref("SAME") } },
      b: { command: "b", env: { KEY: ref("B_KEY"), SAME: ref("SAME") } },
    });
  });

  it("is not led astray by names, signs, sizes and what is no server", async () => {
    const hostile = `{"mcpServers":{"__proto__":{"command":"p"},"constructor":{"command":"c"},"a b":{"command":"x"},
      "esc\\u001b]0;x\\u0007":{"command":"x"},"n":{"command":"x","args":["\\u001b[31m"]},"huge":{"command":"x","args":["${"a ".repeat(40_000)}"]},
      "env":{"command":"x","env":{"__proto__":"${secret}"}},"var":{"command":"x","env":{"A=B":"${secret}"}},"list":[],"word":"x",
      "args":{"command":"x","args":"y"},"none":{},"rel":{"command":"./x"},"toString":{"command":"x","env":null,"__proto__":{"args":["${secret}"]}}}}`;
    const { take, own, rows, serversOf } = await placeWith({ ".claude.json": hostile });
    const found = Object.fromEntries((await rows("claude")).map(({ name, why }) => [name, why]));
    expect(found).toMatchObject({
      "a b": expect.stringContaining("a server's name begins with"),
      n: "it has characters that cannot be seen",
      huge: "it has more than 20000 characters",
      env: "its env has a name that no variable has",
      var: "its env has a name that no variable has",
      list: "it is no object",
      word: "it is no object",
      args: "its command and args, or its url, are no texts",
      none: "its command and args, or its url, are no texts",
      rel: expect.stringContaining("name it by its whole path"),
    });
    const ran = await take("claude", "--yes");
    expect(ran.stdout).not.toContain("\u001b");
    expect(await serversOf(own)).toEqual({ constructor: { command: "c" }, toString: { command: "x" } });
    expect((await take("claude", "--yes")).stderr).toBe("there is nothing to write\n");
  });

  it("takes 200 servers, and of more than can be looked at none", async () => {
    const many = (count: number) =>
      json({ mcpServers: Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, { command: "x" }])) });
    const { take, own, folder, serversOf } = await placeWith({ ".claude.json": many(200) });
    expect((await take("claude", "--yes")).code).toBe(0);
    expect(Object.keys(await serversOf(own))).toHaveLength(200);
    await writeFile(join(folder, ".claude.json"), many(501));
    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("more than 500 servers") });
    expect(Object.keys(await serversOf(own))).toHaveLength(200);
  });

  it("writes no settings that it could not read again", async () => {
    const args = ["a ".repeat(9_000)];
    const mcpServers = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`s${at}`, { command: "x", args }]));
    const { take, own, textOf } = await placeWith({ ".claude.json": json({ mcpServers }) });
    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("the servers do not fit into it") });
    expect(await textOf(own)).toBe("");
  });
});

describe("agent import of other programs' servers", () => {
  it("names variables as each of them does, and those of the folder too", async () => {
    const { place, folder, own, take, serversOf } = await placeWith({
      ".gemini/settings.json": json({
        mcpServers: { g: { command: "g", args: ["$G_DIR", "cost $5"], env: { K: "$G_KEY", L: secret }, trust: true } },
      }),
      ".codex/config.toml": `[mcp_servers.c]\ncommand = "c"\nenv_vars = ["C_KEY"]\nstartup_timeout_sec = 3\nenv = { D = "${secret}" }\n[mcp_servers.d]\ncommand = "d"\nargs = ["${ref("X")}"]\n[mcp_servers.e]\ncommand = "e"\nenabled = false\n`,
      ".config/opencode/opencode.json": json({
        mcp: {
          o: { type: "local", command: ["o", "--dir={env:O_DIR}"], environment: { K: "{env:O_KEY}" }, enabled: true },
          p: { type: "local", command: ["p", "{file:~/x}"] },
          q: { type: "local", command: ["q"], enabled: false },
        },
      }),
      ".config/Code/User/mcp.json": `{ // mine\n "inputs": [{ "id": "git-key", "password": true, "default": "${secret}" }], "servers": ${json(
        {
          v: {
            type: "stdio",
            command: `${ref("userHome")}/bin/v`,
            args: [ref("input:git-key"), ref("workspaceFolder")],
            env: { A: ref("input:git-key"), B: ref("V_B", "env:"), C: secret },
          },
          w: { command: "w", args: [ref("config:x.y")] },
        },
      )} }`,
    });
    await writeFile(
      join(folder, ".claude.json"),
      json({
        projects: { [place.workspace]: { mcpServers: { l: { command: "l" } } }, "/x": { mcpServers: { no: {} } } },
      }),
    );
    const outs: string[] = [];
    for (const name of ["gemini", "codex", "opencode", "vscode", "claude"]) {
      const ran = await take(name, "--yes");
      expect(ran.code).toBe(0);
      outs.push(ran.stdout);
    }
    expect(await serversOf(own)).toEqual({
      g: { command: "g", args: [ref("G_DIR"), "cost $5"], env: { K: ref("G_KEY"), L: ref("L") } },
      c: { command: "c", env: { C_KEY: ref("C_KEY"), D: ref("D") } },
      o: { command: "o", args: [`--dir=${ref("O_DIR")}`], env: { K: ref("O_KEY") } },
      v: {
        command: `${ref("HOME")}/bin/v`,
        args: [ref("GIT_KEY"), ref("workspaceFolder")],
        env: { A: ref("GIT_KEY"), B: ref("V_B"), C: ref("C") },
      },
      l: { command: "l" },
    });
    const all = outs.join("");
    for (const line of [
      "without trust: nothing is trusted",
      "without startup_timeout_sec",
      "server d (d): not written: it has what would name a variable here",
      "server e (e): not written: it is turned off there",
      "server p (p): not written: it has what stands in a file",
      "server q (q): not written: it is turned off there",
      "server w (w): not written: it has a variable of its editor",
      "without its folder: it is there for the work in this folder alone",
    ])
      expect(all).toContain(line);
    expect(all).not.toContain("server no");
    const listed = await place.run(["mcp", "list"], { env: { HOME: folder } });
    expect(listed.stdout.match(/: off: /gu)).toHaveLength(5);
  });

  it("copies those over HTTP, with a variable in the place of each header's value", async () => {
    const url = "https://x.example/mcp";
    const { place, folder, own, take, serversOf } = await placeWith({
      ".claude.json": json({
        mcpServers: {
          a: { type: "http", url, headers: { Authorization: `Bearer ${secret}`, "X-Team": `${ref("TEAM")}` } },
          "b-1": { url: `https://x.example/${ref("PATH_OF_B")}/mcp?key=${ref("B_KEY")}` },
          host: { type: "http", url, headers: { Host: "x" } },
          local: { type: "http", url: "file:///etc/passwd" },
          old: { type: "sse", url },
        },
      }),
      ".gemini/settings.json": json({
        mcpServers: { g: { httpUrl: url, headers: { Authorization: "Bearer $G_TOKEN" } }, old: { url } },
      }),
      ".codex/config.toml": `[mcp_servers.c]\nurl = "${url}"\nbearer_token_env_var = "C_TOKEN"\nhttp_headers = { X = "${secret}" }\nenv_http_headers = { Y = "C_Y" }\n[mcp_servers.d]\nurl = "${url}"\nbearer_token_env_var = "sk-${secret}"\n`,
      ".config/opencode/opencode.json": json({
        mcp: { o: { type: "remote", url, headers: { K: "{env:O_KEY}" }, oauth: {} } },
      }),
    });
    const outs: string[] = [];
    for (const name of ["claude", "gemini", "codex", "opencode"]) outs.push((await take(name, "--yes")).stdout);
    const http = (headers?: object, at = url) => ({
      type: "http",
      url: at,
      ...(headers === undefined ? {} : { headers }),
    });
    expect(await serversOf(own)).toEqual({
      a: http({ Authorization: ref("A_AUTHORIZATION"), "X-Team": ref("TEAM") }),
      "b-1": http(undefined, `https://x.example/${ref("PATH_OF_B")}/mcp?key=${ref("B_KEY")}`),
      g: http({ Authorization: `Bearer ${ref("G_TOKEN")}` }),
      c: http({ X: ref("C_X"), Y: ref("C_Y"), Authorization: `Bearer ${ref("C_TOKEN")}` }),
      d: http({ Authorization: ref("D_AUTHORIZATION") }),
      o: http({ K: ref("O_KEY") }),
    });
    const all = outs.join("");
    expect(all).toContain("to be set in your environment: PATH_OF_B, B_KEY\n");
    expect(all).toContain(
      "server host (https://x.example), with Host (their values are not copied): not written: its header",
    );
    expect(all).toContain("server local (null): not written: its url cannot be used");
    expect(all.match(/server old .*: not written: it speaks the older HTTP/gu)).toHaveLength(2);
    expect(all).toContain("without oauth: how it is signed in to is not taken over");
    const listed = await place.run(["mcp", "list"], { env: { HOME: folder } });
    expect(listed.stdout.match(/: off: /gu)).toHaveLength(6);
    expect(listed.stderr).toBe("");
  });

  it("copies none whose address may hold a secret, and shows no more of it than the host", async () => {
    const of = (url: string) => ({ type: "http", url });
    const urls = [
      `https://u:${secret}@x.example/mcp`,
      `https://x.example/mcp?k=${secret}`,
      `https://x.example/mcp#${secret}`,
      `https://x.example/${secret.replaceAll("-", "")}0123456789abcdef/mcp`,
      `https://x.example/${ref(`K:-${secret}`)}`,
    ];
    const servers = Object.fromEntries(urls.map((url, at) => [`n${at}`, of(url)]));
    const { take, textOf, own, theirs } = await placeWith(
      { ".claude.json": json({ mcpServers: servers }) },
      { ".vscode/mcp.json": json({ servers }) },
    );
    for (const name of ["claude", "vscode"]) {
      const { stdout, stderr } = await take(name, "--yes");
      expect(stdout.match(/\(https:\/\/x\.example\): not written: it may hold a secret/gu)).toHaveLength(
        name === "claude" ? 5 : 4,
      );
      expect(stdout).not.toContain("0123456789abcdef");
      expect(stderr).toBe("there is nothing to write\n");
    }
    expect((await textOf(own)) + (await textOf(theirs))).toBe("");
  });
});

describe("agent import of a project's servers", () => {
  const servers = {
    plain: { type: "stdio", command: "node", args: ["tools/server.js"] },
    env: { command: "x", env: { K: secret } },
    input: { command: "x", args: [ref("input:k")] },
    web: { type: "http", url: "https://x.example/mcp" },
    keyed: { type: "http", url: "https://x.example/mcp", headers: { A: secret } },
  };
  const editor = `{ // theirs\n "servers": ${json(servers)} }`;

  it("writes those without values and variables into its .mcp.json, which keeps its comments and permissions", async () => {
    const { place, take, theirs, own, textOf } = await placeWith({}, { ".vscode/mcp.json": editor });
    await writeFile(theirs, '{\n  // ours\n  "mcpServers": { "old": { "command": "old" } }\n}\n');
    await chmod(theirs, 0o664);
    const preview = await take("vscode");
    expect(preview.stdout).toContain('+    "plain": {');
    const ran = await take("vscode", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("take effect with agent trust") });
    expect(ran.stdout).toContain("server env (x), with $K (their values are not copied): not written: it has values");
    expect(ran.stdout).toContain("server input (x): not written: it has values, or names variables");
    const text = await textOf(theirs);
    expect(text).toContain("// ours\n");
    expect(JSON.parse(text.replace("// ours", ""))).toEqual({
      mcpServers: {
        old: { command: "old" },
        plain: { command: "node", args: ["tools/server.js"] },
        web: { type: "http", url: "https://x.example/mcp" },
      },
    });
    expect((await stat(theirs)).mode & 0o777).toBe(0o664);
    expect(await textOf(own)).toBe("");
    expect(place.has(".holdfast")).toBe(false);
    expect((await place.run(["mcp", "list"])).stdout).toContain("plain (this project's): off: it waits for your trust");
    const again = await take("vscode", "--yes");
    expect(again.stderr).toBe("there is nothing to write\n");
    expect(again.stdout).toContain("this project's .mcp.json has the same server of this name");
  });

  it("makes the file where there is none, of each program's settings, and says of .mcp.json that it is read as it is", async () => {
    const { take, theirs, rows, serversOf } = await placeWith(
      {},
      {
        ".gemini/settings.json": json({ mcpServers: { g: { command: "g" }, h: { command: "h", args: ["$X"] } } }),
        ".codex/config.toml": '[mcp_servers.c]\ncommand = "c"\n',
        "opencode.json": json({ mcp: { o: { type: "local", command: ["o", "a"] } } }),
      },
    );
    for (const name of ["gemini", "codex", "opencode"]) expect((await take(name, "--yes")).code).toBe(0);
    expect(await serversOf(theirs)).toEqual({
      g: { command: "g" },
      c: { command: "c" },
      o: { command: "o", args: ["a"] },
    });
    expect((await stat(theirs)).mode & 0o777).toBe(0o644);
    expect((await rows("claude")).map(({ why }) => why)).toEqual(
      Array(3).fill("it is read here as it is: agent mcp list has it"),
    );
  });

  it.each<[what: string, why: string, make: (file: string, outside: string) => unknown]>([
    ["is broken", "\\.mcp\\.json:1: the file ends too early", (file) => writeFile(file, '{"mcpServers": {')],
    [
      "has something else in their place",
      "its mcpServers are no object",
      (file) => writeFile(file, '{"mcpServers":[]}'),
    ],
    ["is a link out of the project", "it is a link", (file, outside) => symlink(outside, file)],
    ["is a folder", "no plain file", (file) => mkdir(file)],
  ])("leaves a .mcp.json alone that %s", async (_, why, make) => {
    const { take, theirs, folder, textOf } = await placeWith({ outside: "{}" }, { ".vscode/mcp.json": editor });
    await make(theirs, join(folder, "outside"));
    const before = await textOf(theirs);
    const ran = await take("vscode", "--yes");
    expect(ran).toMatchObject({ code: 1, stderr: "there is nothing to write\n" });
    expect(ran.stdout).toContain("server plain (node): not written: this project's .mcp.json is left as it is");
    expect(ran.stdout).toMatch(new RegExp(`^\\.mcp\\.json\\n {2}! not read: .*${why}`, "mu"));
    expect(await textOf(theirs)).toBe(before);
    expect(await textOf(join(folder, "outside"))).toBe("{}");
  });

  it("reads no link out of the project, and writes no more servers than a project may have", async () => {
    const { take, theirs, folder, place, serversOf } = await placeWith({ "mcp.json": editor }, { ".vscode/.keep": "" });
    await symlink(join(folder, "mcp.json"), place.path(".vscode/mcp.json"));
    const linked = await take("vscode", "--yes");
    expect(linked).toMatchObject({ code: 1, stdout: expect.stringContaining("it is a link that leads out") });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, { command: "x" }]));
    await place.write(".gemini/settings.json", json({ mcpServers: many }));
    expect((await take("gemini", "--yes")).stdout).toContain("this project's .mcp.json may have 50 servers");
    expect(Object.keys(await serversOf(theirs))).toHaveLength(50);
  });
});
