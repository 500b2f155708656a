import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groupRuns } from "../../src/process/process-group.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { filesWith } from "../support/secret-forms.ts";

const write = (content: string, file_path = "a.txt") => asks("write_file", { file_path, content });
const free = ["--mode", "accept-edits"];

const settings = (place: Place, event: string, command: string, more: object = {}) =>
  writeFileSync(
    join(place.home, "config.json"),
    JSON.stringify({ hooks: { [event]: [{ ...more, hooks: [{ type: "command", command }] }] } }),
  );
const heard = (place: Place): string => JSON.stringify(place.server.requests.at(-1)?.body.messages);

describe("hooks that a project names", () => {
  it.each([["not trusted"], ["trusted"]])("are never run, and that is told, in a project that is %s", async (how) => {
    const place = await openPlace([write("x\n"), says("Written.")]);
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: `touch "${place.path("ran")}"` }] }] };
    for (const file of [".holdfast/config.json", ".claude/settings.json"])
      await place.write(file, JSON.stringify({ hooks }));
    if (how === "trusted") await place.run(["trust", "--yes"]);
    const done = await place.json(["run", "write", ...free]);
    expect(done.code).toBe(0);
    expect(place.has("ran")).toBe(false);
    expect(done.of("notice").filter(({ code }) => code === "hooks_ignored")).toHaveLength(1);
  });
});

describe("a program in the workspace", () => {
  it("is not run in the place of one that a hook names, whatever PATH says", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    await place.write("bin/check", `#!/bin/sh\ntouch "${place.path("ran")}"\n`);
    chmodSync(place.path("bin/check"), 0o755);
    settings(place, "PreToolUse", "check");
    const PATH = `${place.path("bin")}:.:bin:${process.env["PATH"]}`;
    const done = await place.json(["run", "write", ...free], { env: { PATH } });
    expect(place.has("ran")).toBe(false);
    // What was to look at the call could not: it is not run.
    expect(done.code).toBe(10);
    expect(heard(place)).toContain("could not be run");
  });

  it("that a hook names by its whole path is not written by a call", async () => {
    const place = await openPlace([write("#!/bin/sh\n", "check.sh"), says("No.")], {
      "check.sh": "#!/bin/sh\nexit 0\n",
    });
    settings(place, "Stop", `sh ${place.path("check.sh")}`);
    const done = await place.json(["run", "write", "--mode", "full-auto"]);
    expect(done.end.calls).toMatchObject({ success: 0, cancelled: 1 });
    expect(await place.read("check.sh")).toBe("#!/bin/sh\nexit 0\n");
  });
});

describe("a file that a hook names", () => {
  it("is sealed where it is not there yet, and behind blanks in quotes; one that cannot be looked at stops nothing", async () => {
    const place = await openPlace([write("#!/bin/sh\n", "late.sh"), write("#!/bin/sh\n", "a b.sh"), says("No.")]);
    const command = `case $0 in /${"x".repeat(300)}) ;; esac; sh ${place.path("late.sh")}; sh "${place.path("a b.sh")}"; true`;
    settings(place, "Stop", command);
    const done = await place.json(["run", "write", "--mode", "full-auto"]);
    expect(done.end.calls).toMatchObject({ success: 0, cancelled: 2 });
    expect([place.has("late.sh"), place.has("a b.sh")]).toEqual([false, false]);
  });
});

