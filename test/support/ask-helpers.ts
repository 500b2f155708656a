import { z } from "zod";
import type { ChildEnd } from "../../src/core/child-session.ts";
import { defineTool, type Tool } from "../../src/core/tool.ts";

/** A tool that has a session of its own work on each task: side by side, or one after another. What it tells is what each came to. */
export const askHelpers = (
  more: Pick<Partial<Tool>, "risk" | "timeoutMs" | "confirm"> & { ran?: string[] } = {},
): Tool => {
  const { ran = [], ...others } = more;
  return defineTool({
    name: "ask_helpers",
    description: "hands each task to a helper",
    args: z.strictObject({
      tasks: z.array(z.string()),
      inTurn: z.boolean().default(false),
      tools: z.array(z.string()).optional(),
      atOnce: z.number().optional(),
    }),
    risk: "low",
    effect: "child",
    execute: async ({ tasks, inTurn, tools, atOnce }, ctx) => {
      ran.push(ctx.callId);
      const ends: (ChildEnd | undefined)[] = [];
      const specs = tasks.map((task, i) => ({
        task,
        agent: `helper ${i + 1}`,
        ...(tools === undefined ? {} : { tools }),
        ...(atOnce === undefined ? {} : { atOnce }),
      }));
      if (inTurn) for (const spec of specs) ends.push(await ctx.runChild?.(spec));
      else ends.push(...(await Promise.all(specs.map((spec) => ctx.runChild?.(spec)))));
      return ends.map((end) => `${end?.session}: ${end?.status}: ${end?.text}`).join("\n");
    },
    ...others,
  });
};
