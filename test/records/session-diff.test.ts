import { expect, it } from "vitest";
import { sessionDiff } from "../../src/records/session-diff.ts";
import { calls, openStage, says } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";
import { changed, diffOf, edit, write } from "../support/undone.ts";

const wholeOf = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-1\n+3\n";
const first = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-1\n+2\n";
const second = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-2\n+3\n";

async function played() {
  const lines = [calls(edit("1", "2"), edit("2", "3"), write("big.txt", "b\n".repeat(9_000))), says("Done.")];
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines });
  const life = await changed(stage);
  /** Changes the store behind the session's back. */
  const alter = (...statements: string[]): void => {
    const db = new RawStore(stage.database);
    for (const statement of ["DROP TRIGGER IF EXISTS tool_call_settled", ...statements]) db.exec(statement);
    db.close();
  };
  return { stage, life, alter };
}

it("is one change a file while its bytes are kept, that of each call when they are not, counted alike", async () => {
  const { stage, life, alter } = await played();
  const big = { path: "big.txt", changes: [{ added: 9_000, removed: 0 }] };
  expect(sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace)).toMatchObject([
    { path: "a.txt", changes: [{ added: 1, removed: 1 }] },
    big,
  ]);
  expect(diffOf(stage, life).startsWith(wholeOf)).toBe(true);
  alter("DELETE FROM kept_bytes");
  expect(sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace)).toMatchObject([
    {
      path: "a.txt",
      changes: [
        { added: 1, removed: 1 },
        { added: 1, removed: 1 },
      ],
    },
    big,
  ]);
  expect(diffOf(stage, life).startsWith(first + second)).toBe(true);
});

it("shows the text of plans that an older program stored, as it stands", async () => {
  const { stage, life, alter } = await played();
  const bare = "json_remove(plan, '$.files[0].hunks', '$.files[0].added', '$.files[0].removed')";
  const set = (call: string, text: string): string =>
    `UPDATE tool_call SET plan = json_set(${bare}, '$.diff', '${text}') WHERE id = '${call}'`;
  alter("DELETE FROM kept_bytes", set("c1", first), set("c2", second));
  const [file] = sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace);
  expect(file).toEqual({ path: "a.txt", changes: [first, second] });
});
