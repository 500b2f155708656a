import type { ChildNote } from "../../core/child.ts";
import { endLeftChild } from "../../process/process-group.ts";

/** What became of the processes that an interrupted call had started. */
export interface LeftChildren {
  /** Nothing of them runs any more. */
  over: boolean;
  /** In words for person and model; empty where the call had started none. */
  said: string;
}

/**
 * Makes sure that nothing runs any more of what a call had started, so that nothing is run again beside its first run. May be
 * asked again: what is gone stays gone.
 */
export async function endLeftChildren(children: readonly ChildNote[]): Promise<LeftChildren> {
  const fates = await Promise.all(children.map(async (child) => ({ child, fate: await endLeftChild(child) })));
  const of = (kind: string) => fates.filter(({ fate }) => fate.kind === kind).map(({ child }) => child.pid);
  const said = [
    phrase("it had started", of("gone"), "has ended"),
    phrase("it had started", of("ended"), "still ran and was ended"),
    ...fates.flatMap(({ fate }) =>
      fate.kind === "unsure" ? [`it cannot be seen whether what it had started still runs: ${fate.why}`] : [],
    ),
  ].filter((one) => one !== "");
  return { over: of("unsure").length === 0, said: said.join("; ") };
}

function phrase(start: string, pids: number[], end: string): string {
  if (pids.length === 0) return "";
  return `${start} process ${pids.join(" and process ")}, which ${end}`;
}
