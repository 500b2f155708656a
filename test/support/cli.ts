import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { AgentEvent, AgentEventBody } from "../../src/graph/events.ts";
import { agentCommand, isOtherNode } from "./agent-command.ts";
import { type Answer, type ModelServer, type ServerOptions, startModelServer } from "./model-server.ts";
import { openPty, type Pty, type PtyOptions } from "./pty.ts";
import { openTmux, type TmuxPty } from "./tmux.ts";

export type EventOf<T extends AgentEventBody["type"]> = Extract<AgentEvent, { type: T }>;

/** What one run of the command left behind. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A run with `--json`: its lines, which hold what every such run promises. */
export interface Told extends Ran {
  events: AgentEvent[];
  session: string;
  of<T extends AgentEventBody["type"]>(type: T): EventOf<T>[];
  /** The one event of this type. */
  the<T extends AgentEventBody["type"]>(type: T): EventOf<T>;
  /** The last `turn_ended`. */
  end: EventOf<"turn_ended">;
}

/** A run in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  /** Resolves once stdout shows it. */
  shows(text: string): Promise<void>;
  done: Promise<Ran & { signal: NodeJS.Signals | null }>;
}

interface RunOptions {
  stdin?: string;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** A person's place: a home, a workspace and a model server of their own, gone when the test ends. */
export interface Place {
  readonly workspace: string;
  readonly home: string;
  readonly server: ModelServer;
  readonly env: Record<string, string | undefined>;
  path(file: string): string;
  write(file: string, text: string): Promise<void>;
  read(file: string): Promise<string>;
  has(file: string): boolean;
  /** The command in this process, or in one of the other node's, without a terminal. */
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The same with `--json`; checks what every line and the whole must hold. */
  json(argv: readonly string[], options?: RunOptions): Promise<Told>;
  spawn(argv: readonly string[], options?: RunOptions): Running;
  /** The command at a terminal. */
  chat(argv: readonly string[], window?: Window, env?: RunOptions["env"]): Pty;
  /** The same in a window of tmux. */
  tmux(argv: readonly string[], window?: Size, env?: RunOptions["env"]): TmuxPty;
  /** A command at a terminal that prints and ends; all of it is there then. */
  prints(argv: readonly string[], size?: Size, env?: RunOptions["env"]): Pty;
  /** What the model was told by the message with this index of request `index` (negative: from the end). */
  heard(request: number, message: number): string;
}

/** @param answers what the model says, a request each. A request the provider would refuse fails the test. */
export async function openPlace(
  answers: Answer[] = [],
  files: Record<string, string> = {},
  options: ServerOptions = {},
): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-journey-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const server = await startModelServer(answers, options);
  onTestFinished(async () => {
    await server.close();
    expect(server.violations).toEqual([]);
  });
  const [workspace, home, temp] = [join(root, "work"), join(root, "home"), join(root, "tmp")];
  await Promise.all([workspace, home, temp].map((folder) => mkdir(folder)));
  const path = (file: string) => join(workspace, file);
  const write = async (file: string, text: string) => {
    await mkdir(dirname(path(file)), { recursive: true });
    await writeFile(path(file), text);
  };
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const env = {
    PATH: process.env["PATH"],
    HOME: root,
    TMPDIR: temp,
    AGENT_HOME: home,
    OPENAI_API_KEY: "sk-test-of-holdfast",
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: "test-model",
    NO_PROXY: "127.0.0.1",
  };
  const at = { env, workspace };
  return {
    workspace,
    home,
    server,
    env,
    path,
    write,
    read: (file) => readFile(path(file), "utf8"),
    has: (file) => existsSync(path(file)),
    run: (argv, options) => runHere(at, argv, options),
    json: async (argv, options) => told(await runHere(at, [...argv, "--json"], options)),
    spawn: (argv, options) => spawnAgent(at, argv, options),
    chat: (argv, window, env) =>
      closed((window?.terminal === "tmux" ? openTmux : openPty)(atTerminal(at, argv, window, env))),
    tmux: (argv, window, env) => closed(openTmux(atTerminal(at, argv, window, env))),
    prints: (argv, size, env) => closed(openPty({ ...atTerminal(at, argv, size, env), prints: true })),
    heard: (request, message) => contentAt(server, request, message),
  };
}

type At = Pick<Place, "env" | "workspace">;

