import type { ChildNote } from "../../core/child.ts";
import { endLeftChild } from "../../process/process-group.ts";

/** The fate of one process that a call had started: gone before we looked, ended by us, or not to be seen (`why`). */
export interface EndedChild {
  pid: number;
  fate: "gone" | "ended" | "unsure";
  why?: string;
}

// Keeps process 1.
/**
 * Makes sure that nothing runs any more of what a call had started, so that nothing is run again beside its first run. May be
 * asked again: what is gone stays gone. Where one is `unsure` something may still run.
 */
export function endLeftChildren(children: readonly ChildNote[]): Promise<EndedChild[]> {
  return Promise.all(
    children.map(async (child) => {
      const fate = await endLeftChild(child);
      return { pid: child.pid, fate: fate.kind, ...(fate.kind === "unsure" ? { why: fate.why } : {}) };
    }),
  );
}
