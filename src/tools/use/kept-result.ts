import { usualObserve } from "../../core/observe-limit.ts";
import type { ToolContext, ToolResult } from "../../core/tool.ts";
import { shownOutput } from "../shell/command-words.ts";

/** An output that is longer than the model gets, and than most are, is kept beside the result, which has its beginning and its end. */
export async function keptResult(result: ToolResult, limit: number | false, ctx: ToolContext): Promise<ToolResult> {
  const { output } = result;
  const most = limit === false ? Number.POSITIVE_INFINITY : Math.max(limit, usualObserve);
  if (output.length <= most) return result;
  await ctx.outputs?.keep(ctx.callId, Buffer.from(output));
  const whole = ctx.outputs === undefined ? undefined : `call:${ctx.callId}`;
  return { ...result, output: shownOutput(output, whole, most - roomOfNote) };
}

/** The same of a failure that is longer than `most`: it is told whole with each request. */
export async function keptError(error: string, most: number, ctx: ToolContext): Promise<string> {
  if (error.length <= most) return error;
  await ctx.outputs?.keep(ctx.callId, Buffer.from(error));
  const whole = ctx.outputs === undefined ? undefined : `call:${ctx.callId}`;
  return shownOutput(error, whole, most - roomOfNote);
}

/** Characters of what is said between the two parts: together they are not cut again. */
const roomOfNote = 200;
