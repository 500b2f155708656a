import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, runNode, tempFolder } from "./support/run.ts";

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd, timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
};

interface Manifest {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

/** The package as `npm install` would unpack it, with the packages it depends on and those of its library beside it. */
function install(): { app: string; files: string[] } {
  const folder = tempFolder();
  const packed = JSON.parse(run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root)) as
    | Record<string, { filename: string }>
    | { filename: string }[];
  const [made] = Object.values(packed);
  const modules = join(folder, "node_modules");
  const app = join(modules, "holdfast");
  mkdirSync(app, { recursive: true });
  const tarball = join(folder, made?.filename ?? "");
  const files = run("tar", ["-tzf", tarball], folder).trim().split("\n");
  run("tar", ["-xzf", tarball, "-C", app, "--strip-components=1"], folder);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  for (const scope of ["@vscode", "@langchain"]) mkdirSync(join(modules, scope));
  for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  return { app, files };
}

test("the packed tarball holds what runs and nothing else, and runs with its dependencies only", () => {
  const { app, files } = install();
  const folders = new Set(files.map((file) => file.split("/")[1]));
  expect([...folders].filter((name) => !["bin", "dist", "types"].includes(name ?? "")).sort()).toEqual(
    expect.arrayContaining(["LICENSE", "package.json"]),
  );
  expect(files.filter((file) => /^package\/(src|test|bench|scripts)\//.test(file))).toEqual([]);

  const home = tempFolder();
  const workspace = tempFolder();
  const at = { env: { AGENT_HOME: home }, cwd: workspace };
  const tools = runNode([join(app, "bin", "agent.js"), "tools", "--json"], at);
  expect(tools).toMatchObject({ code: 0, stderr: "" });
  const names = tools.stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { name: string }).name);
  expect(names).toEqual(
    expect.arrayContaining(["read_file", "write_file", "edit_file", "ls", "glob", "grep", "save_memory"]),
  );

  writeFileSync(join(workspace, "a.txt"), "needle\n");
  const program = `
    import { createDefaultTools, executeTool } from "holdfast";
    const workspace = process.argv[1];
    const tools = createDefaultTools({ workspace });
    const ask = async (name, args) => (await executeTool(tools.find((tool) => tool.name === name), args, { workspace })).output;
    console.log(JSON.stringify([await ask("read_file", { file_path: "a.txt" }), await ask("grep", { pattern: "needle" })]));`;
  const used = runNode(["--input-type=module", "-e", program, workspace], { cwd: join(app, "..", "..") });
  expect(used.stderr).toBe("");
  expect(JSON.parse(used.stdout)).toEqual(["     1\tneedle", "a.txt:1:needle"]);
});
