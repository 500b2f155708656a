import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Tool, ToolContext } from "../../../src/core/tool.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { heldSpeech } from "../../support/held-speech.ts";
import { fateOf } from "../../support/mortal.ts";
import {
  calls,
  type Life,
  linesIn,
  openStage,
  type Stage,
  type StageOptions,
  says,
  toolOf,
} from "../../support/play.ts";

const ring = calls(["ring", { bell: "big" }]);

/** A first life that ends in the middle of a call, and what is needed to go on. */
interface Broken {
  stage: Stage;
  first: Life;
  rung(): number;
}

/**
 * The tool `ring` rings (a line in a file) before its process dies, or dies before it could.
 * @param deaths how many of its runs end so.
 */
async function dieRinging(
  more: Partial<Tool>,
  when: "before" | "after",
  options: Partial<StageOptions> = {},
  deaths = 1,
) {
  let fate = fateOf();
  let left = deaths;
  const at = { file: "" };
  const tool = toolOf(
    "ring",
    () => {
      if (when === "after") appendFileSync(at.file, "ring\n");
      if (left-- > 0) fate.die();
      if (when === "before") appendFileSync(at.file, "ring\n");
      return "Rung.";
    },
    more,
  );
  const stage = await openStage({ tools: [tool], lines: [ring, says("Well.")], ...options });
  at.file = stage.path("../rings");
  const first = await stage.begin("ring it", { wrap: fate.wrap });
  const again = async (still = false): Promise<Life> => {
    fate = fateOf();
    return stage.resume(first.session.id, { takeOver: true, wrap: fate.wrap, still });
  };
  return { stage, first, again, rung: () => linesIn(at.file) } satisfies Broken & { again: unknown };
}