async function runHere(at: At, argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  if (isOtherNode) {
    const { code, stdout, stderr } = await spawnAgent(at, argv, options).done;
    return { code, stdout, stderr };
  }
  const [stdout, stderr] = [collector(), collector()];
  const io = {
    stdin: Object.assign(Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), {
      isTTY: false,
    }) as unknown as NodeJS.ReadStream,
    stdout: stdout.stream as unknown as NodeJS.WriteStream,
    stderr: stderr.stream as unknown as NodeJS.WriteStream,
    env: { ...at.env, ...options.env },
    cwd: () => options.cwd ?? at.workspace,
  };
  const code = await main(argv, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part: Buffer, _, done) {
      parts.push(part);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: false }), text: () => Buffer.concat(parts).toString("utf8") };
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined));
}

function spawnAgent(at: At, argv: readonly string[], options: RunOptions = {}): Running {
  const [node, program] = agentCommand;
  const child = spawn(node, [program, ...argv], {
    cwd: options.cwd ?? at.workspace,
    env: definedOnly({ ...at.env, ...options.env }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  const done = new Promise<Awaited<Running["done"]>>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code: code ?? -1, signal, stdout: out.join(""), stderr: err.join("") });
    });
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await done;
  });
  const stdout = () => out.join("");
  const shows = async (text: string) => {
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    while (!stdout().includes(text)) {
      if (ended) throw new Error(`it ended without ${text}:\n${stdout()}\n${err.join("")}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { child, stdout, shows, done };
}

interface Size {
  cols: number;
  rows: number;
}

/** Where a chat is shown: in the tests' own terminal where nothing is said. */
export interface Window extends Size {
  terminal?: "xterm.js" | "tmux";
}

function atTerminal(
  at: At,
  argv: readonly string[],
  { cols, rows }: Size = { cols: 100, rows: 30 },
  env: RunOptions["env"] = {},
): PtyOptions {
  const [command, program] = agentCommand;
  return {
    command,
    args: [program, ...argv],
    cwd: at.workspace,
    env: { ...at.env, EDITOR: undefined, VISUAL: undefined, PAGER: "cat", ...env },
    cols,
    rows,
  };
}

/** Closed with the test. */
function closed<Opened extends Pty>(pty: Opened): Opened {
  onTestFinished(() => pty.close());
  return pty;
}

/** The lines of a `--json` run, after a look at what every such run promises. */
export function told(ran: Ran): Told {
  const events = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent);
  const problems = `${ran.stdout}\n${ran.stderr}`;
  expect(
    events.map((event) => [event.v, event.seq]),
    problems,
  ).toEqual(events.map((_, i) => [1, i + 1]));
  // Lines of what its calls drive name it as their parent.
  expect(new Set(events.map(({ session, parent = session }) => parent)).size, problems).toBe(1);
  expect(
    events.every((event) => new Date(event.at).toISOString() === event.at),
    problems,
  ).toBe(true);
  // A session that was not stored has no name to tell.
  const first = events[0]?.session === "" ? ["error"] : ["session_started", "session_restored"];
  expect(first, problems).toContain(events[0]?.type);
  const end = events.at(-1);
  if (end?.type !== "turn_ended" || end.parent !== undefined)
    throw new Error(`the last line is not turn_ended:\n${problems}`);
  expectWholeCalls(events);
  const of = <T extends AgentEventBody["type"]>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type);
  const the = <T extends AgentEventBody["type"]>(type: T): EventOf<T> => {
    const [first, ...more] = of(type);
    if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} of ${type}:\n${problems}`);
    return first;
  };
  return { ...ran, events, session: end.session, of, the, end };
}

const final = ["success", "error", "cancelled"];

/** A call is told whole when it is proposed and when it is settled; between them only what moves. */
function expectWholeCalls(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type !== "tool_call") continue;
    const { call } = event;
    const whole = "toolName" in call && "times" in call && "arguments" in call;
    const proposed = call.status === "pending" && call.attempt === 1 && whole;
    expect(proposed || whole === final.includes(call.status), JSON.stringify(event)).toBe(true);
  }
}

function contentAt(server: ModelServer, request: number, message: number): string {
  const content = server.requests.at(request)?.body.messages.at(message)?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** What `agent trust --json` says of the project. */
export const trustOf = async (place: Pick<Place, "run">) =>
  JSON.parse((await place.run(["trust", "--json"])).stdout) as {
    state: string;
    changed: string[];
    obstacles: string[];
    files: { path: string; text: string }[];
  };
