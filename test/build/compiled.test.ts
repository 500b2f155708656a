import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { agentPath, copyOfInstall, root, runNode, tempFolder } from "./support/run.ts";

/** Whether V8 took the compiled code of the command in a folder, started with these flags; and what it says its name is. */
function started(install: string, flags: readonly string[] = []) {
  const program = pathToFileURL(join(install, "dist", "app", "agent.js")).href;
  const script = `const { scripts, buildProgram } = await import(${JSON.stringify(program)});
    console.log(scripts.tookCode("program"), buildProgram(process, {}, async () => {}).name());`;
  return runNode([...flags, "--input-type=module", "-e", script]);
}

test("the command runs with the code that the build compiled of it", () => {
  expect(started(root)).toEqual({ code: 0, stdout: "true agent\n", stderr: "" });
});

test("a Node with other flags compiles the command itself", () => {
  expect(started(root, ["--no-opt"])).toEqual({ code: 0, stdout: "false agent\n", stderr: "" });
});

test("a command that was edited is what runs, and code of another Node is left aside", () => {
  const install = copyOfInstall();
  const app = join(install, "dist", "app");
  const program = join(app, "program.cjs");
  const text = readFileSync(program, "latin1");
  const edited = text.replaceAll('"agent"', '"other"');
  expect(edited.length).toBe(text.length);
  writeFileSync(program, edited, "latin1");
  expect(started(install)).toEqual({ code: 0, stdout: "false other\n", stderr: "" });
  writeFileSync(program, text, "latin1");
  expect(started(install)).toMatchObject({ stdout: "true agent\n" });
  const record = join(app, "compiled.json");
  writeFileSync(record, readFileSync(record, "utf8").replace(process.version, "v20.20.1"));
  expect(started(install)).toEqual({ code: 0, stdout: "false agent\n", stderr: "" });
});

test("a run writes nothing beside the program, nor any compiled code elsewhere", () => {
  const install = copyOfInstall();
  const app = join(install, "dist", "app");
  const look = () =>
    readdirSync(app).map((name) => [name, statSync(join(app, name)).mtimeMs, statSync(join(app, name)).size]);
  const before = look();
  const home = tempFolder();
  const env = { AGENT_HOME: home, HOME: home, TMPDIR: tempFolder() };
  const ran = runNode([join(install, "bin", "agent.js"), "run", "-m", "demo", "--json", "look"], {
    env,
    cwd: tempFolder(),
  });
  expect(ran.stderr).toBe("");
  expect(look()).toEqual(before);
  const left = readdirSync(home, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => /\.(code|cjs)$|cache/.test(name))).toEqual([]);
});

test("a run without a screen loads no tables of how wide and how long characters are, nor how languages write numbers", () => {
  const folder = tempFolder();
  const told = join(folder, "told.cjs");
  writeFileSync(
    told,
    `const { Segmenter } = Intl;
    Intl.Segmenter = class extends Segmenter {
      constructor(...args) { super(...args); process.stderr.write("parted by characters"); }
    };
    Intl.NumberFormat = new Proxy(Intl.NumberFormat, {
      construct(target, args) { process.stderr.write("grouped"); return new target(...args); },
      apply(target, _, args) { process.stderr.write("grouped"); return target(...args); },
    });
    const { toLocaleString } = Number.prototype;
    Number.prototype.toLocaleString = function (...args) {
      process.stderr.write("grouped");
      return toLocaleString.apply(this, args);
    };`,
  );
  const look = (...more: string[]) =>
    runNode(["--require", told, agentPath, ...more], { env: { AGENT_HOME: join(folder, "home") }, cwd: folder });
  expect(look("run", "-m", "demo", "--json", "look")).toMatchObject({ stderr: "" });
  // It would be seen: what stands in a table is measured.
  expect(look("sessions", "--lang", "zh").stderr).toContain("parted by characters");
  expect(runNode(["--require", told, "-p", "(1234).toLocaleString()"]).stderr).toBe("grouped");
});

test("what the program throws names the place in its script", () => {
  const install = copyOfInstall();
  const program = join(install, "dist", "app", "program.cjs");
  const text = readFileSync(program, "latin1");
  writeFileSync(program, text.replace("'use strict';", "'use strict';throw new Error('broken here');"), "latin1");
  const ran = runNode([join(install, "bin", "agent.js"), "tools"], { env: { AGENT_HOME: tempFolder() } });
  expect(ran.code).toBe(70);
  expect(ran.stderr).toContain("internal error: Error: broken here");
  expect(ran.stderr).toContain("dist/app/program.cjs:1:");
});
