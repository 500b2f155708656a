import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox, freely } from "../support/needs.ts";
import { shellStage } from "../tools/shell/support.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A program that notes that it ran, under this name in this folder. */
function plant(folder: string, name: string, proof: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n: > ${proof}\n`);
  chmodSync(join(folder, name), 0o755);
}

describe("what a command is given", () => {
  it("holds no key of the agent, and nothing that the person did not name", async () => {
    // In a script, for a line that names /proc/self is refused.
    const place = await openPlace([asks("shell", { command: "env; bash look.sh" }), says("Ok.")], {
      "look.sh": "cat /proc/self/environ | tr '\\0' '\\n'\n",
    });
    const env = { ...place.env, AWS_SECRET_ACCESS_KEY: "aws-secret", GH_TOKEN: "gh-secret", MY_OWN: "told" };
    await place.write("../home/config.json", JSON.stringify({ shellEnv: ["MY_OWN"] }));
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...freely], { env });
    expect(ran.code).toBe(0);
    const said = place.heard(1, -1);
    expect(said).toContain("MY_OWN=told");
    expect(said).toContain("AGENT=holdfast");
    expect(said).not.toMatch(/sk-test|aws-secret|gh-secret|OPENAI|AGENT_HOME/);
  });

  it.each(["BASH_ENV", "ENV", "SHELLOPTS", "PATH"])("cannot be made to hold %s by a setting", async (name) => {
    const place = await openPlace();
    await place.write("../home/config.json", JSON.stringify({ shellEnv: [name] }));
    const ran = await place.run(["run", "go"]);
    expect(ran.code).toBe(52);
    expect(ran.stderr).toContain(name);
  });

  it("does not hold what a planted program of the workspace is found by", async () => {
    const proof = join(tempTree(), "ran");
    const folder = tempTree();
    for (const at of [join(folder, "bin"), join(folder, "node_modules", ".bin"), folder])
      for (const name of ["ls", "git", "bwrap", "bash", "sh", "env"]) plant(at, name, proof);
    const PATH = `.:${folder}:${join(folder, "bin")}:node_modules/.bin::${process.env["PATH"]}`;
    for (const sandbox of ["off", "auto"] as const) {
      const { run } = shellStage({ sandbox, env: { ...process.env, PATH } }, folder);
      expect(await run("ls; git --version; env true")).toMatchObject({ metadata: { exitCode: 0 } });
    }
    expect(existsSync(proof)).toBe(false);
  });

  it("lets no start file and no function of the person's shell in", async () => {
    const proof = join(tempTree(), "ran");
    const evil = join(tempTree(), "evil.sh");
    writeFileSync(evil, `: > ${proof}\n`);
    const env = {
      ...process.env,
      BASH_ENV: evil,
      ENV: evil,
      "BASH_FUNC_echo%%": `() { : > ${proof}; }`,
      SHELLOPTS: "xtrace",
      PS4: `$(: > ${proof})`,
    };
    const { run } = shellStage({ env });
    expect(await run("echo hi")).toMatchObject({ output: "hi\n(exit code 0)" });
    expect(existsSync(proof)).toBe(false);
  });
});

describeInSandbox("a command in the sandbox (needs bubblewrap)", () => {
  it("that calls setsid, double-forks and ignores every signal does not outlive its call", async () => {
    const { run, path } = shellStage({ sandbox: "required" });
    const away = `sleep 97532.${process.pid}`;
    await run(
      `(setsid bash -c 'trap "" TERM HUP INT; (while :; do sleep 0.1; : > beat; done) & disown; : > up; ${away}' &) ; while ! [ -e up ]; do sleep 0.05; done`,
    );
    expect(existsSync(path("up"))).toBe(true);
    expect(spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout).not.toContain(away);
  });

  it("reads and writes nothing of the agent's own, by no name of it", async () => {
    // In a script, for a line that names these places is denied before anything runs.
    const script = `for d in "$HOME/home" "/proc/self/root$HOME/home" "/proc/1/root$HOME/home"; do
      cat $d/config.json $d/agent.db; echo '{}' > $d/policy.json; rm -rf $d/agent.db; ls -A $d
    done
    echo '{}' > "$HOME/home/trust.json"; exit 0`;
    const place = await openPlace([asks("shell", { command: "bash ./look.sh" }), says("Ok.")], { "look.sh": script });
    await place.write("../home/config.json", '{"maxSteps": 47}');
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(place.heard(1, -1)).not.toMatch(/maxSteps|SQLite format/);
    expect(readFileSync(join(place.home, "config.json"), "utf8")).toBe('{"maxSteps": 47}');
    expect([existsSync(join(place.home, "policy.json")), existsSync(join(place.home, "trust.json"))]).toEqual([
      false,
      false,
    ]);
    expect(await place.run(["sessions", "verify"])).toMatchObject({ code: 0 });
  });

  it("cannot reach a process outside of it, nor change the kernel's settings, nor mount", async () => {
    const { run, path } = shellStage({ sandbox: "required" });
    // In a script, for a line that names our own process in /proc is refused.
    writeFileSync(
      path("reach.sh"),
      `kill -9 ${process.pid}; cat /proc/${process.pid}/environ; echo 1 > /proc/sys/kernel/core_pattern; echo b > /proc/sysrq-trigger; mount -t tmpfs x /usr; umount /proc/sys; mknod d b 8 0; chroot / true; true`,
    );
    const { output } = await run("bash reach.sh");
    expect(output).toMatch(/No such process/);
    expect(
      output.match(/Read-only file system|Permission denied|must be superuser|not permitted/gi)?.length,
    ).toBeGreaterThanOrEqual(5);
  });
});

describe("a command without the sandbox, in the mode full-auto", () => {
  it.each([
    ["a guarded file that a rule denies too", ".github/ci.yml", 11],
    ["a file that a rule denies to every tool", "secret/plan.md", 11],
    ["a script that git's settings name", "tools/strip.sh", 11],
    ["any other file", "src/a.ts", 0],
  ])("that changes %s unasked: %s", async (_, path, code) => {
    const place = await openPlace([asks("shell", { command: "sh build.sh" }), says("Done.")]);
    await place.write("build.sh", `echo changed > ${path}\n`);
    await place.write(path, "before\n");
    await place.write(".git/HEAD", "ref: refs/heads/main\n");
    await place.write(".git/config", '[filter "a"]\n\tclean = tools/strip.sh\n');
    const denied = { tool: "*", paths: [".github/**", "secret/**"], decision: "deny" };
    await place.write("../home/policy.json", JSON.stringify({ rules: [denied] }));
    const ran = await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
    expect(ran.code).toBe(code);
    expect(readFileSync(place.path(path), "utf8")).toBe("changed\n");
    if (code === 11) expect(ran.the("recovery_requested").calls[0]?.known).toContain(path);
  });

  it("is asked about, unless this run was started so", async () => {
    const place = await openPlace([
      asks("shell", { command: "touch made" }),
      asks("shell", { command: "touch made" }),
      says("Ok."),
    ]);
    await place.write("../home/config.json", JSON.stringify({ sandbox: "off" }));
    expect(await place.json(["run", "go", "--mode", "full-auto"])).toMatchObject({ code: 11 });
    expect(place.has("made")).toBe(false);
    expect(await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"])).toMatchObject({ code: 0 });
    expect(place.has("made")).toBe(true);
  });
});
