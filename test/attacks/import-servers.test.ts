import { describe, expect, it } from "vitest";
import { imported } from "../support/imported-servers.ts";

const ref = (name: string): string => `\${${name}}`;
const held = "s3cret1";

/** What becomes of the words of one server. */
async function words(command: string, ...args: string[]): Promise<unknown[]> {
  const { servers, told } = await imported({ x: { command, args } });
  expect(told).not.toContain(held);
  const { x } = servers as { x: { command: string; args?: string[] } };
  return [x.command, ...(x.args ?? [])];
}

const arg = (at: number): string => ref(`MCP_X_ARG_${at}`);

describe("words of another program's server", () => {
  it.each<[words: string[], copied: unknown[]]>([
    [
      ["npx", "--api-key", held],
      ["npx", "--api-key", arg(2)],
    ],
    [
      ["npx", "--pass", "sesame"],
      ["npx", "--pass", arg(2)],
    ],
    [
      ["npx", "--pass", "server"],
      ["npx", "--pass", arg(2)],
    ],
    [
      ["npx", `--pass=${held}`],
      ["npx", arg(1)],
    ],
    [
      ["npx", "--pass=server"],
      ["npx", arg(1)],
    ],
    [
      ["npx", `-p${held}`],
      ["npx", arg(1)],
    ],
    [
      ["a", "-p", "hunter"],
      ["a", "-p", arg(2)],
    ],
    [
      ["a", "-p", "12345"],
      ["a", "-p", arg(2)],
    ],
    [
      ["a", "login", "hunter", "123456"],
      ["a", arg(1), arg(2), arg(3)],
    ],
    [
      ["npx", "--header", `Authorization:Bearer ${held}`],
      ["npx", "--header", arg(2)],
    ],
    [
      ["npx", "Authorization:", "Bearer", "token", "server"],
      ["npx", ...[1, 2, 3, 4].map(arg)],
    ],
    [
      ["npx", "--header", `X-Api-Key:${held}`],
      ["npx", "--header", arg(2)],
    ],
    [
      ["a", `{"apiKey":"${held}"}`],
      ["a", arg(1)],
    ],
    [
      ["a", `postgres://me:${held}@db/x`],
      ["a", arg(1)],
    ],
    [
      ["a", `https://${held}@x.example/mcp`],
      ["a", arg(1)],
    ],
    [
      ["a", `https://x.example/mcp?k=${held}`],
      ["a", arg(1)],
    ],
    [
      ["a", `https://x.example/mcp#${held}`],
      ["a", arg(1)],
    ],
    [
      ["a", `https://x.example/${held}/mcp`],
      ["a", arg(1)],
    ],
    [
      ["a", `https://${held}.x.example/mcp`],
      ["a", arg(1)],
    ],
    [
      ["a", "http://x.example/mcp"],
      ["a", arg(1)],
    ],
    [
      ["a", `/srv/${held}/x.js`],
      ["a", arg(1)],
    ],
    [
      ["a", "--db", `${ref(`DB:-${held}`)}`],
      ["a", "--db", arg(2)],
    ],
    [
      ["docker", "run", "-e", `KEY=${held}`, "x/y"],
      ["docker", "run", "-e", arg(3), "x/y"],
    ],
    [
      ["docker", "run", `-eKEY=${held}`, `--env=KEY=${held}`],
      ["docker", "run", arg(2), arg(3)],
    ],
    [
      ["docker", "run", "--name", "sesame"],
      ["docker", "run", "--name", arg(3)],
    ],
    [
      ["env", `KEY=${held}`, "npx", "x"],
      ["env", arg(1), "npx", "x"],
    ],
    [
      ["sh", "-c", `KEY=${held} run`],
      ["sh", "-c", arg(2)],
    ],
    [[`KEY=${held} x`], [ref("MCP_X_COMMAND")]],
    [[`./${held}`], [ref("MCP_X_COMMAND")]],
    [
      ["a", "b ".repeat(300), "é", "\u202e", "\u001b[31m"],
      ["a", ...[1, 2, 3, 4].map(arg)],
    ],
    [
      ["npx", `@scope/pkg@${held}`],
      ["npx", arg(1)],
    ],
    [
      ["npx", `${held}-pkg`],
      ["npx", arg(1)],
    ],
    [
      ["a", ref("KEY"), "$KEY", "%KEY%"],
      ["a", arg(1), arg(2), arg(3)],
    ],
    // What no secret looks like stays.
    [
      ["npx", "-y", "@scope/server-files@2026.8.31", "/srv/docs"],
      ["npx", "-y", "@scope/server-files@2026.8.31", "/srv/docs"],
    ],
    [
      ["npx", "-y", "mcp-remote@latest", "https://mcp.example.com/v1/mcp"],
      ["npx", "-y", "mcp-remote@latest", "https://mcp.example.com/v1/mcp"],
    ],
    [
      ["uvx", "--from", "some-server==1.2.3", "some-program", "run"],
      ["uvx", "--from", "some-server==1.2.3", "some-program", "run"],
    ],
    [
      ["python3.11", "-m", "mcp_server_time", "--port", "8080"],
      ["python3.11", "-m", "mcp_server_time", "--port", "8080"],
    ],
    [
      ["a", "run", "--transport", "stdio", "--transport=streamable-http"],
      ["a", "run", "--transport", "stdio", "--transport=streamable-http"],
    ],
    [
      ["/usr/local/bin/a", "-it", "--", "--port=8080", "http://127.0.0.1:8931/mcp"],
      ["/usr/local/bin/a", "-it", "--", "--port=8080", "http://127.0.0.1:8931/mcp"],
    ],
    [
      ["docker", "run", "-i", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/server:1.2"],
      ["docker", "run", "-i", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/server:1.2"],
    ],
  ])("%j", async (given, copied) => {
    const [command = "", ...args] = given;
    expect(await words(command, ...args)).toEqual(copied);
  });
});

describe("addresses of another program's server", () => {
  const http = (url: string, more: object = {}) => ({ x: { type: "http", url, ...more } });
  const at = (url: string) => ({ x: { type: "http", url } });

  it.each<[url: string, becomes: unknown]>([
    ["https://x.example/mcp", at("https://x.example/mcp")],
    ["http://localhost:8080/mcp/", at("http://localhost:8080/mcp/")],
    [`https://x.example/a/${held}/mcp`, at(`https://x.example/a/${ref("MCP_X_URL_PATH")}`)],
    [`https://x.example/mcp?key=${held}`, at(`https://x.example/mcp?${ref("MCP_X_URL_QUERY")}`)],
    [`https://x.example/mcp#${held}`, at("https://x.example/mcp")],
    [`https://me:${held}@x.example/mcp`, "its url has a name or a password in it"],
    [`https://${held}@x.example/mcp`, "its url has a name or a password in it"],
    [`https://${held}.x.example/mcp`, "its host may hold a secret, and no variable can stand for a host"],
    [`https://x.example:8080/%73${held}`, at(`https://x.example:8080/${ref("MCP_X_URL_PATH")}`)],
    ["http://x.example/mcp", "its url is plain http to another machine: whoever is on the way reads along"],
    ["http://localhost.x.example/mcp", "its url is plain http to another machine: whoever is on the way reads along"],
    ["file:///etc/passwd", "its url is neither https nor http"],
    [`https://${ref("HOST")}/mcp`, "its host may hold a secret, and no variable can stand for a host"],
    [`https://x.example/mcp\n${held}`, "its url is no whole address"],
  ])("%j", async (url, becomes) => {
    const { servers, why, told, written } = await imported(http(url));
    expect(typeof becomes === "string" ? why["x"] : servers).toEqual(becomes);
    expect(told + written).not.toContain(held);
  });

  it("no name of a header leads elsewhere, and no value is copied, whatever it is", async () => {
    const { why, servers } = await imported({
      host: { type: "http", url: "https://x.example/", headers: { Host: "y.example" } },
      lines: { type: "http", url: "https://x.example/", headers: { "X-A\r\nX-B": "x" } },
      null: { type: "http", url: "https://x.example/", headers: { "X-Team": null, "X-Kind": "plain" } },
    });
    expect(why).toMatchObject({
      host: expect.stringContaining("its header Host"),
      lines: "a name in its env or its headers may hold a secret",
    });
    const headers = { "X-Team": ref("MCP_NULL_X_TEAM"), "X-Kind": ref("MCP_NULL_X_KIND") };
    expect(servers).toEqual({ null: { type: "http", url: "https://x.example/", headers } });
  });
});

describe("servers of another program", () => {
  it("are given no variable of another one, by whatever name", async () => {
    const env = (name: string) => ({ command: "a", env: { [name]: held } });
    const { servers, why } = await imported(
      {
        a: env("B_KEY"),
        a_b: env("KEY"),
        c: { command: "a", args: [held], env: { ARG_1: "x", Arg_1: "y" } },
        d: env("KEY"),
      },
      { old: { command: "old", env: { KEY: ref("MCP_D_KEY") } } },
    );
    expect(why).toEqual({ a: undefined, a_b: undefined, c: undefined, d: undefined });
    expect(servers).toMatchObject({
      a: { env: { B_KEY: ref("MCP_A_B_KEY") } },
      a_b: { env: { KEY: ref("MCP_A_B_KEY_2") } },
      c: { args: [ref("MCP_C_ARG_1")], env: { ARG_1: ref("MCP_C_ARG_1_2"), Arg_1: ref("MCP_C_ARG_1_3") } },
      d: { env: { KEY: ref("MCP_D_KEY_2") } },
    });
  });

  it("of a wrong form are told and crash nothing", async () => {
    for (const servers of ["null", "[]", "7", '"x"', "false"]) {
      const { ran, told } = await imported(`{"mcpServers": ${servers}}`);
      expect(ran).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
      expect(told).toContain("mcpServers: not written: it is not of the type that it has there");
    }
    const wrong = {
      ...{
        nothing: null,
        list: [],
        word: "x",
        none: {},
        number: { command: 7 },
        empty: { command: "" },
        blank: { command: " " },
      },
      args: { command: "a", args: "b" },
      deep: { command: "a", args: [["b"]] },
      mixed: { command: "a", args: ["b", null] },
      env: { command: "a", env: [held] },
      names: { command: "a", env: { "A=B": held } },
      both: { command: "a", url: "https://x.example/" },
      kind: { type: 7, command: "a" },
      other: { type: "http", command: "a" },
      headed: { command: "a", headers: { "X-Key": held } },
      url: { type: "http", url: { at: held } },
      off: { command: "a", disabled: "yes" },
      idle: { command: "a", enabled: 0 },
    };
    const { servers, why, told } = await imported(wrong);
    expect(servers).toEqual({});
    expect(Object.keys(why)).toEqual(Object.keys(wrong));
    expect(Object.values(why).filter((one) => typeof one !== "string")).toEqual([]);
    expect(told).not.toContain(held);
  });

  it("with odd names are told, and none is written over what all objects have", async () => {
    const { servers, told } = await imported(
      `{"mcpServers":{"__proto__":{"command":"p"},"constructor":{"command":"c"},"toString":{"command":"t"},"a b":{"command":"x"},
        "../../x":{"command":"x"},"-x":{"command":"x"},"esc\\u001b]0;x\\u0007":{"command":"x"},"":{"command":"x"},"\\u202ex":{"command":"x"},
        "${"n".repeat(70)}":{"command":"x"},"ab12cd34ef56":{"command":"x"},"env":{"command":"x","env":{"__proto__":"${held}"}}}}`,
    );
    expect(servers).toEqual({ constructor: { command: "c" }, toString: { command: "t" } });
    expect(told).not.toMatch(/[\u001b\u0007\u202e]|ab12cd34|nnnnnnnn/u);
    expect(told).toContain("server a b (x): not written: a server's name begins with");
    expect(told).toContain("server number 11 (x): not written: its name may hold a secret");
  });

  it("never get more here than there: what trusts is told, what takes tools away is kept, or the server is not copied", async () => {
    const { servers, why, told, place } = await imported({
      trusting: {
        command: "a",
        alwaysAllow: ["x"],
        autoApprove: ["y"],
        trust: true,
        timeout: 5,
        odd: 1,
        private: true,
        browser: true,
      },
      some: { command: "a", includeTools: ["read_file"] },
      args: { command: "a", includeTools: ["run(ls)"] },
      hidden: { command: "a", includeTools: [`x-${held}-and-more`] },
      less: { command: "a", excludeTools: ["rm"] },
      folder: { command: "a", cwd: "/srv" },
    });
    expect(servers).toEqual({ trusting: { command: "a" }, some: { command: "a", tools: ["read_file"] } });
    expect(Object.keys(why).filter((name) => why[name] !== undefined)).toEqual(["args", "hidden", "less", "folder"]);
    for (const key of ["alwaysAllow", "autoApprove", "trust", "timeout", "odd", "private", "browser"])
      expect(told).toContain(`without ${key}: `);
    expect(place.has(".mcp.json")).toBe(false);
    expect((await place.run(["policy", "list"])).stdout).not.toContain("mcp__");
  });

  it("are bounded: a file with more than 100, one with more than 100 words or 50 values, are told and not copied", async () => {
    const many = (count: number, of: object = { command: "a" }) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, of]));
    expect(Object.keys((await imported(many(100))).servers)).toHaveLength(100);
    const over = await imported(many(101));
    expect(over).toMatchObject({ servers: {}, told: expect.stringContaining("it has more than 100 servers") });
    const { servers, why } = await imported({
      words: { command: "a", args: Array.from({ length: 100 }, () => "b") },
      values: { command: "a", env: many(51) },
      fits: { command: "a", args: Array.from({ length: 99 }, () => "run") },
    });
    expect(why).toMatchObject({ words: "it has more than 100 words", values: "it has more than 50 values" });
    expect(Object.keys(servers)).toEqual(["fits"]);
  });

  it("are read in steps that grow with their size alone", async () => {
    for (const piece of ["a", "a-", "a.", "://", "--a", "=", "@", "${", "a/", "A1", "key", " "]) {
      const long = piece.repeat(4_000);
      const { servers, told } = await imported({
        x: { command: long, args: Array.from({ length: 50 }, () => long), env: { KEY: long } },
        y: { type: "http", url: `https://x.example/${long}`, headers: { [long.slice(0, 3_000)]: long } },
        [long]: { command: "a" },
      });
      expect(JSON.stringify(servers).length + told.length).toBeLessThan(30_000);
    }
  });
});
