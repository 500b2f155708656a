import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { changesText } from "../../../../src/cli/ui/full-view/changes-text.ts";
import { fullFrame } from "../../../../src/cli/ui/full-view/full-frame.ts";
import { newReader, type Reader, readerKey, searchOn } from "../../../../src/cli/ui/full-view/reader-state.ts";
import { createLayouts } from "../../../../src/cli/ui/question/body-lines.ts";
import { changesOf } from "../../../../src/files/diff/diff-text.ts";
import { planOf } from "../../../support/fake-session.ts";

const numbered = (changed: readonly number[], word: string): string =>
  Array.from({ length: 60 }, (_, at) => (changed.includes(at) ? `${word} ${at}\n` : `line ${at}\n`)).join("");
const at = [5, 30, 50];
const changes = ["src/a.ts", "src/deep/folder/b.ts"].flatMap((path) =>
  changesOf(planOf(path, numbered(at, "old"), numbered(at, "new"))),
);
const long = changesOf(planOf("src/a.ts", `${"x".repeat(300)}END\nb\n`, `${"x".repeat(300)}END\nc\n`));

const layouts = createLayouts();
const seen = (reader: Reader, columns = 80, rows = 12, shown = changes) =>
  fullFrame(reader, changesText("changed", shown, layouts), { columns, rows });
const char = (text: string): Key => ({ name: "char", text, ctrl: false, alt: false, shift: false });
const named = (name: Key["name"]): Key => ({ name, ctrl: false, alt: false, shift: false });

/** The reader after keys, each on the screen that the one before left, with no turn of the event loop between them. */
const pressed = (keys: (Key | string)[], columns = 80, rows = 12, shown = changes): Reader =>
  keys.reduce<Reader>((reader, key) => {
    const { text } = seen(reader, columns, rows, shown);
    return readerKey(reader, typeof key === "string" ? char(key) : key, text)?.reader ?? reader;
  }, newReader());
const lines = (reader: Reader, columns = 80, rows = 12, shown = changes): string[] =>
  seen(reader, columns, rows, shown).lines.map((line) => plainText(line).trimEnd());

