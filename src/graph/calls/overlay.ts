import type { Overlay } from "../../core/tool.ts";

/** The "after" of earlier calls of one message, by real path. */
export function createOverlay(): Overlay {
  const after = new Map<string, Uint8Array | null>();
  return {
    read: (real) => after.get(real),
    write: (real, bytes) => {
      after.set(real, bytes);
    },
  };
}
