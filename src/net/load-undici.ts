export type Undici = typeof import("./undici.ts");

/** @throws Error that says so where the program was updated since it was started: what of it was not loaded by then is gone. */
export async function loadUndici(): Promise<Undici> {
  try {
    return await import("./undici.ts");
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error("undici.js is not where it was installed: start the program again", { cause });
  }
}