describe("a reader", () => {
  it("has the whole screen: the title, the text, and where it stands with the keys", () => {
    const rows = lines(newReader());
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe("changed · 2 files +6 −6");
    expect(rows[1]).toBe("--- a/src/a.ts");
    expect(rows.at(-1)).toMatch(/^J K change .* esc back +1-10 of 62$/);
  });

  it("moves by lines, pages and to both ends", () => {
    expect([["j"], ["j", "j", "k"], [" "], [" ", "b"], ["G"], ["G", "g"]].map((keys) => pressed(keys).top)).toEqual([
      1, 1, 9, 0, 52, 0,
    ]);
    expect(pressed([named("down"), named("pagedown"), named("up")]).top).toBe(9);
  });

  it("goes from change to change and from file to file, and says where there is no further one", () => {
    const heads = seen(newReader()).text.heads;
    const hunks = heads.filter(({ kind }) => kind === "hunk").map(({ row }) => row);
    expect(pressed(["J"]).top).toBe(hunks[0]);
    expect(pressed(["J", "J", "K"]).top).toBe(hunks[0]);
    expect(lines(pressed(["]"]))[1]).toBe("--- a/src/deep/folder/b.ts");
    expect(lines(pressed(["]", "["]))[1]).toBe("--- a/src/a.ts");
    expect(pressed(["G", "J"]).note).toBe("no further change");
    expect(pressed(["["]).note).toBe("no file before this one");
  });

  it("finds words, again behind the last place from the beginning, and says what is not there", () => {
    const search = (...words: string[]): (Key | string)[] =>
      words.flatMap((word) => ["/", ...word, named("enter")] as (Key | string)[]);
    expect(lines(pressed(search("new 30")))[1]).toContain("+ new 30");
    expect(lines(pressed(search("NEW 30"))).join()).toContain("“NEW 30” is not in it");
    const hit = seen(pressed(search("new 3"))).lines;
    const setOff = hit.map((row) => row.flatMap(({ text, inverse }) => (inverse === true ? [text] : [])).join(""));
    expect(setOff.filter((text) => text !== "")).toEqual(["new 3"]);
    expect(hit.map(plainText)).toEqual(seen({ ...pressed(search("new 3")), hit: undefined }).lines.map(plainText));
    const twice = pressed(search("old 5", ""));
    expect(lines(twice)[1]).toMatch(/^ *6 - old 5$|^ *51 - old 50$/);
    const hits = [1, 2, 3, 4, 5].map(
      (times) => pressed(search("old 5", ...Array.from({ length: times }, () => ""))).hit,
    );
    expect(hits[3]).toBe(pressed(search("old 5")).hit);
    expect(new Set(hits).size).toBe(4);
    expect(lines(pressed(["/", "o"])).at(-1)).toBe("/o");
  });

  it("runs long lines on to the right and wraps them again at the left edge", () => {
    const wrapped = lines(newReader(), 80, 12, long);
    expect(wrapped.some((row) => row.endsWith("…"))).toBe(true);
    const right = pressed([...Array.from({ length: 30 }, () => "l")], 80, 12, long);
    expect(lines(right, 80, 12, long).join("\n")).toContain("xEND");
    const back = Array.from({ length: 31 }, () => "h");
    expect(pressed([...Array.from({ length: 30 }, () => "l"), ...back], 80, 12, long).left).toBeUndefined();
  });

  it("does not count as shown what runs on to the right", () => {
    expect(seen(newReader()).geometry.window).toBe(10);
    expect(seen(pressed(["l"])).geometry.window).toBe(0);
  });

  it("has the files at its side from 120 columns, the one that is read marked", () => {
    const rows = lines(pressed(["]"], 130), 130);
    expect(rows[1]).toMatch(/^ {2}src\/a\.ts \+3 −3 +│ --- a\/src\/deep/);
    expect(rows[2]).toMatch(/^❯ src\/deep\/folder\/b\.ts \+3 −3 +│ \+\+\+ b/);
    expect(lines(newReader(), 119)[1]).toBe("--- a/src/a.ts");
  });

  it("shows two sides where there is room, switches by v, and stays at its change", () => {
    expect(lines(pressed(["J", "J"], 200), 200).join("\n")).toMatch(/old 30 +.*new 30/);
    const switched = pressed(["J", "J", "v"], 200);
    expect(lines(switched, 200)[1]).toContain(lines(pressed(["J", "J"], 200), 200)[1]?.slice(40, 60) ?? "?");
    expect(lines(switched, 200).join("\n")).not.toMatch(/old 30 +.*new 30/);
    expect(pressed(["v"], 100).note).toBe("two sides need 140 columns");
  });

  it("gives up the list of files for two sides where both have no room, and has it again without them", () => {
    const rows = (...keys: string[]) => lines(pressed(["J", "J", ...keys], 150), 150).join("\n");
    expect(rows()).toContain("❯ src/a.ts");
    expect(rows("v")).toMatch(/old 30 +.*new 30/);
    expect(rows("v")).not.toContain("❯ src/a.ts");
    expect(rows("v", "v")).toContain("❯ src/a.ts");
    expect(rows("v", "l")).toContain("❯ src/a.ts");
  });

  it("says which keys go from change to change to who presses those of other readers", () => {
    for (const other of ["n", "p", "N"])
      expect(pressed([other])).toMatchObject({ top: 0, note: "J goes to the next change, K to the one before" });
  });

  describe("of a long text", () => {
    const rows = Array.from({ length: 1_900 }, (_, index) => `row ${index}${index === 1_800 ? " needle" : ""}\n`);
    const huge = changesOf(planOf("src/a.ts", "", rows.join("")));
    const wordsOf = (words: string): (Key | string)[] => ["/", ...words, named("enter")];
    /** As the chat goes on with it, a turn of the event loop each. */
    const turns = (reader: Reader, most = 100): Reader[] => {
      const found: Reader[] = [];
      for (let one = reader; one.search !== undefined && found.length < most; found.push(one))
        one = searchOn(one, seen(one, 80, 12, huge).text);
      return found;
    };

    it("looks at 500 rows at a time, says how far it is, and finds what is there", () => {
      const begun = pressed(wordsOf("needle"), 80, 12, huge);
      expect(begun).toMatchObject({ search: { looked: 500 }, top: 0 });
      expect(begun.note).toMatch(/^searching “needle”, 500 of 19\d\d rows · esc gives up$/);
      const found = turns(begun);
      expect(found.map(({ search }) => search?.looked)).toEqual([1_000, 1_500, undefined]);
      expect(found.at(-1)?.note).toBe("/ and enter finds “needle” again");
      expect(lines(found.at(-1) ?? begun, 80, 12, huge)[1]).toContain("row 1800 needle");
      const missing = turns(pressed(wordsOf("nowhere"), 80, 12, huge)).at(-1);
      expect(missing).toMatchObject({ search: undefined, note: "“nowhere” is not in it" });
    });

    it("is searched no further after any key; Esc gives up the search alone", () => {
      const text = seen(newReader(), 80, 12, huge).text;
      const begun = pressed(wordsOf("needle"), 80, 12, huge);
      expect(readerKey(begun, named("escape"), text)).toEqual({ reader: { ...begun, search: undefined, note: "" } });
      expect(readerKey(begun, char("j"), text)?.reader).toMatchObject({ top: 1, search: undefined });
      expect(readerKey({ ...begun, search: undefined }, named("escape"), text)?.leaves).toBe(true);
    });

    it("begins anew where the rows are others, as after a resize", () => {
      const begun = pressed(wordsOf("needle"), 80, 12, huge);
      const other = seen(begun, 80, 12, changes).text;
      expect(searchOn(begun, other)).toMatchObject({ search: undefined, note: "“needle” is not in it" });
    });
  });
});
