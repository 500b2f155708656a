/** A part of the program is gone: an update took it away, or it was never there. */
export class PartGone extends Error {
  override readonly name = "PartGone";
}

/**
 * Loads what is a file of its own in the built command (`scripts/build/parts.mjs`).
 * @param what the part, as it is told: "what gets web pages"
 * @throws PartGone where the program was updated since it was started, and the part was not loaded by then.
 */
export async function loadApart<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new PartGone(`${what} is not where it was installed: start the program again`, { cause });
  }
}
