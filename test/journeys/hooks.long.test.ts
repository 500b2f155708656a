import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const write = (content: string, file_path = "a.txt") => asks("write_file", { file_path, content });

type Given = { matcher?: string; run: string; timeout?: number };

/** Hooks that are programs of Node's: `run` is their text, `input` what they are told. */
async function hooks(place: Place, events: Record<string, Given[]>, more: object = {}): Promise<void> {
  const made = await Promise.all(
    Object.entries(events).map(async ([event, all]) => {
      const groups = all.map(async ({ matcher, run, timeout }, at) => {
        const file = join(place.home, `${event}-${at}.cjs`);
        const head = `const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
require("node:fs").appendFileSync(${JSON.stringify(join(place.home, "ran"))}, JSON.stringify(input) + "\\n");
const say = (own) => console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: input.hook_event_name, ...own } }));
`;
        await writeFile(file, head + run);
        const command = `"${process.execPath}" "${file}"`;
        return { ...(matcher && { matcher }), hooks: [{ type: "command", command, ...(timeout && { timeout }) }] };
      });
      return [event, await Promise.all(groups)] as const;
    }),
  );
  await writeFile(join(place.home, "config.json"), JSON.stringify({ ...more, hooks: Object.fromEntries(made) }));
}

const ran = (place: Place): Record<string, unknown>[] => {
  const file = join(place.home, "ran");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

const free = ["--mode", "accept-edits"];
const lastHeard = (place: Place): string => JSON.stringify(place.server.requests.at(-1)?.body.messages);

describe("a hook before a call", () => {
  it("blocks it by exit code 2, and the model reads why", async () => {
    const place = await openPlace([write("x\n"), says("I may not.")]);
    await hooks(place, {
      PreToolUse: [{ matcher: "Write", run: `console.error("not on a Friday"); process.exit(2)` }],
    });
    const done = await place.json(["run", "write", ...free]);
    expect(done).toMatchObject({ code: 10, end: { reason: "done", calls: { cancelled: 1, success: 0 } } });
    expect(place.has("a.txt")).toBe(false);
    expect(lastHeard(place)).toContain("says no: not on a Friday");
    expect(ran(place)).toMatchObject([
      {
        hook_event_name: "PreToolUse",
        session_id: done.session,
        cwd: place.workspace,
        tool_name: "Write",
        tool: "write_file",
        tool_use_id: "c1",
        tool_input: { file_path: "a.txt", content: "x\n" },
      },
    ]);
    expect(done.of("decision")).toMatchObject([{ decision: "deny", by: "policy", rule: "hook" }]);
  });

  it("changes arguments: the question has the changed plan, and that is what is applied", async () => {
    const place = await openPlace([write("left\n"), says("Written.")]);
    await hooks(place, {
      PreToolUse: [
        { matcher: "write_file", run: `say({ updatedInput: { ...input.tool_input, content: "right\\n" } })` },
      ],
    });
    const asked = await place.json(["run", "write"]);
    expect(asked.code).toBe(11);
    const [call] = asked.the("approval_requested").calls;
    expect(call).toMatchObject({ arguments: { content: "right\n" } });
    expect(call?.plan.diff).toContain("+right");
    const done = await place.json(["resume", asked.session, "--approve", `c1@${call?.digest}`]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done" } });
    expect(await place.read("a.txt")).toBe("right\n");
    expect(ran(place)).toHaveLength(1);
    expect(lastHeard(place)).toContain("The arguments were changed by the person, or by a hook of theirs");
  });

  it("changes arguments of what policy allows: the changed call is judged anew, and only it is done", async () => {
    const place = await openPlace([write("left\n"), says("Written.")]);
    await hooks(place, { PreToolUse: [{ run: `say({ updatedInput: { file_path: "b.txt", content: "right\\n" } })` }] });
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 0 });
    expect(place.has("a.txt")).toBe(false);
    expect(await place.read("b.txt")).toBe("right\n");
    const guarded = await openPlace([write("left\n"), says("Written.")]);
    await hooks(guarded, {
      PreToolUse: [
        { run: `say({ permissionDecision: "allow", updatedInput: { file_path: ".envrc", content: "x\\n" } })` },
      ],
    });
    expect(await guarded.json(["run", "write", ...free])).toMatchObject({ code: 11 });
    expect(guarded.has(".envrc")).toBe(false);
    const sealed = await openPlace([write("left\n"), says("Written.")]);
    await hooks(sealed, {
      PreToolUse: [{ run: `say({ updatedInput: { file_path: ".git/config", content: "x\\n" } })` }],
    });
    expect(await sealed.json(["run", "write", ...free])).toMatchObject({ code: 10 });
  });

  it.each([
    ["policy then denies", { file_path: ".git/config", content: "x\n" }, "", "cancelled", /^denied by policy: a hook/],
    ["another hook then denies", { file_path: "b.txt", content: "x\n" }, "not b", "cancelled", /says no: not b/],
    ["do not fit", { path: 3 }, "", "error", /a hook of the person's changed the arguments/],
  ])(
    "changes arguments that %s: the call says what was asked, what became of it, and why it was not run",
    async (...of) => {
      const [, input, no, status, why] = of;
      const place = await openPlace([write("left\n"), says("No.")]);
      await hooks(place, {
        PreToolUse: [
          { run: `say({ updatedInput: ${JSON.stringify(input)} })` },
          { matcher: "write_file", run: no === "" ? "" : `console.error(${JSON.stringify(no)}); process.exit(2)` },
        ],
      });
      const done = await place.json(["run", "write", ...free]);
      const call = done
        .of("tool_call")
        .map((event) => event.call)
        .at(-1);
      expect(call).toMatchObject({ status, arguments: input });
      expect(JSON.stringify(call)).toMatch(new RegExp(why.source.replace("^denied by policy: ", "")));
      const [asked, told] = (place.server.requests.at(-1)?.body.messages ?? []).slice(-2);
      expect(JSON.stringify(asked)).toContain("left");
      expect(String(told?.content)).toContain(
        `(The arguments were changed by the person, or by a hook of theirs: ${JSON.stringify(input)})`,
      );
      const page = await place.run(["sessions", "export", done.session, "--md"]);
      expect(page.stdout).toContain("as the model asked for it");
    },
  );

  it("whose arguments do not fit is an error that the model reads", async () => {
    const place = await openPlace([write("x\n"), says("Oh.")]);
    await hooks(place, { PreToolUse: [{ run: `say({ updatedInput: { path: 3 } })` }] });
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 0, end: { calls: { error: 1 } } });
    expect(lastHeard(place)).toContain("a hook of the person's changed the arguments");
  });

  it("has a call asked about that rules and modes would allow; its allow loosens nothing", async () => {
    const place = await openPlace([write("x\n"), says("Written.")]);
    await hooks(place, {
      PreToolUse: [{ run: `say({ permissionDecision: "ask", permissionDecisionReason: "look twice" })` }],
    });
    const asked = await place.json(["run", "write", "--mode", "full-auto", "--allow", "write_file(**)"]);
    expect(asked.code).toBe(11);
    expect(asked.the("approval_requested").calls).toMatchObject([
      { verdict: { why: "your hook wants you to be asked: look twice" } },
    ]);
    expect(await place.json(["resume", asked.session, "--approve", "all"])).toMatchObject({ code: 0 });
    expect(ran(place)).toHaveLength(1);
    const allowing = await openPlace([write("x\n"), says("Written.")]);
    await hooks(allowing, { PreToolUse: [{ run: `say({ permissionDecision: "allow" })` }] });
    expect(await allowing.json(["run", "write"])).toMatchObject({ code: 11 });
    expect(allowing.has("a.txt")).toBe(false);
  });

  it("that hangs is ended with all that it started, and the call is not run", async () => {
    const place = await openPlace([write("x\n"), says("I may not.")]);
    const run = `require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" });
require("node:fs").writeFileSync(${JSON.stringify(join(place.home, "pid"))}, String(process.pid)); setInterval(() => {}, 1000)`;
    await hooks(place, { PreToolUse: [{ run, timeout: 1 }] });
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 10 });
    expect(place.has("a.txt")).toBe(false);
    expect(lastHeard(place)).toContain("it took longer than 1 s, and was ended");
    const pid = Number(readFileSync(join(place.home, "pid"), "utf8"));
    expect(() => process.kill(-pid, 0)).toThrow();
  });

  it("is not asked about what policy denies, nor at a tool that it does not mean", async () => {
    const place = await openPlace([write("x\n", ".git/config"), asks("ls", {}), says("No.")]);
    await hooks(place, { PreToolUse: [{ matcher: "Edit|Write", run: "" }] });
    await place.json(["run", "write", ...free]);
    expect(ran(place)).toEqual([]);
  });
});

