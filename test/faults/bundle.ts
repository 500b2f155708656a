import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The agent with its fault points and with the tools of the fault tests, as one program to be started by node. */
export interface FaultyAgent {
  /** What node is given. */
  readonly program: string;
  /** Where its files are. */
  readonly folder: string;
}

/** The agent's own tools are asked for through the tests', which add to them. */
const withTestTools: Plugin = {
  name: "with-test-tools",
  setup(build) {
    build.onResolve({ filter: /create-default-tools\.ts$/ }, ({ importer }) =>
      importer.endsWith("faulty-tools.ts") ? null : { path: here("faulty-tools.ts") },
    );
  },
};

export const faultyAgentIn = (folder: string): FaultyAgent => ({ program: join(folder, "agent.mjs"), folder });

/** Built once for many starts: from the bundle a start takes a fifth of the time it takes from the source. */
export async function buildFaultyAgent(folder: string): Promise<FaultyAgent> {
  const { slim } = (await import(pathToFileURL(join(root, "scripts", "build", "slim.mjs")).href)) as {
    slim(): { plugin: Plugin };
  };
  await build({
    absWorkingDir: root,
    entryPoints: { agent: here("agent-faulty.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    jsx: "automatic",
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    banner: { js: `import{createRequire as __cr}from"node:module";const require=__cr(${JSON.stringify(root)});` },
    minify: true,
    logLevel: "silent",
    external: ["better-sqlite3", "@vscode/ripgrep"],
    plugins: [withTestTools, slim().plugin],
  });
  // Node finds no packages from a temporary folder.
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}\n');
  return faultyAgentIn(folder);
}

/** The text of all files below a folder: to look for what must not be there. */
export async function textBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}
