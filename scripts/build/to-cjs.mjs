import { transform } from "esbuild";

/**
 * One ES module chunk as the body of a CommonJS module with `module, exports, require, __import,
 * __url`. Node 20 keeps V8's compiled
 * code only for scripts it is handed as text (vm.Script), and those cannot be ES modules.
 * @param {string} code minified ES module
 * @param {Set<string>} chunks names of the bundle's files: `import()` of one of them becomes `__import`
 * @returns {Promise<string>} ASCII only, so that it can be read as latin1
 */
export async function toCommonJs(code, chunks) {
  const own = code.replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (whole, name) =>
    chunks.has(name) ? `__import("./${name}")` : whole,
  );
  const result = await transform(own, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    charset: "ascii",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__url" },
    logLevel: "silent",
  });
  return result.code;
}
