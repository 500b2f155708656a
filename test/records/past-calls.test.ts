import { expect, it } from "vitest";
import { suggestions } from "../../src/policy/suggest/suggestions.ts";
import { pastCalls } from "../../src/records/past-calls.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { AnswerGiver } from "../../src/store/types.ts";
import { emptyPolicy } from "../policy/support/build.ts";
import { calls, openStage, says } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

const edit = (from: string, to: string) =>
  calls(["edit_file", { file_path: "a.txt", old_string: from, new_string: to }]);

/** A session in which each of three edits was allowed, by these. */
async function allowed(givers: readonly (AnswerGiver | undefined)[]) {
  const lines = [edit("1", "2"), edit("2", "3"), edit("3", "4"), says("Done.")];
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines });
  const life = await stage.begin("edit");
  const session = life.session.id;
  for (const [at, by] of givers.entries()) {
    await life.session.answer(
      { session, call: `c${at + 1}` },
      { decision: "approve", ...(by === undefined ? {} : { by }) },
    );
    await life.session.settled();
  }
  await life.close();
  const { workspace } = life.session;
  const read = async () => {
    const store = await openStore({ file: stage.database });
    const past = pastCalls(store.readJournal(session), { workspace });
    store.close();
    return past;
  };
  return { workspace, read, database: stage.database };
}

it("what a person allowed at the question is told so, with its plan, its message and when", async () => {
  const { read, workspace } = await allowed(["person", "person", "person"]);
  const past = await read();
  expect(past).toMatchObject(
    ["c1", "c2", "c3"].map((callId) => ({
      callId,
      answer: "yes",
      byPerson: true,
      verdict: { decision: "ask", rule: { source: "table" } },
    })),
  );
  expect(new Set(past.map(({ message }) => message)).size).toBe(3);
  expect(suggestions(past, { policy: emptyPolicy }).map(({ rule }) => rule)).toEqual([
    { tool: "edit_file", paths: [`${workspace}/a.txt`], workspace, decision: "allow" },
  ]);
});

it.each([
  [["person", "person", "flag"]],
  [["person", "person", "script"]],
  [["person", "person", undefined]],
  [["typed", "person", "person"]],
] as const)("answers by %j are no three of a person", async (givers) => {
  const { read } = await allowed(givers);
  expect(suggestions(await read(), { policy: emptyPolicy })).toEqual([]);
});

it("rows that say a person answered count for nothing where the life of the call has no such decision", async () => {
  const { read, database } = await allowed(["script", "script", "script"]);
  const raw = new RawStore(database);
  raw.exec("UPDATE answer SET given_by = 'person'");
  raw.close();
  const past = await read();
  expect(past.map(({ answer, byPerson }) => [answer, byPerson])).toEqual([
    ["yes", false],
    ["yes", false],
    ["yes", false],
  ]);
  expect(suggestions(past, { policy: emptyPolicy })).toEqual([]);
});

it("a row for another digest than the call ran with is no answer to it", async () => {
  const { read, database } = await allowed(["person", "person", "person"]);
  const raw = new RawStore(database);
  raw.exec("UPDATE answer SET digest = 'other' WHERE seq = 2");
  raw.close();
  expect((await read()).map(({ byPerson }) => byPerson)).toEqual([true, false, true]);
});