describe("a hook after a call", () => {
  it("tells the model what it says, once, also in a session that is gone on with", async () => {
    const place = await openPlace([write("x\n"), says("Written."), says("Still written.")]);
    await hooks(place, {
      PostToolUse: [{ matcher: "Edit|Write", run: `console.error("run the formatter"); process.exit(2)` }],
    });
    const done = await place.json(["run", "write", ...free]);
    expect(done).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(lastHeard(place)).toContain("A hook of the person's says of call c1: run the formatter");
    expect(ran(place)).toMatchObject([
      { hook_event_name: "PostToolUse", tool_response: { output: expect.any(String) } },
    ]);
    await place.json(["resume", done.session, "and now?"]);
    expect(lastHeard(place).match(/run the formatter/g)).toHaveLength(1);
    expect(ran(place)).toHaveLength(1);
  });

  it("may change the file, and what comes next is planned on that", async () => {
    const edit = asks("edit_file", { file_path: "a.txt", old_string: "X", new_string: "Y" });
    const place = await openPlace([write("x\n"), edit, says("Done.")]);
    const run = `const fs = require("node:fs"); fs.writeFileSync("a.txt", fs.readFileSync("a.txt", "utf8").toUpperCase())`;
    await hooks(place, { PostToolUse: [{ matcher: "Write", run }] });
    await place.json(["run", "write", ...free]);
    expect(["X\n", "Y\n"]).toContain(await place.read("a.txt"));
  });
});