describe("what a hook says", () => {
  it("is told without characters that cannot be seen, and no more of it than is read", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    settings(place, "PreToolUse", `printf 'no\\033[2J\\033]0;x\\007 \\342\\200\\256way%08000d' 1 >&2; exit 2`);
    const done = await place.json(["run", "write", ...free]);
    expect(done.code).toBe(10);
    const reason = done.of("decision")[0]?.reason ?? "";
    expect(reason).not.toMatch(/[\u0000-\u0008\u001b\u202e]/u);
    expect(reason.length).toBeLessThan(4_300);
    expect(heard(place)).not.toMatch(/\\u001b|\u202e/u);
  });

  it("may be without end: it is bounded, and an answer that is cut blocks the call", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    settings(place, "PreToolUse", `printf '{"a":"'; head -c 30000000 /dev/zero | tr '\\0' x; printf '"}'`);
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 10 });
    expect(heard(place)).toContain("its answer on stdout is no JSON that can be read");
    expect(place.has("a.txt")).toBe(false);
  });

  it.each([
    [{ permissionDecision: ["allow"] }, "its permissionDecision is none that is known"],
    [{ permissionDecision: "Deny" }, "its permissionDecision is none that is known"],
    [{ updatedInput: "rm" }, "its updatedInput is no object"],
  ])("in another form than was meant (%j) blocks the call", async (own, why) => {
    const place = await openPlace([write("x\n"), says("No.")]);
    settings(place, "PreToolUse", `echo '${JSON.stringify({ hookSpecificOutput: own })}'`);
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 10 });
    expect(heard(place)).toContain(why);
    expect(place.has("a.txt")).toBe(false);
  });

  it("has no part of a secret's value where it is cut", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    await place.run(["secrets", "set", "PASS", "--stdin"], { stdin: "hunter2-hunter2\n" });
    settings(place, "PreToolUse", `printf '%03990d' 0 >&2; echo hunter2-hunter2 >&2; exit 2`);
    const done = await place.json(["run", "write", ...free]);
    expect(done.code).toBe(10);
    expect(done.stdout + heard(place)).not.toContain("hunter2");
  });

  it("has no value of a secret, wherever the hook has it from", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    expect(await place.run(["secrets", "set", "PASS", "--stdin"], { stdin: "hunter2-hunter2\n" })).toMatchObject({
      code: 0,
    });
    settings(place, "PreToolUse", "echo it is hunter2-hunter2 >&2; exit 2");
    const done = await place.json(["run", "write", ...free]);
    expect(done.code).toBe(10);
    expect(heard(place)).toContain("no: it is <secret>PASS</secret>");
    expect(heard(place) + done.stdout + done.stderr).not.toContain("hunter2-hunter2");
    const left = filesWith(place.home, "hunter2-hunter2", ["secrets"]);
    expect(left.filter((form) => !form.includes("config.json"))).toEqual([]);
  });

  it("does not get the agent's secrets to say", async () => {
    const place = await openPlace([write("x\n"), says("Written.")]);
    settings(place, "PreToolUse", `env > "${join(place.home, "env")}"; pwd >> "${join(place.home, "env")}"`);
    await place.json(["run", "write", ...free]);
    const env = readFileSync(join(place.home, "env"), "utf8");
    expect(env).not.toContain("OPENAI_API_KEY");
    expect(env).toContain(place.workspace);
  });
});

describe("what was heard of a hook", () => {
  it("holds for a process that comes after, whichever hooks are set by then", async () => {
    const place = await openPlace([
      asks("write_file", { file_path: "a.txt", content: "a\n" }, write("b\n", "b.txt")),
      says("No."),
    ]);
    const at = join(place.home, "at");
    settings(place, "PreToolUse", `grep -q a.txt && { echo not a >&2; exit 2; }; echo x > "${at}"; exec sleep 600`);
    const running = place.spawn(["run", "write", "--json", ...free]);
    await expect.poll(() => existsSync(at)).toBe(true);
    running.child.kill("SIGKILL");
    await running.done;
    const session = JSON.parse(running.stdout().split("\n")[0] ?? "").session;
    writeFileSync(join(place.home, "config.json"), "{}");
    const again = await place.json(["resume", session, ...free]);
    await place.json(["resume", session, "--approve", "all", ...free]);
    expect([place.has("a.txt"), again.of("decision")[0]]).toMatchObject([false, { decision: "deny", rule: "hook" }]);
    expect(heard(place)).toContain("no more) says no: not a");
  });

  it("is nothing where it was ended because its process left: then the call is asked about", async () => {
    const place = await openPlace([write("x\n"), says("No.")]);
    const at = join(place.home, "at");
    settings(place, "PreToolUse", `echo x > "${at}"; exec sleep 600`);
    const running = place.spawn(["run", "write", "--json", ...free]);
    await expect.poll(() => existsSync(at)).toBe(true);
    running.child.kill("SIGTERM");
    await running.done;
    const session = JSON.parse(running.stdout().split("\n")[0] ?? "").session;
    const again = await place.json(["resume", session, ...free]);
    expect([again.code, again.of("decision")]).toEqual([11, []]);
  });
});

