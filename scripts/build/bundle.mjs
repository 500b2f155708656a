/** How the command and the library are bundled: the whole of what esbuild is told. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noFaults } from "./no-faults.mjs";
import { ownFiles } from "./parts.mjs";
import { toScripts } from "./scripts.mjs";
import { slim } from "./slim.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Files below dist/app. The program is one of them, but for a few parts (`parts.mjs`): who runs has it in memory, and an update that
 * takes the file away takes nothing from them. What reads pages, documents and pictures, and checks by foreign schemas, runs in workers, tools of files in a
 * process, and what stands before a browser in another, each of which starts from a file of its own.
 */
export const commandEntries = {
  agent: "src/cli/compiled/program.ts",
  program: "src/cli/chat-entry.ts",
  "words-zh": "src/words/zh/speak-chinese.ts",
  complete: "src/cli/completion/complete.ts",
  arguments: "src/cli/command-line/arguments.ts",
  "first-paint": "src/cli/terminal/first-paint.ts",
  "page-worker": "src/tools/web/page-worker.ts",
  "pdf-worker": "src/tools/media/pdf-worker.ts",
  "image-worker": "src/tools/media/image-worker.ts",
  "misfits-worker": "src/tools/use/misfits-worker.ts",
  "tool-host": "src/tools/own/child/tool-host.ts",
  "browser-pipe": "src/tools/mcp/browser/browser-pipe.ts",
};

/** What of these becomes scripts: agent.js runs it, with the compiled code that lies beside them. */
const scripts = ["src/cli/chat-entry.ts"];

/** Files of dist/, one for each of the package's exports. */
export const libraryEntries = { index: "src/index.ts", graph: "src/graph.ts" };

/** What servers load by its path, as langgraph.json names it; it stands as deep as what it shares. */
export const serverEntries = { "server/langgraph": "src/langgraph-entry.ts" };

/** Found beside the package: they have a binary in them. */
const native = ["better-sqlite3", "@vscode/ripgrep", "@silvia-odwyer/photon-node"];
/** Of a library there must not be a second copy: its classes would be others than those of the program that uses it. */
const shared = [...native, "zod", "@langchain/*"];

/** Bundled CommonJS packages ask for node's modules by `require`. */
const banner = { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' };

/** The package that a file lies in, the innermost of several. */
const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/**
 * esbuild writes all but patterns in ASCII. One other character in a file, and V8 holds all of it, and reads it at each start, at two
 * bytes a character. A pattern means the same with the character's number in it.
 */
function toAscii(path) {
  const text = readFileSync(path, "utf8");
  const escaped = /(?<!\\)(?:\\\\)*(\\[^\x00-\x7f])/.exec(text)?.[1];
  if (escaped !== undefined) throw new Error(`${path}: ${escaped} in a pattern: leave out its backslash`);
  const ascii = text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (ascii !== text) writeFileSync(path, ascii);
}

/** @returns {Promise<{ bytes: number, packages: string[], metafile: import("esbuild").Metafile }>} packages: whose code is in it */
async function bundle(entryPoints, outdir, options) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    format: "esm",
    target: "node20",
    platform: "node",
    jsx: "automatic",
    minify: true,
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    // Its default entry finds its parts by a `require` that a bundler cannot see through.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    banner,
    metafile: true,
    logLevel: "silent",
    ...options,
  });
  for (const path of Object.keys(metafile.outputs)) toAscii(join(root, path));
  const outputs = Object.values(metafile.outputs);
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs)).map((path) => inPackage.exec(path)?.[1]);
  return {
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    packages: [...new Set(inputs.filter((name) => name !== undefined))].sort(),
    metafile,
  };
}

/**
 * Programs, each with all that it needs but native packages. Parts that are files of their own have their content's digest in their
 * names: a program that runs never loads one of a later version.
 * @param {Record<string, string>} entryPoints names of files in `outdir`, and sources
 * @param {import("esbuild").BuildOptions} more what else esbuild is told
 * @returns {Promise<{ bytes: number, packages: string[], unmet: string[] }>} unmet: what was to be left out, or apart, and was nowhere
 */
export async function bundleCommand(entryPoints, outdir, more = {}) {
  const parts = [noFaults(), slim(), ownFiles(root)];
  const options = {
    external: native,
    splitting: true, // what a program and a part of it share is there once
    chunkNames: "[name]-[hash]",
    plugins: parts.map(({ plugin }) => plugin),
    ...more,
  };
  const made = await Promise.all(
    Object.entries(entryPoints).map(async ([name, source]) => {
      if (!scripts.includes(source)) return bundle({ [name]: source }, outdir, options);
      const made = await bundle({ [name]: source }, outdir, { ...options, banner: {} });
      await toScripts(made.metafile, root, more);
      return made;
    }),
  );
  return {
    bytes: made.reduce((sum, { bytes }) => sum + bytes, 0),
    packages: [...new Set(made.flatMap(({ packages }) => packages))].sort(),
    unmet: parts.flatMap((part) => part.unmet()),
  };
}

/** The SDK: other people's code that a consumer may use too is found beside it, as it is. */
export async function bundleLibrary(entryPoints, outdir) {
  const faults = noFaults();
  const made = await bundle(entryPoints, outdir, {
    external: shared,
    splitting: true, // what the entries share is there once
    chunkNames: "sdk/[name]-[hash]",
    plugins: [faults.plugin],
  });
  return { ...made, unmet: faults.unmet() };
}
