import type { Plan, ToolContext } from "../core/tool.ts";
import { resolveInside } from "../files/boundary.ts";

/** The plan of a tool that reads one file or folder: its path, as asked and as it leads. `verb` begins the line for the person. */
export async function planRead(verb: string, asked: string, ctx: ToolContext): Promise<Plan> {
  const real = await resolveInside(ctx, ctx.cwd, asked);
  return { summary: `${verb} ${asked}`, cwd: ctx.cwd, reads: [{ asked, real }] };
}

/** The path that was planned and judged: what is opened is this one, wherever the asked one leads by now. */
export function plannedRead(ctx: ToolContext): { asked: string; real: string } {
  const place = ctx.plan?.reads?.[0];
  if (place === undefined) throw new TypeError("a read is executed without its plan");
  return place;
}

/** Returns `ctx.mayRead`; a call that is executed without anybody's policy is a defect. */
export function mayReadOf(ctx: ToolContext): NonNullable<ToolContext["mayRead"]> {
  if (ctx.mayRead === undefined) throw new TypeError("a read is executed without a policy");
  return ctx.mayRead.bind(ctx);
}
