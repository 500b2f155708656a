/**
 * Prints where the processor's time of one step and of each of 200 steps goes, by part: the profiler's samples of a build with source maps,
 * run as the bench runs it. A profiled run takes a tenth to a fifth longer; trust the shares.
 * usage: npm run bench:profile
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runToEnd } from "./measure.ts";
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
  /** Microseconds. */
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

/** Milliseconds by part. */
function partsOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const parts = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    let part: string | undefined;
    for (let at: number | undefined = sample; at !== undefined && part === undefined; at = parents.get(at)) {
      const frame = frames.get(at);
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
  const sums = new Map<string, number>();
  for (const file of readdirSync(folder)) {
    const parts = partsOf(JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile);
    for (const [part, ms] of parts) sums.set(part, (sums.get(part) ?? 0) + ms / runs);
  }
  sums.delete("waiting");
  return sums;
}

function printed(one: Map<string, number>, many: Map<string, number>, steps: number): string {
  const whole = (parts: Map<string, number>): number => [...parts.values()].reduce((sum, ms) => sum + ms, 0);
  const [first, all] = [whole(one), whole(many)];
  // What the start takes is in both.
  const each = (part: string): number => ((many.get(part) ?? 0) - (one.get(part) ?? 0)) / (steps - 1);
  const step = (all - first) / (steps - 1);
  const share = (ms: number, of: number): string =>
    `${ms.toFixed(1)} ms`.padStart(9) + `${Math.round((100 * ms) / of)} %`.padStart(6);
  const names = [...new Set([...one.keys(), ...many.keys()])]
    .filter((part) => (one.get(part) ?? 0) > first / 60 || each(part) > step / 60)
    .toSorted((a, b) => (one.get(b) ?? 0) - (one.get(a) ?? 0));
  const rows = names.map(
    (part) => `| ${part.padEnd(38)} | ${share(one.get(part) ?? 0, first)} | ${share(each(part), step)} |`,
  );
  return [
    `| ${"what takes the processor".padEnd(38)} | one step       | a later step    |`,
    `| ${"-".repeat(38)} | --------------- | --------------- |`,
    ...rows,
    `| ${"all".padEnd(38)} | ${share(first, first)} | ${share(step, step)} |`,
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
  console.log(printed(one, many, steps));
} finally {
  rmSync(folder, { recursive: true, force: true });
  world.close();
}
