import type { Mode } from "./view.ts";

/** Modes that Shift+Tab goes round. `full-auto` is given by flag only. */
export const modeCycle = ["ask", "accept-edits", "read-only", "plan"] as const satisfies readonly Mode[];

export const nextMode = (mode: Mode): Mode => {
  const at = (modeCycle as readonly Mode[]).indexOf(mode);
  return modeCycle[(at + 1) % modeCycle.length] ?? "ask";
};
