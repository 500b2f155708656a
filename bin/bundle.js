/**
 * Loads the chunks of dist/app (CommonJS, as scripts/build.mjs writes them) with the code that V8 compiled kept on disk, which
 * takes a third off the start. All chunks are parts of one file, and so is their kept code: opening some seventy files takes as
 * long as an empty node. Kept code is used for the same bundle, node version and processor only, and from the places given
 * only: beside the bundle itself and the user's own cache folder; never from a project.
 */
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
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
const largestTable = 1_000_000;

const idOf = (app) => JSON.parse(readFileSync(join(app, "package.json"), "utf8")).id;
const fileName = (id) => `${id}-${process.version}-${process.arch}`;

/**
 * Several texts or pieces of code as one file: the length of a table, the table, the parts.
 * @param {[string, Buffer][]} parts
 * @returns {Buffer}
 */
function packParts(parts) {
  let end = 0;
  const places = parts.map(([name, { length }]) => {
    end += length;
    return [name, [end - length, length]];
  });
  const table = Buffer.from(JSON.stringify(Object.fromEntries(places)));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(table.length);
  return Buffer.concat([size, table, ...parts.map(([, bytes]) => bytes)]);
}

/**
 * Opens such a file and leaves it open: an update that replaces it takes nothing away from who runs.
 * @throws where it is gone or its table is damaged
 */
function openParts(file) {
  const descriptor = openSync(file, "r");
  const bytesAt = (at, length) => {
    const bytes = Buffer.allocUnsafeSlow(length);
    if (readSync(descriptor, bytes, 0, length, at) < length) throw new Error(`${file} is cut off`);
    return bytes;
  };
  const tableSize = bytesAt(0, 4).readUInt32LE(0);
  if (tableSize > largestTable) throw new Error(`${file} has no table`);
  const places = new Map(Object.entries(JSON.parse(bytesAt(4, tableSize).toString())));
  return {
    names: [...places.keys()],
    read(name) {
      const [at, length] = places.get(name) ?? [];
      return at === undefined ? undefined : bytesAt(4 + tableSize + at, length);
    },
  };
}

/** The parts of a file, or undefined where there is none that can be read. */
function partsOrNone(file) {
  try {
    return openParts(file);
  } catch {
    return undefined;
  }
}

function sourceOf(chunks, name) {
  const code = chunks.read(name);
  if (code === undefined) throw new Error(`the bundle has no ${name}`);
  return code.latin1Slice();
}

/**
 * The chunks of a bundle as the file that `openBundle` reads.
 * @param {[string, string][]} chunks names and code, ASCII only
 */
export const packChunks = (chunks) =>
  packParts(
    chunks.map(([name, code]) => [
      name,
      Buffer.from(`(function(module,exports,require,__import,__url){${code}\n})`, "latin1"),
    ]),
  );

/** V8 does not check kept code for damage: the last four bytes are a CRC-32 of the rest. */
function readCompiled(kept, name) {
  try {
    const bytes = kept?.read(name);
    const data = bytes?.subarray(0, -4);
    return data && zlib.crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined;
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
 * @param {string} app folder of the bundle
 * @param {string[]} caches folders to look for kept code in, in this order
 * @returns {{ load(entry: string): Promise<object>, compiled: boolean, scripts: Map<string, Script> }} `load("main")` gives the
 *   exports of main.js; `compiled` is false where no kept code was found; `scripts` are the chunks loaded so far
 */
export function openBundle(app, caches) {
  const name = fileName(idOf(app));
  const kept = caches.map((cache) => partsOrNone(join(cache, name))).find((parts) => parts !== undefined);
  const chunks = openParts(join(app, "chunks"));
  const native = createRequire(join(app, "main.js"));
  const folder = pathToFileURL(app).href;
  const loaded = new Map();
  const scripts = new Map();
  const load = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    const cachedData = readCompiled(kept, name);
    const filename = join(app, name);
    const script = new Script(sourceOf(chunks, name), { filename, ...(cachedData ? { cachedData } : {}) });
    loaded.set(name, module);
    scripts.set(name, script);
    const require = (wanted) => (wanted.startsWith("./") ? load(wanted.slice(2)) : native(wanted));
    script.runInThisContext()(module, module.exports, require, loadWhenReady, `${folder}/${name}`);
    return module.exports;
  };
  async function loadWhenReady(specifier) {
    const exports = load(specifier.slice(2));
    await ready();
    return exports;
  }
  return { compiled: kept !== undefined, scripts, load: (entry) => loadWhenReady(`./${entry}.js`) };
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
  const files = readdirSync(cache).map((name) => join(cache, name));
  const age = (file) => statSync(file).mtimeMs;
  for (const file of files.sort((a, b) => age(b) - age(a)).slice(keptBundles))
    rmSync(file, { recursive: true, force: true });
}

/** The whole chunk, not only what has run: so the kept code does not depend on which command came first. */
function compile(app, chunks, name) {
  setFlagsFromString("--no-lazy");
  try {
    const script = new Script(sourceOf(chunks, name), { filename: join(app, name) });
    setFlagsFromString("--lazy"); // V8 refuses code that was kept under other flags
    return script.createCachedData();
  } finally {
    setFlagsFromString("--lazy");
  }
}

/**
 * Compiles the bundle in `app` and keeps the code below `cache`, for this node version. A file that is there is whole, whoever
 * else writes it at the same time. Takes about 0.3 s.
 * @param {string} app folder of the bundle
 * @param {string} cache
 * @param {Map<string, Script>} [rehearsed] chunks of which only what has run is kept
 * @throws where it cannot be written
 */
export function keepCompiled(app, cache, rehearsed = new Map()) {
  const chunks = openParts(join(app, "chunks"));
  makeFolder(cache);
  const target = join(cache, fileName(idOf(app)));
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const parts = chunks.names.map((name) => {
      const code = rehearsed.get(name)?.createCachedData() ?? compile(app, chunks, name);
      return [name, withChecksum(code)];
    });
    writeFileSync(temporary, packParts(parts), { mode: 0o600 });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
  prune(cache);
}
