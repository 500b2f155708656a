/**
 * Prints a table of figures, each measured beside something plain in the same run. Never part of the tests.
 * usage: npm run bench -- [--only NAME]... [--write]      names: flags chat idle step installed grep commands judging steps helpers images long talk blocks tools skills stats tree prompts
 * --write puts the table into bench/README.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchBlocks } from "./blocks.ts";
import { benchCommands } from "./commands.ts";
import { benchGrep } from "./grep.ts";
import { benchHelpers } from "./helpers.ts";
import { benchImages } from "./images.ts";
import { benchInstalled } from "./installed.ts";
import { benchJudging } from "./judging.ts";
import { benchLong } from "./long.ts";
import { benchLongTalk } from "./long-talk.ts";
import { benchPrompts } from "./prompts.ts";
import { type Row, table } from "./row.ts";
import { benchSkills } from "./skills.ts";
import { benchChat, benchFlags, benchIdle, benchStep } from "./start.ts";
import { benchStats } from "./stats.ts";
import { benchSteps } from "./steps.ts";
import { benchTools } from "./tools.ts";
import { benchTree } from "./tree.ts";
import { openWorld, type World } from "./world.ts";

const benches: Readonly<Record<string, (world: World) => Promise<Row[]>>> = {
  flags: benchFlags,
  chat: benchChat,
  idle: benchIdle,
  step: benchStep,
  installed: benchInstalled,
  grep: benchGrep,
  commands: benchCommands,
  judging: benchJudging,
  steps: benchSteps,
  helpers: benchHelpers,
  images: benchImages,
  long: benchLong,
  talk: benchLongTalk,
  blocks: benchBlocks,
  tools: benchTools,
  skills: benchSkills,
  stats: benchStats,
  tree: benchTree,
  prompts: benchPrompts,
};

function chosen(only: readonly string[]): string[] {
  const unknown = only.filter((name) => benches[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`no bench is called ${unknown.join(", ")}: ${Object.keys(benches).join(", ")}`);
  return only.length > 0 ? [...only] : Object.keys(benches);
}

const machine = (): string => {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${day}, node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores (${cpu?.model.trim()}), ${memory}`;
};

function write(text: string): void {
  const file = join(import.meta.dirname, "README.md");
  const [before, rest = ""] = readFileSync(file, "utf8").split("<!-- figures -->\n");
  const after = rest.split("<!-- /figures -->")[1];
  if (after === undefined) throw new Error("bench/README.md has no place for the figures");
  writeFileSync(file, `${before}<!-- figures -->\n${text}\n<!-- /figures -->${after}`);
}

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [] }, write: { type: "boolean", default: false } },
});
const rows: Row[] = [];
const world = openWorld();
try {
  for (const name of chosen(values.only)) {
    process.stderr.write(`${name} ...\n`);
    rows.push(...((await benches[name]?.(world)) ?? []));
  }
} finally {
  world.close();
}
const text = `Measured ${machine()}.\n\n${table(rows)}`;
console.log(text);
if (values.write) write(text);
