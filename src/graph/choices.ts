import type { ToolChoice } from "../model/port.ts";

export type { ToolChoice } from "../model/port.ts";
export { modelSpecs, noModelText, parseModelSpec } from "../model/spec.ts";
export type { Mode } from "../policy/types.ts";
export { modes } from "../policy/types.ts";

export const toolChoices = ["auto", "none", "required"] as const satisfies readonly ToolChoice[];
