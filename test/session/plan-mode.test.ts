import { describe, expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { goalLines } from "../../src/core/goal-lines.ts";
import { goalCalls, goalsOf } from "../../src/core/goals.ts";
import type { CallDecision } from "../../src/graph/decisions.ts";
import type { ModelRequest } from "../../src/model/port.ts";
import type { Rule } from "../../src/policy/types.ts";
import { calls, type Life, openStage, type Stage, says } from "../support/play.ts";

const plan = (text: string, goals?: string[]): [string, { plan: string; goals?: string[] }] => [
  "present_plan",
  { plan: text, ...(goals === undefined ? {} : { goals }) },
];
const edit: [string, Record<string, string>] = [
  "edit_file",
  { file_path: "a.txt", old_string: "one", new_string: "two" },
];

const toolsOf = ({ tools }: ModelRequest): string[] => tools.map(({ name }) => name);
const systemOf = ({ messages }: ModelRequest): string => String(messages[0]?.content);
const goalsIn = (life: Life): string[] => goalLines(goalsOf(goalCalls(life.journal()).map(({ call }) => call)));

async function answer(life: Life, decision: CallDecision, callId = "c1") {
  const outcome = await life.session.answer({ session: life.session.id, call: callId }, decision);
  await life.session.settled();
  return outcome;
}

const digestOf = (life: Life, callId = "c1"): string => (life.call(callId) as { digest?: string }).digest ?? "";
const approve = (life: Life, more: { mode?: "ask" | "accept-edits" } = {}, callId = "c1") =>
  answer(life, { decision: "approve", digest: digestOf(life, callId), ...more }, callId);

const rule = (tool: string, decision: Rule["decision"]): Rule => ({
  ...{ tool, decision, why: "so it is here" },
  origin: { source: "user", file: "policy.json", line: 1 },
});

const files = { "a.txt": "one\n" };
const planning = (
  lines: Parameters<typeof openStage>[0]["lines"],
  more: Partial<Parameters<typeof openStage>[0]> = {},
) => openStage({ mode: "plan", files, lines, ...more });

describe("mode plan", () => {
  it("changes nothing, and asks about the plan whatever rules say; approved it is worked in mode ask", async () => {
    const stage = await planning(
      [calls(edit), calls(plan("# Mend a\n\n1. edit `a.txt`")), calls(edit), says("Done.")],
      {
        rules: [rule("present_plan", "allow"), rule("edit_file", "allow")],
      },
    );
    const life = await stage.begin("mend a");
    expect(endOf(life, "c1")).toMatchObject({ status: "cancelled", by: { actor: "policy", rule: "mode" } });
    const [asked] = life.last("approval_requested").calls;
    expect(asked).toMatchObject({
      toolName: "present_plan",
      risk: "medium",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      arguments: { plan: "# Mend a\n\n1. edit `a.txt`" },
      verdict: { decision: "ask", rule: { source: "confirm" } },
    });
    expect(await life.session.offersOf({ session: life.session.id, call: "c2" })).toEqual({
      grants: [],
      mode: "accept-edits",
    });
    expect(await approve(life, {}, "c2")).toEqual({ ok: true, mode: "ask" });
    expect(life.session.mode).toBe("ask");
    expect(life.of("decision").find(({ callId }) => callId === "c2")).toMatchObject({
      decision: "approve",
      mode: "ask",
    });
    expect(life.call("c2")).toMatchObject({ status: "success", digest: asked?.digest });
    // The rule allows the edit in mode ask.
    expect(stage.text("a.txt")).toBe("two\n");
    const told = stage.requests.map((request) => [
      toolsOf(request).includes("present_plan"),
      systemOf(request).includes("You are planning"),
    ]);
    expect(told).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(stage.requests[2]?.messages.at(-1)?.content).toBe(
      "Approved, as follows; work by it now.\n\n# Mend a\n\n1. edit `a.txt`",
    );
  });

  it("is gone on from in the mode that the answer names", async () => {
    const stage = await planning([calls(plan("Mend a.")), calls(edit), says("Done.")]);
    const life = await stage.begin("mend a");
    expect(await approve(life, { mode: "accept-edits" })).toEqual({ ok: true, mode: "accept-edits" });
    expect([life.session.mode, stage.text("a.txt")]).toEqual(["accept-edits", "two\n"]);
    expect(life.of("approval_requested")).toHaveLength(1);
  });

  it("has the plan as a person edited it recorded, told and made into goals, each once; the older digest approves nothing", async () => {
    const stage = await planning([
      calls(plan("Mend a.", ["read it", "mend it"])),
      calls(["goal", { action: "start", id: "g2" }]),
      says("Done."),
    ]);
    const life = await stage.begin("mend a");
    const shown = digestOf(life);
    const edited = { plan: "Mend a, then b.", goals: ["read it", "mend it", "mend b"] };
    expect(await answer(life, { decision: "edit", arguments: edited })).toEqual({ ok: true });
    expect(digestOf(life)).not.toBe(shown);
    expect(goalsIn(life)).toEqual([]);
    expect(await answer(life, { decision: "approve", digest: shown })).toMatchObject({ ok: false, code: "stale" });
    expect(life.session.mode).toBe("plan");
    await approve(life);
    expect(life.call("c1")).toMatchObject({ status: "success", arguments: edited });
    expect(String(stage.requests[1]?.messages.at(-1)?.content).split("\n").slice(1).join("\n")).toBe(
      "Approved, as follows; work by it now.\n\nMend a, then b.\n\nIts goals are in the plan of this session.",
    );
    expect(goalsIn(life)).toEqual(["g1 pending: read it", "g2 active: mend it", "g3 pending: mend b"]);
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    expect(goalsIn(again)).toHaveLength(3);
  });

  it("goes on when a plan is denied: the model reads why, and may present another one", async () => {
    const stage = await planning([calls(plan("Delete it.", ["delete"])), calls(plan("Mend it.")), says("Done.")]);
    const life = await stage.begin("mend a");
    await answer(life, { decision: "deny", reason: "keep the file" });
    expect(stage.requests[1]?.messages.at(-1)?.content).toContain("keep the file");
    expect([life.session.mode, toolsOf(stage.requests[1] as ModelRequest).includes("present_plan")]).toEqual([
      "plan",
      true,
    ]);
    expect(life.call("c2").status).toBe("awaiting_approval");
    await approve(life, {}, "c2");
    expect([life.last("turn_ended").reason, goalsIn(life)]).toEqual(["done", []]);
  });

  it("has a deny rule obeyed, and is not loosened by a wider mode while its question is open", async () => {
    const denied = await planning([calls(plan("Mend it.")), says("None, then.")], {
      rules: [rule("present_plan", "deny")],
    });
    expect((await denied.begin("mend a")).call("c1").status).toBe("cancelled");
    const stage = await planning([calls(plan("Mend it.")), says("Done.")]);
    const life = await stage.begin("mend a");
    life.session.setMode("full-auto");
    await life.close();
    const again = await stage.resume(life.session.id, { mode: "full-auto" });
    expect(again.call("c1").status).toBe("awaiting_approval");
    await approve(again);
    // Whoever chose a mode that plans nothing keeps it.
    expect([again.session.mode, again.call("c1").status]).toEqual(["full-auto", "success"]);
  });
});

const endOf = (life: Life, callId: string): Partial<ToolCallInfo> & { errorMsg?: string } => life.call(callId);

describe("the tool present_plan", () => {
  it("is there in mode plan alone, and says so elsewhere; what models know it by leads to it", async () => {
    const stage = await openStage({ lines: [calls(plan("Mend it.")), says("On, then.")] });
    const life = await stage.begin("mend a");
    expect(endOf(life, "c1")).toMatchObject({
      status: "error",
      errorCode: "UNKNOWN_TOOL",
      errorMsg: expect.stringContaining("in the mode plan alone"),
    });
    expect(stage.requests.map((request) => JSON.stringify(request.tools).includes("plan"))).not.toContain(
      toolsOf(stage.requests[0] as ModelRequest).includes("present_plan"),
    );
    const other = await planning([calls(["ExitPlanMode", { plan: "Mend it." }]), says("Oh.")]);
    expect(endOf(await other.begin("mend a"), "c1").errorMsg).toContain("did you mean present_plan?");
  });

  it.each([
    ["nothing to be seen", { plan: " \u200b\n" }, "the plan is empty"],
    ["1 MB", { plan: "x".repeat(1_000_000) }, "1000000 characters"],
    ["too many goals", { plan: "p", goals: Array(21).fill("g") }, "20 are the most"],
    ["a goal of two lines", { plan: "p", goals: ["a\nb"] }, "must be one line"],
    ["a goal that hides text", { plan: "p", goals: ["a\u202eb"] }, "nobody can see"],
    ["an argument that it has not", { plan: "p", mode: "full-auto" }, "mode"],
  ])("refuses a plan of %s, before anyone is asked", async (_, args, words) => {
    const stage = await planning([calls(["present_plan", args as never]), says("Shorter, then.")]);
    const life = await stage.begin("mend a");
    expect(endOf(life, "c1")).toMatchObject({ status: "error", errorCode: "INVALID_ARGUMENT" });
    expect(endOf(life, "c1").errorMsg).toContain(words);
    expect(life.of("approval_requested")).toEqual([]);
  });

  it("is refused where the session has no room for its goals", async () => {
    const adds = Array.from({ length: 90 }, (_, at): [string, Record<string, string>] => [
      "goal",
      { action: "add", text: `goal ${at}` },
    ]);
    const stage = await planning([calls(...adds), calls(plan("p", Array(11).fill("g"))), says("Fewer, then.")]);
    const life = await stage.begin("mend a");
    expect(endOf(life, "c91")).toMatchObject({ status: "error", errorCode: "TOO_LARGE" });
  });
});

const restart = async (stage: Stage, life: Life, mode?: "ask") => {
  await life.close();
  return stage.resume(life.session.id, { still: true, ...(mode === undefined ? {} : { mode }) });
};

it("is approved in a session that was opened in another mode, too, and stays denied where it was", async () => {
  const stage = await planning([calls(plan("Mend it.")), says("Done.")]);
  const life = await stage.begin("mend a");
  const again = await restart(stage, life, "ask");
  expect(again.session.mode).toBe("ask");
  await approve(again);
  expect([again.call("c1").status, again.session.mode]).toEqual(["success", "ask"]);
});
