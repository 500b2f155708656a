import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CallDecision } from "../../src/graph/decisions.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, says, toolOf } from "../support/play.ts";

const names = Array.from({ length: 8 }, (_, i) => `line${i}`);
const edits = (name: string) =>
  calls(["edit_file", { file_path: "a.txt", old_string: `${name} old`, new_string: `${name} new` }]);
const ofChild = ({ store, session }: Life, nth: number) => store.readJournal(`${session.id}@c1.${nth}`);

/** Waits until the file says so. */
const untilFile = (text: string) =>
  toolOf(
    "until_file",
    async (_, { workspace, signal }) => {
      while ((await readFile(`${workspace}/a.txt`, "utf8").catch(() => "")) !== text) signal.throwIfAborted();
      return "it does";
    },
    { effect: "none" },
  );

describe("children that change one file side by side", () => {
  it("lose no change of each other, and nothing is left to the person", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: names }]), says("All done.")],
      files: { "a.txt": names.map((name) => `${name} old\n`).join("") },
      mode: "accept-edits",
      tools: [askHelpers()],
      wrapModel: apart(Object.fromEntries(names.map((name) => [name, [edits(name), says("Done.")]]))),
    });
    const life = await stage.begin("go");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id });
    expect(stage.text("a.txt")).toBe(names.map((name) => `${name} new\n`).join(""));
    const made = names.map((_, i) => ofChild(life, i + 1).call("c1"));
    // None had to be begun again: each was planned when its turn had come.
    expect(made.map((call) => [call?.status, call?.attempt])).toEqual(names.map(() => ["success", 1]));
    await life.close();
  });

  it.each([
    ["that was there", { "a.txt": "old\n" }],
    ["that they make", {}],
  ])("do not write over each other's file %s unseen: the later one is told, and plans anew", async (_, files) => {
    const writes = (content: string) =>
      ["write_file", { file_path: "a.txt", content }] as [string, Record<string, string>];
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["first", "second"] }]), says("All done.")],
      files: files as Record<string, string>,
      mode: "accept-edits",
      tools: [askHelpers(), untilFile("of the first\n")],
      wrapModel: apart({
        first: [calls(writes("of the first\n")), says("Done.")],
        // Its plan is made before it waits.
        second: [calls(["until_file", {}], writes("of the second\n")), calls(writes("of both\n")), says("Done.")],
      }),
    });
    const life = await stage.begin("go");
    expect(ofChild(life, 2).allCalls()).toMatchObject([
      { status: "success" },
      { status: "error", errorCode: "STALE", errorMsg: expect.stringContaining(`${life.session.id}@c1.1 since`) },
      { status: "success" },
    ]);
    expect(stage.text("a.txt")).toBe("of both\n");
    await life.close();
  });

  it("are asked about anew where the person approved what another one has changed by then", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["line0", "line1"] }]), says("All done.")],
      files: { "a.txt": "line0 old\nline1 old\n" },
      tools: [askHelpers()],
      wrapModel: apart({ line0: [edits("line0"), says("Done.")], line1: [edits("line1"), says("Done.")] }),
    });
    const life = await stage.begin("go");
    const approve = async (all: Life) => {
      for (const { session, callId: call, digest } of all.last("approval_requested").calls)
        await all.session.answer({ session, call }, { decision: "approve", digest } satisfies CallDecision);
      await all.session.settled();
    };
    await approve(life);
    const [asked, ...more] = life.last("approval_requested").calls;
    expect([asked?.changed?.why, more]).toEqual(["the file changed while you were deciding", []]);
    expect(stage.text("a.txt").match(/new/gu)).toHaveLength(1);
    await approve(life);
    expect(stage.text("a.txt")).toBe("line0 new\nline1 new\n");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id });
    await life.close();
  });
});
