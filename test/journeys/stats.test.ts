import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";
import { placeWithTools, toolFile } from "../support/tool-files.ts";

interface Line {
  tool: string;
  [figure: string]: unknown;
}

const lines = async (place: Place, ...flags: string[]): Promise<Line[]> => {
  const { code, stdout } = await place.run(["stats", "--json", ...flags]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
};

const settings = async (place: Place, config: object): Promise<void> => {
  await mkdir(place.home, { recursive: true, mode: 0o700 });
  await writeFile(join(place.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
};

/** Calls as if they had been made: of `tool`, so many of each end, each of so many milliseconds. */
function addCalls(place: Place, tool: string, { success = 0, error = 0, ms = 10 }): void {
  const db = new RawStore(join(place.home, "agent.db"));
  const insert = db.connection.prepare(
    `INSERT INTO tool_call (thread, id, model_id, tool, arguments, risk, effect, status, attempt, proposed, started, settled)
     SELECT min(key), ?, '', ?, '{}', 'low', 'none', ?, 1, ?, ?, ? FROM thread`,
  );
  const now = Date.now(); // read once: two readings may be a millisecond apart
  for (let i = 0; i < success + error; i += 1) {
    const status = i < success ? "success" : "error";
    insert.run(`${tool}-${i}`, tool, status, now, now, now + ms);
  }
  db.close();
}

const end = { success: 0, error: 0, cancelled: 0, interrupted: 0 };

describe("agent stats", () => {
  it("tells each call of all sessions once: a denied one, a failed one, a command's exit status, a fork's copies", async () => {
    const place = await openPlace(
      [
        asks("read_file", { file_path: "a.txt" }),
        asks("read_file", { file_path: "none.txt" }),
        asks("shell", { command: "exit 3" }),
        says("Done."),
        asks("write_file", { file_path: "b.txt", content: "" }),
        says("As you say."),
        asks("read_file", { file_path: "a.txt" }),
        says("Again."),
      ],
      { "a.txt": "1\n" },
    );
    const { session } = await place.json(["run", "look", "--mode", "full-auto", "--sandbox", "off"]);
    const denied = await place.json(["run", "write"]);
    expect(await lines(place, "--tool", "write_file")).toEqual([expect.objectContaining({ calls: 0, lastUsed: null })]);
    await place.json(["resume", denied.session, "--deny", "c1"]);
    expect((await place.run(["sessions", "fork", session])).code).toBe(0);

    const before = await lines(place);
    expect(before).toEqual([
      { tool: "read_file", ...end, calls: 2, success: 1, error: 1, successRate: 0.5, ...times(before[0]) },
      { tool: "shell", ...end, calls: 1, success: 1, successRate: 1, ...times(before[1]) },
      {
        ...{ tool: "write_file", ...end, calls: 1, cancelled: 1, successRate: null },
        ...{ meanMs: null, p95Ms: null, totalMs: 0, lastUsed: expect.stringMatching(iso) },
      },
    ]);

    // The fork goes on by itself; its origin is removed, and what it had is told once more, no more.
    const fork = /^(\S+)/.exec((await place.run(["sessions"])).stdout)?.[1] ?? "";
    await place.json(["run", "again", "--session", fork]);
    expect((await lines(place))[0]).toMatchObject({ tool: "read_file", calls: 3, success: 2, error: 1 });
    expect((await place.run(["sessions", "rm", session, "--force"])).code).toBe(0);
    expect((await lines(place))[0]).toMatchObject({ tool: "read_file", calls: 3, success: 2, error: 1 });
    expect(await lines(place, "--top", "1", "--by", "successRate", "--asc")).toMatchObject([{ tool: "read_file" }]);
    expect(await lines(place, "--since", "2h")).toHaveLength(3);
    expect(await lines(place, "--since", "2999-01-01")).toEqual([]);
  });

  it("says what fails often and what is slow, there and in doctor, which finds nothing wrong in it", async () => {
    const place = await openPlace([says("Hi.")]);
    await place.json(["run", "hi"]);
    addCalls(place, "flaky", { success: 7, error: 4 });
    addCalls(place, "heavy", { success: 2, ms: 6_000 });
    addCalls(place, "fine", { success: 20 });
    expect((await lines(place)).map(({ tool, marks }) => [tool, marks])).toEqual([
      ["fine", undefined],
      ["flaky", ["failing"]],
      ["heavy", ["slow"]],
    ]);
    const { stdout } = await place.run(["stats"]);
    expect(stdout).toMatch(/^flaky .* 63\.6 % .*! fails often, 4 errors$/m);
    expect(stdout).toMatch(/^heavy .* 6\.0 s .*! slow$/m);
    const doctor = await place.run(["doctor", "--json"]);
    expect(doctor.stdout).toContain(
      JSON.stringify({
        ...{ what: "calls of tools", ok: true, look: true },
        text: "33 of 3 tools; flaky fails often (63.6 % of 11 calls succeeded); heavy is slow (6.0 s each) (agent stats)",
      }),
    );
  });

  it("shows a name that a model made up as text, cut, on a small terminal that it does not overflow", async () => {
    const place = await openPlace([asks("\u001b]0;owned\u0007rm_everything_that_is_there_now", {}), says("No.")]);
    await place.json(["run", "hi"]);
    addCalls(place, "flaky", { success: 7, error: 4 });
    const pty = place.prints(["stats"], { cols: 60, rows: 20 });
    expect((await pty.exit).code).toBe(0);
    const rows = pty.screen().map((row) => row.trimEnd());
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(60);
    expect(pty.raw()).not.toContain("owned\u0007");
    expect(rows.slice(0, 6)).toEqual([
      "tool                          calls  success   mean    p95",
      "  last used",
      "flaky                 ██████     11   63.6 %  10 ms  10 ms",
      "  just now, ! fails often, 4 errors, 110 ms in all",
      expect.stringMatching(/^.{19}… {2}▌ +1 +0 %$/),
      "  just now, 1 error",
    ]);
  });

  it("is told in one line where there is nothing, and takes nothing it does not know", async () => {
    const place = await openPlace();
    const said = async (...flags: string[]) => (await place.run(["stats", ...flags])).stdout;
    expect(await said()).toBe("no calls\n");
    expect(await said("--cost", "--since", "7d")).toBe("no replies since 7d\n");
    expect(await said("--tool", "read_file")).toBe("no calls of read_file\n");
    for (const [flags, words] of [
      [["--by", "speed"], "--by takes one of calls, successRate, meanMs, p95Ms, totalMs, lastUsed"],
      [["--top", "0"], "--top takes a whole number from 1"],
      [["--since", "2026-02-30"], "--since takes a time back such as 12h, 30d or 4w, or a day such as 2026-11-01"],
      [
        ["--since", "yesterday"],
        '--since takes a time back such as 12h, 30d or 4w, or a day such as 2026-11-01, not "',
      ],
      [["--cost", "--tool", "ls"], "--tool is of tools, and --cost of sessions"],
    ] as const) {
      const ran = await place.run(["stats", ...flags]);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain(words);
    }
  });

  it("ends with 74 where the store is damaged, and changes nothing of it", async () => {
    const place = await openPlace([says("Hi.")]);
    await place.json(["run", "hi"]);
    await rm(join(place.home, "agent.db-made"), { force: true });
    await writeFile(join(place.home, "agent.db"), "this is no database".repeat(500));
    const ran = await place.run(["stats"]);
    expect(ran).toMatchObject({ code: 74, stdout: "" });
    expect(ran.stderr).toContain("the store is damaged; nothing was changed");
  });
});

it("tells of a tool of the project, in the built command: how often it fails, and how long it takes", async () => {
  const flaky = `effect: "none", risk: "low",
    execute: (_, ctx) => { if (Number(ctx.callId.slice(1)) > 8) throw new Error("no"); return "yes"; }`;
  const one = { name: "flaky", arguments: {} };
  const place = await placeWithTools({ "flaky.mjs": toolFile("flaky", flaky) }, [
    { calls: Array.from({ length: 12 }, () => one) },
    says("Done."),
  ]);
  expect((await place.spawn(["run", "go"]).done).code).toBe(0);
  const { code, stdout } = await place.spawn(["stats", "--tool", "flaky", "--json"]).done;
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { tool: "flaky", calls: 12, success: 8, error: 4, successRate: 0.6667, marks: ["failing"] },
  ]);
});

const iso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const times = (line: Line | undefined) => {
  expect(line).toMatchObject({
    ...{ meanMs: expect.any(Number), p95Ms: expect.any(Number), totalMs: expect.any(Number) },
    lastUsed: expect.stringMatching(iso),
  });
  const { meanMs, p95Ms, totalMs, lastUsed } = line ?? ({} as Partial<Line>);
  return { meanMs, p95Ms, totalMs, lastUsed };
};

describe("agent stats --cost", () => {
  const usage = { input: 1_000, output: 50, cached: 400 };
  const priced = { models: { "openai:*": { price: { input: 10, cachedInput: 1, output: 100 } } } };

  it("tells what each session took, the dearest first, and the sum", async () => {
    const place = await openPlace([says("One.", { usage }), says("Two.", { usage }), says("Three.", { usage })]);
    await settings(place, priced);
    const cheap = await place.json(["run", "cheap"]);
    const dear = await place.json(["run", "dear"]);
    await place.json(["resume", dear.session, "more"]);
    const of = { workspace: place.workspace, unpriced: 0 };
    expect(await lines(place, "--cost")).toEqual([
      {
        ...{ ...of, session: dear.session, title: "dear", inputTokens: 2_000, cachedTokens: 800, outputTokens: 100 },
        cost: expect.closeTo(0.0228, 9),
      },
      {
        ...{ ...of, session: cheap.session, title: "cheap", inputTokens: 1_000, cachedTokens: 400, outputTokens: 50 },
        cost: expect.closeTo(0.0114, 9),
      },
    ]);
    expect((await place.run(["stats", "--cost", "--top", "1", "--asc"])).stdout.split("\n")).toEqual([
      expect.stringMatching(/^session +cost +in +cached +out +$/),
      expect.stringMatching(new RegExp(`^${cheap.session} +█+ +0\\.0114 +1000 +400 +50 +cheap$`)),
      expect.stringMatching(/^2 sessions +0\.0342 +3000 +1200 +150 +$/),
      "",
    ]);
    expect(await lines(place, "--cost", "--since", "2999-01-01")).toEqual([]);
  });

  it("tells tokens alone where no price is known", async () => {
    const place = await openPlace([says("One.", { usage })]);
    const { session } = await place.json(["run", "one"]);
    expect((await place.run(["stats", "--cost"])).stdout).toMatch(
      new RegExp(`^session +in +cached +out +\\n${session}`),
    );
    expect((await lines(place, "--cost"))[0]).not.toHaveProperty("cost");
  });
});

describe("what the model is told of its tools' calls", () => {
  const prompt = (place: Place): string => String(place.server.requests.at(-1)?.body.messages[0]?.content);
  const offered = (place: Place): string[] =>
    (place.server.requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);

  it("is nothing unless the settings say so; then how those did that it is offered, and these by their use", async () => {
    const place = await openPlace([asks("grep", { pattern: "x" }), says("None."), says("Two."), says("Three.")]);
    await place.json(["run", "look"]);
    addCalls(place, "elsewhere", { success: 3 });
    await place.json(["run", "again"]);
    expect(prompt(place)).not.toContain("How your tools have done");
    const given = offered(place);
    expect(given[0]).not.toBe("grep");

    await settings(place, { promptStats: true, toolOrder: "use" });
    await place.json(["run", "again"]);
    expect(prompt(place)).toMatch(
      /# How your tools have done\n.*\n- grep: 1 call, 100 % of them succeeded, \d+ ms each(\n|$)/,
    );
    expect(prompt(place)).not.toContain("elsewhere");
    expect(offered(place)).toEqual(["grep", ...given.filter((name) => name !== "grep")]);
    expect((await place.run(["doctor", "--prompt"])).stdout).toContain("- grep: 1 call, 100 % of them succeeded");
  });
});
