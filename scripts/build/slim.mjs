import { readFile } from "node:fs/promises";

/**
 * What the bundle leaves out or replaces, each with its reason. Third-party code only: nothing of src/ is replaced.
 * Every rule must match at least one file, so that an upgrade that moves one is a failed build and not a slow start.
 */

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
  { path: "zod/v4/locales/index.js", contents: () => `export { default as en } from "./en.js";` },
  { path: "yoga-layout/dist/src/index.js", contents: () => yoga },
  { path: "yoga-layout/dist/binaries/yoga-wasm-base64-esm.js", contents: exportedWasm },
  { path: "ink/build/reconciler.js", contents: withoutDevtools },
  { path: "@vscode/ripgrep/lib/index.js", contents: () => ripgrep },
];

/** esbuild plugin; `unmatched()` names the files that no build so far has asked for. */
export function slim() {
  const matched = new Set();
  const plugin = {
    name: "slim",
    setup(build) {
      build.onResolve({ filter: /^langsmith(\/|$)/ }, () => ({ path: "langsmith", namespace: "slim" }));
      build.onLoad({ filter: /^langsmith$/, namespace: "slim" }, () => ({ contents: langsmith }));
      for (const { path, contents } of replaced)
        build.onLoad({ filter: inPackage(path) }, async (file) => {
          matched.add(path);
          return { contents: contents(await readFile(file.path, "utf8")) };
        });
    },
  };
  return { plugin, unmatched: () => replaced.map(({ path }) => path).filter((path) => !matched.has(path)) };
}
