import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallLife } from "../../src/records/call-life.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";

const edit = (from: string, to: string) => ({ file_path: "a.txt", old_string: from, new_string: to });

type Place = Awaited<ReturnType<typeof openPlace>>;
const parsed = <T>(ndjson: string): T[] =>
  ndjson
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

/** Behind the program's back, and its guards. */
function tamper(place: Place, sql: string): void {
  const db = new RawStore(join(place.home, "agent.db"));
  db.exec("DROP TRIGGER tool_call_event_kept; DROP TRIGGER tool_call_event_whole; DROP TRIGGER tool_call_settled;");
  db.exec(sql);
  db.close();
}

/** One read that the table allows, one edit that a rule of the user asks about and the person edits and approves. */
async function worked(): Promise<{ place: Place; session: string; policy: string }> {
  const place = await openPlace(
    [asks("read_file", { file_path: "a.txt" }), asks("edit_file", edit("one", "two")), says("Done.")],
    { "a.txt": "one\n" },
  );
  const policy = join(place.home, "policy.json");
  const rule = { tool: "edit_file", paths: ["a.txt"], decision: "ask", why: "it is mine" };
  await place.write("../home/policy.json", JSON.stringify({ rules: [rule] }));
  const { session } = await place.json(["run", "edit it"]);
  const edited = `c2=${JSON.stringify(edit("one", "three"))}`;
  await place.json(["resume", session, "--edit", edited, "--approve", "c2"]);
  return { place, session, policy };
}

describe("agent sessions show --calls", () => {
  it("tells the life of each call: who asked, allowed and approved, by which rule of which file, and when", async () => {
    const { place, session, policy } = await worked();
    const { stdout } = await place.run(["sessions", "show", session, "--calls"]);
    const lines = stdout.split("\n");
    const texts = lines.map((line) =>
      line.replace(/^ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +(\+[\d.]+ (ms|s))? +/, "> "),
    );
    expect(texts).toEqual([
      'c1  success  read_file {"file_path":"a.txt"}',
      expect.stringMatching(/^ {4}read_file · risk low · effect none · 1 attempt · ran /),
      "> proposed",
      "> started, attempt 1 · allowed by policy, rule table",
      "> success",
      expect.stringMatching(/^c2 {2}success {2}edit a\.txt/),
      expect.stringMatching(/^ {4}edit_file · risk \w+ · effect file · 1 attempt · ran /),
      expect.stringMatching(/^ {4}digest [0-9a-f]{64}$/),
      "> proposed",
      expect.stringMatching(`^> waits for approval · asked by policy, rule user:${policy}:1 · sha [0-9a-f]{12}$`),
      expect.stringMatching(
        `^> edited by the person: asked about anew · asked by policy, rule user:${policy}:1 · sha [0-9a-f]{12}$`,
      ),
      "> approved · decided by person",
      "> started, attempt 1",
      "> success",
      "",
    ]);
  });

  it("--json gives one object a call, with its events and answers", async () => {
    const { place, session } = await worked();
    const lives = parsed<CallLife>((await place.run(["sessions", "show", session, "--calls", "--json"])).stdout);
    expect(lives.map(({ call, answers }) => [call.callId, call.status, answers.map((one) => one.decision)])).toEqual([
      ["c1", "success", []],
      ["c2", "success", ["edit", "approve"]],
    ]);
    expect(lives[1]?.events.map(({ from, to }) => [from, to])).toEqual([
      [null, "pending"],
      ["pending", "awaiting_approval"],
      ["awaiting_approval", "awaiting_approval"],
      ["awaiting_approval", "pending"],
      ["pending", "executing"],
      ["executing", "success"],
    ]);
    expect(lives[0]?.events.at(1)).toMatchObject({ by: "policy", rule: "table" });
  });

  it("says where there are none", async () => {
    const place = await openPlace([says("Hello.")]);
    const { session } = await place.json(["run", "hi"]);
    expect(await place.run(["sessions", "show", session, "--calls"])).toMatchObject({
      code: 0,
      stdout: `session ${session} has no calls\n`,
    });
  });
});

describe("agent sessions verify", () => {
  it("finds nothing where nothing is damaged, in one session or in all", async () => {
    const { place, session } = await worked();
    const whole = await place.run(["sessions", "verify"]);
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    expect(whole.stdout).toBe(`✔ ${join(place.home, "agent.db")}\n✔ ${session}: 2 calls, 9 events\n`);
    const { stdout } = await place.run(["sessions", "verify", session, "--json"]);
    expect(parsed(stdout)).toEqual([
      { database: join(place.home, "agent.db"), ok: true },
      { session, ok: true, calls: 2, events: 9 },
    ]);
  });

  it.each([
    ["a changed event", "UPDATE tool_call_event SET reason = 'x' WHERE seq = 4", "event 4 (call c2, new to pending)"],
    ["a lost event", "DELETE FROM tool_call_event WHERE seq = 2", "event 2 (call c1, executing to success)"],
    [
      "a lost last event",
      "DELETE FROM tool_call_event WHERE seq = 9",
      "call c2 is success, attempt 1, but event 8 says",
    ],
    ["a call in another state", "UPDATE tool_call SET status = 'error' WHERE id = 'c1'", "call c1 is error, attempt 1"],
    ["a call of another attempt", "UPDATE tool_call SET attempt = 7 WHERE id = 'c1'", "call c1 is success, attempt 7"],
    ["a call of another digest", "UPDATE tool_call SET digest = 'x' WHERE id = 'c2'", "call c2 has another digest"],
    ["a lost call", "DELETE FROM tool_call WHERE id = 'c2'", "event 4 (call unknown, new to pending)"],
    [
      "a call that is lost with its events",
      "DELETE FROM tool_call WHERE id = 'c2'; DELETE FROM tool_call_event WHERE seq > 3",
      "call c2 of step 1.2 is gone",
    ],
    ["a lost message", "DELETE FROM message WHERE id = 'm1.2'", "it cannot be read"],
    ["a damaged message", "UPDATE message SET body = '{' WHERE id = 'm1.2'", "the message of step 1.2 is damaged"],
    ["damaged arguments", "UPDATE tool_call SET arguments = '{' WHERE id = 'c1'", "it cannot be read"],
  ])("names %s and ends with 74", async (_what, sql, found) => {
    const { place, session } = await worked();
    tamper(place, sql);
    const verified = await place.run(["sessions", "verify"]);
    expect(verified.code).toBe(74);
    expect(verified.stdout).toContain(`✖ ${session}: ${found}`);
    const [, line] = parsed<{ ok: boolean; problem: string }>(
      (await place.run(["sessions", "verify", session, "--json"])).stdout,
    );
    expect(line).toMatchObject({ ok: false, problem: expect.stringContaining(found) });
  });

  it("names damage of the database itself", async () => {
    const { place } = await worked();
    tamper(place, "PRAGMA foreign_keys=OFF; DELETE FROM session");
    const verified = await place.run(["sessions", "verify"]);
    expect(verified.code).toBe(74);
    expect(verified.stdout).toContain("a row of lease names a row of session that is gone");
  });

  it("of a session that is not there is a mistake", async () => {
    const place = await openPlace([says("Hello.")]);
    await place.json(["run", "hi"]);
    expect((await place.run(["sessions", "verify", "no-such"])).code).toBe(2);
  });
});
