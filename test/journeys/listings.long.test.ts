import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { rgbOf } from "../../src/cli/terminal/theme.ts";
import { themeColors } from "../../src/cli/terminal/theme-colors.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const colours = /\x1b\[[0-9;]*\b(3[0-7]|9[0-7])m/;
const narrow = { cols: 60, rows: 40 };

/** Ends, and gives what it showed. */
async function shown(place: Place, argv: string[], size = narrow, env: Record<string, string | undefined> = {}) {
  const pty = place.prints(argv, size, env);
  const { code } = await pty.exit;
  return { code, raw: pty.raw(), rows: pty.scrollback().map((row) => row.trimEnd()) };
}

const edit = (old_string: string, new_string: string) =>
  asks("edit_file", { file_path: "a.txt", old_string, new_string });

/** A session with words in bold, a change that was denied and one that was made. */
async function worked(): Promise<{ place: Place; session: string }> {
  const place = await openPlace(
    [
      edit("one", "two"),
      says("It stays **as it is**."),
      edit("one", "three"),
      says("Done, with a title that is much longer than the sixty columns of a small terminal can show at once."),
    ],
    { "a.txt": "one\n" },
  );
  const { session } = await place.json([
    "run",
    "please \u001b]0;owned\u0007change the word in the file a.txt to another one",
  ]);
  await place.json(["resume", session, "--deny", "c1", "--reason", "not yet"]);
  await place.json(["run", "again", "--session", session, "--allow", "edit_file(a.txt)"]);
  return { place, session };
}

it("fits what it lists to the terminal, in colour, and breaks no word", async () => {
  const { place, session } = await worked();
  const tools = await shown(place, ["tools"]);
  expect(Math.max(...tools.rows.map((row) => row.length))).toBeLessThanOrEqual(60);
  expect(tools.rows.join(" ").replace(/ +/g, " ")).toContain("and prints path:line:text, by path and line.");
  expect(tools.raw).toMatch(colours);

  const [first = "", second = ""] = (await shown(place, ["sessions"])).rows;
  expect(first).toMatch(new RegExp(`^${session} +just now +idle +1 file *$`));
  expect(second).toBe("  please change the word in the file a.txt to another one");
  const wide = await shown(place, ["sessions"], { cols: 80, rows: 20 });
  expect(wide.rows[0]).toMatch(/ {2}idle {2}1 file {2}please change the word.*…$/);
  expect(wide.rows[0]).toHaveLength(80);

  const calls = (await shown(place, ["sessions", "show", session, "--calls"])).rows;
  expect(calls).toEqual(expect.arrayContaining([expect.stringMatching(/^c1 {2}denied {2}edit a\.txt \(\+1 -1\)/)]));
  expect(calls.join("\n")).not.toContain("cancelled");
});

it("tells of each session where it stands: what it waits for, and how many files it changed", async () => {
  const { place, session } = await worked();
  place.server.push(edit("three", "four"));
  const { session: waiting } = await place.json(["run", "and once more"]);
  const { rows } = await shown(place, ["sessions"], { cols: 130, rows: 20 });
  expect(rows.filter((row) => row !== "")).toEqual([
    expect.stringMatching(`^${waiting} +just now {2}waits for you: edit a\\.txt \\(\\+1 -1\\) +and once more$`),
    expect.stringMatching(`^${session} +just now {2}idle +1 file {2}please change the word`),
  ]);
  const listed = (await place.run(["sessions", "--json"])).stdout.trim().split("\n");
  const waits = { session: waiting, callId: "c1", toolName: "edit_file", summary: "edit a.txt (+1 -1)" };
  expect(listed.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ id: waiting, state: "awaiting_approval", waitsFor: [waits], filesChanged: 0 }),
    expect.not.objectContaining({ waitsFor: expect.anything() }),
  ]);
  expect(JSON.parse(listed[1] ?? "")).toMatchObject({ id: session, state: "idle", filesChanged: 1 });
  const [head = ""] = (await shown(place, ["sessions", "show", waiting])).rows;
  expect(head).toContain("waits for you: edit a.txt (+1 -1)");
});

