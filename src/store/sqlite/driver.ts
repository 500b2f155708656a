import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type Sqlite from "better-sqlite3";
import { tooManyFilesText } from "../../core/too-many-files.ts";
import { DriverMissing } from "../problems.ts";
import { quoted } from "./failures.ts";

/** better-sqlite3 13 under a name of its own, an optional dependency: npm leaves it out where Node is older than it wants. */
const napiPackage: string = "better-sqlite3-napi";

/**
 * Which package has the driver for a Node. better-sqlite3 12 aborts the process on Node 24.19 and later as soon as a statement is
 * collected as garbage; better-sqlite3 13 needs version 10 of Node-API, which came with Node 22.14 and never to Node 20, and
 * crashes without it.
 * @param napi the highest version of Node-API that it has, as in `process.versions.napi`
 */
export const driverFor = (napi: string | undefined): string => (Number(napi) >= 10 ? napiPackage : "better-sqlite3");

/** @throws DriverMissing where it, or its native part, is not there for this Node */
export async function loadDriver(napi = process.versions["napi"]): Promise<typeof Sqlite> {
  const name = driverFor(napi);
  try {
    const { default: Driver } = (await import(name)) as { default: typeof Sqlite };
    // It loads its native part when the first database is opened.
    new Driver(":memory:").close();
    return Driver;
  } catch (cause) {
    if (tooManyFilesText(cause) !== undefined) throw cause;
    throw new DriverMissing(missingText(name, cause), { cause });
  }
}

function missingText(name: string, cause: unknown): string {
  const found = installedAt(name);
  const what = `the store needs ${name}, a native module, which`;
  if (found === undefined)
    return `${what} is not installed here (Node ${process.version}); install it: ${installing(name)}`;
  const code = (cause as { code?: unknown } | null)?.code;
  const why = code === "ERR_DLOPEN_FAILED" ? "was built for another Node or machine than this" : "was not built here";
  return `${what} ${why} (Node ${process.version}); build it: npm rebuild --prefix ${quoted(found)} ${name}`;
}

/** The folder whose node_modules has the package. */
function installedAt(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return dirname(dirname(dirname(manifest)));
  } catch {
    return undefined;
  }
}

/** From the package's own manifest: a clone is installed by its lock, an install gets the one package. */
function installing(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    if (existsSync(join(folder, "package-lock.json"))) return `npm ci --prefix ${quoted(folder)}`;
    const { dependencies, optionalDependencies } = createRequire(manifest)(manifest) as Manifest;
    const version = { ...dependencies, ...optionalDependencies }[name] ?? "latest";
    return `npm install --no-save --omit=dev --prefix ${quoted(folder)} ${name}@${version}`;
  }
  return `npm install ${name}`;
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
