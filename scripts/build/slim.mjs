/**
 * What the command's bundle leaves out of other people's code, each with its reason. Code is left out and never changed: what
 * is left of a library does what it does in its own package. Nothing of src/ is left out here.
 */

/**
 * LangSmith sends conversations to a hosted service. LangChain asks for its classes all the same, and carries what a node of a
 * graph was given in a RunTree: a bare object with the fields that it was made of, as in the original where tracing is off.
 */
const langsmith = `
export class RunTree { constructor(config) { Object.assign(this, config); } }
export class Client {}
export const isRunTree = (value) => value instanceof RunTree;
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

/** Counting tokens, for which the original downloads tables from the network; LangChain estimates where it throws. */
const tiktoken = `
const refuse = async () => { throw new Error("tokens are not counted locally"); };
export { refuse as encodingForModel, refuse as getEncoding };
export const tiktoken_exports = { encodingForModel: refuse, getEncoding: refuse };
`;

/** With LangSmith: a variable that would turn it on (LANGSMITH_TRACING and its like) must not wake what is not there. */
const tracing = `export const isTracingEnabled = (tracingEnabled) => tracingEnabled === true;`;

/** Fifty languages of error messages, of which one is spoken. */
const locales = `export { default as en } from "./en.js";`;

/**
 * A debugger's connection, which DEV=true would open where react-devtools-core happens to be installed: what is loaded in its place
 * is there already.
 */
const devtools = {
  from: /[\\/]node_modules[\\/]ink[\\/]build[\\/]/,
  instead: { path: "node:process", external: true },
};

/** Path in node_modules, and what is there instead. */
const leftOut = {
  "@langchain/core/dist/utils/tiktoken.js": tiktoken,
  "@langchain/core/dist/utils/callbacks.js": tracing,
  "zod/v4/locales/index.js": locales,
};

const atEnd = (path) =>
  new RegExp(`[\\\\/]node_modules[\\\\/]${path.replaceAll(".", "\\.").replaceAll("/", "[\\\\/]")}$`);

/**
 * @returns esbuild's plugin, and `unmet()`: the files that no build has asked for. An upgrade that moves one must be a failed
 *   build, not a program that traces.
 */
export function slim() {
  const unmet = new Set(["langsmith", "ink/build/devtools.js", ...Object.keys(leftOut)]);
  const plugin = {
    name: "slim",
    setup(build) {
      build.onResolve({ filter: /^langsmith(\/|$)/ }, () => ({ path: "langsmith", namespace: "slim" }));
      build.onLoad({ filter: /^langsmith$/, namespace: "slim" }, () => {
        unmet.delete("langsmith");
        return { contents: langsmith };
      });
      build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer }) => {
        if (!devtools.from.test(importer)) return undefined;
        unmet.delete("ink/build/devtools.js");
        return devtools.instead;
      });
      for (const [path, contents] of Object.entries(leftOut))
        build.onLoad({ filter: atEnd(path) }, () => {
          unmet.delete(path);
          return { contents };
        });
    },
  };
  return { plugin, unmet: () => [...unmet] };
}
