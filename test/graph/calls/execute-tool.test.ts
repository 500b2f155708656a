import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ToolRefusal } from "../../../src/core/codes.ts";
import { EffectStopped, type Outcome } from "../../../src/core/outcome.ts";
import {
  defineTool,
  type FilePlan,
  type Plan,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createToolContext, normalizeResult, runTool } from "../../../src/tools/use/run-tool.ts";
import { tempTree } from "../../tools/temp-tree.ts";

const toolOf = (execute: Tool["execute"], more: Partial<Tool> = {}): Tool => ({
  ...defineTool({ name: "probe", description: "d", args: z.strictObject({ n: z.int().optional() }), execute }),
  ...more,
});

/** Runs until its signal aborts, then throws the signal's reason. */
const obedient = (_: unknown, ctx: ToolContext): Promise<string> =>
  new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)));

const context = (more: Partial<ToolContext> = {}): ToolContext => createToolContext({ workspace: "/ws", ...more });

describe("executeTool", () => {
  test("validates, plans and executes, in this order and with one context", async () => {
    const workspace = tempTree();
    const steps: unknown[] = [];
    const plan: Plan = { summary: "do it", cwd: workspace };
    const tool = toolOf(
      async (args, ctx) => {
        steps.push(["execute", args, ctx.plan, ctx.workspace, ctx.cwd]);
        return "done";
      },
      {
        validate: () => void steps.push("validate"),
        plan: async () => {
          steps.push("plan");
          return plan;
        },
      },
    );
    expect(await executeTool(tool, { n: "1" }, { workspace })).toEqual({ output: "done" });
    expect(steps).toEqual(["validate", "plan", ["execute", { n: 1 }, plan, workspace, workspace]]);
  });

  test("arguments that do not fit come back as an error, and nothing runs", async () => {
    const tool = toolOf(async () => {
      throw new Error("must not run");
    });
    expect(await executeTool(tool, { m: 1 }, { workspace: tempTree() })).toEqual({
      output: "",
      error: 'probe: unknown argument "m" (known: n)',
      metadata: { code: "INVALID_ARGUMENT" },
    });
  });

  test("a refusal in plan comes back as an error with its code", async () => {
    const refuse = (): never => {
      throw new ToolRefusal("NOT_FOUND", "there is no a.ts");
    };
    const tool = toolOf(async () => "ran", { plan: async () => refuse() });
    expect(await executeTool(tool, {}, { workspace: tempTree() })).toEqual({
      output: "",
      error: "there is no a.ts",
      metadata: { code: "NOT_FOUND" },
    });
  });

  test("a schema or validation that throws is the tool's failure, not the caller's", async () => {
    const tool = toolOf(async () => "", {
      args: () => {
        throw new Error("no schema today");
      },
    });
    expect(await executeTool(tool, {}, { workspace: tempTree() })).toMatchObject({
      error: "the tool failed: no schema today",
      metadata: { code: "FAILED" },
    });
  });

  test("the workspace reaches the tool with its links resolved", async () => {
    const root = tempTree({ "real/a": "" });
    symlinkSync(join(root, "real"), join(root, "link"));
    const tool = toolOf(async (_, ctx) => `${ctx.workspace} ${ctx.cwd}`);
    const real = join(root, "real");
    expect(await executeTool(tool, {}, { workspace: join(root, "link") })).toEqual({ output: `${real} ${real}` });
  });

  test.each(["relative/path", "/no/such/folder"])(
    "a workspace that cannot be one (%s) is thrown",
    async (workspace) => {
      await expect(
        executeTool(
          toolOf(async () => ""),
          {},
          { workspace },
        ),
      ).rejects.toThrow(TypeError);
    },
  );
});

