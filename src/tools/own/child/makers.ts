import type { Tool, ToolContext } from "../../../core/tool.ts";
import { perCall } from "../../use/per-call.ts";

const isClass = (made: unknown): made is new () => unknown =>
  typeof made === "function" && /^class\b/u.test(String(made));

/** A tool of a file, and how all that was made for it ends. */
export interface OwnedTool {
  tool: Tool;
  end(): Promise<void>;
}

/**
 * `export default` of a file: a tool, a list of them, a class or a factory. Of a class or a factory each call has an instance of its
 * own. @throws where it is nothing of these.
 */
export async function toolsOf(exports: Readonly<Record<string, unknown>>, ctx: ToolContext): Promise<OwnedTool[]> {
  if (!Object.hasOwn(exports, "default"))
    throw new Error("it has no `export default`: export a tool, a list of tools, a class or a factory");
  const all = Array.isArray(exports["default"]) ? exports["default"] : [exports["default"]];
  return Promise.all(all.map((exported) => toolOf(exported, ctx)));
}

async function toolOf(exported: unknown, ctx: ToolContext): Promise<OwnedTool> {
  if (typeof exported !== "function") {
    const tool = asTool(exported);
    return { tool, end: async () => tool.dispose?.() };
  }
  const make = async (at: ToolContext): Promise<Tool> =>
    asTool(isClass(exported) ? new exported() : await exported(at));
  const first = await make(ctx);
  const tool = perCall(first, make);
  return { tool, end: async () => void (await Promise.allSettled([tool.dispose?.(), first.dispose?.()])) };
}

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
