import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What the bundle leaves out or replaces, each with its reason. Third-party code only: nothing of src/ is replaced.
 * Every rule must match at least one file, so that an upgrade that moves one is a failed build and not a slow start.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));

/** LangSmith traces runs to a hosted service, which this program never does; its shapes are all that LangChain needs. */
const langsmith = `
export class RunTree { constructor(config) { Object.assign(this, config); } }
export class Client {}
export const isRunTree = () => false;
export const isTraceableFunction = () => false;
export const getCurrentRunTree = () => undefined;
export const getDefaultProjectName = () => "default";
export const convertToDottedOrderFormat = (epoch, runId, order = 1) => {
  const microsecondPrecisionDatestring =
    new Date(epoch).toISOString().slice(0, -1) + String(order).padStart(3, "0").slice(0, 3) + "Z";
  const dottedOrder = microsecondPrecisionDatestring.replace(/[-:.]/g, "") + runId;
  return { dottedOrder, microsecondPrecisionDatestring };
};
export const convertPromptToOpenAI = () => { throw new Error("prompts of LangSmith are not supported"); };
`;

/** The original downloads its tables from the network; LangChain estimates where counting throws. */
const tiktoken = `
const refuse = async () => { throw new Error("tokens are not counted locally"); };
export { refuse as encodingForModel, refuse as getEncoding };
export const tiktoken_exports = { encodingForModel: refuse, getEncoding: refuse };
`;

/** LangChain's own tracing is left out with LangSmith: the person's variables for it must not wake what is not there. */
const tracing = `export const isTracingEnabled = () => false;`;

/** A pool, as uuid's own module for node has it: the system is asked once for 256 identifiers and not for each. */
const randomBytes = `
import { randomFillSync } from "node:crypto";
const pool = new Uint8Array(4096);
let at = pool.length;
export default function rng() {
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  return pool.slice(at, (at += 16));
}
`;

/** The environment does not change while a program runs, and asking for a variable costs a call into the system's library. */
function rememberedEnvironment(source) {
  const asked = "process.env?.[name]";
  if (!source.includes(asked)) throw new Error("LangChain reads the environment in another way");
  return `const seen = new Map();
${source.replace(asked, "(seen.has(name) ? seen : seen.set(name, process.env?.[name])).get(name)")}`;
}

/**
 * A graph's node finds its settings in an AsyncLocalStorage, for which node 20 runs code at each promise of the whole program: a
 * fourteenth of a step. Only `interrupt`, the first thing that its node does, looks there: it is still on the stack then.
 */
const directContext = `
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
class DirectContext {
  #store;
  getStore() {
    return this.#store;
  }
  run(store, callback) {
    const before = this.#store;
    this.#store = store;
    try {
      return callback();
    } finally {
      this.#store = before;
    }
  }
  enterWith(store) {
    this.#store = store;
  }
}
export const initializeAsyncLocalStorageSingleton = () =>
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new DirectContext());
`;

/** Stored conversations revive messages and nothing else; the whole map would load every class of LangChain core. */
const importMap = `
import * as messages from "../messages/index.js";
import * as messages__tool from "../messages/tool.js";
export const import_map_exports = { messages, messages__tool };
`;

/**
 * yoga-layout waits for its WebAssembly at the top level, which the bundle's chunks cannot, and fetches it from a data URL, which
 * loads node's whole HTTP client. The object is filled when the WebAssembly stands; whoever loads a chunk waits for that.
 */
const yoga = `
import loadYoga, { wasm } from "../binaries/yoga-wasm-base64-esm.js";
import wrapAssembly from "./wrapAssembly.js";
const Yoga = {};
const instantiateWasm = (imports, receive) => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, "base64")), imports);
  receive(instance);
  return instance.exports;
};
const ready = loadYoga({ instantiateWasm }).then((assembly) => { Object.assign(Yoga, wrapAssembly(assembly)); });
(globalThis[Symbol.for("holdfast.ready")] ??= []).push(ready);
export default Yoga;
export * from "./generated/YGEnums.js";
`;

/** The WebAssembly as an export of its own, in base64. */
function exportedWasm(source) {
  const found = /data:application\/octet-stream;base64,([\w+/]{1000,}=*)/.exec(source);
  if (found === null) throw new Error("yoga-layout keeps its WebAssembly in another way");
  return `${source.replace(found[0], "")}\nexport const wasm = "${found[1]}";`;
}

