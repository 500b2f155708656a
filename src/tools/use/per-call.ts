import type { Tool, ToolContext } from "../../core/tool.ts";

type Method = "validate" | "plan" | "execute" | "dispose" | "release" | "onPartial";

/** The fields by which a tool describes itself: the same for each instance of it. A field that is not here does not compile. */
const said: Readonly<Record<Exclude<keyof Tool, Method>, true>> = {
  name: true,
  description: true,
  args: true,
  category: true,
  risk: true,
  effect: true,
  access: true,
  outlasts: true,
  checksPlan: true,
  display: true,
  otherNames: true,
  hidden: true,
  secrets: true,
  inject: true,
  editable: true,
  workspace: true,
  confirm: true,
  urlPatterns: true,
  onPage: true,
  searchable: true,
  timeoutMs: true,
  maxObserve: true,
  audience: true,
  endsTurn: true,
  needs: true,
};
const saidKeys = Object.keys(said) as (keyof typeof said)[];

/**
 * A tool of which each call has an instance of its own, from the first that is asked of it for this call to `release`; what it is
 * shown as comes from `first`, which serves what belongs to no call. Its `dispose` ends all instances but `first`.
 */
export function perCall(first: Tool, make: (ctx: ToolContext) => Promise<Tool>): Tool {
  const instances = new Map<string, Promise<Tool>>();
  const of = (ctx: ToolContext): Promise<Tool> => {
    if (ctx.callId === "") return Promise.resolve(first);
    const known = instances.get(ctx.callId) ?? make(ctx);
    instances.set(ctx.callId, known);
    known.catch(() => instances.delete(ctx.callId));
    return known;
  };
  const release = async (callId: string): Promise<void> => {
    const made = instances.get(callId);
    instances.delete(callId);
    await (await made?.catch(() => undefined))?.dispose?.();
  };
  return {
    ...toldOf(first),
    ...(first.validate === undefined ? {} : { validate: async (args, ctx) => (await of(ctx)).validate?.(args, ctx) }),
    ...(first.plan === undefined ? {} : { plan: (args, ctx) => planOf(of(ctx), args, ctx) }),
    ...(first.onPartial === undefined
      ? {}
      : { onPartial: async (partial, ctx) => (await of(ctx)).onPartial?.(partial, ctx) }),
    execute: async (args, ctx) => (await of(ctx)).execute(args, ctx),
    release,
    dispose: async () => {
      const ends = await Promise.allSettled([...instances.keys()].map(release));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

async function planOf(made: Promise<Tool>, args: unknown, ctx: ToolContext) {
  const plan = await (await made).plan?.(args, ctx);
  if (plan === undefined) throw new Error("an instance of the tool plans nothing, though its first one does");
  return plan;
}

/** Methods are those of `first`, whatever they are called on. */
export function toldOf(first: Tool): Pick<Tool, "name" | "description" | "args"> {
  const fields = saidKeys.flatMap((key) => {
    const value: unknown = first[key];
    if (value === undefined) return [];
    return [[key, typeof value === "function" ? value.bind(first) : value] as const];
  });
  return Object.fromEntries(fields) as unknown as Tool;
}
