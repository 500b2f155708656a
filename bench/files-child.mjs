/**
 * The command from its source, under tsx and V8's coverage. usage: files-child.mjs ARGV...
 * `files-child.mjs --import-all` only evaluates the files of src/ that have no work of their own.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const src = new URL("../src/", import.meta.url);
const argv = process.argv.slice(2);

/** Those that begin their work as they are evaluated, and what only a build makes. */
const entries = /worker\.ts$|tool-host\.ts$|browser-pipe\.ts$|modules\.ts$|langgraph-entry\.ts$|^cli\/compiled\//;

async function importAll() {
  const files = readdirSync(fileURLToPath(src), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /(?<!\.d)\.tsx?$/.test(name) && !entries.test(name)))
    await import(new URL(file, src).href);
}

async function run() {
  const { startChat } = await import(new URL("cli/chat-entry.ts", src).href);
  process.exitCode = await startChat(argv, undefined, process);
}

await (argv[0] === "--import-all" ? importAll() : run());
// Keep-alive connections and the screen's timers would hold it for a while.
process.stdout.write("", () => process.exit());
