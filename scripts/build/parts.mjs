import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * What most starts do not need is a file of its own, which is not read until it is asked for: V8 reads a file as a whole. What draws
 * the screen is a fifth of the program, and a run without one never reads it; a message that was typed before it stood is sent before.
 */
const parts = ["src/cli/ui/chat/run-chat.tsx", "src/cli/terminal/highlight-engine.ts", "src/net/undici.ts"];

/** `import("./…")` of a module of ours, with its path; not the `typeof import("./…")` of a type. */
const laterImport = /(?<!typeof )\bimport\(\s*"(\.{1,2}\/[^"]+)",?\s*\)/g;

/**
 * esbuild plugin: `import()` loads a file of its own where one of `parts` is meant. All other modules that are loaded later stay in the
 * program's file, and are evaluated when they are asked for: sixty small files took longer to open than one to read.
 * @returns the plugin, and `unmet()`: the parts that nobody imported. A module that was moved would be read at each start.
 */
export function ownFiles(root) {
  const unmet = new Set(parts);
  const plugin = {
    name: "own-files",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
        const isPart = (specifier) => {
          const part = relative(root, join(path, "..", specifier)).replaceAll("\\", "/");
          unmet.delete(part);
          return parts.includes(part);
        };
        const inside = (imported, specifier) =>
          isPart(specifier) ? imported : `Promise.resolve().then(() => require("${specifier}"))`;
        const contents = readFileSync(path, "utf8").replace(laterImport, inside);
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
  return { plugin, unmet: () => [...unmet] };
}
