import { describe, expect, it } from "vitest";
import { type Sha, sha256 } from "../../../src/core/json.ts";
import { type FileStep, historyOf } from "../../../src/records/lines/file-history.ts";
import { lineOwners } from "../../../src/records/lines/line-owners.ts";

const kept = new Map<Sha, string>();
const shaOf = (text: string | null): Sha | null => {
  if (text === null) return null;
  const sha = sha256(text);
  kept.set(sha, text);
  return sha;
};

let made = 0;
/** A call that left a file so; each is later than the one before. */
function step(before: string | null, after: string | null, more: Partial<FileStep> & { tool?: string } = {}): FileStep {
  made += 1;
  const { tool: toolName = "edit_file", ...rest } = more;
  return {
    ...{ session: "s", callId: `c${made}`, toolName, at: made, real: "/w/a", all: [] },
    ...{ before: shaOf(before), after: shaOf(after), told: () => ({ models: [] }), bytesOf: () => undefined },
    ...rest,
  };
}

/** Newest first. */
const owners = (text: string, ...steps: FileStep[]) =>
  lineOwners(text, steps.toReversed(), (sha) => kept.get(sha)).map((owner) =>
    typeof owner === "string" ? owner : steps.indexOf(owner),
  );

describe("whose a line is", () => {
  it("is told of each line that a call wrote, through what others did later", () => {
    const first = step(null, "a\nb\nc\n");
    const second = step("a\nb\nc\n", "a\nB\nc\nd\n");
    expect(owners("a\nB\nc\nd\n", first, second)).toEqual([0, 1, 0, 1]);
    // A person put a line in, took one out and changed one, before and after the second.
    const third = step("mine\na\nB\nd\n", "mine\na\nB\nd\ne\n");
    expect(owners("mine\na\nBB\nd\ne\nmine too\n", first, second, third)).toEqual(["other", 0, "other", 1, 2, "other"]);
  });

  it("is nobody's of the agent for lines that were there before, and for all of a file that no call changed", () => {
    expect(owners("x\ny\n")).toEqual(["other", "other"]);
    expect(owners("x\ny\nz\n", step("x\nz\n", "x\ny\nz\n"))).toEqual(["other", 0, "other"]);
    expect(owners("", step("x\n", ""))).toEqual([]);
  });

  it("is not a call's where only the end of the line or a blank is another", () => {
    const wrote = step(null, "a\nb\n");
    expect(owners("a\r\nb \n", wrote)).toEqual(["other", "other"]);
    expect(owners("a\nb", wrote)).toEqual([0, "other"]);
  });

  it("is of who wrote it first where an undo brought it back", () => {
    const first = step(null, "a\nb\n");
    const worse = step("a\nb\n", "x\ny\n");
    const more = step("x\ny\n", "x\ny\nz\n");
    const undo = step("x\ny\nz\n", "a\nb\n", { tool: "undo_changes" });
    expect(owners("a\nb\n", first, worse, more, undo)).toEqual([0, 0]);
    // Of a later edit that had the same bytes it is that one's.
    const again = step("x\ny\nz\n", "a\nb\n");
    expect(owners("a\nb\n", first, worse, more, again)).toEqual([3, 3]);
  });

  it("is not known where the bytes that would tell are not kept", () => {
    const first = step(null, "a\nb\n");
    const gone = { ...step("a\nb\n", "a\nb\nc\n"), before: sha256("not kept") };
    expect(owners("a\nb\nc\n", first, gone)).toEqual(["unknown", "unknown", "unknown"]);
    const last = step("a\nb\nc\n", "a\nb\nc\nd\n");
    expect(owners("a\nb\nc\nd\n", first, gone, last)).toEqual(["unknown", "unknown", "unknown", 2]);
  });

  it("is found in a text of many lines that are all others, by what begins and ends alike", () => {
    const many = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join("");
    const first = step(null, `top\n${many("old")}end\n`);
    const second = step(`top\n${many("old")}end\n`, `top\n${many("new")}end\n`);
    const found = owners(`top\n${many("new")}end\n`, first, second);
    expect([found[0], found[1], found[3_000], found[3_001]]).toEqual([0, 1, 1, 0]);
  });
});

describe("the history of a file", () => {
  const isThere =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);

  it("goes on under the name that the file had, where a call moved it or somebody else did", () => {
    const wrote = step(null, "a\n", { real: "/w/old" });
    const moved = step(null, "a\n", {
      real: "/w/a",
      all: [{ callId: "c", real: "/w/old", before: shaOf("a\n"), after: null }],
    });
    const away = step("a\n", null, { real: "/w/old", at: moved.at });
    expect(historyOf("/w/a", [wrote, moved, away], shaOf("a\n"), isThere("/w/a"))).toEqual([moved, wrote]);
    // By hand, with its bytes as they were, and edited after.
    const edited = step("a\n", "a\nb\n", { real: "/w/a" });
    expect(historyOf("/w/a", [wrote, edited], shaOf("a\nb\n"), isThere("/w/a"))).toEqual([edited, wrote]);
    expect(historyOf("/w/a", [wrote], shaOf("a\n"), isThere("/w/a"))).toEqual([wrote]);
  });

  it("takes no other file's for a copy of it, for other bytes, and for a file that a person made empty", () => {
    const wrote = step(null, "a\n", { real: "/w/old" });
    expect(historyOf("/w/a", [wrote], shaOf("a\n"), isThere("/w/a", "/w/old"))).toEqual([]);
    expect(historyOf("/w/a", [wrote], shaOf("b\n"), isThere("/w/a"))).toEqual([]);
    expect(historyOf("/w/a", [step(null, "", { real: "/w/old" })], shaOf(""), isThere("/w/a"))).toEqual([]);
  });

  it("ends where names go in a circle", () => {
    const there = step("b\n", "a\n", { real: "/w/a" });
    const back = step("a\n", "b\n", { real: "/w/b" });
    expect(historyOf("/w/a", [there, back], shaOf("a\n"), isThere("/w/a"))).toEqual(
      [there, back].toReversed().slice(1),
    );
  });
});
