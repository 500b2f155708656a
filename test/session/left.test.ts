import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { defineTool, type Effect, type Tool } from "../../src/core/tool.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { journalsWith } from "../support/journals-with.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, type Stage, says } from "../support/play.ts";

/** A store whose session begins to close as soon as a move is committed that this is true of, once; `begins` resolves then. */
function closesAfter(life: Promise<Life>, is: (call: ToolCallInfo) => boolean) {
  const closing = gate<void>();
  let due = true;
  const wrap = journalsWith((journal) => ({
    async move(moves, answer) {
      await journal.move(moves, answer);
      if (!due || !moves.some(({ after }) => is(after))) return;
      due = false;
      const { session } = await life;
      session.close().catch(() => undefined);
      closing.open();
    },
  }));
  return { wrap, begins: closing.opened };
}

const approved = ({ status, by }: ToolCallInfo & { by?: { actor: string } }): boolean =>
  status === "pending" && by?.actor === "person";
const begun = ({ status, effect }: ToolCallInfo): boolean => status === "executing" && effect !== "child";

const own = {
  write: [calls(["write_file", { file_path: "a.txt", content: "A\n" }]), says("Done.")],
  edit: [calls(["edit_file", { file_path: "b.txt", old_string: "b", new_string: "c" }]), says("Done.")],
  read: [calls(["read_file", { file_path: ".env" }]), says("Done.")],
  shell: [calls(["shell", { command: "echo hi >> s.txt" }]), says("Done.")],
};
type Kind = keyof typeof own;

const stageOf = (kind: Kind, isHelpers: boolean): Promise<Stage> =>
  openStage({
    files: { ".env": "KEY=1\n", "b.txt": "b\n" },
    lines: isHelpers ? [calls(["ask_helpers", { tasks: ["do a"] }]), says("All done.")] : own[kind],
    tools: [askHelpers()],
    ...(isHelpers && { wrapModel: apart({ "do a": own[kind] }) }),
  });

/** The one call that waits, and how it ended. */
async function answeredAndLeft(
  stage: Stage,
  is: (call: ToolCallInfo) => boolean,
): Promise<{ id: string; asked: string }> {
  const opened = gate<Life>();
  const closing = closesAfter(opened.opened, is);
  const life = await stage.begin("go", { wrap: closing.wrap });
  opened.open(life);
  const [asked] = life.last("approval_requested").calls;
  const { id } = life.session;
  const session = asked?.session ?? "";
  await life.session.answer({ session, call: "c1" }, { decision: "approve" });
  await closing.begins;
  await life.close();
  return { id, asked: session };
}

describe("a call that was approved goes on when its session is resumed that was closed", () => {
  it.each(
    (["write", "edit", "read", "shell"] as const).flatMap((kind) =>
      (["own", "helper's"] as const).flatMap((whose) =>
        (["approved", "begun"] as const).map((when) => [whose, kind, when] as const),
      ),
    ),
  )("just after the %s %s was %s", async (whose, kind, when) => {
    const stage = await stageOf(kind, whose !== "own");
    const { id, asked } = await answeredAndLeft(stage, when === "approved" ? approved : begun);
    const again = await stage.resume(id);
    expect(again.of("approval_requested")).toEqual([]);
    expect(again.last("turn_ended")).toMatchObject({ reason: "done", session: id });
    expect(again.store.readJournal(asked).call("c1")).toMatchObject({ status: "success", by: { actor: "person" } });
    if (kind === "shell") expect(stage.text("s.txt")).toBe("hi\n");
    if (kind === "write") expect(stage.text("a.txt")).toBe("A\n");
    if (kind === "edit") expect(stage.text("b.txt")).toBe("c\n");
    await again.close();
  });
});

/** A tool that works until it is stopped, in its first run; it says how often it was run. */
function works(effect: Effect): { tool: Tool; began: Promise<void>; runs(): number } {
  const first = gate<void>();
  let runs = 0;
  const tool = defineTool({
    name: "work_on",
    description: "works",
    args: z.strictObject({}),
    risk: "low",
    effect,
    execute: async (_, { signal }) => {
      runs += 1;
      if (runs > 1) return "worked";
      first.open();
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      return "";
    },
  });
  return { tool, began: first.opened, runs: () => runs };
}

describe("what works when its session is closed", () => {
  it.each(["none", "store", "child"] as const)(
    "and may be done again (%s) is, and the model is told of that run alone",
    async (effect) => {
      const { tool, began, runs } = works(effect);
      const stage = await openStage({
        lines: [calls(["work_on", {}]), says("Done.")],
        tools: [tool],
        mode: "full-auto",
      });
      const life = await stage.begin("go", { running: true });
      await began;
      await life.close();
      const again = await stage.resume(life.session.id);
      expect([runs(), again.call("c1").status, stage.observation()]).toEqual([2, "success", "worked"]);
      await again.close();
    },
  );

  it("and may have done something has been seen to end, and is not done again", async () => {
    const { tool, began, runs } = works("once");
    const stage = await openStage({ lines: [calls(["work_on", {}]), says("Done.")], tools: [tool], mode: "full-auto" });
    const life = await stage.begin("go", { running: true });
    await began;
    await life.close();
    const again = await stage.resume(life.session.id);
    expect([runs(), again.call("c1")]).toMatchObject([1, { status: "error", errorCode: "CANCELLED" }]);
    await again.close();
  });

  it("is called off where it was the person who stopped it", async () => {
    const { tool, began, runs } = works("none");
    const stage = await openStage({ lines: [calls(["work_on", {}]), says("Done.")], tools: [tool], mode: "full-auto" });
    const life = await stage.begin("go", { running: true });
    await began;
    await life.session.stop();
    expect([runs(), life.call("c1")]).toMatchObject([1, { status: "error", errorCode: "CANCELLED" }]);
    await life.close();
  });
});