describe("a call whose end was not seen", () => {
  it("that only reads is run again by itself, and its attempts are counted", async () => {
    const { stage, again, rung } = await dieRinging({ effect: "none" }, "after");
    const life = await again();
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2 });
    expect(rung()).toBe(2);
    expect(stage.observation()).toBe("Rung.");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Well." });
    expect(stage.requests).toHaveLength(2);
  });

  it("that only reads and kills its process three times is an error, not run a fourth time", async () => {
    const { stage, again, rung } = await dieRinging({ effect: "none" }, "after", {}, 9);
    await again();
    await again();
    const life = await again();
    const errorMsg = expect.stringMatching(/^it was started 3 times, .* not started again/);
    expect(life.call("c1")).toMatchObject({ status: "error", attempt: 3, errorCode: "FAILED", errorMsg });
    expect(rung()).toBe(3);
    expect(stage.observation()).toContain("it was started 3 times");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Well." });
  });

  it("that writes our own data and kills its process three times is left to the person", async () => {
    const { again } = await dieRinging({ effect: "store" }, "before", {}, 9);
    await again();
    await again();
    const life = await again();
    expect(life.call("c1")).toMatchObject({ status: "interrupted", attempt: 3 });
    expect(life.last("recovery_requested").calls).toMatchObject([{ callId: "c1", effect: "store" }]);
    await life.session.recover({ session: life.session.id, call: "c1" }, "cancel");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
  });

  it("that may happen only once is asked about in those words, never run by itself", async () => {
    const { again, rung } = await dieRinging({ effect: "once" }, "after");
    const life = await again();
    expect(rung()).toBe(1);
    expect(life.last("session_restored")).toMatchObject({
      waiting: [],
      messages: [{ role: "user" }, { role: "assistant" }, { role: "call" }],
    });
    expect(life.last("recovery_requested").calls).toEqual([
      {
        session: life.session.id,
        callId: "c1",
        toolName: "ring",
        arguments: { bell: "big" },
        effect: "once",
        startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        known: expect.stringMatching(/^Outcome unknown: /),
        plan: expect.objectContaining({ summary: expect.stringContaining("ring") }),
        choices: ["retry", "done", "cancel"],
      },
    ]);
    expect(life.store.sessions.get(life.session.id)?.state).toBe("awaiting_recovery");
    expect(await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" })).toMatchObject({
      ok: false,
      code: "not_waiting",
    });
    await life.close();
    expect(life.last("turn_ended")).toMatchObject({
      reason: "awaiting_recovery",
      exitCode: 11,
      calls: { interrupted: 1 },
    });
    const later = await again();
    expect(later.last("session_restored").interrupted).toEqual(["c1"]);
    expect(later.last("recovery_requested").calls).toHaveLength(1);
    expect(rung()).toBe(1);
  });

  it.each([
    ["retry", 2, "success", /^Rung\.$/, 0],
    ["done", 1, "success", /^The person marked this call as done\. Its output was not seen\.$/, 0],
    ["cancel", 1, "cancelled", /^Outcome unknown: .*the person gave up on it$/, 10],
  ] as const)(
    "ends by the person's %s with %i runs, and the model is told",
    async (choice, runs, status, told, exitCode) => {
      const { stage, again, rung } = await dieRinging({ effect: "once" }, "after");
      const life = await again();
      expect(await life.session.recover({ session: life.session.id, call: "c1" }, choice)).toEqual({ ok: true });
      await life.session.settled();
      expect(rung()).toBe(runs);
      expect(life.call("c1")).toMatchObject({ status, attempt: choice === "retry" ? 2 : 1 });
      expect(stage.observation()).toMatch(told);
      expect(life.last("decision")).toMatchObject({ callId: "c1", decision: choice, by: "person" });
      expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode });
      expect(await life.session.recover({ session: life.session.id, call: "c1" }, choice)).toMatchObject({
        ok: false,
        code: "not_waiting",
      });
    },
  );

  it("after an approval needs none again for a retry, which is an approval itself", async () => {
    const rules: StageOptions["rules"] = [];
    const { stage, first, again, rung } = await dieRingingApproved(rules);
    expect(first.call("c1").status).toBe("executing");
    const life = await again();
    await life.session.recover({ session: life.session.id, call: "c1" }, "retry");
    await life.session.settled();
    expect(life.of("approval_requested")).toEqual([]);
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2, by: { actor: "person" } });
    expect([rung(), stage.observation()]).toEqual([2, "Rung."]);
  });

  async function dieRingingApproved(rules: NonNullable<StageOptions["rules"]>) {
    const broken = await dieRinging({ effect: "once", risk: "medium" }, "after", { rules });
    await broken.first.session.answer({ session: broken.first.session.id, call: "c1" }, { decision: "approve" });
    await broken.first.session.settled();
    return broken;
  }

  it("is told as unknown to the model when the person goes on with a new message", async () => {
    const { stage, again, rung } = await dieRinging({ effect: "once" }, "after");
    const life = await again();
    await life.session.submit("never mind");
    await life.session.settled();
    expect(rung()).toBe(1);
    expect(stage.observation()).toMatch(/^Outcome unknown: .*the person went on with a new message$/);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Well." });
  });

  it("leaves the calls behind it in its message to be run after it", async () => {
    const lines = [
      calls(["ring", {}], ["write_file", { file_path: "b.txt", content: "b\n" }], ["ls", {}]),
      says("Well."),
    ];
    const { stage, again, rung } = await dieRinging({ effect: "once" }, "after", { lines, mode: "accept-edits" });
    const life = await again();
    expect(life.last("recovery_requested").calls.map((call) => call.callId)).toEqual(["c1"]);
    await life.session.recover({ session: life.session.id, call: "c1" }, "done");
    await life.session.settled();
    expect([rung(), stage.text("b.txt")]).toEqual([1, "b\n"]);
    expect(life.last("turn_ended").calls).toEqual({ success: 3, error: 0, cancelled: 0, interrupted: 0 });
  });

  it("does not hold up what was queued behind it for good", async () => {
    const { stage, again } = await dieRinging({ effect: "once" }, "after", {
      lines: [ring, says("Well."), says("Second.")],
    });
    const life = await again(true);
    await life.session.submit("queued?");
    await life.session.settled();
    expect(life.last("turn_ended").reason).toBe("done");
    expect(stage.requests.at(-1)?.messages.at(-1)?.content).toBe("queued?");
  });
});

