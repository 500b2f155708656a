/**
 * Prints where the processor's time goes, by part: of one step, of the later ones of 200, and of a chat to the first request of a message typed at once. They are
 * the profiler's samples of a build with source maps, run as the bench runs it. A profiled run takes a tenth to a fifth longer; trust the shares.
 * usage: npm run bench:profile
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { runToEnd } from "./measure.ts";
import { startListener, within } from "./screen.ts";
import { makeWorkspace, openWorld, startModelServer, type World } from "./world.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  /** Microseconds of the clock that only goes on, as `timeDeltas`. */
  startTime: number;
  timeDeltas: number[];
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) {
    try {
      maps.set(url, new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8"))));
    } catch {
      maps.set(url, undefined);
    }
  }
  return maps.get(url);
}

const ofV8: Readonly<Record<string, string>> = {
  "(garbage collector)": "V8: collecting garbage",
  "(program)": "node and V8 themselves",
  "(idle)": "waiting",
  compileSourceTextModule: "V8: reading modules",
};

/** The part that a frame is of; undefined where it is one of V8's own, which counts for its caller. */
function partOf({ functionName, url, lineNumber, columnNumber }: Frame): string | undefined {
  const own = ofV8[functionName];
  if (own !== undefined) return own;
  if (url === "") return undefined;
  if (url === "node:vm" && functionName === "Script") return "V8: taking the program's compiled code";
  if (url.startsWith("node:")) return /undici/.test(url) ? "node: fetch's classes" : "node's own modules";
  const place = mapOf(url)?.findEntry(lineNumber, columnNumber);
  const source = place !== undefined && "originalSource" in place ? place.originalSource : undefined;
  if (source === undefined) return "V8: functions as they are first called";
  const packaged = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
  return (
    packaged ??
    source
      .replace(/^.*\/src\//, "src/")
      .split("/")
      .slice(0, 2)
      .join("/")
  );
}

/** Milliseconds by part, until `end` of the profile's clock. */
function partsOf({ nodes, samples, startTime, timeDeltas }: Profile, end = Infinity): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const parts = new Map<string, number>();
  let at = startTime;
  for (const [index, sample] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    if (at > end) break;
    let part: string | undefined;
    for (let node: number | undefined = sample; node !== undefined && part === undefined; node = parents.get(node)) {
      const frame = frames.get(node);
      part = frame === undefined ? undefined : partOf(frame);
    }
    const name = part ?? "node and V8 themselves";
    parts.set(name, (parts.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return parts;
}

/** The profiles of so many runs, summed. */
async function profiled(world: World, program: string, steps: number, runs: number): Promise<Map<string, number>> {
  const workspace = makeWorkspace(join(world.folder, `work-${steps}`), 20);
  const server = await startModelServer(steps, 20);
  const folder = join(world.folder, `profiles-${steps}`);
  try {
    for (let run = 0; run < runs; run += 1) {
      const home = join(world.folder, `home-${steps}-${run}`);
      mkdirSync(home);
      const argv = ["run", "-m", "openai:bench", "--json", "--max-steps", String(steps + 1), "Read the files."];
      const flags = ["--cpu-prof", `--cpu-prof-dir=${folder}`, program];
      await runToEnd(process.execPath, [...flags, ...argv], { env: world.env(server.baseUrl, home), cwd: workspace });
    }
  } finally {
    server.close();
  }
  const profiles = readdirSync(folder).map((file) => partsOf(readProfile(join(folder, file))));
  return meanOf(profiles);
}

const readProfile = (path: string): Profile => JSON.parse(readFileSync(path, "utf8")) as Profile;

/** The processor's milliseconds by part, of the mean of runs. */
function meanOf(runs: readonly Map<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const parts of runs) for (const [part, ms] of parts) sums.set(part, (sums.get(part) ?? 0) + ms / runs.length);
  sums.delete("waiting");
  return sums;
}

/** The same of chats in a pseudo-terminal, each to the first request of a message that is typed at once. */
async function profiledChats(world: World, program: string, runs: number): Promise<Map<string, number>> {
  const workspace = makeWorkspace(join(world.folder, "work-chat"), 3);
  const listener = await startListener();
  const parts: Map<string, number>[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const folder = join(world.folder, `chat-profile-${run}`);
      const end = await chatToRequest(listener.asked(), {
        argv: ["--cpu-prof", `--cpu-prof-dir=${folder}`, program, "chat", "-m", "openai:bench"],
        env: world.env(listener.baseUrl, join(world.folder, "chat-home")),
        cwd: workspace,
      });
      // That of the main thread.
      const file = readdirSync(folder).find((name) => /[.]0[.]\d+[.]cpuprofile$/u.test(name)) ?? "";
      parts.push(partsOf(readProfile(join(folder, file)), end));
    }
  } finally {
    listener.close();
  }
  // The first makes what the others find.
  return meanOf(parts.slice(1));
}

/** @returns when the request came: microseconds of the clock that only goes on. The chat is over by then: its profile is written. */
async function chatToRequest(
  asked: Promise<number>,
  { argv, ...options }: { argv: string[]; env: NodeJS.ProcessEnv; cwd: string },
): Promise<number> {
  const chat = spawn(process.execPath, argv, { cols: 100, rows: 30, ...options });
  const ended = new Promise<void>((resolve) => chat.onExit(() => resolve()));
  const prompt = new Promise<void>((resolve) => {
    chat.onData((data) => data.includes("❯") && resolve());
  });
  try {
    await within("the prompt", prompt);
    chat.write("hello\r");
    await within("the first request", asked);
    return Number(process.hrtime.bigint() / 1_000n);
  } finally {
    chat.kill("SIGTERM");
    await within("the chat's end", ended).finally(() => chat.kill("SIGKILL"));
  }
}

const whole = (parts: Map<string, number>): number => [...parts.values()].reduce((sum, ms) => sum + ms, 0);

/** What the start takes is in both. @returns milliseconds by part of one step of `many`. */
const stepOf = (one: Map<string, number>, many: Map<string, number>, steps: number): Map<string, number> =>
  new Map(
    [...one.keys(), ...many.keys()].map((part) => [part, ((many.get(part) ?? 0) - (one.get(part) ?? 0)) / (steps - 1)]),
  );

function printed(columns: Readonly<Record<string, Map<string, number>>>): string {
  const all = Object.values(columns);
  const share = (ms: number, of: number): string =>
    `${ms.toFixed(1)} ms`.padStart(9) + `${Math.round((100 * ms) / of)} %`.padStart(6);
  const row = (what: string, cells: readonly string[]): string => `| ${[what.padEnd(38), ...cells].join(" | ")} |`;
  const names = [...new Set(all.flatMap((parts) => [...parts.keys()]))]
    .filter((part) => all.some((parts) => (parts.get(part) ?? 0) > whole(parts) / 60))
    .toSorted((a, b) => (all[0]?.get(b) ?? 0) - (all[0]?.get(a) ?? 0));
  return [
    row(
      "what takes the processor",
      Object.keys(columns).map((name) => name.padEnd(15)),
    ),
    row(
      "-".repeat(38),
      all.map(() => "-".repeat(15)),
    ),
    ...names.map((part) =>
      row(
        part,
        all.map((parts) => share(parts.get(part) ?? 0, whole(parts))),
      ),
    ),
    row(
      "all",
      all.map((parts) => share(whole(parts), whole(parts))),
    ),
  ].join("\n");
}

/** What scripts/build.mjs builds with, plain JavaScript. */
interface Bundling {
  commandEntries: Record<string, string>;
  bundleCommand(entries: Record<string, string>, folder: string, more: { sourcemap: true }): Promise<unknown>;
}

/** A build beside the ordinary one, from which a program is started like it. */
async function build(): Promise<{ program: string; folder: string }> {
  const folder = mkdtempSync(join(root, ".dist-"));
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  const bundling = (await import(new URL("../scripts/build/bundle.mjs", import.meta.url).href)) as Bundling;
  const { agent = "", program = "" } = bundling.commandEntries;
  await bundling.bundleCommand({ agent, program }, join(folder, "dist", "app"), { sourcemap: true });
  await runToEnd(process.execPath, [join(root, "scripts", "build", "warm-up.mjs"), join(folder, "dist")]);
  return { program: join(folder, "bin", "agent.js"), folder };
}

const world = openWorld();
const { program, folder } = await build();
try {
  const steps = 200;
  const one = await profiled(world, program, 1, 10);
  const many = await profiled(world, program, steps, 3);
  const chat = await profiledChats(world, program, 11);
  console.log(printed({ "one step": one, "a later step": stepOf(one, many, steps), "first request": chat }));
} finally {
  rmSync(folder, { recursive: true, force: true });
  world.close();
}
