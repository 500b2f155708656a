import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { limitText } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import type { Tool, ToolContext } from "../../core/tool.ts";

/**
 * Returns the outcome of a tool's function that runs before the call. It only looks, so it is not waited for any longer than that takes,
 * and after a stop no longer than a moment; one that does not let anything else run cannot be ended here.
 * @throws ToolRefusal (TIMEOUT, CANCELLED), or what the function throws
 */
export async function looking<T>(
  { name }: Pick<Tool, "name">,
  { signal }: Pick<ToolContext, "signal">,
  look: () => Promise<T>,
): Promise<T> {
  const { toolLookTime, toolGrace } = limits;
  const timers: NodeJS.Timeout[] = [];
  let stopped: () => void = () => undefined;
  const left = new Promise<never>((_, reject) => {
    const giveUp = (code: ErrorCode, words: string, ms: number): void =>
      void timers.push(setTimeout(() => reject(new ToolRefusal(code, `${name} ${words}; nothing was done`)), ms));
    stopped = () => giveUp("CANCELLED", "was stopped before it ran", toolGrace.most);
    giveUp("TIMEOUT", `was not ready to run within ${limitText(toolLookTime)}`, toolLookTime.most);
  });
  signal.addEventListener("abort", stopped, { once: true });
  if (signal.aborted) stopped();
  try {
    return await Promise.race([look(), left]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", stopped);
  }
}
