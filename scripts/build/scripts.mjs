import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

/** Packages beside the program that are modules. */
const modules = ["@vscode/ripgrep"];

/** What `src/cli/compiled/scripts.ts` calls a script with. */
const head = "(function(exports,require,module,scriptUrl,importPart){'use strict';";

/**
 * Makes scripts of bundled modules, for compiled code can be given to scripts alone: NAME.cjs of NAME.js, a function of what a module
 * finds around it. `import()` is one of these, and a module that awaits something before it can be used exports that as `ready`.
 * @param {import("esbuild").Metafile} metafile of the bundle
 * @param {string} root what its paths go from
 * @param {import("esbuild").BuildOptions} more what else esbuild is told
 */
export async function toScripts(metafile, root, more) {
  for (const [path, { imports }] of Object.entries(metafile.outputs)) {
    if (!path.endsWith(".js")) continue;
    const file = join(root, path);
    const later = imports.filter(({ kind }) => kind === "dynamic-import").map(({ path: to }) => to);
    const parts = new Set(later.filter(isModule).map(asImported));
    const contents = withoutAwait(withParts(readFileSync(file, "latin1"), parts));
    await build({
      stdin: { contents, sourcefile: file, resolveDir: dirname(file) },
      outfile: file.replace(/\.js$/, ".cjs"),
      format: "cjs",
      platform: "node",
      target: "node20",
      minify: true,
      legalComments: "none",
      define: { "import.meta.url": "scriptUrl" },
      supported: { "dynamic-import": false }, // the others become require(), also where the name is worked out
      banner: { js: head },
      footer: { js: "})" },
      logLevel: "silent",
      ...more,
    });
    rmSync(file);
  }

  /** What only `import()` loads: parts, and packages that are modules. All else is CommonJS, or node's own. */
  function isModule(to) {
    return to in metafile.outputs || modules.includes(to);
  }

  /** The metafile names what is bundled too from the root on, the code by its file. */
  function asImported(to) {
    return to in metafile.outputs ? `./${basename(to)}` : to;
  }
}

/** @throws where something that the bundle imports later is not imported by its name */
function withParts(text, names) {
  return [...names].reduce((before, name) => {
    const after = before.replaceAll(`import(${JSON.stringify(name)})`, `importPart(${JSON.stringify(name)})`);
    if (after === before) throw new Error(`import() of ${name} is not where it was`);
    return after;
  }, text);
}

/** The last statement but the exports: esbuild waits there for a module whose own parts wait for something. */
const withoutAwait = (text) =>
  text.replace(/\bawait ([\w$]+\(\));\s*export\{(?=[^}]*\};?\s*(?:\/\/#.*\s*)?$)/, "export const ready=$1;export{");