describe("runTool", () => {
  test.each([
    ["a refusal", new ToolRefusal("STALE", "it changed"), "it changed", "STALE"],
    ["an error", new Error("boom"), "boom", "FAILED"],
    ["an error without words", new Error(""), "the tool failed and did not say why", "FAILED"],
    ["what is no error", "just text", "just text", "FAILED"],
    ["undefined", undefined, "undefined", "FAILED"],
  ])("%s that is thrown is a failure with its code", async (_, thrown, error, code) => {
    const tool = toolOf(() => {
      throw thrown;
    });
    expect(await runTool(tool, {}, context())).toEqual({ kind: "failed", code, message: error });
  });

  test("at its time limit a tool is told to stop, and the call is TIMEOUT", async () => {
    const result = await runTool(toolOf(obedient, { timeoutMs: 10 }), {}, context());
    expect(result).toEqual({ kind: "failed", code: "TIMEOUT", message: expect.stringContaining("10 ms") });
  });

  test("aborted by the call it is CANCELLED", async () => {
    const stop = new AbortController();
    const running = runTool(toolOf(obedient), {}, context({ signal: stop.signal }));
    stop.abort();
    expect(await running).toMatchObject({ kind: "failed", code: "CANCELLED" });
  });

  test("aborted before it began it is not run at all", async () => {
    let ran = false;
    const tool = toolOf(async () => {
      ran = true;
      return "";
    });
    const result = await runTool(tool, {}, context({ signal: AbortSignal.abort() }));
    const failed = { kind: "failed", code: "CANCELLED", message: expect.any(String), begun: false };
    expect([result, ran]).toEqual([failed, false]);
  });

  test("what a tool finished in spite of the abort stays finished", async () => {
    const stop = new AbortController();
    const tool = toolOf(async (_, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      return "written";
    });
    const running = runTool(tool, {}, context({ signal: stop.signal }));
    stop.abort();
    expect(await running).toEqual({ kind: "done", result: { output: "written" } });
  });

  test("the partial output and the code that a tool gives when it is stopped are kept", async () => {
    const stop = new AbortController();
    const tool = toolOf(async (_, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      return { output: "half", error: "stopped", metadata: { exit: 143 } };
    });
    const running = runTool(tool, {}, context({ signal: stop.signal }));
    stop.abort();
    expect(await running).toEqual({
      kind: "failed",
      code: "CANCELLED",
      message: "stopped",
      result: { output: "half", metadata: { exit: 143 } },
    });
  });

  test("a refusal after the abort keeps its own code: it says more", async () => {
    const stop = new AbortController();
    const tool = toolOf(async (_, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      throw new ToolRefusal("ENOSPC", "disk full");
    });
    const running = runTool(tool, {}, context({ signal: stop.signal }));
    stop.abort();
    expect(await running).toEqual({ kind: "failed", code: "ENOSPC", message: "disk full" });
  });

  test.each([
    ["none", { kind: "failed", code: "CANCELLED" }],
    ["once", { kind: "unknown" }],
    ["file", { kind: "unknown" }],
  ] as const)("a tool with effect %s that does not stop is left behind: %j", async (effect, outcome) => {
    const stop = new AbortController();
    const tool = toolOf(() => new Promise(() => {}), { effect });
    const running = runTool(tool, {}, context({ signal: stop.signal }), { graceMs: 5 });
    stop.abort();
    expect(await running).toMatchObject(outcome);
  });

  test("one that has no child is left sooner than one that has: both do not heed the stop", async () => {
    const stop = new AbortController();
    const ends: string[] = [];
    const child = { pid: 1, host: "", boot: "", started: "", mark: "" };
    const run = (name: string, has: boolean) =>
      runTool(
        toolOf(async (_, ctx) => {
          if (has) await ctx.noteChild?.(child);
          return new Promise(() => {});
        }),
        {},
        context({ signal: stop.signal }),
      ).then(({ kind }) => void ends.push(`${name}: ${kind}`));
    const both = [run("with", true), run("without", false)];
    await Promise.resolve();
    stop.abort();
    await Promise.all(both);
    expect(ends).toEqual(["without: unknown", "with: unknown"]);
  });

  test("no listener stays on the call's signal", async () => {
    const stop = new AbortController();
    const open = new Set<unknown>();
    const { signal } = stop;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      open.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      open.delete(args[1]);
      remove(...args);
    };
    await runTool(
      toolOf(async () => "ok"),
      {},
      context({ signal }),
    );
    expect(open.size).toBe(0);
  });
});

