import { limits } from "./limits.ts";

/** The number of characters (UTF-16 units) that the model gets of a call whose limit nobody has set. */
export const usualObserve = limits.observation.most;

/**
 * The limit of one call's observation: the tool's own, but no more than the settings say of all.
 * @param settings undefined where nobody says anything.
 */
export function observeLimit(tool: number | false | undefined, settings: number | false | undefined): number | false {
  if (tool === undefined || tool === false) return settings ?? tool ?? usualObserve;
  return typeof settings === "number" ? Math.min(tool, settings) : tool;
}
