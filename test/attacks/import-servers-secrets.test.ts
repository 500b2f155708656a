import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { imported } from "../support/imported-servers.ts";
import { filesWith } from "../support/secret-forms.ts";

const ref = (name: string): string => `\${${name}}`;

/** The same numbers in each run, so that what fails once fails again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function secretMaker(pick: (below: number) => number): () => string {
  const from = (signs: string, length: number) => Array.from({ length }, () => signs[pick(signs.length)]).join("");
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const base64 = `${letters}${letters.toUpperCase()}0123456789+/`;
  const hex = "0123456789abcdef";
  const word = () => ["tiger", "summer", "Rose", "hunter", "winter", "dragon", "Monkey"][pick(7)] ?? "";
  const makers = [
    () => from(base64, 8 + pick(40)),
    () => Buffer.from(from(base64, 8 + pick(20))).toString("base64url"),
    () => from(hex, 8 + pick(56)),
    () => from(hex.toUpperCase(), 8 + pick(32)),
    () => [8, 4, 4, 4, 12].map((length) => from(hex, length)).join("-"),
    () => `eyJ${from(base64, 20)}.eyJ${from(base64, 30)}.${from(base64, 43)}`.replaceAll(/[+/]/gu, "_"),
    () => `${word()}${word()}${1 + pick(9)}${pick(10_000)}`,
    () => `${word()}-${word()}-${10 + pick(9_000)}`,
    () => `${word()}${10 + pick(90)}${word()}`,
    () => `${["sk", "ghp", "xoxb", "glpat"][pick(4)]}-${from(base64, 24)}`.replaceAll(/[+/]/gu, "x"),
  ];
  return () => makers[pick(makers.length)]?.() ?? "";
}

const letters = (at: number): string => [...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("");

/** Places of an entry where somebody may have put a secret. */
const plants: readonly ((secret: string) => object)[] = [
  (it) => ({ command: it }),
  (it) => ({ command: "npx", args: [it] }),
  (it) => ({ command: "npx", args: ["-y", `@scope/${it}`] }),
  (it) => ({ command: "npx", args: ["-y", `${it}@1.2.3`] }),
  (it) => ({ command: "npx", args: ["-y", `pkg@${it}`] }),
  (it) => ({ command: "uvx", args: ["--from", "pkg", it] }),
  (it) => ({ command: "node", args: ["--api-key", it] }),
  (it) => ({ command: "node", args: ["--config", it, "-k", it] }),
  (it) => ({ command: "node", args: [`--pass=${it}`, `-p${it}`, `--${it}`, `-${it}`] }),
  (it) => ({ command: "node", args: ["run", it, `Authorization:Bearer ${it}`, `X-Key: ${it}`, `token:${it}`] }),
  (it) => ({ command: "node", args: [`/srv/${it}/server.js`, `/${it}`, `./${it}.js`] }),
  (it) => ({ command: `/opt/${it}/bin/a` }),
  (it) => ({
    command: "node",
    args: [
      `https://x.example/${it}/mcp`,
      `https://${it}.x.example/`,
      `https://x.example/?${it}`,
      `https://x.example/#${it}`,
    ],
  }),
  (it) => ({
    command: "docker",
    args: ["run", "-e", `KEY=${it}`, "-e", it, `ghcr.io/${it}/x`, `x/y:${it}`, `x/${it}`],
  }),
  (it) => ({ command: "env", args: [`KEY=${it}`, "npx"] }),
  (it) => ({ command: "python", args: ["-m", it] }),
  (it) => ({ command: "node", env: { KEY: it } }),
  (it) => ({ command: "node", env: { [it]: "x" } }),
  (it) => ({ command: "node", [it]: it }),
  (it) => ({ command: "node", odd: { [it]: it }, description: it, name: it }),
  (it) => ({ command: "node", includeTools: [it] }),
  (it) => ({ command: "node", type: it }),
  (it) => ({ command: "node", cwd: it, envFile: it, disabled: it }),
  (it) => ({ command: [it], args: { [it]: it } }),
  (it) => ({ type: "http", url: it }),
  (it) => ({ type: "http", url: `https://x.example/${it}` }),
  (it) => ({ type: "http", url: `https://x.example/mcp?${it}` }),
  (it) => ({ type: "http", url: `https://x.example/mcp?key=${it}#${it}` }),
  (it) => ({ type: "http", url: `https://${it}.example.com/mcp` }),
  (it) => ({ type: "http", url: `https://${encodeURIComponent(it)}@x.example/mcp` }),
  (it) => ({ type: "http", url: `https://me:${encodeURIComponent(it)}@x.example/mcp` }),
  (it) => ({ type: "http", url: "https://x.example/mcp", headers: { Authorization: `Bearer ${it}` } }),
  (it) => ({ type: "http", url: "https://x.example/mcp", headers: { [it]: it } }),
  (it) => ({ type: "sse", url: `https://x.example/${it}` }),
];

