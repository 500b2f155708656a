/**
 * Loads the chunks of dist/app (CommonJS, as scripts/build.mjs writes them) with the code that V8 compiled kept on disk, which
 * takes a third off the start. Kept code is used for the same bundle, node version and processor only, and from the places given
 * only: beside the bundle itself and the user's own cache folder; never from a project.
 */
import {
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
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import * as zlib from "node:zlib";

/** Promises that modules of a chunk want awaited before they are used (a WebAssembly that is still being compiled). */
const readyKey = Symbol.for("holdfast.ready");
const keptBundles = 4;

const manifestOf = (app) => JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
const folderName = (id) => `${id}-${process.version}-${process.arch}`;
/** @throws where the chunk is gone: chunks are loaded when they are first needed, and an update replaces them all. */
function sourceOf(app, name) {
  try {
    return `(function(module,exports,require,__import,__url){${readFileSync(join(app, name), "latin1")}\n})`;
  } catch (cause) {
    throw new Error("the agent was replaced while it ran: start it again, its sessions are saved", { cause });
  }
}

/** V8 does not check kept code for damage: the last four bytes are a CRC-32 of the rest. */
function readCompiled(file) {
  try {
    const bytes = readFileSync(file);
    const data = bytes.subarray(0, -4);
    return zlib.crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined;
  } catch {
    return undefined;
  }
}

function withChecksum(data) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(zlib.crc32(data));
  return Buffer.concat([data, sum]);
}

const ready = () => Promise.all(globalThis[readyKey] ?? []);

/**
 * @param {string} app folder of the chunks
 * @param {string[]} caches folders to look for kept code in, in this order
 * @returns {{ load(entry: string): Promise<object>, compiled: boolean }} `load("main")` gives the exports of main.js;
 *   `compiled` is false where no kept code was found
 */
export function openBundle(app, caches) {
  const { id } = manifestOf(app);
  const kept = caches.map((cache) => join(cache, folderName(id))).find((folder) => existsSync(folder));
  const native = createRequire(join(app, "main.js"));
  const loaded = new Map();
  const load = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = join(app, name);
    const cachedData = kept === undefined ? undefined : readCompiled(join(kept, name));
    const script = new Script(sourceOf(app, name), { filename, ...(cachedData ? { cachedData } : {}) });
    const require = (wanted) => (wanted.startsWith("./") ? load(wanted.slice(2)) : native(wanted));
    const url = pathToFileURL(filename).href;
    script.runInThisContext()(module, module.exports, require, loadWhenReady, url);
    return module.exports;
  };
  async function loadWhenReady(specifier) {
    const exports = load(specifier.slice(2));
    await ready();
    return exports;
  }
  return { compiled: kept !== undefined, load: (entry) => loadWhenReady(`./${entry}.js`) };
}

/** Not `recursive`: Node 20 never comes back from it where the system will not make the parent either (below /proc). */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** Removes kept code of bundles that are gone, the oldest first. */
function prune(cache) {
  const folders = readdirSync(cache).map((name) => join(cache, name));
  const age = (folder) => statSync(folder).mtimeMs;
  for (const folder of folders.sort((a, b) => age(b) - age(a)).slice(keptBundles))
    rmSync(folder, { recursive: true, force: true });
}

/** The whole chunk, not only what has run: so the kept code does not depend on which command came first. */
function compile(app, name) {
  setFlagsFromString("--no-lazy");
  try {
    const script = new Script(sourceOf(app, name), { filename: join(app, name) });
    setFlagsFromString("--lazy"); // V8 refuses code that was kept under other flags
    return script.createCachedData();
  } finally {
    setFlagsFromString("--lazy");
  }
}

/**
 * Compiles the bundle in `app` and keeps the code below `cache`, for this node version. All or nothing: a folder that is there is
 * whole, whoever else writes it at the same time. Takes about 0.3 s.
 * @throws where the folder cannot be written
 */
export function keepCompiled(app, cache) {
  const { id, chunks } = manifestOf(app);
  makeFolder(cache);
  const target = join(cache, folderName(id));
  const temporary = mkdtempSync(`${target}.`);
  try {
    for (const name of chunks) writeFileSync(join(temporary, name), withChecksum(compile(app, name)), { mode: 0o600 });
    if (!existsSync(target)) renameSync(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  prune(cache);
}
