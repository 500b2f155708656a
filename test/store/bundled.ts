import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** One bundle of a program beside this file, for all of its processes: loading its sources would take each of them seconds. */
export async function bundled(source: string, folder: string): Promise<string> {
  const program = join(folder, source.replace(/\.ts$/, ".mjs"));
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  await build({
    entryPoints: [join(import.meta.dirname, source)],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    alias: { "better-sqlite3": driver },
    external: [driver, join(dirname(driver), "*")],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  return program;
}
