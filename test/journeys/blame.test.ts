import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const edit = (from: string, to: string) => asks("edit_file", { file_path: "a.txt", old_string: from, new_string: to });

interface Run {
  from: number;
  to: number;
  by: string;
  session?: string;
  callId?: string;
  turn?: number;
  models?: string[];
  decided?: { actor: string };
  digest?: string;
}

async function blamed(place: Place, file: string): Promise<Run[]> {
  const { code, stdout } = await place.run(["blame", file, "--json"]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Run);
}

const short = (runs: Run[]) => runs.map(({ from, to, by, callId }) => [from, to, callId ?? by]);

it("tells whose each line is after edits of two sessions, the person's own, an undo and a move, and what was done in a file", async () => {
  const place = await openPlace([
    asks("write_file", { file_path: "a.txt", content: "one\ntwo\nthree\nfour\n" }),
    edit("two\n", "2\n"),
    says("Written."),
    edit("four\n", "4\nfive\n"),
    says("More."),
    edit("one\n", "uno\n"),
    says("Worse."),
  ]);
  const first = await place.json(["run", "write it", "--allow", "write_file"]);
  const call = first.the("approval_requested").calls[0] ?? { digest: "" };
  const approved = await place.json(["resume", first.session, "--approve", `c2@${call.digest}`]);
  expect(approved.code).toBe(0);
  expect(short(await blamed(place, "a.txt"))).toEqual([
    [1, 1, "c1"],
    [2, 2, "c2"],
    [3, 4, "c1"],
  ]);
  const [one, two] = await blamed(place, "a.txt");
  expect(one).toMatchObject({
    session: first.session,
    turn: 1,
    models: ["openai:test-model"],
    decided: { actor: "policy" },
  });
  expect(two).toMatchObject({ decided: { actor: "person" }, digest: call.digest });
  // The person's own lines, and another session's.
  await place.write("a.txt", "mine\none\n2\nthree\nfour\n");
  const second = await place.json(["run", "more", "--allow", "edit_file"]);
  const now = await blamed(place, "a.txt");
  expect(short(now)).toEqual([
    [1, 1, "other"],
    [2, 2, "c1"],
    [3, 3, "c2"],
    [4, 4, "c1"],
    [5, 6, "c1"],
  ]);
  expect(now.map(({ session }) => session)).toEqual([undefined, ...Array(3).fill(first.session), second.session]);
  // What was taken back is of whoever wrote it before.
  const third = await place.json(["run", "worse", "--allow", "edit_file"]);
  expect(short(await blamed(place, "a.txt"))[1]).toEqual([2, 2, "c1"]);
  // A fork has its calls too: they are of the session that made them, whichever was worked in last.
  expect((await place.run(["sessions", "fork", third.session])).code).toBe(0);
  const undo = await place.json(["undo", third.session]);
  expect(undo.code).toBe(11);
  await place.json(["resume", third.session, "--approve", "all"]);
  expect(await blamed(place, "a.txt")).toEqual(now);
  // A file that the person moved, and changed after that.
  await rename(place.path("a.txt"), place.path("b.txt"));
  expect(await blamed(place, "b.txt")).toEqual(now.map((run) => run));
  const log = await place.run(["log", "b.txt"]);
  expect(log.stdout).toMatch(new RegExp(`^${third.session}:c2 .*approved by .*changed as a.txt`, "u"));
  expect(log.stdout.split("\n").at(-2)).toMatch(new RegExp(`^${first.session}:c1 .*allowed by .*made as a.txt`, "u"));
  const lines = (await place.run(["log", "b.txt", "--json"])).stdout.trim().split("\n");
  const steps = lines.map((line) => JSON.parse(line) as Run);
  expect(steps.map(({ callId }) => callId)).toEqual(["c2", "c1", "c1", "c2", "c1"]);
  expect(steps.map(({ session }) => session)).toEqual([
    ...[third.session, third.session, second.session],
    ...[first.session, first.session],
  ]);
  const told = await place.run(["blame", "b.txt"]);
  expect(told.stdout).toMatch(/^not the agent's +1 {2}mine\n/u);
  await writeFile(place.path("b.txt"), "all mine\n");
  expect(short(await blamed(place, "b.txt"))).toEqual([[1, 1, "other"]]);
  // One that is gone has a log.
  await rm(place.path("b.txt"));
  const gone = await place.run(["log", "a.txt"]);
  expect(gone.stdout.split("\n")[0]).toBe("changed since by something else");
});

it("refuses what it cannot tell lines of, and says what to do", async () => {
  const place = await openPlace([
    asks("write_file", { file_path: "\u001b[31mx.txt", content: "\u001b[2Jred\n" }),
    says("Done."),
  ]);
  await place.json(["run", "write it", "--allow", "write_file"]);
  const shown = await place.run(["blame", "\u001b[31mx.txt"]);
  expect(shown.stdout).not.toContain("\u001b");
  await writeFile(join(place.workspace, "bin"), Buffer.from([0, 1, 2, 255, 254]));
  for (const [file, why] of [
    ["none.txt", "there is no such file"],
    [".", "is no file"],
    ["bin", "is no text: agent log shows what was done with it"],
  ] as const) {
    const refused = await place.run(["blame", file]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
  }
  expect((await place.run(["log", "none.txt"])).stdout).toBe("no recorded call changed this file\n");
  expect((await place.run(["blame"])).code).toBe(2);
});
