import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";
import { RawStore } from "../support/raw-store.ts";
import { processesOf } from "../support/under-way.ts";

const shell = (command: string, more: object = {}) => asks("shell", { command, ...more });
const edit = (file_path: string, old_string: string, new_string: string) =>
  asks("edit_file", { file_path, old_string, new_string });

/** A sleep that nothing else on this machine is in. */
const sleep = (name: number): string => `sleep ${name}.${process.pid}`;

/** What is kept of the output of its calls. */
function keptOf(place: Place): string[] {
  const db = new RawStore(join(place.home, "agent.db"));
  const rows = db.column("SELECT bytes FROM call_output") as Buffer[];
  db.close();
  return rows.map(String);
}

const policy = (place: Place, ...rules: object[]): Promise<void> =>
  place.write("../home/policy.json", JSON.stringify({ rules }));

describe("a turn with commands", () => {
  it("mends what the tests find: edit, npm test fails, edit, npm test passes, and it is done", async () => {
    const place = await openPlace(
      [
        edit("add.js", "a - b", "a * b"),
        shell("npm test", { description: "run the tests" }),
        edit("add.js", "a * b", "a + b"),
        shell("npm test"),
        says("Mended."),
      ],
      {
        "package.json": '{"scripts": {"test": "node check.js"}}',
        "add.js": "module.exports = (a, b) => a - b;\n",
        "check.js":
          "const sum = require('./add.js')(2, 3);\nif (sum !== 5) { console.error('2 + 3 is ' + sum); process.exit(1); }\n",
      },
    );
    const ran = await place.json(["run", "mend it", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Mended.", calls: { success: 4, error: 0 } } });
    const tools = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect(String(tools[1]?.content)).toMatch(/2 \+ 3 is 6\n\(exit code 1\)$/);
    expect(String(tools[3]?.content)).toMatch(/\(exit code 0\)$/);
    const ends = ran
      .of("tool_call")
      .flatMap(({ call }) => ("result" in call && call.toolName === "shell" ? [call.result] : []));
    expect(ends.map((result) => result?.metadata)).toEqual([{ exitCode: 1 }, { exitCode: 0 }]);
    expect(ran.of("tool_progress").some(({ text }) => text?.includes("2 + 3 is 6"))).toBe(true);
  });

  it("does not run a line of which one part is denied, wherever it stands", async () => {
    const place = await openPlace([shell("echo a > a.txt; ls | xargs rm -f keep.txt"), says("Not done.")], {
      "keep.txt": "k",
    });
    await policy(place, { tool: "shell", command: "rm *", decision: "deny", why: "nothing is removed here" });
    const ran = await place.json(["run", "clean up", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 10, end: { calls: { cancelled: 1 } } });
    expect([place.has("a.txt"), place.has("keep.txt")]).toEqual([false, true]);
    expect(place.heard(1, -1)).toContain("nothing is removed here");
  });

  it("starts a server in the background, reads what it says, and stops it", async () => {
    const server =
      "node -e 'console.log(`up`); setInterval(() => { console.log(`tick`); fs.appendFileSync(`ticks`, `t`); }, 50)'";
    const mark = `# a server of ${process.pid}`;
    const place = await openPlace([
      shell(`${server} ${mark}`, { background: true }),
      shell("until grep -q ttt ticks 2>/dev/null; do sleep 0.05; done"),
      asks("shell_output", { id: "c1", since: 3 }),
      asks("shell_stop", { id: "c1" }),
      asks("shell_output", { id: "c1" }),
      says("It ran."),
    ]);
    const ran = await place.json(["run", "try the server", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 5 } } });
    const told = (index: number): string => place.heard(index, -1);
    expect(told(1)).toMatch(/runs in the background as c1/);
    expect(told(3)).toMatch(/^(up\n)?(tick\n)+\(it runs; go on with since=\d+\)$/);
    expect(told(4)).toMatch(/\(stopped, ended by SIGTERM\)$/);
    expect(told(5)).toMatch(/tick\n\(ended by SIGTERM\)$/);
    expect(processesOf(mark)).toBe(0);
  });

  it("ends its background jobs with itself", async () => {
    const place = await openPlace([shell(sleep(86_421), { background: true }), says("It runs.")]);
    expect(await place.json(["run", "go", "--mode", "full-auto", ...freely])).toMatchObject({ code: 0 });
    expect(processesOf(sleep(86_421))).toBe(0);
  });

  it("adds and commits with git", async () => {
    const place = await openPlace([shell("git add -A && git commit -q -m 'first words'"), says("Kept.")], {
      "a.txt": "a\n",
    });
    const git = (...args: string[]) =>
      spawnSync("git", args, { cwd: place.workspace, env: place.env as NodeJS.ProcessEnv, encoding: "utf8" });
    git("init", "-q");
    git("config", "user.email", "t@example.com");
    git("config", "user.name", "T");
    const ran = await place.json(["run", "commit", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(git("log", "--format=%s").stdout).toBe("first words\n");
  });
});

describe("kill -9 while a command runs", () => {
  it("ends the command; its outcome is unknown, once, and --retry all does not repeat it", async () => {
    const place = await openPlace([shell(`${sleep(86_422)}; echo x >> log`), says("So it is.")]);
    const asked = await place.json(["run", "log it"]);
    expect(asked).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    const dying = place.spawn(["resume", asked.session, "--approve", "all", "--json"]);
    await expect.poll(() => processesOf(sleep(86_422))).toBeGreaterThan(0);
    dying.child.kill("SIGKILL");
    await dying.done;
    await expect.poll(() => processesOf(sleep(86_422))).toBe(0);
    const found = await place.json(["resume", asked.session]);
    expect(found).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    expect(found.the("recovery_requested").calls).toMatchObject([
      { callId: "c1", effect: "once", known: expect.stringMatching(/^Outcome unknown: /) },
    ]);
    const retried = await place.json(["resume", asked.session, "--retry", "all"]);
    expect(retried).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    const over = await place.json(["resume", asked.session, "--cancel", "c1"]);
    expect(over).toMatchObject({ end: { text: "So it is." } });
    expect(place.heard(-1, -1)).toMatch(/^Outcome unknown: /);
    expect(place.has("log")).toBe(false);
  });

  it("ends a background job too; a resumed session says that it is gone, and what it said last", async () => {
    const place = await openPlace([
      shell(`echo up and running; exec ${sleep(86_423)}`, { background: true }),
      says("word ", { hangAfter: 1 }),
      asks("shell_output", { id: "c1" }),
      says("Gone."),
    ]);
    const dying = place.spawn(["run", "serve", "--mode", "full-auto", ...freely, "--json"]);
    await dying.shows('"usage"'); // there is a store by then
    await expect.poll(() => keptOf(place)).toEqual(["up and running\n"]);
    dying.child.kill("SIGKILL");
    await dying.done;
    await expect.poll(() => processesOf(sleep(86_423))).toBe(0);
    const session = (JSON.parse(dying.stdout().split("\n")[0] ?? "") as { session: string }).session;
    const on = await place.json(["resume", session, "and now?"]);
    expect(on.of("notice").filter(({ code }) => code === "job_gone")).toMatchObject([
      { text: expect.stringMatching(/c1 .*echo up and running.* is gone.*up and running/) },
    ]);
    const told = /^\(This is from the agent.*job c1 \(echo up and running; .*\) is gone: it ended with the process/;
    expect(place.heard(-2, -1)).toMatch(told);
    expect(place.heard(-1, -3)).toMatch(told);
    expect(place.heard(-1, -1)).toMatch(/^up and running\n\(it is gone: /);
    expect(await place.json(["resume", session])).toMatchObject({ code: 0 });
  });
});
