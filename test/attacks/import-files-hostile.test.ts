import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { importSettings } from "../../src/cli/commands/import-settings.ts";
import { compose } from "../../src/cli/composition.ts";
import type { Io } from "../../src/cli/io.ts";
import { importPlace, serversOf, writeAll } from "../support/imported-servers.ts";

const ref = (name: string): string => `\${${name}}`;
const url = "https://mcp.example.com/mcp";
const web = { type: "http", url };

it.each<[variable: string, program: string, file: string, at: string]>([
  ["CODEX_HOME", "codex", "config.toml", ".codex"],
  ["CODEX_HOME", "codex", "config.toml", "tools/codex"],
  ["CLAUDE_CONFIG_DIR", "claude", ".claude.json", ".claude"],
  ["XDG_CONFIG_HOME", "opencode", "opencode/opencode.json", "config"],
  ["GEMINI_CLI_HOME", "gemini", ".gemini/settings.json", "config"],
])("a folder of the repository to which %s leads is none of the person's: %s", async (variable, program, file, at) => {
  const one = { command: "npx", args: ["server"] };
  const text = file.endsWith(".toml")
    ? '[mcp_servers.a]\ncommand = "npx"\nargs = ["server"]\n'
    : JSON.stringify({ mcpServers: { a: one }, mcp: { a: { command: ["npx", "server"] } } });
  const rules = { [join(at, "rules", "a.rules")]: 'prefix_rule(pattern = ["git"], decision = "allow")\n' };
  const place = await importPlace({ [join(at, file)]: text, ...rules });
  await mkdir(join(place.workspace, "below"));
  const link = join(place.home, "link");
  await symlink(join(place.workspace, at), link);
  for (const [folder, cwd] of [
    [join(place.workspace, at), place.workspace],
    [link, place.workspace],
    [join(place.workspace, at), join(place.workspace, "below")],
  ] as const) {
    await mkdir(join(place.workspace, ".git"), { recursive: true });
    const ran = await place.run(["import", program, "--yes"], { env: { [variable]: folder }, cwd });
    expect(ran.stdout).toContain("not read: it lies in the folder of this project, so it is none of yours");
    expect(ran.code).toBe(1);
    expect(await readFile(join(place.home, "config.json"), "utf8").catch(() => "none")).toBe("none");
    expect(await readFile(join(place.home, "policy.json"), "utf8").catch(() => "none")).toBe("none");
  }
  const own = join(place.home, "apart");
  await writeAll(own, { [file]: text });
  expect((await place.run(["import", program, "--yes"], { env: { [variable]: own } })).code).toBe(0);
  expect(await serversOf(place)).toEqual({ a: one });
});

it("of Claude Code's state, which is large, the servers are read; of other files no more than before", async () => {
  const said = { history: [{ display: "what was said ".repeat(200_000) }] };
  const mcpServers = { web };
  const place = await importPlace(
    { ".claude/settings.json": JSON.stringify({ mcpServers, ...said }) },
    { ".claude.json": JSON.stringify({ projects: { "/elsewhere": said }, mcpServers }) },
  );
  const { code, stdout } = await place.run(["import", "claude", "--yes"]);
  expect(await serversOf(place)).toEqual({ web });
  expect(stdout).toMatch(/^\.claude\/settings\.json\n {2}! not read: .*the limit for this is 1.0 MB/mu);
  expect(code).toBe(1);
});

it("what another program has written into the person's settings since this one began is heeded", async () => {
  const persons = {
    ".claude.json": JSON.stringify({ mcpServers: { "a-b": { type: "http", url, headers: { Key: "1" } } } }),
  };
  const place = await importPlace({}, persons);
  const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  const said: string[] = [];
  const heard = { ...process.stdout, write: (text: string) => said.push(text) > 0 };
  const composition = await compose(
    { ...io, stdout: heard, stderr: heard, env: place.env, cwd: () => place.workspace } as unknown as Io,
    {
      allow: [],
    },
  );
  onTestFinished(() => composition.close());
  const theirs = { mcpServers: { a: { type: "http", url, headers: { Key: ref("MCP_A_B_KEY") } } } };
  await writeFile(join(place.home, "config.json"), JSON.stringify(theirs));
  await importSettings(composition, "claude", true);
  expect(said.join("")).toContain("its variable would be MCP_A_B_KEY, which stands for something else already");
  expect(await serversOf(place)).toEqual(theirs.mcpServers);
});

it("of two imports at once each writes all of its own, or nothing and says so", async () => {
  const persons = {
    ".claude.json": JSON.stringify({ mcpServers: { one: web } }),
    ".config/Code/User/mcp.json": JSON.stringify({ servers: { two: web } }),
  };
  const place = await importPlace({}, persons);
  const take = (program: string) => place.run(["import", program, "--yes"]);
  const ran = await Promise.all([take("claude"), take("vscode")]);
  const written = Object.keys(await serversOf(place));
  for (const [at, name] of ["one", "two"].entries()) {
    expect(written.includes(name)).toBe(ran[at]?.code === 0);
    if (ran[at]?.code !== 0) expect(ran[at]?.stderr).toContain("was changed while you were looking");
  }
  for (const program of ["claude", "vscode"]) expect((await take(program)).code).toBe(0);
  expect(await serversOf(place)).toEqual({ one: web, two: web });
});
