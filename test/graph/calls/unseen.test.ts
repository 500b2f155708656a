import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Effect, Tool, ToolContext } from "../../../src/core/tool.ts";
import { thisMachine } from "../../../src/process/process-identity.ts";
import { sessionDiff } from "../../../src/records/session-diff.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { createTreeKeeper } from "../../../src/tools/shell/tree/tree-keeper.ts";
import { fateOf } from "../../support/mortal.ts";
import { calls, type Life, openStage, type Stage, type StageOptions, says, toolOf } from "../../support/play.ts";
import { RawStore } from "../../support/raw-store.ts";
import { filePlan, shaOf } from "./file-plans.ts";

/** A tool that calls `dies` in each of its runs, where a process that is to die does so. */
type Mortal = (dies: () => void) => Tool;

/** Lives one after the other, each of which but the last dies in a run of the one call. @returns the last. */
async function liveThrough(
  mortal: Mortal,
  { deaths, approve = false, ...options }: { deaths: number; approve?: boolean } & Partial<StageOptions>,
): Promise<{ stage: Stage; life: Life }> {
  let fate = fateOf();
  let left = deaths;
  const tool = mortal(() => {
    if (left-- > 0) fate.die();
  });
  const stage = await openStage({ tools: [tool], lines: [calls([tool.name, {}]), says("Well.")], ...options });
  let life = await stage.begin("go", { wrap: fate.wrap });
  if (approve) {
    await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
    await life.session.settled();
  }
  for (let death = 0; death < deaths; death++) {
    expect(life.call("c1").status).toBe("executing");
    fate = fateOf();
    life = await stage.resume(life.session.id, { takeOver: true, wrap: fate.wrap });
  }
  return { stage, life };
}

/** What a life told of its calls. */
const toldBy = (life: Life) => life.of("tool_call").map(({ call }) => call);
const byEvidence = { actor: "recovery", rule: "evidence" };

describe("files whose call was not seen to end", () => {
  type Change = readonly [name: string, before: string | null, after: string | null];

  /** A tool that is to bring files from one content to another. A run that dies has done so many of them. */
  const changer =
    (changes: readonly Change[], doneOf: (run: number) => number): Mortal =>
    (dies) => {
      let runs = 0;
      const textOf = (real: string) => (existsSync(real) ? readFileSync(real, "utf8") : null);
      const put = (real: string, text: string | null) => (text === null ? rmSync(real) : writeFileSync(real, text));
      return toolOf(
        "change",
        (_, ctx) => {
          const all = changes.map(([name, , after]) => [join(ctx.workspace, name), after] as const);
          const todo = all.filter(([real, after]) => textOf(real) !== after);
          for (const [real, after] of todo.slice(0, doneOf(++runs))) put(real, after);
          dies();
          for (const [real, after] of todo) if (textOf(real) !== after) put(real, after);
          return "Changed.";
        },
        {
          effect: "file",
          risk: "medium",
          plan: async (_, ctx) => {
            const left = changes.filter(([name, , after]) => textOf(join(ctx.workspace, name)) !== after);
            const files = left.map(([name, before, after]) => {
              const real = join(ctx.workspace, name);
              const bytes = [before, after].map((text) => (text === null ? null : Buffer.from(text)));
              ctx.overlay?.write(real, { before: bytes[0] ?? null, after: bytes[1] ?? null });
              return filePlan(name, real, before, after);
            });
            return { summary: `change ${left.map(([name]) => name).join(", ")}`, cwd: ctx.cwd, files };
          },
        },
      );
    };
  const pair: readonly Change[] = [
    ["a.txt", "1\n", "2\n"],
    ["b.txt", "1\n", "2\n"],
  ];
  const files = { "a.txt": "1\n", "b.txt": "1\n" };

  it("and that it changed one of says so, and is asked about the rest", async () => {
    const { life } = await liveThrough(
      changer(pair, () => 1),
      { deaths: 1, approve: true, files },
    );
    const [asked] = life.last("approval_requested").calls;
    expect(toldBy(life)).toMatchObject([
      { callId: "c1", status: "interrupted", attempt: 1 },
      { callId: "c1", status: "pending", attempt: 2, by: byEvidence },
      { callId: "c1", status: "awaiting_approval", attempt: 2, digest: asked?.digest },
    ]);
    expect(toldBy(life)[0]).toHaveProperty("ended", { why: "unseen", files: ["a.txt"] });
    expect(life.of("decision")).toMatchObject([{ callId: "c1", decision: "retry", by: "recovery", rule: "evidence" }]);
    expect(asked).toMatchObject({
      plan: { summary: "change b.txt" },
      changed: { why: "part of it was done before its process ended" },
    });
  });

  it("and that did nothing is run again by the policy that allowed it, but not a fourth time", async () => {
    const nothing = changer(pair, () => 0);
    const { stage, life } = await liveThrough(nothing, { deaths: 2, mode: "accept-edits", files });
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 3, by: { actor: "policy" } });
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["2\n", "2\n"]);
    const { stage: other, life: fourth } = await liveThrough(nothing, { deaths: 3, mode: "accept-edits", files });
    expect(fourth.call("c1")).toMatchObject({
      status: "interrupted",
      attempt: 3,
      ended: { why: "unseen" },
    });
    expect(fourth.last("recovery_requested").calls).toMatchObject([{ callId: "c1", effect: "file" }]);
    expect(other.text("a.txt")).toBe("1\n");
  });

  it("and that are artifacts alone are no question: nothing was done, and three times are an error", async () => {
    const artifacts = [{ address: "a1", before: null, after: shaOf("1") }];
    const { life } = await liveThrough(
      (dies) => {
        const changes = async () => {
          dies();
          return "Changed.";
        };
        const plan: Tool["plan"] = async (_, { cwd }) => ({ summary: "change a1", cwd, files: [], artifacts });
        return toolOf("change", changes, { effect: "file", plan });
      },
      { deaths: 3, mode: "accept-edits" },
    );
    expect(life.call("c1")).toMatchObject({ status: "error", attempt: 3, errorCode: "FAILED" });
    expect(life.of("recovery_requested")).toEqual([]);
  });

  it("and that were all changed in its third run are found so", async () => {
    const { life } = await liveThrough(
      changer([["a.txt", "1\n", null]], (run) => (run === 3 ? 1 : 0)),
      { deaths: 3, mode: "accept-edits", files },
    );
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 3, by: byEvidence });
    expect(life.call("c1")).toHaveProperty("result", {
      output: expect.stringMatching(/^Done: the bytes on disk/) as unknown,
      title: "change a.txt",
      // A file that is gone is known by no bytes.
      metadata: {
        diff: expect.stringContaining("a.txt") as unknown,
        changes: { changes: [expect.objectContaining({ name: "a.txt", kind: "delete" })], left: 0 },
        added: 1,
        removed: 1,
      },
    });
    expect(life.of("decision")).toMatchObject([{ callId: "c1", decision: "done", by: "recovery", rule: "evidence" }]);
  });
});