/** The binary's package is found from its parent's place, so that it is found in every layout of node_modules. */
const ripgrep = `
import { createRequire } from "node:module";
const binary = process.platform === "win32" ? "rg.exe" : "rg";
const here = createRequire(import.meta.url);
const parent = createRequire(here.resolve("@vscode/ripgrep"));
export const rgPath = parent.resolve(\`@vscode/ripgrep-\${process.platform}-\${process.arch}/bin/\${binary}\`);
`;

/** With the global `Headers` node loads the whole of its own fetch, which nobody calls. */
const withLeanHeaders = (source) =>
  `import { LeanHeaders as Headers } from ${JSON.stringify(join(root, "src", "net", "headers.ts"))};\n${source}`;

/** The global `crypto` is that of browsers, all of it; two functions are asked for. */
const withNodeCrypto = (source) =>
  `import { randomFillSync, randomUUID } from "node:crypto";
const crypto = { getRandomValues: randomFillSync, randomUUID };
${source}`;

/** A look into the tables of Unicode costs 20 ms before the first one, which no character of our own screens needs. */
function withNarrowPath(source) {
  const after = "let width = 0;\n\tconst eastAsianWidthOptions";
  if (!source.includes(after)) throw new Error("string-width measures in another way");
  return source.replace(after, `if (ambiguousIsNarrow && ${narrow}.test(string)) return string.length;\n\t${after}`);
}

/** Text of which each character is one cell, wherever it stands. */
export const narrow =
  /^[ -~\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2030-\u203a\u2190-\u2193\u2212\u2298\u2500-\u257f\u25a0-\u25cf\u26a0\u270e\u2713-\u2718\u276f\u2800-\u28ff]*$/;

/** ink's developer tools are off, and with them its waiting at the top level, which the bundle's chunks cannot. */
function withoutDevtools(source) {
  const asked = "process.env['DEV'] === 'true'";
  if (!source.includes(asked)) throw new Error("ink asks for its developer tools in another way");
  return source.replaceAll(asked, "false");
}

const inPackage = (path) => new RegExp(`${path.replaceAll("/", "[\\\\/]").replaceAll(".", "\\.")}$`);
const replaced = [
  { path: "@langchain/core/dist/utils/tiktoken.js", contents: () => tiktoken },
  { path: "@langchain/core/dist/load/import_map.js", contents: () => importMap },
  { path: "@langchain/core/dist/utils/callbacks.js", contents: () => tracing },
  { path: "@langchain/core/dist/utils/uuid/rng.js", contents: () => randomBytes },
  { path: "@langchain/core/dist/utils/env.js", contents: rememberedEnvironment },
  { path: "zod/v4/locales/index.js", contents: () => `export { default as en } from "./en.js";` },
  { path: "yoga-layout/dist/src/index.js", contents: () => yoga },
  { path: "yoga-layout/dist/binaries/yoga-wasm-base64-esm.js", contents: exportedWasm },
  { path: "@langchain/core/dist/utils/uuid/v4.js", contents: withNodeCrypto },
  { path: "openai/internal/headers.mjs", contents: withLeanHeaders },
  { path: "openai/internal/utils/log.mjs", contents: withLeanHeaders },
  { path: "@langchain/openai/dist/utils/azure.js", contents: withLeanHeaders },
  { path: "string-width/index.js", contents: withNarrowPath },
  { path: "ink/build/reconciler.js", contents: withoutDevtools },
  { path: "@vscode/ripgrep/lib/index.js", contents: () => ripgrep },
];
/** For the command alone: a program that uses the SDK may have needs of its own. */
const replacedInApp = [{ path: "@langchain/langgraph/dist/node.js", contents: () => directContext }];

/** esbuild plugins for the command and for the SDK; `unmatched()` names the files that no build so far has asked for. */
export function slim() {
  const matched = new Set();
  const pluginFor = (rules) => ({
    name: "slim",
    setup(build) {
      build.onResolve({ filter: /^langsmith(\/|$)/ }, () => ({ path: "langsmith", namespace: "slim" }));
      build.onLoad({ filter: /^langsmith$/, namespace: "slim" }, () => ({ contents: langsmith }));
      for (const { path, contents } of rules)
        build.onLoad({ filter: inPackage(path) }, async (file) => {
          matched.add(path);
          return { contents: contents(await readFile(file.path, "utf8")) };
        });
    },
  });
  const all = [...replaced, ...replacedInApp];
  return {
    app: pluginFor(all),
    sdk: pluginFor(replaced),
    unmatched: () => all.map(({ path }) => path).filter((path) => !matched.has(path)),
  };
}
