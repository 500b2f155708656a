import { expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says as replies } from "../support/model-server.ts";
import { calls, openStage, says } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

const edit = calls(["edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" }]);

it.each([[undefined], ["person"], ["flag"], ["script"]] as const)(
  "an answer whose caller says of itself %s is kept with just that, each kind of answer",
  async (by) => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [edit, edit, says("Done.")] });
    const life = await stage.begin("edit");
    const { id } = life.session;
    const mine = by === undefined ? {} : { by };
    const other = { file_path: "a.txt", old_string: "1", new_string: "3" };
    await life.session.answer({ session: id, call: "c1" }, { decision: "edit", arguments: other, ...mine });
    await life.session.answer({ session: id, call: "c1" }, { decision: "deny", ...mine });
    await life.session.settled();
    await life.session.answer({ session: id, call: "c2" }, { decision: "approve", ...mine });
    await life.session.settled();
    const rows = ["c1", "c2"].flatMap((call) => life.journal().answersOf(call));
    expect(rows.map(({ decision, by: giver }) => [decision, giver])).toEqual([
      ["edit", by],
      ["deny", by],
      ["approve", by],
    ]);
    // Who decided stays in the contract's words.
    const actor = by === "script" ? "script" : "person";
    expect(life.of("decision").map((event) => event.by)).toEqual([actor, actor, actor]);
  },
);

it("a word that this version does not know, and a row from before there was one, are nobody's", async () => {
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [edit, says("Done.")] });
  const life = await stage.begin("edit");
  await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve", by: "person" });
  await life.close();
  for (const [word, said] of [
    ["person", "person"],
    ["Person", undefined],
    [null, undefined],
  ] as const) {
    const raw = new RawStore(stage.database);
    raw.run("UPDATE answer SET given_by = ?", word);
    raw.close();
    const store = await openStore({ file: stage.database });
    const [row] = store.readJournal(life.session.id).answersOf("c1");
    store.close();
    expect(row?.by).toBe(said);
  }
});

it("a command line that the person typed was answered by typing it", async () => {
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [says("Hello.")] });
  const life = await stage.begin("hello");
  await life.session.runCommand("touch made");
  await life.session.settled();
  expect(life.journal().answersOf("c1")).toMatchObject([{ decision: "approve", by: "typed" }]);
});

it("a flag of the command is no answer of a person who saw a question", async () => {
  const place = await openPlace([asks("shell", { command: "touch made" }), replies("Made.")]);
  const first = await place.json(["run", "make it"]);
  await place.json(["resume", first.session, "--approve", "all"]);
  const { stdout } = await place.run(["sessions", "show", first.session, "--calls", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ answers: [{ decision: "approve", by: "flag" }] });
});
