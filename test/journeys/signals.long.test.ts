import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { builtProgram } from "../support/built.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { answersIn } from "../support/talks.ts";
import { endless } from "../support/under-way.ts";

const ready = "ask, or / for commands";

const stateOf = async (place: Place): Promise<string | undefined> =>
  (await place.run(["sessions", "--json"])).stdout.match(/"state":"(\w+)"/)?.[1];

function expectRestored(pty: Pty): void {
  expect(pty.term.modes.bracketedPasteMode).toBe(false);
  expect(pty.cursor().visible).toBe(true);
}

/** A chat in which the model speaks. */
async function speaking(place: Place): Promise<Pty> {
  const pty = place.chat(["chat"]);
  await pty.waitFor(ready);
  pty.type("tell me");
  await pty.waitFor("tell me");
  pty.key("enter");
  await pty.waitFor("word word");
  return pty;
}

const definedOnly = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined));

const logsOf = (place: Place): string[] => {
  const folder = join(place.home, "logs");
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
};

/** Lets a test throw in the middle of the command what nobody catches. */
const trap = (what: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${what} })`)}`,
});
const faults: [name: string, what: string][] = [
  ["an exception", 'throw new Error("boom \\u001b[2J")'],
  ["a rejection", 'Promise.reject(new Error("boom \\u001b[2J"))'],
];

describe("a chat that is told to end", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("by %s gives the terminal back, saves and ends with %i", async (signal, code) => {
    const place = await openPlace([endless, says("Here again.")]);
    const pty = await speaking(place);
    process.kill(pty.pid, signal);
    expect(await pty.exit).toEqual({ code, signal: 0 });
    expectRestored(pty);
    expect(pty.scrollback().join("\n")).toMatch(/agent resume \S+-\w{4}\s*$/);
    expect(await stateOf(place)).toBe("idle");
    const [row] = (await place.run(["sessions", "--json"])).stdout.split("\n");
    const on = await place.json(["resume", (JSON.parse(row ?? "") as { id: string }).id, "and now?"]);
    expect(on).toMatchObject({ code: 0, end: { text: "Here again." } });
  });

  it.runIf(process.platform === "linux")("by a terminal that is gone ends with 129, and holds nothing", async () => {
    const place = await openPlace([endless]);
    const command = `trap '' HUP; "$0" "$1" chat; echo $? > "$2/code"`;
    const args = [await builtProgram("test/support/hang-up.ts"), "sh", "-c", command, ...agentCommand, place.home];
    const env = definedOnly(place.env);
    const holder = spawn(process.execPath, args, {
      cwd: place.workspace,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let shown = "";
    holder.stdout.on("data", (data: Buffer) => {
      shown += data.toString();
    });
    await expect.poll(() => shown).toContain(ready);
    holder.kill("SIGKILL");
    const code = join(place.home, "code");
    const read = (): string => (existsSync(code) ? readFileSync(code, "utf8") : "");
    await expect.poll(read).toBe("129\n");
    expect(logsOf(place)).toEqual([]);
  });

  it("because another process took its session over ends with 75 and says so", async () => {
    const place = await openPlace([says("One."), says("Two.")]);
    const { session } = await place.json(["run", "first"]);
    const pty = place.chat(["resume", session]);
    await pty.waitFor(ready);
    expect(await place.json(["resume", session, "mine now", "--take-over"])).toMatchObject({
      code: 0,
      end: { text: "Two." },
    });
    pty.type("hello?");
    await pty.waitFor("hello?");
    pty.key("enter");
    expect(await pty.exit).toEqual({ code: 75, signal: 0 });
    expectRestored(pty);
    expect(pty.scrollback().join(" ")).toContain(`session ${session} was taken over`);
    expect(place.server.requests).toHaveLength(2);
  });
});

it("a chat that is stopped by Ctrl-Z leaves the terminal to the shell, and is there again after fg", async () => {
  const place = await openPlace([says("Here.")]);
  const env = { ...place.env, PS1: "shell> " };
  const pty = openPty({ command: "bash", args: ["--norc", "-i"], cwd: place.workspace, env, cols: 100, rows: 30 });
  try {
    await pty.waitFor("shell>");
    pty.type(`${agentCommand.join(" ")} chat\r`);
    await pty.waitFor(ready);
    pty.key("ctrl-z");
    await pty.waitFor(/Stopped/);
    pty.type("echo cooked-$((1+1))\r");
    await pty.waitFor("cooked-2");
    pty.type("fg\r");
    await pty.waitFor((one) => one.screen().some((row) => row.includes(ready)) && one.term.modes.bracketedPasteMode);
    pty.type("hello");
    await pty.waitFor("hello");
    pty.key("enter");
    await pty.waitFor("Here.");
  } finally {
    await pty.close();
  }
});

describe("a reader that goes away", () => {
  it.each([
    ["of a run", ["run", "tell me", "--json"]],
    ["of a list", ["tools", "--json"]],
  ])("%s ends it quietly with 141", async (_name, argv) => {
    const place = await openPlace(argv[0] === "run" ? [endless] : []);
    const script = '"$@" | head -n 1 >/dev/null; set -- $PIPESTATUS; echo $1';
    const args = ["-c", script, "bash", ...agentCommand, ...argv];
    const env = definedOnly(place.env);
    const child = spawn("bash", args, { cwd: place.workspace, env, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      stderr += data.toString();
    });
    await new Promise((resolve) => child.on("close", resolve));
    // A short list may fit into the pipe before anyone closes it.
    expect(argv[0] === "run" ? ["141\n"] : ["141\n", "0\n"]).toContain(stdout);
    expect(stderr).not.toMatch(/error|EPIPE|at /i);
    expect(logsOf(place)).toEqual([]);
  });
});

describe("what nobody caught", () => {
  it.each(faults)("%s ends a run with 70, is kept in logs, and the session goes on", async (_name, what) => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = place.spawn(["run", "tell me", "--json"], { env: trap(what) });
    await running.shows('"text_delta"');
    running.child.kill("SIGUSR2");
    const { code, stderr } = await running.done;
    expect(code).toBe(70);
    expect(stderr).toContain("agent: internal error: boom");
    expect(stderr).toContain("agent resume goes on with it");
    expect(stderr).not.toContain("\x1b[2J");
    expect(logsOf(place)).toEqual([expect.stringMatching(/Error: boom[\s\S]*\n\s+at /)]);
    const session = (JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string }).session;
    expect(await place.json(["resume", session])).toMatchObject({ code: 0, end: { text: "Here again." } });
  });

  it.each(faults)("%s ends a chat with 70 after the terminal was given back", async (_name, what) => {
    const place = await openPlace([endless]);
    Object.assign(place.env, trap(what));
    const pty = await speaking(place);
    process.kill(pty.pid, "SIGUSR2");
    expect(await pty.exit).toEqual({ code: 70, signal: 0 });
    expectRestored(pty);
    expect(pty.raw().lastIndexOf("\x1b[?2004l")).toBeLessThan(pty.raw().indexOf("internal error: boom"));
    expect(logsOf(place)).toHaveLength(1);
  });
});

