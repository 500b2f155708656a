import { describe, expect, it } from "vitest";
import { type SessionProgress, standingOf, standingOfRow, standingText } from "../../src/records/session-progress.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, says, toolOf } from "../support/play.ts";

const writes = (count: number) =>
  calls(
    ...Array.from({ length: count }, (_, index): [string, { file_path: string; content: string }] => [
      "write_file",
      { file_path: `f${index + 1}.txt`, content: "new\n" },
    ]),
  );

const standing = (life: Life, driven = false): SessionProgress => standingOf(life.journal(), driven);

describe("how a session stands", () => {
  it("after its process died in the middle of its writes: cut off, and how far, and that its mode holds no longer", async () => {
    const stage = await openStage({ lines: [writes(25), says("All made.")] });
    let ended = 0;
    const fate = fateOf({
      write: (name, [moves]) => {
        const settled = name === "move" && (moves as { after: { status: string } }[])[0]?.after.status === "success";
        ended += settled ? 1 : 0;
        return settled && ended === 8;
      },
      when: "after",
    });
    const life = await stage.begin("make them", { wrap: fate.wrap, mode: "accept-edits" });
    expect(fate.dead).toBe(true);
    const was = standing(life);
    expect(was).toEqual({ cutOff: { done: 8, calls: 25 }, waitsFor: [], unseen: [], unheard: 0, filesChanged: 8 });
    expect(standingText("idle", was)).toBe("cut off, 8 of 25 done");
    const again = await stage.resume(life.session.id, { takeOver: true, still: true });
    await again.session.settled();
    expect(again.last("session_restored")).toMatchObject({
      cutOff: { done: 8, calls: 25 },
      modeFellBack: true,
      mode: "ask",
      filesChanged: 8,
    });
    expect(again.of("notice").map(({ code, text }) => [code, text])).toEqual([
      [
        "cut_off",
        "this session was cut off: 8 of 25 calls were done; the mode is ask again, for a mode holds for one run",
      ],
    ]);
  });

  it("while a call waits: what it would do, and nothing of a cut", async () => {
    const stage = await openStage({
      files: { "package.json": "{}\n" },
      lines: [calls(["edit_file", { file_path: "package.json", old_string: "{}", new_string: "[]" }]), says("Done.")],
    });
    const life = await stage.begin("change it");
    const session = life.session.id;
    const waits = {
      waitsFor: [{ session, callId: "c1", toolName: "edit_file", summary: "edit package.json (+1 -1)" }],
    };
    expect(standing(life, true)).toEqual({ ...waits, unseen: [], unheard: 0, filesChanged: 0 });
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    await again.session.settled();
    expect(standing(again)).toEqual({ ...waits, unseen: [], unheard: 0, filesChanged: 0 });
    expect(standingText("awaiting_approval", standing(again))).toBe("waits for you: edit package.json (+1 -1)");
    expect(again.last("session_restored")).not.toHaveProperty("cutOff");
    expect(again.of("notice")).toEqual([]);
  });

  it("with an effect whose end was not seen: which one", async () => {
    const ring = toolOf("ring", () => "Rung.", {
      effect: "once",
      plan: async (_, { cwd }) => ({ summary: "ring the bell", cwd }),
    });
    const stage = await openStage({ tools: [ring], lines: [calls(["ring", {}]), says("Done.")] });
    const dies = {
      write: (name: string, [moves]: readonly unknown[]) =>
        name === "move" && (moves as { before: { status: string } }[])[0]?.before.status === "executing",
      when: "before",
    } as const;
    const fate = fateOf(dies);
    const life = await stage.begin("ring", { wrap: fate.wrap, mode: "full-auto" });
    expect(fate.dead).toBe(true);
    expect(standingText("awaiting_recovery", standing(life))).toBe(
      "cut off, 0 of 1 done; waits for you: the end of ring the bell was not seen",
    );
  });

  it("whose calls drive others: what these wait for, and the end of which call of theirs was not seen, by their addresses", async () => {
    const ring = toolOf("ring", () => new Promise<never>(() => undefined), {
      effect: "once",
      timeoutMs: 20,
      plan: async (_, { cwd }) => ({ summary: "ring the bell", cwd }),
    });
    const stage = await openStage({
      tools: [askHelpers(), ring],
      rules: [{ tool: "ring", decision: "allow", why: "of the test", origin: { source: "user", file: "p", line: 1 } }],
      lines: [calls(["ask_helpers", { tasks: ["one", "two"] }])],
      wrapModel: apart({ one: [writes(1), says("Written.")], two: [calls(["ring", {}]), says("Rung.")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const ofRow = (of: string) => {
      const row = life.store.sessions.get(of);
      return row && standingOfRow(life.store, row);
    };
    const one = { session: `${id}@c1.1`, callId: "c1", agent: "helper 1", toolName: "write_file" };
    const two = { session: `${id}@c1.2`, callId: "c1", agent: "helper 2", toolName: "ring", summary: "ring the bell" };
    expect(ofRow(id)).toMatchObject({ waitsFor: [{ ...one, summary: expect.any(String) }], unseen: [two] });
    const { agent: _, ...own } = two;
    expect(ofRow(`${id}@c1.2`)).toMatchObject({ waitsFor: [], unseen: [own] });
    await life.session.submit("leave all that");
    await life.session.settled();
    expect(ofRow(id)).toMatchObject({ waitsFor: [], unseen: [] });
    await life.close();
  });

  it("that ended, failed, was queued for or put back what it changed", async () => {
    const stage = await openStage({
      files: { "a.txt": "one\n" },
      maxSteps: 2,
      lines: [
        calls(["edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }]),
        calls(["ls", {}]),
        says("Done."),
      ],
    });
    const life = await stage.begin("change it", { mode: "accept-edits" });
    expect(standing(life)).toEqual({ stopped: "max_steps", waitsFor: [], unseen: [], unheard: 0, filesChanged: 1 });
    expect(standingText("idle", standing(life))).toBe("out of steps");
    await life.close();
    const again = await stage.resume(life.session.id, { mode: "accept-edits" });
    expect(standingText("idle", standing(again))).toBe("idle");
    await again.session.undo({ turn: 1 });
    await again.session.settled();
    expect(stage.text("a.txt")).toBe("one\n");
    expect(standing(again)).toEqual({ waitsFor: [], unseen: [], unheard: 0, filesChanged: 0 });
  });

  it.each([
    ["running", {}, "running"],
    ["broken", {}, "broken"],
    ["idle", {}, "idle"],
    ["idle", { unheard: 1 }, "a message waits"],
    ["idle", { unheard: 2 }, "2 messages wait"],
    ["idle", { stopped: "failed" }, "failed"],
    ["idle", { cutOff: { done: 0, calls: 0 } }, "cut off"],
    ["awaiting_approval", { waitsFor: ["a", "b", "c"] }, "waits for you: a and 2 more"],
  ] as const)(
    "is told as %s with %j in the words %s",
    (state, {
      waitsFor = [],
      ...more
    }: { waitsFor?: readonly string[] } & Partial<Omit<SessionProgress, "waitsFor">>, words) => {
      const named = waitsFor.map((summary) => ({ session: "s", callId: "c1", toolName: "write_file", summary }));
      expect(standingText(state, { unseen: [], unheard: 0, filesChanged: 0, waitsFor: named, ...more })).toBe(words);
    },
  );
});