describe("an outcome", () => {
  const changed = [{ asked: "a.txt" } as FilePlan];
  test.each<[string, unknown, Outcome, ToolResult]>([
    [
      "that drifted",
      new EffectStopped("drifted", "it changed"),
      { kind: "drifted", message: "it changed" },
      { output: "", error: "it changed", metadata: { code: "STALE" } },
    ],
    [
      "that lost a race after a part was done",
      new EffectStopped("raced", "it was saved", { changed }),
      { kind: "raced", message: "it was saved", changed },
      { output: "", error: "it was saved", metadata: { code: "STALE" } },
    ],
    [
      "that failed on its way",
      new EffectStopped("failed", "disk full", { code: "ENOSPC", changed }),
      { kind: "failed", code: "ENOSPC", message: "disk full", changed },
      { output: "", error: "disk full", metadata: { code: "ENOSPC" } },
    ],
  ])("%s is thrown as data and read as a result", async (_, thrown, outcome, result) => {
    const tool = toolOf(async () => {
      throw thrown;
    });
    expect(await runTool(tool, {}, context())).toEqual(outcome);
    expect(await executeTool(tool, {}, { workspace: tempTree() })).toEqual(result);
  });

  test("that a tool itself calls unknown is no failure", async () => {
    const tool = toolOf(async () => ({ output: "", error: "who knows", metadata: { code: "OUTCOME_UNKNOWN" } }));
    expect(await runTool(tool, {}, context())).toEqual({ kind: "unknown", message: "who knows" });
  });
});

describe("normalizeResult", () => {
  const cycle: Record<string, unknown> = { name: "loop" };
  cycle["self"] = cycle;

  test.each([
    ["text", "hello", { output: "hello" }],
    ["empty text", "", { output: "(no output)" }],
    ["white space", " \n", { output: "(no output)" }],
    ["nothing", undefined, { output: "(no output)" }],
    ["null", null, { output: "(no output)" }],
    ["a number", 0, { output: "0" }],
    ["false", false, { output: "false" }],
    ["an array", [1, "a"], { output: '[1,"a"]' }],
    ["an object", { a: { b: null } }, { output: '{"a":{"b":null}}' }],
    ["an empty object", {}, { output: "{}" }],
    ["a result", { output: "x", title: "t", metadata: { n: 1 } }, { output: "x", title: "t", metadata: { n: 1 } }],
    ["an empty result", { output: "", outputOnce: true }, { output: "(no output)", outputOnce: true }],
    ["data that has an output beside other keys", { output: "x", exit: 3 }, { output: '{"output":"x","exit":3}' }],
    ["an error", { output: "", error: "no" }, { output: "", error: "no", metadata: { code: "FAILED" } }],
    ["an error alone", { error: "no" }, { output: "", error: "no", metadata: { code: "FAILED" } }],
    [
      "an error with its code",
      { output: "", error: "no", metadata: { code: "STALE", exit: 3 } },
      { output: "", error: "no", metadata: { code: "STALE", exit: 3 } },
    ],
    ["an empty error, which is none", { output: "x", error: "" }, { output: "x" }],
  ])("%s", (_, value, wanted) => {
    expect(normalizeResult(value as never)).toStrictEqual(wanted);
  });

  test("what cannot be written as JSON does not hide that the effect happened", () => {
    expect(normalizeResult(cycle as never).output).toContain("loop");
    const result = normalizeResult({ output: "written", metadata: { big: 1n } } as never);
    expect(result).toEqual({ output: "written", metadata: { unreadable: "JSON cannot hold a bigint" } });
  });
});

test("a context is filled with values that do nothing", () => {
  const ctx = createToolContext({ workspace: "/ws", sessionId: "s" });
  expect(ctx).toMatchObject({ workspace: "/ws", cwd: "/ws", sessionId: "s", config: {}, services: {} });
  expect(ctx.signal.aborted).toBe(false);
  expect(ctx.progress({ text: "x" })).toBeUndefined();
});
