import { expect, test } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

/** C1, bidirectional, invisible characters and tags: a terminal obeys the first, a person sees none. */
const evil = "a\u009b31m\u202eb\u200bc\u{e0041}\u2066d\u007f\ufeff";
const unseen = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

const rows = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function spoken(): Promise<{ place: Place; session: string }> {
  const place = await openPlace([
    asks("write_file", { file_path: "a.txt", content: `${evil}\n` }),
    says(`Said ${evil} 日本語 👍`),
  ]);
  const asked = await place.json(["run", `do ${evil}`]);
  expect(asked.stdout).not.toMatch(unseen);
  expect(asked.the("user_message").text).toBe(`do ${evil}`);
  expect(asked.the("approval_requested").calls[0]?.arguments).toMatchObject({ content: `${evil}\n` });
  const done = await place.json(["resume", asked.session, "--approve", "all"]);
  expect(done.stdout).not.toMatch(unseen);
  expect(done.end.text).toBe(`Said ${evil} 日本語 👍`);
  expect(done.stdout).toContain("日本語 👍");
  return { place, session: asked.session };
}

test("F23, all that is printed as JSON shows what cannot be seen as \\uXXXX, and is the same value", async () => {
  const { place, session } = await spoken();
  for (const argv of [
    ["sessions", "list", "--json"],
    ["sessions", "show", session, "--json"],
    ["sessions", "show", session, "--calls", "--json"],
    ["sessions", "show", session, "--diff", "--json"],
    ["sessions", "verify", session, "--json"],
    ["sessions", "export", session],
    ["policy", "check", "write_file", JSON.stringify({ file_path: `${evil}.txt`, content: "x" })],
    ["tools", "--json"],
    ["doctor", "--limits", "--json"],
  ]) {
    const ran = await place.run(argv);
    expect([argv, ran.stdout]).toEqual([argv, expect.not.stringMatching(unseen)]);
    expect(rows(ran.stdout).length).toBeGreaterThan(0);
  }
  const exported = rows((await place.run(["sessions", "export", session])).stdout);
  expect(exported).toContainEqual({ prompt: `do ${evil}` });
});

test("F23, what the command line cannot make sense of is said without a control byte", async () => {
  const place = await openPlace();
  const word = `\x1b[2J\x1b]0;x\x07${evil}\x08`;
  for (const argv of [
    [word],
    [`--${word}`],
    ["run", "hi", `--${word}`],
    ["run", "hi", "--mode", word],
    ["sessions", word],
    ["sessions", "show", word],
    ["run", "hi", "--max-steps", word],
    ["resume", "--approve", `c1@${word}`],
    ["memories", "rm", word],
    ["policy", "check", word, "{}"],
    ["policy", "check", "ls", word],
  ]) {
    const ran = await place.run(argv);
    expect(ran.code).not.toBe(0);
    expect([argv, ran.stderr + ran.stdout]).toEqual([argv, expect.not.stringMatching(unseen)]);
    expect(ran.stderr + ran.stdout).not.toBe("");
  }
});
