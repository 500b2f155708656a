import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, runNode, tempFolder } from "./support/run.ts";

/** A copy of the install with a native module of its own, in a folder whose name has a blank. */
function install(): { app: string; driver: string } {
  const app = join(tempFolder(), "an app");
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(root, name), join(app, name), { recursive: true });
  const modules = join(app, "node_modules");
  mkdirSync(modules);
  for (const name of ["bindings", "file-uri-to-path", "zod", "@vscode", "@silvia-odwyer"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  const driver = join(modules, "better-sqlite3");
  cpSync(join(root, "node_modules", "better-sqlite3", "lib"), join(driver, "lib"), { recursive: true });
  cpSync(join(root, "node_modules", "better-sqlite3", "package.json"), join(driver, "package.json"));
  return { app, driver };
}

function runIn(app: string, ...args: string[]) {
  const home = tempFolder();
  const ran = runNode([join(app, "bin", "agent.js"), ...args], { env: { AGENT_HOME: home }, cwd: tempFolder() });
  return { ...ran, left: readdirSync(home) };
}

const mended = (app: string): string => `npm rebuild --prefix '${app}' better-sqlite3`;

test("a native module that was not built is one sentence with the command that mends it, whatever needs the store", () => {
  const { app } = install();
  const ways = [
    ["run", "hi", "-m", "demo"],
    ["chat", "-m", "demo"],
    ["resume"],
    ["resume", "brisk-otter", "--approve", "all"],
    ["sessions"],
    ["sessions", "show", "brisk-otter"],
    ["sessions", "prune"],
    ["stats"],
    ["undo"],
  ];
  for (const way of ways) {
    const ran = runIn(app, ...way);
    expect({ way, code: ran.code }).toEqual({ way, code: 52 });
    expect(ran.stderr).toMatch(
      /^agent: the store needs better-sqlite3, a native module, which was not built here \(Node v/,
    );
    expect(ran.stderr.trimEnd().endsWith(`; build it: ${mended(app)}`)).toBe(true);
    expect(ran.stderr).not.toMatch(/defect|internal|\n\s+at /);
    expect(ran.left).not.toContain("logs");
  }
});

test("one built for another Node or machine is told apart, and so is one that is not there", () => {
  const { app, driver } = install();
  mkdirSync(join(driver, "build", "Release"), { recursive: true });
  writeFileSync(join(driver, "build", "Release", "better_sqlite3.node"), "of another machine");
  const foreign = runIn(app, "sessions", "--json");
  expect(foreign.code).toBe(52);
  expect(foreign.stderr).toContain("was built for another Node or machine than this");
  expect(foreign.stderr).toContain(mended(app));
  expect(JSON.parse(foreign.stdout.split("\n")[0] ?? "")).toMatchObject({ type: "error", code: "CONFIGURATION" });

  rmSync(driver, { recursive: true });
  const gone = runIn(app, "sessions");
  expect(gone.code).toBe(52);
  expect(gone.stderr).toContain("is not installed here");
  expect(gone.stderr).toContain(`npm install --no-save --omit=dev --prefix '${app}' better-sqlite3@`);
});

test("doctor says it once, and examines what needs no store", () => {
  const { app } = install();
  const { code, stdout } = runIn(app, "doctor", "--json");
  expect(code).toBe(1);
  const findings = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { what: string; text: string });
  expect(findings.filter(({ text }) => text.includes("better-sqlite3")).map(({ what }) => what)).toEqual(["store"]);
  expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining(["node", "rules", "model", "search"]));
});