describe("SIGTERM just behind the answer to a call", () => {
  const write = asks("write_file", { file_path: "a.txt", content: "A\n" });
  const read = asks("read_file", { file_path: ".env" });
  const helped = (call: Reply) => ({
    go: [asks("agent", { task: "do a" }), says("Done.")],
    "do a": [call, says("Did a.")],
  });
  const talks: [name: string, talks: Record<string, Reply[]>][] = [
    ["write", { go: [write, says("Done.")] }],
    ["read", { go: [read, says("Done.")] }],
    ["command", { go: [asks("shell", { command: "printf 'A\\n' > a.txt" }), says("Done.")] }],
    ["helper's write", helped(write)],
    ["helper's read", helped(read)],
  ];

  it.each(talks.flatMap(([name, said]) => [0, 4, 8].map((ms) => [name, ms, said] as const)))(
    "leaves an approved %s approved, %i ms later too: it is done when the session is resumed",
    async (_, ms, said) => {
      const answer = answersIn(said);
      const place = await openPlace(
        Array.from({ length: 12 }, () => answer),
        { ".env": "KEY=1\n" },
      );
      const asked = await place.json(["run", "go"]);
      const [call] = asked.of("approval_requested").at(-1)?.calls ?? [];
      const name = `${call?.session}:${call?.callId}@${call?.digest.slice(0, 12)}`;
      const left = place.spawn(["resume", asked.session, "--approve", name, "--json"]);
      await left.shows('"type":"decision"');
      setTimeout(() => left.child.kill("SIGTERM"), ms);
      // It may have been done by then.
      expect([0, 143]).toContain((await left.done).code);
      const on = await place.json(["resume", asked.session]);
      expect([on.code, on.of("approval_requested")]).toEqual([0, []]);
      const results = place.server.requests.flatMap(({ body }) =>
        body.messages.filter(({ role }) => role === "tool").map(({ content }) => String(content)),
      );
      if (call?.toolName === "read_file") expect(results.join()).toContain("KEY=1");
      else expect(await place.read("a.txt")).toBe("A\n");
      expect(results.join()).not.toContain("cancelled");
    },
  );
});