it("a secret that is random, or a word with digits, is in no byte written and no word said, wherever in an entry it stands", async () => {
  const make = secretMaker(numbers(26));
  for (let round = 0; round < 8; round += 1) {
    const made = plants.map((plant, at): [string, string, object] => {
      const secret = make();
      return [secret, `s${letters(at)}`, plant(secret)];
    });
    const { place, told, servers } = await imported(Object.fromEntries(made.map(([, name, entry]) => [name, entry])));
    expect(Object.values(servers).length).toBeGreaterThan(1);
    const low = told.toLowerCase();
    for (const [secret, , entry] of made) {
      expect(low.includes(secret.toLowerCase()), JSON.stringify(entry)).toBe(false);
      expect(filesWith(place.home, secret, ["person"]), JSON.stringify(entry)).toEqual([]);
      expect(filesWith(place.workspace, secret), JSON.stringify(entry)).toEqual([]);
    }
  }
});

/** The same in other programs' files. */
const others: readonly [program: string, file: string, text: (secret: string) => string][] = [
  [
    "gemini",
    ".gemini/settings.json",
    (it) =>
      JSON.stringify({
        mcpServers: {
          a: { httpUrl: `https://x.example/${it}`, headers: { Key: it } },
          b: { url: it },
          c: { command: "node", args: [it, `$${it}`], env: { KEY: it }, trust: it, timeout: it },
          d: { command: it, includeTools: [it] },
        },
      }),
  ],
  [
    "codex",
    ".codex/config.toml",
    (it) => `[mcp_servers.a]
url = "https://x.example/mcp"
bearer_token_env_var = "${it}"
http_headers = { Key = "${it}" }
env_http_headers = { Other = "${it}" }
[mcp_servers.b]
command = "a"
args = ["--token", "${it}"]
env = { KEY = "${it}" }
[mcp_servers.c]
command = "a"
env_vars = ["${it}"]
[mcp_servers.d]
command = "a"
enabled_tools = ["${it}"]
[mcp_servers.e]
command = "a"
"${it}" = "${it}"
`,
  ],
  [
    "opencode",
    ".config/opencode/opencode.json",
    (it) =>
      JSON.stringify({
        mcp: {
          a: { type: "local", command: ["npx", it, `--key=${it}`], environment: { KEY: it } },
          b: { type: "remote", url: `https://x.example/mcp?${it}`, headers: { Key: it }, oauth: { clientSecret: it } },
          c: { type: it, command: [it] },
          d: { type: "local", command: it },
        },
      }),
  ],
  [
    "vscode",
    ".config/Code/User/mcp.json",
    (it) =>
      JSON.stringify({
        inputs: [{ id: it, default: it }],
        servers: {
          a: { command: "node", args: [it, ref(`input:${it}`)], env: { KEY: it } },
          b: { command: "node", envFile: it },
          c: { type: "http", url: `https://x.example/mcp/${it}`, headers: { [it]: it } },
        },
      }),
  ],
  ...[".claude.json", ".gemini/settings.json", ".config/Code/User/mcp.json"].flatMap(
    (file): [string, string, (secret: string) => string][] => {
      const program = file.includes("claude") ? "claude" : file.includes("gemini") ? "gemini" : "vscode";
      return [
        [program, file, (it) => `{"mcpServers": {"a": {"command": ${it}}}}`],
        [program, file, (it) => `{"mcpServers": {"a": {"command": "${it}`],
        [program, file, (it) => `{"servers": {"a": {"${it}": 1, "${it}": 2}}}`],
      ];
    },
  ),
  ["codex", ".codex/config.toml", (it) => `[mcp_servers.a]\ncommand = ${it}\n`],
  ["codex", ".codex/config.toml", (it) => `[mcp_servers.a]\n"${it}" = 1\n"${it}" = 2\n`],
  ["codex", ".codex/config.toml", (it) => `[mcp_servers.a]\ncommand = "${it}\n`],
];

it("so it is in each program's form, and where its file is broken", async () => {
  const make = secretMaker(numbers(62));
  for (let round = 0; round < 3; round += 1)
    for (const [program, file, text] of others) {
      const secret = make();
      const place = await openPlace();
      const path = join(place.home, "person", file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text(secret));
      const env = { HOME: join(place.home, "person") };
      for (const how of ["--json", "--yes"]) {
        const { stdout, stderr } = await place.run(["import", program, how], { env });
        expect((stdout + stderr).toLowerCase().includes(secret.toLowerCase()), `${program}: ${text(secret)}`).toBe(
          false,
        );
      }
      expect(filesWith(place.home, secret, ["person"]), `${program}: ${text(secret)}`).toEqual([]);
    }
});