it("shows what was said as it is meant, and what a call would have done that was denied", async () => {
  const { place, session } = await worked();
  const { rows, raw } = await shown(place, ["sessions", "show", session]);
  expect(rows).toContain("It stays as it is.");
  expect(rows).toContain("✖ edit a.txt (+1 -1): denied by the person: not yet   [c1]");
  expect(rows.join("\n")).toMatch(/started just now, last just now, \d+ tokens in/);
  expect(raw).not.toContain("\x1b]0;owned");
  const piped = await place.run(["sessions", "show", session]);
  expect(piped.stdout).toContain("It stays **as it is**.");
  expect(piped.stdout).not.toContain("\x1b");
});

it("colours a change, and tells a pipe the diff that patch takes", async () => {
  const { place, session } = await worked();
  const { raw, rows } = await shown(place, ["sessions", "show", session, "--diff"]);
  expect(rows.join("\n")).toContain("- one");
  expect(raw).toMatch(colours);
  expect((await place.run(["sessions", "show", session, "--diff"])).stdout).toContain("\n-one\n+three\n");
});

it("takes the theme of the config for a change, and brackets where there are no colours", async () => {
  const { place, session } = await worked();
  const argv = ["sessions", "show", session, "--diff"];
  const config = (theme: string) => writeFile(join(place.home, "config.json"), JSON.stringify({ theme }));
  await config("light");
  const light = rgbOf(themeColors.light.grounds.added.shade[0]);
  expect((await shown(place, argv, narrow, { COLORTERM: "truecolor" })).raw).toContain(`48;2;${light.join(";")}m`);
  await config("none");
  const plain = await shown(place, argv);
  expect(plain.raw).not.toMatch(colours);
  await config("solarized");
  const wrong = await place.run(argv);
  expect({ code: wrong.code, named: wrong.stderr.includes('"theme"') }).toEqual({ code: 52, named: true });
});

it("has no colour under NO_COLOR or in a pipe, and says what it says all the same", async () => {
  const { place } = await worked();
  const plain = await shown(place, ["tools"], narrow, { NO_COLOR: "1" });
  expect(plain.raw).not.toMatch(colours);
  expect(plain.rows).toEqual((await shown(place, ["tools"])).rows);
  expect((await place.run(["tools"])).stdout).not.toContain("\x1b");
});

it("tells times by the clock of this place, with --utc in UTC and in JSON as ISO", async () => {
  const place = await openPlace([says("Hi.")]);
  await place.json(["run", "hi"]);
  const listed = async (argv: string[]) =>
    (await place.spawn(["sessions", ...argv], { env: { TZ: "Asia/Kathmandu" } }).done).stdout;
  const { updatedAt } = JSON.parse(await listed(["--json"])) as { updatedAt: string };
  const told = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  const at = Date.parse(updatedAt);
  expect(await listed([])).toContain(`  ${told(at + 5.75 * 3_600_000)}  idle`);
  expect(await listed(["--utc"])).toContain(`  ${told(at)} UTC  idle`);
});

test("a verdict is told in sentences at a terminal, and as JSON to a script", async () => {
  const place = await openPlace();
  const call = ["policy", "check", "shell", '{"command":"npm test && git push --force"}'];
  const { rows } = await shown(place, call);
  expect(rows.slice(0, 2).join(" ")).toMatch(/^shell would be asked about, risk high why: git push --force: /);
  expect(rows).toContain("decided by: the risk table");
  const json = { tool: "shell", decision: "ask", risk: "high" };
  expect(JSON.parse((await shown(place, [...call, "--json"], { cols: 2000, rows: 5 })).rows[0] ?? "")).toMatchObject(
    json,
  );
  expect(JSON.parse((await place.run(call)).stdout)).toMatchObject(json);
});

