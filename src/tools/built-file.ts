import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside the command, from the library, from one of its parts, and from the source: always the built one. */
const places = ["./", "./app/", "../app/", "../../dist/app/"];

/** Where a program lies that is started from a file of its own. @returns undefined where it is not where it was installed */
export function builtFile(name: string): string | undefined {
  const file = places.map((place) => new URL(`${place}${name}.js`, import.meta.url)).find((url) => existsSync(url));
  return file && fileURLToPath(file);
}

/** What is said where it is gone. */
export const isGone = (name: string): string => `${name}.js is not where it was installed: start the program again`;
