import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPty } from "../support/pty.ts";
import { agentPath, root, runNode, tempFolder } from "./support/run.ts";

const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

test.each(["--version", "-V"])("agent %s prints the package's version and nothing else", (flag) => {
  expect(runNode([agentPath, flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("the help that was rendered when the bundle was built is what the program prints", () => {
  const home = tempFolder();
  const printed = runNode([agentPath, "help"], { env: { AGENT_HOME: home } });
  expect(printed.stdout).toContain("Usage: agent");
  for (const flag of ["--help", "-h"]) expect(runNode([agentPath, flag]).stdout).toBe(printed.stdout);
});

test("--version and --help need no home and leave nothing in it", () => {
  const home = tempFolder();
  runNode([agentPath, "--version"], { env: { AGENT_HOME: home, HOME: home } });
  runNode([agentPath, "--help"], { env: { AGENT_HOME: home, HOME: home } });
  expect(readdirSync(home)).toEqual([]);
});

test("agent works through a link, as npm installs it", () => {
  const link = join(tempFolder(), "agent");
  symlinkSync(agentPath, link);
  expect(runNode([link, "--version"]).stdout).toBe(`${version}\n`);
});

test("a checkout that was not built says what to run", () => {
  const checkout = tempFolder();
  mkdirSync(join(checkout, "bin"));
  copyFileSync(agentPath, join(checkout, "bin", "agent.js"));
  writeFileSync(join(checkout, "package.json"), '{"type":"module"}');
  const ran = runNode([join(checkout, "bin", "agent.js"), "tools"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toBe(`agent is not built: run \`npm run build\` in ${checkout}.\n`);
});

test("an unknown command is a usage error", () => {
  const ran = runNode([agentPath, "frobnicate"], { env: { AGENT_HOME: tempFolder() } });
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("frobnicate");
});

test("the bundled graph stops for an approval and goes on from it in another process", () => {
  const home = tempFolder();
  const workspace = tempFolder();
  const script = join(tempFolder(), "script.ndjson");
  const lines = [
    { v: 1, kind: "holdfast-script" },
    { text: "I write it.", calls: [{ name: "write_file", arguments: { file_path: "a.txt", content: "one\n" } }] },
    { text: "Written." },
  ];
  writeFileSync(script, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const at = { env: { AGENT_HOME: home }, cwd: workspace };
  const asked = runNode([agentPath, "run", "-m", `script:${script}`, "--json", "write a.txt"], at);
  expect(asked.code).toBe(11);
  expect(readdirSync(workspace)).toEqual([]);
  const { session } = JSON.parse(asked.stdout.split("\n")[0] ?? "") as { session: string };
  const done = runNode([agentPath, "resume", session, "--approve", "all"], at);
  expect(done).toMatchObject({ code: 0, stdout: "Written.\n" });
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
});

test("what is typed at the painted prompt, before the program is loaded, is kept and sent", async () => {
  const home = tempFolder();
  const script = join(tempFolder(), "script.ndjson");
  writeFileSync(script, '{"v":1,"kind":"holdfast-script"}\n{"text":"Heard you."}\n');
  const pty = openPty({
    command: process.execPath,
    args: [agentPath, "chat", "-m", `script:${script}`],
    cwd: tempFolder(),
    env: { AGENT_HOME: home, HOME: home },
  });
  onTestFinished(() => pty.close());
  await pty.waitFor("❯");
  pty.type("typed early\r");
  await pty.waitFor("Heard you.");
  expect(pty.scrollback().filter((line) => line.includes("typed early"))).toHaveLength(1);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

test("Ctrl-C at the painted prompt ends the start at once and gives the terminal back", async () => {
  const home = tempFolder();
  const pty = openPty({
    command: process.execPath,
    args: [agentPath, "chat"],
    cwd: tempFolder(),
    env: { AGENT_HOME: home, HOME: home },
  });
  onTestFinished(() => pty.close());
  await pty.waitFor("❯");
  pty.type("\u0003");
  expect(await pty.exit).toMatchObject({ signal: 0 });
  expect(pty.cursor().visible).toBe(true);
  expect(pty.raw().lastIndexOf("\u001b[?2004l")).toBeGreaterThan(pty.raw().lastIndexOf("\u001b[?2004h"));
});
