import type { Tool, ToolContext } from "../../../core/tool.ts";

/** One tool that a file exports: an object that serves all calls, or what makes one for each of them. */
export interface Maker {
  /** Gives it; of a class or a factory one for each call, which is kept until `release`. */
  of(ctx: ToolContext): Promise<Tool>;
  /** The call is over: its own instance is disposed. */
  release(callId: string): Promise<void>;
  /** Disposes all. */
  end(): Promise<void>;
}

const isClass = (made: unknown): made is new () => unknown =>
  typeof made === "function" && /^class\b/u.test(String(made));

/** `export default` of a file: a tool, an array of them, a class or a factory. @throws where it is nothing of these. */
export function makersOf(exports: Readonly<Record<string, unknown>>): Maker[] {
  if (!Object.hasOwn(exports, "default"))
    throw new Error("it has no `export default`: export a tool, a list of tools, a class or a factory");
  const all = Array.isArray(exports["default"]) ? exports["default"] : [exports["default"]];
  return all.map(makerOf);
}

function makerOf(exported: unknown): Maker {
  if (isClass(exported)) return perCall(async () => new exported());
  if (typeof exported === "function") return perCall(async (ctx) => exported(ctx));
  const tool = asTool(exported);
  const end = once(async () => tool.dispose?.());
  return { of: async () => tool, release: async () => undefined, end };
}

function perCall(make: (ctx: ToolContext) => Promise<unknown>): Maker {
  const byCall = new Map<string, Promise<Tool>>();
  const release = async (callId: string): Promise<void> => {
    const made = byCall.get(callId);
    byCall.delete(callId);
    await (await made?.catch(() => undefined))?.dispose?.();
  };
  return {
    of(ctx) {
      const known = byCall.get(ctx.callId) ?? make(ctx).then(asTool);
      byCall.set(ctx.callId, known);
      known.catch(() => byCall.delete(ctx.callId));
      return known;
    },
    release: (callId) => (callId === "" ? Promise.resolve() : release(callId)),
    end: async () => void (await Promise.allSettled([...byCall.keys()].map(release))),
  };
}

const once = (work: () => Promise<unknown>): (() => Promise<void>) => {
  let done: Promise<unknown> | undefined;
  return async () => {
    done ??= work();
    await done;
  };
};

/** @throws where it lacks what each tool has. */
function asTool(made: unknown): Tool {
  if (typeof made !== "object" || made === null) throw new Error(`it exports ${kindOf(made)}, which is no tool`);
  const tool = made as Partial<Tool>;
  const named = typeof tool.name === "string" ? `the tool ${tool.name}` : "a tool it exports";
  if (typeof tool.name !== "string") throw new Error(`${named} has no name`);
  if (typeof tool.description !== "string" && typeof tool.description !== "function")
    throw new Error(`${named} has no description`);
  if (typeof tool.execute !== "function") throw new Error(`${named} has no execute`);
  if (!isArguments(tool.args))
    throw new Error(`${named} has no args: give a zod object, { jsonSchema } or a function of the context`);
  return made as Tool;
}

const isArguments = (args: unknown): boolean =>
  typeof args === "function" ||
  (typeof args === "object" && args !== null && ("jsonSchema" in args || "safeParseAsync" in args));

const kindOf = (made: unknown): string =>
  made === null ? "null" : made === undefined ? "undefined" : `a ${typeof made}`;