describe("a file effect whose end was not seen", () => {
  const write = calls(["put", { file_path: "b.txt", content: "new\n" }]);

  /** write_file under another name, which dies around its effect. */
  async function dieWriting(at: {
    before?: (stage: Stage) => void;
    after?: (stage: Stage) => void;
    files?: Record<string, string>;
  }) {
    let fate = fateOf();
    let deaths = 1;
    const real = createWriteFileTool();
    const scene: { stage?: Stage } = {};
    const dying = async (args: unknown, ctx: ToolContext) => {
      const { stage } = scene;
      if (stage === undefined) throw new Error("no stage");
      if (deaths-- <= 0) return real.execute(args, ctx);
      at.before?.(stage);
      if (at.after !== undefined) {
        await real.execute(args, ctx);
        at.after(stage);
      }
      return fate.die();
    };
    const tool: Tool = { ...real, name: "put", execute: dying };
    const stage = await openStage({
      tools: [tool],
      lines: [write, says("Well.")],
      files: at.files ?? { "b.txt": "old\n" },
    });
    scene.stage = stage;
    const first = await stage.begin("write", { wrap: fate.wrap });
    await first.session.answer({ session: first.session.id, call: "c1" }, { decision: "approve" });
    await first.session.settled();
    expect(first.call("c1").status).toBe("executing");
    fate = fateOf();
    const life = await stage.resume(first.session.id, { takeOver: true, wrap: fate.wrap });
    return { stage, life };
  }

  it("is done where the bytes are those approved, and is not done again", async () => {
    const { stage, life } = await dieWriting({ after: () => undefined });
    expect(stage.text("b.txt")).toBe("new\n");
    expect(life.call("c1")).toMatchObject({
      status: "success",
      attempt: 1,
      by: { actor: "recovery", rule: "evidence" },
    });
    expect(stage.observation()).toMatch(/^Done: the bytes on disk are those that were approved/);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { success: 1 } });
    expect(life.of("approval_requested")).toEqual([]);
  });

  it("is done now where nothing had happened, by the approval it had", async () => {
    const { stage, life } = await dieWriting({});
    expect(stage.text("b.txt")).toBe("new\n");
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2, by: { actor: "person" } });
    expect(life.of("approval_requested")).toEqual([]);
    expect(life.of("recovery_requested")).toEqual([]);
  });

  it("of a new file is done now where the file is not there", async () => {
    const { stage, life } = await dieWriting({ files: {} });
    expect(stage.text("b.txt")).toBe("new\n");
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2 });
  });

  it("is the person's to settle where the bytes are neither, and nothing is overwritten", async () => {
    const { stage, life } = await dieWriting({ after: (at) => writeFileSync(at.path("b.txt"), "mine\n") });
    expect(stage.text("b.txt")).toBe("mine\n");
    expect(life.last("recovery_requested").calls).toMatchObject([
      { callId: "c1", effect: "file", plan: { files: [{ kind: "modify" }] }, choices: ["retry", "done", "cancel"] },
    ]);
    await life.session.recover({ session: life.session.id, call: "c1" }, "retry");
    await life.session.settled();
    expect(stage.text("b.txt")).toBe("mine\n");
    const [call] = life.last("approval_requested").calls;
    expect(call?.plan.diff).toContain("-mine");
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: call?.digest ?? "" },
    );
    await life.session.settled();
    expect(stage.text("b.txt")).toBe("new\n");
    expect(life.last("turn_ended").reason).toBe("done");
  });
});

describe("a message that was queued", () => {
  it("when its process died is answered after the turn that was under way", async () => {
    let fate = fateOf();
    const { wrapModel, goOn } = heldSpeech();
    const stage = await openStage({ lines: [says("First answer."), says("Second.")], wrapModel });
    const first = await stage.begin("one", { running: true, wrap: (store) => fate.wrap(store) });
    await first.until((event) => event.type === "text_delta");
    await first.session.submit("two");
    expect(() => fate.die()).toThrow();
    goOn();
    await first.session.settled();
    fate = fateOf();
    const life = await stage.resume(first.session.id, { takeOver: true });
    expect(life.of("user_message").map(({ text, queued }) => [text, queued])).toEqual([
      ["two", true],
      ["two", undefined],
    ]);
    expect(life.of("turn_ended").map((end) => end.text)).toEqual(["First answer.", "Second."]);
    expect(
      stage.requests
        .at(-1)
        ?.messages.slice(1)
        .map((message) => message.content),
    ).toEqual(["one", "First answer.", "two"]);
  });
});
