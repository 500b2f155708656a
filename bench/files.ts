/**
 * Prints how many files of src/ run only because of one call: the coverage of a run from source whose scripted model makes the call, beside one
 * whose model only answers. What runs as a file is evaluated does not count.
 * usage: npm run bench:files [-- --list]     --list names them
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { spawn } from "@lydell/node-pty";
import { runToEnd } from "./measure.ts";
import { within } from "./screen.ts";
import { childPath, openWorld, type World } from "./world.ts";

const src = new URL("../src/", import.meta.url);
const child = ["--import", import.meta.resolve("tsx"), childPath("files-child.mjs")];

/** How often each function ran, by file below src/ and the function's place. */
type Counts = Map<string, Map<string, number>>;

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[] }[];
}

function countsIn(folder: string): Counts {
  const counts: Counts = new Map();
  const reports = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Coverage);
  for (const { url, functions } of reports.flatMap(({ result }) => result)) {
    if (!url.startsWith(src.href)) continue;
    const file = url.slice(src.href.length).replace(/\?.*/, "");
    const of = counts.get(file) ?? new Map<string, number>();
    counts.set(file, of);
    for (const { functionName, ranges } of functions) {
      const { startOffset = 0, count = 0 } = ranges[0] ?? {};
      const place = `${functionName}@${startOffset}`;
      // The file itself begins at 0; `__name` is tsx's own.
      if (startOffset > 0 && functionName !== "__name" && count > 0) of.set(place, (of.get(place) ?? 0) + count);
    }
  }
  return counts;
}

/** The functions of each file that ran more often than they do as the file is evaluated. */
function ranIn(counts: Counts, evaluated: Counts): Map<string, Set<string>> {
  const ran = new Map<string, Set<string>>();
  for (const [file, functions] of counts) {
    const own = [...functions].filter(([place, count]) => count > (evaluated.get(file)?.get(place) ?? 0));
    if (own.length > 0) ran.set(file, new Set(own.map(([place]) => place)));
  }
  return ran;
}

type Front = "headless" | "screen";
type Call = "none" | "read_file" | "edit_file";

const calls = {
  read_file: { name: "read_file", arguments: { file_path: "a.txt" } },
  edit_file: { name: "edit_file", arguments: { file_path: "a.txt", old_string: "hello", new_string: "good day" } },
} as const;

/** The file of a model that makes the call, if any, and a person that allows it. */
function scriptOf(call: Call): string {
  const lines = [
    { v: 1, kind: "holdfast-script" },
    ...(call === "none" ? [] : [{ calls: [calls[call]] }]),
    { text: "All said." },
    ...(call === "edit_file" ? [{ person: [{ match: { toolName: call }, decision: "approve" }] }] : []),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
  model: string;
}

/** What the chat shows, which a person waits for. */
async function onScreen({ cwd, env, model }: Place, call: Call): Promise<void> {
  const argv = [...child, "chat", "-m", model];
  const chat = spawn(process.execPath, argv, { cols: 100, rows: 30, cwd, env });
  const ended = new Promise<void>((resolve) => chat.onExit(() => resolve()));
  let seen = "";
  chat.onData((data) => {
    seen += data;
  });
  const shows = async (wanted: string): Promise<void> => {
    while (!seen.includes(wanted)) await sleep(50);
    seen = "";
    // What is drawn or loaded behind it comes too, and a question is answered once it was seen long enough.
    await sleep(2_500);
  };
  const type = async (text: string, wanted: string): Promise<void> => {
    chat.write(text);
    await within(wanted, shows(wanted));
  };
  try {
    await within("the prompt", shows("for commands"));
    if (call === "edit_file") await type("go on\r", "good day");
    await type(call === "edit_file" ? "y" : "go on\r", "All said.");
    chat.write("\u0004");
    await within("its end", ended);
  } finally {
    chat.kill();
  }
}

async function counted(world: World, front: Front, call: Call): Promise<Counts> {
  const folder = join(world.folder, `${front}-${call}`);
  const [cwd, home, coverage] = ["work", "home", "coverage"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [cwd, home]) mkdirSync(made, { recursive: true });
  writeFileSync(join(cwd, "a.txt"), "hello\nworld\n");
  writeFileSync(join(folder, "model.ndjson"), scriptOf(call));
  const model = `script:${join(folder, "model.ndjson")}`;
  const env = { ...world.env("http://127.0.0.1:9", home), ...sourceEnv, NODE_V8_COVERAGE: coverage };
  if (front === "screen") await onScreen({ cwd, env, model }, call);
  else await runToEnd(process.execPath, [...child, "run", "-m", model, "--answers", "Go on."], { cwd, env });
  const isEdited = readFileSync(join(cwd, "a.txt"), "utf8").startsWith("good day");
  if (isEdited !== (call === "edit_file")) throw new Error(`${front}, ${call}: the file is not as expected`);
  return countsIn(coverage);
}

const sourceEnv = { TSX_TSCONFIG_PATH: fileURLToPath(new URL("../tsconfig.json", import.meta.url)) };

async function evaluatedOnly(world: World): Promise<Counts> {
  const coverage = join(world.folder, "evaluated");
  const env = { ...process.env, ...sourceEnv, NODE_V8_COVERAGE: coverage };
  await runToEnd(process.execPath, [...child, "--import-all"], { env });
  return countsIn(coverage);
}

const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
const world = openWorld();
try {
  const evaluated = await evaluatedOnly(world);
  console.log("| one call | files that run only because of it | files with functions that do | functions |");
  console.log("| --- | --- | --- | --- |");
  for (const front of ["headless", "screen"] as const) {
    const without = ranIn(await counted(world, front, "none"), evaluated);
    for (const call of ["read_file", "edit_file"] as const) {
      const ran = ranIn(await counted(world, front, call), evaluated);
      const only = [...ran.keys()].filter((file) => !without.has(file)).toSorted();
      const more = [...ran]
        .map(([file, functions]) => [...functions].filter((place) => without.get(file)?.has(place) !== true).length)
        .filter((count) => count > 0);
      const functions = more.reduce((sum, count) => sum + count, 0);
      console.log(`| ${call}, ${front} | ${only.length} | ${more.length} | ${functions} |`);
      if (values.list) console.log(only.join("\n"));
    }
  }
} finally {
  world.close();
}
