import type { FileBytes, Overlay } from "../../core/tool.ts";
import { isInside } from "../../files/boundary.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** The contents that the calls of one message will leave, by real path. */
export function createOverlay(): Overlay {
  const files = new Map<string, FileBytes>();
  return {
    read: (real) => files.get(real)?.after,
    write: (real, bytes) => {
      files.set(real, bytes);
    },
    holds: (path) => holdsAny(files.keys(), path),
  };
}

function holdsAny(files: Iterable<string>, path: string): boolean {
  for (const file of files) if (isInside(path, file)) return true;
  return false;
}

/** One call's own contents over those of the calls before it. */
export interface Layer extends Overlay {
  /** What this call wrote itself. */
  own(real: string): FileBytes | undefined;
  /** Lets later calls of the message see them. */
  commit(): void;
}

export function layerOver(below: Overlay | undefined): Layer {
  const files = new Map<string, FileBytes>();
  return {
    read: (real) => {
      const mine = files.get(real);
      return mine === undefined ? below?.read(real) : mine.after;
    },
    write: (real, bytes) => {
      files.set(real, bytes);
    },
    holds: (path) => holdsAny(files.keys(), path) || below?.holds?.(path) === true,
    own: (real) => files.get(real),
    commit: () => {
      for (const [real, bytes] of files) below?.write(real, bytes);
    },
  };
}

/** Writes what a call was prepared to leave, where it was prepared over another overlay. */
export function lay({ plan, contents }: Pick<PreparedCall, "plan" | "contents">, overlay: Overlay): void {
  for (const { real } of plan.files ?? []) {
    const bytes = contents(real);
    if (bytes !== undefined) overlay.write(real, bytes);
  }
}
