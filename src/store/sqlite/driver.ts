import type Sqlite from "better-sqlite3";

/** better-sqlite3 13 under a name of its own, an optional dependency: npm leaves it out where Node is older than it wants. */
const napiPackage: string = "better-sqlite3-napi";

/**
 * Which package has the driver for a Node. better-sqlite3 12 aborts the process on Node 24.19 and later as soon as a statement is
 * collected as garbage; better-sqlite3 13 needs version 10 of Node-API, which came with Node 22.14 and never to Node 20, and
 * crashes without it.
 * @param napi the highest version of Node-API that it has, as in `process.versions.napi`
 */
export const driverFor = (napi: string | undefined): string => (Number(napi) >= 10 ? napiPackage : "better-sqlite3");

/** @throws where the package is not installed */
export async function loadDriver(napi = process.versions["napi"]): Promise<typeof Sqlite> {
  if (driverFor(napi) === "better-sqlite3") return (await import("better-sqlite3")).default;
  try {
    return ((await import(napiPackage)) as { default: typeof Sqlite }).default;
  } catch (cause) {
    throw new Error(`${napiPackage} is not installed: optional packages are needed on this version of Node`, { cause });
  }
}
