import { join } from "node:path";
import { expect, it } from "vitest";
import { imported, importPlace, serversOf } from "../support/imported-servers.ts";

const ref = (name: string): string => `\${${name}}`;
const url = "https://mcp.example.com/mcp";

/** What runs by these words is for the workspace, or the folder where they run, to say. */
const started: readonly string[][] = [
  ["npx", "server"],
  ["npx", "-y", "@scope/server@1.2.3"],
  ["python", "-m", "server"],
  ["uvx", "server"],
  ["docker", "run", "server"],
  ["node", "--verbose"],
  ["sh"],
];
const listed = started.map(([command, ...args], at): [string, object] => [`s${"abcdefgh"[at]}`, { command, args }]);
const web = { type: "http", url };

it.each<[program: string, file: string, text: string]>([
  ["vscode", ".vscode/mcp.json", JSON.stringify({ servers: Object.fromEntries([...listed, ["web", web]]) })],
  [
    "gemini",
    ".gemini/settings.json",
    JSON.stringify({ mcpServers: Object.fromEntries([...listed, ["web", { httpUrl: url, trust: true }]]) }),
  ],
  [
    "codex",
    ".codex/config.toml",
    `${started
      .map(
        ([command, ...args], at) =>
          `[mcp_servers.s${"abcdefgh"[at]}]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`,
      )
      .join("")}[mcp_servers.web]\nurl = "${url}"\n`,
  ],
  [
    "opencode",
    ".opencode/opencode.json",
    JSON.stringify({
      mcp: Object.fromEntries([
        ...started.map((words, at): [string, object] => [`s${"abcdefgh"[at]}`, { type: "local", command: words }]),
        ["web", { type: "remote", url }],
      ]),
    }),
  ],
  ["claude", ".claude/settings.json", JSON.stringify({ mcpServers: Object.fromEntries([...listed, ["web", web]]) })],
])(
  "nothing that a repository has started by %s becomes the person's, whatever starts it",
  async (program, file, text) => {
    const place = await importPlace({ [file]: text });
    const { code, stdout } = await place.run(["import", program, "--yes"]);
    expect(await serversOf(place)).toEqual({ web });
    expect(stdout.match(/not written: it is started for this project/gu)).toHaveLength(started.length);
    expect(stdout).not.toContain("to be completed");
    expect(code).toBe(0);
  },
);

it.each(["http://10.0.0.7/mcp", "http://192.168.1.1/mcp", "https://hub/mcp", "https://hub.internal/mcp"])(
  "a repository's address in the person's network is not made one that they have named: %s",
  async (address) => {
    const servers = { web: { type: "http", url: address }, here: { type: "http", url: "http://localhost:8000/mcp" } };
    const place = await importPlace({ ".vscode/mcp.json": JSON.stringify({ servers }) });
    const { stdout } = await place.run(["import", "vscode", "--yes"]);
    expect(await serversOf(place)).toEqual({ here: servers.here });
    expect(stdout).toContain("server web: not written: it is the project's, and leads into a private network");
    expect((await imported({ web: servers.web })).servers).toEqual({ web: servers.web });
  },
);

it("a sign of another script that looks like a letter is none of a package's name", async () => {
  const { servers } = await imported({
    kelvin: { command: "npx", args: ["\u212a8s-server"] },
    plain: { command: "npx", args: ["k8s-server"] },
  });
  expect(servers).toEqual({ plain: { command: "npx", args: ["k8s-server"] } });
});

it("names that every object has are names like others, or are not taken", async () => {
  const one = { command: "npx", args: ["server"], env: { constructor: "1" } };
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"];
  const text = names.map((name) => `"${name}":${JSON.stringify(one)}`).join(",");
  const { servers, told, place } = await imported(`{"mcpServers":{${text}}}`);
  expect(Object.keys(servers)).toEqual(names.slice(1));
  for (const [name, entry] of Object.entries(servers))
    expect(entry).toEqual({ ...one, env: { constructor: ref(`MCP_${name.toUpperCase()}_CONSTRUCTOR`) } });
  for (const name of names.slice(1)) expect(told).toContain(`${name} (yours): off`);
  const again = await place.run(["import", "claude", "--yes"], { env: { HOME: join(place.home, "person") } });
  expect(again.stderr).toBe("there is nothing to write\n");
});

it.each(["[]", '"npx"', "3", "null"])("what should be servers and is none is said: %s", async (value) => {
  const place = await importPlace({}, { ".claude.json": `{"mcpServers":${value}}` });
  const { stdout } = await place.run(["import", "claude", "--yes"]);
  expect(stdout).toContain("servers: not written: they are not of the type that they have there");
});

it("so they are in Codex's form, where a date or a list of tables is no word either", async () => {
  const text = `ghp_s3cret1s3cret1s3cret1 = 1
[mcp_servers.__proto__]
command = "npx"
args = ["server"]
[mcp_servers.constructor]
command = "npx"
args = ["server"]
env = { __proto__ = "s3cret1", constructor = "s3cret1" }
[mcp_servers.date]
command = 1979-05-27
[mcp_servers.tables]
command = "npx"
[[mcp_servers.tables.args]]
a = "s3cret1"
[mcp_servers.toString]
command = "npx"
args = ["server"]
`;
  const place = await importPlace({}, { ".codex/config.toml": text });
  const { stdout } = await place.run(["import", "codex", "--yes"]);
  expect(await serversOf(place)).toEqual({ toString: { command: "npx", args: ["server"] } });
  expect(stdout).not.toContain("s3cret1");
  expect(stdout.match(/its command and args are no texts/gu)).toHaveLength(2);
});

it("no line is proposed for what could not be used with any words in it", async () => {
  const entry = { type: "http", url, headers: { "Proxy-Authorization": "1" } };
  const { servers, why, told } = await imported({ x: entry });
  expect([servers, why["x"]]).toEqual([{}, "its header Proxy-Authorization is the program's own to set"]);
  expect(told).not.toContain("agent mcp add x");
});