describe("a process that is killed while a hook is asked about the last words", () => {
  it.each([["SIGKILL"], ["SIGTERM"]] as const)(
    "has them by then: after %s the model is not asked for them again",
    async (signal) => {
      const place = await openPlace([says("All done."), says("Never asked for.")]);
      const pid = join(place.home, "pid");
      settings(place, "Stop", `echo $$ >> "${pid}"; exec sleep 600`);
      const running = place.spawn(["run", "go", "--json"]);
      await expect.poll(() => existsSync(pid) && readFileSync(pid, "utf8").includes("\n")).toBe(true);
      running.child.kill(signal);
      await running.done;
      const session = JSON.parse(running.stdout().split("\n")[0] ?? "").session;
      const again = await place.json(["resume", session]);
      expect(again).toMatchObject({ code: 0, end: { reason: "done", text: "All done." } });
      expect(place.server.requests).toHaveLength(1);
      const pids = readFileSync(pid, "utf8").trim().split("\n");
      expect([pids.length, groupRuns(Number(pids[0]))]).toEqual([1, false]);
    },
  );

  it("goes on where one before it had said so; what it said is told once", async () => {
    const place = await openPlace([says("All done."), says("Now it is.")]);
    const at = join(place.home, "at");
    const commands = [
      `[ -e "${at}" ] && exit 0; echo not yet >&2; exit 2`,
      `[ -e "${at}" ] && exit 0; echo x > "${at}"; exec sleep 600`,
    ];
    const group = { hooks: commands.map((command) => ({ type: "command", command })) };
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ hooks: { Stop: [group] } }));
    const running = place.spawn(["run", "go", "--json"]);
    await expect.poll(() => existsSync(at)).toBe(true);
    running.child.kill("SIGKILL");
    await running.done;
    const session = JSON.parse(running.stdout().split("\n")[0] ?? "").session;
    const again = await place.json(["resume", session]);
    expect(again).toMatchObject({ code: 0, end: { reason: "done", text: "Now it is." } });
    expect(place.server.requests).toHaveLength(2);
    expect(heard(place).match(/does not let the turn end yet: not yet/g)).toHaveLength(1);
  });
});

describe("a process that is killed while a hook runs", () => {
  it("has it not run again: the call is asked about, and the hook's processes are gone", async () => {
    const place = await openPlace([write("x\n"), says("Written.")]);
    const pid = join(place.home, "pid");
    settings(place, "PreToolUse", `echo $$ >> "${pid}"; exec sleep 600`);
    const running = place.spawn(["run", "write", "--json", ...free]);
    await expect.poll(() => existsSync(pid) && readFileSync(pid, "utf8").includes("\n")).toBe(true);
    running.child.kill("SIGKILL");
    await running.done;
    const session = JSON.parse(running.stdout().split("\n")[0] ?? "").session;
    const again = await place.json(["resume", session, ...free]);
    expect(again.code).toBe(11);
    expect(again.the("approval_requested").calls).toMatchObject([
      {
        callId: "c1",
        verdict: { why: "your hook wants you to be asked: its end was not seen, and it is not run again" },
      },
    ]);
    const pids = readFileSync(pid, "utf8").trim().split("\n");
    expect(pids).toHaveLength(1);
    expect(groupRuns(Number(pids[0]))).toBe(false);
    expect(await place.json(["resume", session, "--approve", "all", ...free])).toMatchObject({ code: 0 });
    expect(await place.read("a.txt")).toBe("x\n");
    expect(readFileSync(pid, "utf8").trim().split("\n")).toHaveLength(1);
  });
});
