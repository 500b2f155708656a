/**
 * Builds dist/: `app/` (the command, with compiled code beside its scripts), `index.js` and its like (the SDK), `version`, `help.txt`, `words.json` (both in each language). With --if-stale only where a
 * source is younger than dist/. Run by `prepare`, so `npm ci` of a clone leaves a command that works. One line on success; says
 * what is wrong and exits 1 otherwise. The new dist replaces the old one only when it is whole.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleCommand, bundleLibrary, commandEntries, libraryEntries, serverEntries } from "./build/bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const started = performance.now();

/** Compiled code beside the scripts. @returns why there is none; the command works without, more slowly */
function compile(out) {
  const script = join(root, "scripts", "build", "warm-up.mjs");
  // Settings for node of whoever builds would make code that no start without them may use.
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR ?? tmpdir() };
  const { status, stderr, error } = spawnSync(process.execPath, [script, out], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 120_000,
  });
  return status === 0
    ? undefined
    : (error?.message ?? (/^\w*Error: .*/m.exec(stderr)?.[0] || `it ended with ${status}`));
}

/** What the program says of itself, so that the help and a completed word need no program. */
function renderWords(out) {
  const program = pathToFileURL(join(out, "app", "agent.js")).href;
  const chinese = pathToFileURL(join(out, "app", "words-zh.js")).href;
  const render = (file, expression, language = "") => {
    const script = `${language}
      const { buildProgram, commandWords, helpLayout } = await import(${JSON.stringify(program)});
      const program = buildProgram(process, await helpLayout(), async () => {});
      ${expression};`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", cwd: root });
    if (run.status !== 0 || run.stdout === "") throw new Error(`${file} could not be rendered: ${run.stderr}`);
    writeFileSync(join(out, file), run.stdout);
  };
  const words = "process.stdout.write(JSON.stringify(commandWords(program)))";
  const speak = `(await import(${JSON.stringify(chinese)})).speakChinese();`;
  render("help.txt", "program.outputHelp()");
  render("help.zh.txt", "program.outputHelp()", speak);
  render("words.json", words);
  render("words.zh.json", words, speak);
}

/** Whether dist/ is younger than everything that it is made from. */
function fresh() {
  const made = statSync(join(root, "dist", "version"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const younger = (path) => statSync(path).mtimeMs > made;
  const folders = ["src", "scripts"].map((name) => join(root, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name)),
  );
  return ![...folders, ...files, join(root, "package.json"), join(root, "package-lock.json")].some(younger);
}

/** @returns {Promise<void>} dist/ is whole, or as it was before */
async function main() {
  const dist = join(root, "dist");
  const out = mkdtempSync(join(root, ".dist-"));
  try {
    const command = await bundleCommand(commandEntries, join(out, "app"));
    const library = await bundleLibrary({ ...libraryEntries, ...serverEntries }, out);
    const unmet = [...command.unmet, ...library.unmet];
    if (unmet.length > 0) throw new Error(`not left out, for it is not where it was: ${unmet.join(", ")}`);
    renderWords(out);
    const uncompiled = compile(out);
    writeFileSync(join(out, "version"), `${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}\n`);
    chmodSync(out, 0o755); // a temporary folder is its maker's alone
    const old = `${out}-old`;
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(out, dist);
    rmSync(old, { recursive: true, force: true });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`built dist/ in ${seconds} s (${Math.round(command.bytes / 1024)} kB)`);
    if (uncompiled !== undefined) console.log(`without compiled code, so that each start takes longer: ${uncompiled}`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

if (!process.argv.includes("--if-stale") || !fresh())
  await main().catch((failure) => {
    console.error(`build failed: ${failure.message}`);
    process.exitCode = 1;
  });
