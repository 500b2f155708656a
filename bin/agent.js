#!/usr/bin/env node
/**
 * The command `agent`: looks at the arguments and loads the least that they need. Everything else is in dist/, which
 * scripts/build.mjs makes. Nothing is kept between starts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** What `src/core/too-many-files.ts` says, which cannot be loaded then. */
const tooManyFiles =
  "too many open files: this process may have no more files open; allow more, then try again: ulimit -n 1024";

/** What is said where the program itself cannot be loaded; `words-zh.js` has the same in Chinese. */
const words = {
  oldNode: (version) => `agent needs Node 20.20 or later; this is ${version}.`,
  windows: () => "agent does not run on Windows: it relies on POSIX files and processes. Use it inside WSL.",
  notBuilt: (folder) => `agent is not built: run \`npm run build\` in ${folder}.`,
  tooManyFiles: () => `agent: ${tooManyFiles}`,
  internal: (what) => `agent: internal error: ${what}`,
};

/** In the language of the person; in English where that cannot be loaded either. */
async function say(code, about) {
  const other = chinese ? await import("./words-zh.js").catch(() => undefined) : undefined;
  process.stderr.write(`${(other?.words ?? words)[code](about)}\n`);
}

/** Why this machine cannot run the agent, as what is said of it, or undefined. */
function unsupported() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 20)) return ["oldNode", process.version];
  if (process.platform === "win32") return ["windows"];
  if (!existsSync(join(dist, "version"))) return ["notBuilt", join(dist, "..")];
  return undefined;
}

/** `chat` and `resume ID` at a terminal paint their prompt first and load after it; without an id a list may come first. */
function paintsFirst([command, ...rest]) {
  if (command !== "chat" && command !== "resume") return false;
  if (command === "resume" && (rest[0] ?? "-").startsWith("-")) return false;
  if (rest.some((word) => word === "--help" || word === "-h" || word === "--json")) return false;
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
}

/** Locales of people who read Chinese as it is written on the mainland, at a terminal that can show it. */
const chineseLocale = /^zh(?:[-_](?:CN|SG|Hans(?:[-_]\w+)?))?[.]utf-?8(?:@.*)?$/i;

/** The language of what people read: what `--lang` says, else the locale. Whoever reads `--json` is spoken to in English. */
function isChinese(argv, { LC_ALL, LC_MESSAGES, LANG }) {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  if (words.includes("--json")) return false;
  const values = words.map((word, at) => (word === "--lang" ? words[at + 1] : /^--lang=(.*)/.exec(word)?.[1]));
  const asked = values.findLast((value) => value === "zh" || value === "en");
  return asked === undefined ? chineseLocale.test(LC_ALL || LC_MESSAGES || LANG || "") : asked === "zh";
}

/** As wide the help was written down; a narrower terminal gets it anew. */
const helpColumns = 80;

const print = (file) => process.stdout.write(readFileSync(join(dist, file), "utf8"));

/** Ends the process with what is still to be written written: keep-alive connections would hold it for a while. */
function leave(code) {
  process.exitCode = code;
  process.stdout.write("", (lost) => {
    // What was lost is told by the stream's own error, which comes next.
    if (lost) setImmediate(() => process.exit());
    else process.stderr.write("", () => process.exit());
  });
}

const load = (name) => import(new URL(`../dist/app/${name}.js`, import.meta.url).href);

/** What begins with no command (nothing, a flag, a whole sentence) is read as one first. */
async function commandOf(argv) {
  if (/^[^-\s]\S*$/.test(argv[0] ?? "")) return argv;
  return (await load("arguments")).asCommand(argv, process.stdin.isTTY === true && process.stdout.isTTY === true);
}

/** @returns {Promise<number>} the exit code */
async function run(typed, chinese) {
  if (chinese) (await load("words-zh")).speakChinese();
  if (typed[0] === "complete") {
    const known = readFileSync(join(dist, chinese ? "words.zh.json" : "words.json"), "utf8");
    return (await load("complete")).complete(typed.slice(1), JSON.parse(known), process);
  }
  const argv = await commandOf(typed);
  if (!paintsFirst(argv)) return (await load("agent")).main(argv, process);
  const { firstPaint } = await load("first-paint");
  const early = firstPaint({
    stdin: process.stdin,
    stdout: process.stdout,
    env: process.env,
    onInterrupt: () => process.exit(130),
  });
  const { startChat } = await load("agent");
  return startChat(argv, early, process);
}

/** Only a defect comes here, or a part that cannot be opened: one line, not the text of a minified bundle. */
async function crash(failure) {
  if (failure?.code === "EMFILE") {
    await say("tooManyFiles");
    return leave(74);
  }
  await say("internal", failure?.stack?.split("\n", 2).join("") ?? failure);
  return leave(70);
}

/** `--lang` before a flag that ends there, as `--help` does, is a word of its own. */
function withoutLang([first = "", second, ...rest]) {
  const behind = first === "--lang" ? rest : first.startsWith("--lang=") ? [second, ...rest] : [];
  return /^(-h|--help|-V|--version)$/.test(behind[0]) ? behind : undefined;
}

const typed = process.argv.slice(2);
const argv = withoutLang(typed) ?? typed;
const chinese = isChinese(typed, process.env);
const problem = unsupported();
if (problem !== undefined) {
  await say(...problem);
  process.exitCode = 1;
} else if (argv[0] === "--version" || argv[0] === "-V") print("version");
else if ((argv[0] === "--help" || argv[0] === "-h") && !(process.stdout.columns < helpColumns))
  print(chinese ? "help.zh.txt" : "help.txt");
else await run(argv, chinese).then(leave, crash);