describe("a call that was not seen to end", () => {
  const idle =
    (more: Partial<Tool>, run: (ctx: ToolContext) => unknown = () => undefined): Mortal =>
    (dies) =>
      toolOf(
        "idle",
        async (_, ctx) => {
          await run(ctx);
          dies();
          return "Idled.";
        },
        more,
      );

  it.each<Effect>(["none", "store", "child"])(
    "and may be run again (%s) is, by the approval that it had",
    async (effect) => {
      const { life } = await liveThrough(idle({ effect, risk: "medium" }), { deaths: 1, approve: true });
      expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2, by: { actor: "person" } });
      expect(life.of("approval_requested")).toEqual([]);
    },
  );

  const child = { pid: 2_147_483_646, started: "1", mark: "none of ours" };

  it("is not run again while something that it had started may run on another machine", async () => {
    const elsewhere = { ...child, host: "elsewhere", boot: "another" };
    const { life } = await liveThrough(
      idle({ effect: "none" }, (ctx) => ctx.noteChild?.(elsewhere)),
      { deaths: 1 },
    );
    expect(life.call("c1")).toMatchObject({
      status: "interrupted",
      attempt: 1,
      ended: { why: "unseen", note: expect.stringContaining(`process ${child.pid}`) as unknown },
    });
    expect(life.last("recovery_requested").calls).toMatchObject([{ callId: "c1" }]);
  });

  it("is run again where what it had started is gone", async () => {
    const gone = { ...child, host: thisMachine().host, boot: "an earlier one" };
    const { life } = await liveThrough(
      idle({ effect: "none" }, (ctx) => ctx.noteChild?.(gone)),
      { deaths: 1 },
    );
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2 });
    const note = `it had started process ${child.pid}, which has ended`;
    expect(toldBy(life)[0]).toMatchObject({ status: "interrupted", ended: { why: "unseen", note } });
  });

  it("though its process lives says that its end could not be written down", async () => {
    const scene: { database?: string; release(): void } = { release: () => undefined };
    const locks = toolOf(
      "act",
      () => {
        const other = new RawStore(scene.database ?? "");
        other.exec("BEGIN IMMEDIATE");
        scene.release = () => void other.close();
        return "Acted.";
      },
      { effect: "once" },
    );
    const stage = await openStage({ patienceMs: 60, tools: [locks], lines: [calls(["act", {}]), says("Well.")] });
    scene.database = stage.database;
    const life = await stage.begin("go");
    scene.release();
    expect(life.call("c1").status).toBe("executing");
    await life.session.submit("and now?");
    await life.session.settled();
    expect(life.call("c1")).toHaveProperty("ended", {
      why: "superseded",
      unknown: true,
      note: "its end could not be written down",
    });
  });

  it("and ran a command says what that had changed", async () => {
    const make: Mortal = (dies) =>
      toolOf(
        "make",
        async (_, ctx) => {
          appendFileSync(join(ctx.workspace, "a.txt"), "2\n");
          dies();
          return "Made.";
        },
        { effect: "once", plan: async (_, ctx) => ({ summary: "make", cwd: ctx.cwd, command: "make" }) },
      );
    const tools: Tool[] = [];
    const parts: StageOptions["parts"] = {
      openTools: async ({ workspace }) => ({
        tools: [...createDefaultTools({ workspace }), ...tools],
        services: {},
        tree: createTreeKeeper({ roots: [workspace], base: join(dirname(workspace), "kept", "one") }),
        close: () => undefined,
      }),
    };
    const kept: Mortal = (dies) => {
      const tool = make(dies);
      tools.push(tool);
      return tool;
    };
    const { stage, life } = await liveThrough(kept, { deaths: 1, files: { "a.txt": "1\n" }, parts });
    expect(life.call("c1")).toMatchObject({ status: "interrupted", ended: { why: "unseen" } });
    expect(
      sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace).map(({ path }) => path),
    ).toEqual(["a.txt"]);
  });
});