describe("a hook at the last words", () => {
  it("has the model go on, three times in a turn at most", async () => {
    const place = await openPlace([says("One."), says("Two."), says("Three."), says("Four.")]);
    await hooks(place, { Stop: [{ run: `console.error("not yet"); process.exit(2)` }] });
    const done = await place.json(["run", "go"]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done", text: "Four." } });
    expect(ran(place).map((input) => input["stop_hook_active"])).toEqual([false, true, true]);
    expect(lastHeard(place)).toContain("does not let the turn end yet: not yet");
  });

  it("is asked when they are stored and told, and once their checks have passed", async () => {
    const place = await openPlace([write("x\n"), says("One."), says("Two.")]);
    const run = `const isChecked = require("node:fs").existsSync("checked");
if (!input.stop_hook_active) { console.error(isChecked ? "and the docs?" : "unchecked"); process.exit(2); }`;
    await hooks(place, { Stop: [{ run }] }, { checks: [{ paths: ["a.txt"], command: "touch checked" }] });
    const done = await place.json(["run", "go", ...free, "--allow", "shell(touch checked)"]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done", text: "Two.", calls: { success: 2 } } });
    expect(ran(place).map((input) => input["last_assistant_message"])).toEqual(["One.", "Two."]);
    expect(lastHeard(place)).toContain("does not let the turn end yet: and the docs?");
  });

  it("has a fork that is made of these words go on, as the session does", async () => {
    const place = await openPlace([says("One."), says("Two."), says("Three.")]);
    await hooks(place, { Stop: [{ run: `if (!input.stop_hook_active) { console.error("more"); process.exit(2); }` }] });
    const done = await place.json(["run", "go", "--max-steps", "1"]);
    expect(done).toMatchObject({ code: 53, end: { reason: "max_steps" } });
    const fork = JSON.parse((await place.run(["sessions", "fork", done.session, "--json"])).stdout);
    expect(await place.json(["resume", fork.id])).toMatchObject({ code: 0, end: { text: "Two." } });
    expect(lastHeard(place)).toContain("does not let the turn end yet: more");
    expect(ran(place)).toHaveLength(2);
  });
});

describe("an export of a session with hooks", () => {
  it("plays what the hooks made of calls and of last words where there are none, and its page says so", async () => {
    const place = await openPlace([
      write("left\n"),
      says("One."),
      write("more\n", "b.txt"),
      says("Two."),
      write("x\n", "c.txt"),
      says("Three."),
    ]);
    const right = `if (input.tool_input.content === "left\\n") say({ updatedInput: { ...input.tool_input, content: "right\\n" } });
else if (input.tool_input.content === "x\\n") { console.error("not c"); process.exit(2); }`;
    const stop = `if (input.last_assistant_message === "One.") { console.error("and b?"); process.exit(2); }`;
    await hooks(place, { PreToolUse: [{ run: right }], Stop: [{ run: stop }] });
    const { session } = await place.json(["run", "write", ...free]);
    await place.json(["resume", session, "and c", ...free]);
    const script = (await place.run(["sessions", "export", session])).stdout;

    const other = await openPlace([], { "talk.ndjson": script });
    const played = await other.json(["run", "--answers", "-m", `script:${other.path("talk.ndjson")}`]);
    expect(played).toMatchObject({ end: { text: "Three." } });
    const files = ["a.txt", "b.txt"].map((name) => other.read(name));
    expect([...(await Promise.all(files)), other.has("c.txt")]).toEqual(["right\n", "more\n", false]);
    expect(played.of("assistant_message").map(({ text }) => text)).toEqual(["", "One.", "", "Two.", "", "Three."]);

    const page = (await place.run(["sessions", "export", session, "--md"])).stdout;
    expect(page).toContain("does not let the turn end yet: and b?");
    expect(page).toContain("says no: not c");
  });
});

describe("hooks for which nothing is configured, or wrongly", () => {
  it("run nothing and keep nothing", async () => {
    const place = await openPlace([write("x\n"), says("Written.")]);
    expect(await place.json(["run", "write", ...free])).toMatchObject({ code: 0 });
    expect(ran(place)).toEqual([]);
  });

  it.each([
    ["a pattern that is none", { matcher: "(", hooks: [{ type: "command", command: "true" }] }],
    ["another type", { hooks: [{ type: "prompt", command: "true" }] }],
    ["a program that a project may have", { hooks: [{ type: "command", command: "./check.sh" }] }],
    ["such a one behind a variable", { hooks: [{ type: "command", command: "A=1 scripts/check.sh" }] }],
    [
      "Claude Code's folder of the project",
      { hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/.claude/x.sh' }] },
    ],
  ])("end with 52 for %s", async (_, group) => {
    const place = await openPlace();
    await writeFile(join(place.home, "config.json"), JSON.stringify({ hooks: { PreToolUse: [group] } }));
    const { code, stderr } = await place.run(["run", "go"]);
    expect([code, stderr]).toEqual([52, expect.stringContaining("config.json:")]);
  });
});
