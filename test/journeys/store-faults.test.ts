import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { giveAway, runBound } from "../support/bound-user.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeAsOther } from "../support/needs.ts";
import { RawStore } from "../support/raw-store.ts";

const edit = asks("edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" });
const editAgain = asks("edit_file", { file_path: "a.txt", old_string: "2", new_string: "3" });
const storeOf = (place: Place): string => join(place.home, "agent.db");

/** Runs SQL on the store, as a broken disk or another program would. */
function change(place: Place, sql: string): void {
  const db = new RawStore(storeOf(place));
  db.exec(sql);
  db.close();
}

/** A place with one finished session. */
async function used(): Promise<{ place: Place; session: string }> {
  const place = await openPlace([says("First.")]);
  const { session } = await place.json(["run", "one"]);
  return { place, session };
}

const overwrite = (place: Place): void => writeFileSync(storeOf(place), "this is no database".repeat(500));
const foreign = (place: Place): void => {
  writeFileSync(storeOf(place), "");
  change(place, "PRAGMA application_id=7; CREATE TABLE notes (a)");
};

describe("a store that cannot be used ends every command with 74, says what to do, and is left as it is", () => {
  it.each<[string, (place: Place) => void, string]>([
    ["overwritten by a text", overwrite, "the store is damaged; nothing was changed"],
    ["cut off in the middle", (place) => truncateSync(storeOf(place), 5 * 1024), "the store is damaged"],
    ["another program's", foreign, "this is another program's database; nothing was changed"],
    ["a newer version's", (place) => change(place, "PRAGMA user_version=99"), "written by a newer version"],
  ])("%s", async (_name, damage, words) => {
    const { place, session } = await used();
    damage(place);
    const before = readFileSync(storeOf(place));
    for (const argv of [["run", "two"], ["sessions"], ["resume", session]]) {
      const ran = await place.run(argv);
      expect(ran).toMatchObject({ code: 74, stdout: "" });
      expect(ran.stderr).toContain(`agent: ${storeOf(place)}: `);
      expect(ran.stderr).toContain(words);
    }
    expect(readFileSync(storeOf(place)).equals(before)).toBe(true);
    expect(place.server.requests).toHaveLength(1);
  });

  it("damaged: the command that it names moves it aside whole, and a fresh one takes its place", async () => {
    const { place } = await used();
    overwrite(place);
    const before = readFileSync(storeOf(place));
    const { stderr } = await place.run(["sessions"]);
    const [, command = ""] = /To start with a fresh store and keep this one: (.*)/.exec(stderr) ?? [];
    execFileSync("sh", ["-c", command]);
    expect(readFileSync(join(place.home, "agent.db.broken", "agent.db")).equals(before)).toBe(true);
    expect(await place.run(["sessions"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no sessions") as unknown,
    });
    place.server.push(says("Again."));
    expect((await place.json(["run", "two"])).end.text).toBe("Again.");
  });

  it("moved away without its log: the log is not read into a new one", async () => {
    const { place } = await used();
    const log = Buffer.alloc(5000, 1);
    execFileSync("mv", [storeOf(place), `${storeOf(place)}.broken`]);
    writeFileSync(`${storeOf(place)}-wal`, log);
    const ran = await place.run(["run", "two"]);
    expect(ran.code).toBe(74);
    expect(ran.stderr).toContain("its log is here without the store itself");
    expect(existsSync(storeOf(place))).toBe(false);
    expect(readFileSync(`${storeOf(place)}-wal`).equals(log)).toBe(true);
  });
});

describe("a session whose saved state is damaged", () => {
  it("is listed as broken and still shown, while others go on and new ones begin", async () => {
    const { place, session } = await used();
    place.server.push(says("Second."), says("Third."), says("Fourth."));
    const other = await place.json(["run", "two"]);
    change(
      place,
      `UPDATE checkpoint SET body = 'junk' WHERE thread = (SELECT key FROM thread WHERE id = '${session}')`,
    );
    for (const _ of [1, 2]) {
      const ran = await place.run(["resume", session, "more"]);
      expect(ran.code).toBe(74);
      expect(ran.stderr).toContain(`session ${session} cannot be continued: its saved state is damaged`);
      expect(ran.stderr).toContain(`agent sessions show ${session}`);
      const states = (await place.run(["sessions", "--json"])).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: string; state: string });
      expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
        [session]: "broken",
        [other.session]: "idle",
      });
    }
    expect((await place.run(["sessions", "show", session])).stdout).toContain("First.");
    expect((await place.json(["resume", other.session, "go on"])).end.text).toBe("Third.");
    expect((await place.json(["run", "new"])).end.text).toBe("Fourth.");
    expect((await place.run(["sessions", "rm", session, "--force"])).code).toBe(0);
  });

  it("in one message goes on without its words, and says so", async () => {
    const { place, session } = await used();
    change(place, `UPDATE message SET body = '{"lc":1,"type":"constructor"' WHERE type = 'ai'`);
    place.server.push(says("Still here."));
    expect((await place.json(["resume", session, "more"])).end.text).toBe("Still here.");
    expect(place.heard(-1, 2)).toContain("could not be read from the store");
    expect((await place.run(["sessions", "show", session])).stdout).toContain("could not be read from the store");
  });

  it("in a settled call goes on; in one that waits does nothing", async () => {
    const place = await openPlace([edit, says("Done."), says("On."), editAgain], { "a.txt": "1\n" });
    const first = await place.json(["run", "do it", "--mode", "accept-edits"]);
    expect(first.code).toBe(0);
    change(
      place,
      `UPDATE message SET body = body; DROP TRIGGER tool_call_settled; UPDATE tool_call SET result = '{', arguments = '['`,
    );
    expect((await place.json(["resume", first.session, "more"])).end.text).toBe("On.");
    const waiting = await place.json(["run", "again"]);
    change(place, `UPDATE tool_call SET arguments = '[' WHERE status = 'awaiting_approval'`);
    const ran = await place.run(["resume", waiting.session, "--approve", "all"]);
    expect(ran.code).toBe(74);
    expect(ran.stderr).toContain(`session ${waiting.session} cannot be continued`);
    expect((await place.run(["sessions", "--json"])).stdout).toContain('"state":"broken"');
  });
});

describeAsOther("a store that may not be written (needs a checkout that others reach)", () => {
  it.each<[string, (place: Place) => string, number]>([
    ["the file", storeOf, 0o400],
    ["its folder", (place) => place.home, 0o500],
  ])("ends a run with 74 before anything is asked or done: %s", async (_name, pathOf, mode) => {
    const { place, session } = await used();
    giveAway(place);
    const closed = pathOf(place);
    chmodSync(closed, mode);
    try {
      const ran = await runBound(place, ["resume", session, "more"]);
      expect(ran).toMatchObject({
        code: 74,
        stderr: expect.stringContaining("the store cannot be written; check the permissions") as unknown,
      });
      expect(place.server.requests).toHaveLength(1);
    } finally {
      chmodSync(closed, statSync(closed).mode | 0o700);
    }
  });

  it("and a folder where there is none yet", async () => {
    const place = await openPlace([]);
    mkdirSync(place.home, { recursive: true });
    giveAway(place);
    chmodSync(place.home, 0o500);
    try {
      const ran = await runBound(place, ["run", "more"]);
      expect(ran).toMatchObject({
        code: 74,
        stderr: expect.stringContaining("the store cannot be written") as unknown,
      });
      expect(place.server.requests).toHaveLength(0);
    } finally {
      chmodSync(place.home, 0o700);
    }
  });
});
