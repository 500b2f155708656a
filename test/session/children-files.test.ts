import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { isFinal, type ToolCallInfo } from "../../src/core/call.ts";
import { EffectStopped } from "../../src/core/outcome.ts";
import type { Tool } from "../../src/core/tool.ts";
import type { CallMove } from "../../src/store/types.ts";
import { filePlan } from "../graph/calls/file-plans.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { journalsWith } from "../support/journals-with.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, says, toolOf } from "../support/play.ts";

const writes = (content: string): [string, { file_path: string; content: string }] => [
  "write_file",
  { file_path: "a.txt", content },
];
const ofChild = ({ store, session }: Life, nth: number) => store.readJournal(`${session.id}@c1.${nth}`);

/** That `a.txt` becomes this, whatever it was. */
const planOf =
  (after: string, read: () => Promise<unknown> = async () => undefined): NonNullable<Tool["plan"]> =>
  async (_, { workspace, cwd }) => {
    const real = `${workspace}/a.txt`;
    const before = await readFile(real, "utf8");
    await read();
    return { summary: "change a", cwd, files: [filePlan("a.txt", real, before, after)] };
  };

/** Changes `a.txt` when it is let. */
const changesWhen = (wanted: Promise<void>, begun: () => void): Tool =>
  toolOf(
    "change_slowly",
    async (_, { workspace }) => {
      begun();
      await wanted;
      await writeFile(`${workspace}/a.txt`, "slow\n");
      return "changed";
    },
    { effect: "file", plan: planOf("slow\n") },
  );

/** Ends once that has come, or the run is given up. */
const endsAfter = (name: string, wanted: Promise<void>): Tool =>
  toolOf(
    name,
    async (_, { signal }) => {
      await Promise.race([
        wanted,
        new Promise<void>((_, no) => signal.addEventListener("abort", () => no(signal.reason))),
      ]);
      return "it has come";
    },
    { effect: "none" },
  );

const hasEnded = (call: ToolCallInfo, toolName: string): boolean => isFinal(call) && call.toolName === toolName;

describe("a child that waits for another one's change of its file", () => {
  it("is stopped at once, and those behind it go on when that is made", async () => {
    const [free, begun] = [gate(), gate()];
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["first", "second", "third"] }]), says("All done.")],
      files: { "a.txt": "old\n" },
      mode: "accept-edits",
      tools: [askHelpers(), changesWhen(free.opened, begun.open), endsAfter("once_begun", begun.opened)],
      wrapModel: apart({
        first: [calls(["change_slowly", {}]), says("Done.")],
        second: [calls(["once_begun", {}]), calls(writes("of the second\n")), says("Done.")],
        third: [calls(["once_begun", {}]), calls(writes("of the third\n")), says("Done.")],
      }),
    });
    const life = await stage.begin("go", { running: true });
    const { id } = life.session;
    const routed = (nth: number) =>
      life.until((e) => e.type === "decision" && e.session === `${id}@c1.${nth}` && e.callId === "c2");
    await Promise.all([routed(2), routed(3)]);
    expect(await life.session.stopChild(`${id}@c1.2`)).toEqual({ ok: true });
    expect(ofChild(life, 2).call("c2")).toMatchObject({ status: "cancelled", ended: { why: "stopped" } });
    expect(ofChild(life, 3).call("c2")).toMatchObject({ status: "pending" });
    free.open();
    await life.session.settled();
    // It came behind the change that held the one that was stopped, and would have written over it.
    expect(ofChild(life, 3).call("c2")).toMatchObject({ status: "error", errorCode: "STALE" });
    expect(stage.text("a.txt")).toBe("slow\n");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: id });
    await life.close();
  });

  it("waits for none of the call that drives it, whatever files that one's plan names", async () => {
    const handOver = toolOf("hand_over", async (_, ctx) => (await ctx.runChild?.({ task: "write a" }))?.text ?? "", {
      effect: "child",
      plan: planOf("new\n"),
    });
    const stage = await openStage({
      lines: [calls(["hand_over", {}]), says("All done.")],
      files: { "a.txt": "old\n" },
      mode: "accept-edits",
      tools: [handOver],
      wrapModel: apart({ "write a": [calls(writes("new\n")), says("Wrote a.")] }),
    });
    const life = await stage.begin("go");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id, text: "All done." });
    expect([life.call("c1").status, stage.observation()]).toEqual(["success", "Wrote a."]);
    expect(stage.text("a.txt")).toBe("new\n");
    await life.close();
  });
});

