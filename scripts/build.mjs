/**
 * Builds dist/: `app/` (the command's chunks, with V8's compiled code beside them), `index.js` (the SDK), `version`,
 * `help.txt`. With --if-stale only where a source is younger than dist/. Run by `prepare`, so `npm ci` of a clone leaves a command that works. One line on success; says what is wrong and exits 1
 * otherwise. The new dist replaces the old one only when it is whole.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { keepCompiled, packChunks } from "../bin/bundle.js";
import { noFaults } from "./build/no-faults.mjs";
import { slim } from "./build/slim.mjs";
import { toCommonJs } from "./build/to-cjs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const started = performance.now();

/** Native, or (zod) shared with the programs that use the SDK. */
const native = ["better-sqlite3"];
const shared = [...native, "@vscode/ripgrep", "zod", "zod/*"];

const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  minify: true,
  target: "node20",
  platform: "node",
  jsx: "automatic",
  // Its default entry finds its parts by a `require` that a bundler cannot see through.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  charset: "ascii",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "silent",
  write: false,
};

/** Bundled CommonJS packages ask for node's modules by `require`. */
const requireBanner = { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' };

async function buildApp(out, plugin) {
  const entryPoints = {
    main: "src/cli/main.ts",
    chat: "src/cli/chat-entry.ts",
    "first-paint": "src/cli/terminal/first-paint.ts",
  };
  const { outputFiles } = await build({
    ...common,
    entryPoints,
    splitting: true,
    outdir: join(out, "app"),
    external: native,
    plugins: [plugin, noFaults()],
  });
  mkdirSync(join(out, "app"));
  const names = new Set(outputFiles.map((file) => basename(file.path)));
  const chunks = await Promise.all(
    outputFiles.map(async (file) => [basename(file.path), await toCommonJs(file.text, names)]),
  );
  const packed = packChunks(chunks.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(out, "app", "chunks"), packed);
  const id = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  writeFileSync(join(out, "app", "package.json"), `${JSON.stringify({ type: "commonjs", id })}\n`);
  return outputFiles.reduce((sum, file) => sum + file.contents.length, 0);
}

async function buildSdk(out, plugin) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: { index: "src/index.ts" },
    outdir: out,
    external: shared,
    banner: requireBanner,
    plugins: [plugin, noFaults()],
  });
  for (const file of outputFiles) writeFileSync(file.path, file.contents);
}

/** The root's help as the program itself prints it, so that `agent --help` needs no program. */
function renderHelp(out) {
  const bundle = pathToFileURL(join(root, "bin", "bundle.js")).href;
  const script = `const { openBundle } = await import(${JSON.stringify(bundle)});
    const { buildProgram } = await openBundle(${JSON.stringify(join(out, "app"))}, []).load("main");
    process.stdout.write(buildProgram(process, async () => {}).helpInformation());`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", cwd: root });
  if (run.status !== 0 || run.stdout === "") throw new Error(`the help could not be rendered: ${run.stderr}`);
  writeFileSync(join(out, "help.txt"), run.stdout);
}

/** Where a start cannot be rehearsed, as without a loopback, the agent starts a little slower. @returns why it could not. */
function keepRehearsed(app, cache) {
  const script = join(root, "scripts", "rehearse.mjs");
  const run = spawnSync(process.execPath, [script, app, cache], { encoding: "utf8", timeout: 60_000 });
  if (run.status === 0) return "";
  keepCompiled(app, cache);
  return `; its start could not be rehearsed: ${(run.error?.message ?? run.stderr).trim().split("\n").slice(-12).join(" ")}`;
}

/** Whether dist/ is younger than everything that it is made from. */
function fresh() {
  const made = statSync(join(root, "dist", "version"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const younger = (path) => statSync(path).mtimeMs > made;
  const folders = ["src", "bin", "scripts"].map((name) => join(root, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return ![...files, join(root, "package.json"), join(root, "package-lock.json")].some(younger);
}

/** @returns {Promise<void>} dist/ is whole, or as it was before */
async function main() {
  const dist = join(root, "dist");
  const out = mkdtempSync(join(root, ".dist-"));
  try {
    const { app, sdk, unmatched } = slim();
    const bytes = await buildApp(out, app);
    await buildSdk(out, sdk);
    if (unmatched().length > 0)
      throw new Error(`nothing was replaced for: ${unmatched().join(", ")} (scripts/build/slim.mjs)`);
    writeFileSync(join(out, "version"), `${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}\n`);
    renderHelp(out);
    const unrehearsed = keepRehearsed(join(out, "app"), join(out, "cache"));
    chmodSync(out, 0o755); // a temporary folder is its maker's alone
    const old = `${out}-old`;
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(out, dist);
    rmSync(old, { recursive: true, force: true });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`built dist/ in ${seconds} s (${Math.round(bytes / 1024)} kB)${unrehearsed}`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

if (!process.argv.includes("--if-stale") || !fresh())
  await main().catch((failure) => {
    console.error(`build failed: ${failure.message}`);
    process.exitCode = 1;
  });