test("what is longer than the screen goes through the pager, which may be left at once", async () => {
  const place = await openPlace();
  const low = { cols: 60, rows: 10 };
  const whole = (await shown(place, ["tools"], low)).rows.filter((row) => row !== "");
  const paged = async (PAGER: string | undefined, more = {}) => shown(place, ["tools"], low, { PAGER, ...more });
  expect((await paged("sed s/^/paged:/")).rows.filter((row) => row.startsWith("paged:"))).toHaveLength(whole.length);
  expect(await paged("head -1")).toMatchObject({ code: 0, rows: expect.arrayContaining([whole[0]]) });
  for (const none of ["", "cat"]) expect((await paged(none)).rows).toEqual(expect.arrayContaining(whole));
  expect((await paged("no-such-pager")).rows).toEqual(expect.arrayContaining(whole));
  // Where nothing is said, it is less, so set that it ends by itself and keeps colours.
  await place.write("bin/less", '#!/bin/sh\necho "less with $LESS"\nexec cat\n');
  await chmod(place.path("bin/less"), 0o755);
  const PATH = `${place.path("bin")}:${place.env["PATH"]}`;
  expect((await paged(undefined, { PATH })).rows).toContain("less with FRX");
  expect((await shown(place, ["tools"], { cols: 60, rows: 60 }, { PATH, PAGER: undefined })).rows).not.toContain(
    "less with FRX",
  );
  expect((await place.spawn(["tools"], { env: { PATH, PAGER: undefined } }).done).stdout).not.toContain("less with");
});

test("agent sessions search finds messages and titles by all their words, here or in every folder", async () => {
  const place = await openPlace([says("The Retry is **bounded**.\nNot flaky any more."), says("Elsewhere.")], {
    "other/a.txt": "",
  });
  const { session } = await place.json(["run", "why is the FLAKY test slow?"]);
  const other = await place.json(["run", "a flaky one", "-C", "other"]);
  const found = async (...words: string[]) =>
    (await place.run(["sessions", "search", ...words, "--json"])).stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { id: string; role: string; text: string });
  expect(await found("flaky", "RETRY")).toEqual([
    {
      id: session,
      title: "why is the FLAKY test slow?",
      workspace: place.workspace,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      role: "assistant",
      text: "The Retry is **bounded**.",
    },
  ]);
  expect((await found("flaky")).map(({ role }) => role)).toEqual(["title", "user", "assistant"]);
  expect(new Set((await found("flaky", "--all")).map(({ id }) => id))).toEqual(new Set([session, other.session]));
  expect(await found("flaky", "nowhere")).toEqual([]);
  const { rows, raw } = await shown(place, ["sessions", "search", "flaky test"]);
  expect(rows[0]).toBe(`${session}  why is the FLAKY test slow?`);
  expect(rows[1]).toMatch(/^ {2}you {2}just now {2}why is the FLAKY test slow\?$/);
  expect(raw).toMatch(colours);
  expect(await place.run(["sessions", "search", " "])).toMatchObject({ code: 2, stdout: "" });
  expect((await place.run(["sessions", "search", "nowhere"])).stdout).toBe("no message has all of these words\n");
});

test("agent sessions rename gives a session another title, on one line", async () => {
  const place = await openPlace([says("Hi.")]);
  const { session } = await place.json(["run", "hello there"]);
  expect(await place.run(["sessions", "rename", session.slice(0, -2), "the flaky\n test"])).toMatchObject({
    code: 0,
    stdout: "",
  });
  expect((await place.run(["sessions"])).stdout).toMatch(/ {2}the flaky test\n$/);
  const hostile = `\u001b]0;x\u0007\u202e${"long ".repeat(40)}`;
  await place.run(["sessions", "rename", session, hostile]);
  const [kept] = (await place.run(["sessions", "--json"])).stdout.split("\n").map((line) => JSON.parse(line || "{}"));
  expect(kept.title).toMatch(/^\]0;x (long ){14}l?o?n?g?…$/);
  expect(await place.run(["sessions", "rename", session, " "])).toMatchObject({ code: 2 });
  expect((await place.run(["sessions", "rename", session, "two", "words"])).stderr).toContain('"words" is left over');
});