describe("a child whose file another one has changed since its call was planned", () => {
  it("is told so by the next process, too", async () => {
    const free = gate();
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["first", "second"] }]), says("All done.")],
      files: { "a.txt": "old\n" },
      mode: "accept-edits",
      tools: [askHelpers(), endsAfter("when_free", free.opened)],
      wrapModel: apart({
        first: [calls(writes("of the first\n")), says("Done.")],
        second: [calls(["when_free", {}], writes("of the second\n")), says("Read it.")],
      }),
    });
    const first = await stage.begin("go", { running: true });
    const { id } = first.session;
    const isOfSecond = (e: { session: string; type: string }) => e.session === `${id}@c1.2` && e.type === "tool_call";
    await first.until((e) => isOfSecond(e) && e.type === "tool_call" && e.call.status === "executing");
    await first.until((e) => e.type === "turn_ended" && e.session === `${id}@c1.1`);
    await first.close();
    free.open();
    const later = await stage.resume(id);
    expect(ofChild(later, 2).call("c2")).toMatchObject({ status: "error", errorCode: "STALE" });
    expect(ofChild(later, 2).call("c2")).toMatchObject({ errorMsg: expect.stringContaining(`${id}@c1.1 since`) });
    expect(stage.text("a.txt")).toBe("of the first\n");
    await later.close();
  });

  it("is told so by the next process where the other one's end was not seen, before that is settled", async () => {
    const [routed, dying, free, told] = [gate(), gate(), gate(), gate()];
    const isWritten = (name: string, [moves]: readonly unknown[]) => {
      const itIs = name === "move" && (moves as CallMove[]).some(({ after }) => hasEnded(after, "write_file"));
      if (itIs) dying.open();
      return itIs;
    };
    const fate = fateOf({ write: isWritten, when: "before" });
    const waits = toolOf(
      "when_free",
      async () => {
        routed.open();
        await free.opened;
        return "free";
      },
      { effect: "none" },
    );
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["first", "second"] }]), says("All done.")],
      files: { "a.txt": "old\n" },
      mode: "accept-edits",
      tools: [askHelpers(), waits, endsAfter("once_routed", routed.opened)],
      wrapModel: apart({
        first: [calls(["once_routed", {}]), calls(writes("of the first\n")), says("Done.")],
        second: [calls(["when_free", {}], writes("of the second\n")), says("Read it.")],
      }),
    });
    const life = await stage.begin("go", { wrap: fate.wrap, running: true });
    const { id } = life.session;
    await dying.opened;
    free.open();
    await life.session.settled();
    expect(ofChild(life, 1).call("c2")).toMatchObject({ status: "executing" });
    expect(ofChild(life, 2).call("c2")).toMatchObject({ status: "pending" });
    const later = await stage.resume(id, {
      takeOver: true,
      wrap: journalsWith((journal) => ({
        async move(moves, answer) {
          if (journal.session === `${id}@c1.1`) await told.opened;
          await journal.move(moves, answer);
          if (moves.some(({ after }) => hasEnded(after, "write_file"))) told.open();
        },
      })),
    });
    expect(ofChild(later, 1).call("c2")).toMatchObject({ status: "success" });
    expect(ofChild(later, 2).call("c2")).toMatchObject({
      status: "error",
      errorCode: "STALE",
      errorMsg: expect.stringContaining(`${id}@c1.1 since`),
    });
    expect(stage.text("a.txt")).toBe("of the first\n");
  });

  it("is told so where its call was begun, and did nothing because of that", async () => {
    const [planned, changed] = [gate(), gate()];
    let plans = 0;
    const late = toolOf(
      "write_late",
      async (_, { workspace }) => {
        if ((await readFile(`${workspace}/a.txt`, "utf8")) !== "old\n")
          throw new EffectStopped("drifted", "a.txt has changed");
        await writeFile(`${workspace}/a.txt`, "late\n");
        return "written";
      },
      {
        effect: "file",
        // The look before the effect is the second one: another session changes the file behind its reading.
        plan: planOf("late\n", async () => {
          plans += 1;
          if (plans !== 2) return;
          planned.open();
          await changed.opened;
        }),
      },
    );
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["first", "second"] }]), says("All done.")],
      files: { "a.txt": "old\n" },
      mode: "accept-edits",
      tools: [askHelpers(), late, endsAfter("once_planned", planned.opened)],
      wrapModel: apart({
        first: [calls(["once_planned", {}]), calls(writes("of the first\n")), says("Done.")],
        second: [calls(["write_late", {}]), says("Read it.")],
      }),
    });
    const life = await stage.begin("go", { running: true });
    await life.until((e) => e.type === "turn_ended" && e.session === `${life.session.id}@c1.1`);
    changed.open();
    await life.session.settled();
    expect(ofChild(life, 2).call("c1")).toMatchObject({ status: "error", errorCode: "STALE", attempt: 2 });
    expect(stage.text("a.txt")).toBe("of the first\n");
    await life.close();
  });
});
