import { existsSync } from "node:fs";
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of what is built for the tests of this run; packages are found from there. */
    builds: string;
  }
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder that `make` filled: once in a run of the tests, for the file that needs it first. */
export async function builtOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(inject("builds"), name);
  if (existsSync(folder)) return folder;
  const made = await mkdtemp(join(inject("builds"), ".made-"));
  await make(made);
  await chmod(made, 0o755); // some programs are started as a user with fewer rights
  await rename(made, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
    return rm(made, { recursive: true }); // another file's worker was first
  });
  return folder;
}

/** A program of the tests as one file for node: from its sources a start takes ten times as long. @param source from the root on */
export async function builtProgram(source: string): Promise<string> {
  const file = basename(source).replace(/\.tsx?$/, ".mjs");
  const folder = await builtOnce(source.replaceAll("/", "-"), (made) => bundle(source, join(made, file)));
  return join(folder, file);
}

async function bundle(source: string, outfile: string): Promise<void> {
  const { slim } = (await import(pathToFileURL(join(root, "scripts", "build", "slim.mjs")).href)) as {
    slim(): { plugin: Plugin };
  };
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    external: ["better-sqlite3", "@vscode/ripgrep", "@lydell/node-pty"],
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    logLevel: "silent",
    plugins: [slim().plugin],
  });
}
