import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside the command, from the library, from one of its parts, and from the source: always the built one. */
const places = ["./", "./app/", "../app/", "../../dist/app/"];

/** Finds the path of a program that is started from a file of its own. @returns undefined where it is not where it was installed */
export function builtFile(name: string): string | undefined {
  const file = places.map((place) => new URL(`${place}${name}.js`, import.meta.url)).find((url) => existsSync(url));
  return file && fileURLToPath(file);
}

/** Returns the message for a program that is gone. */
export const isGone = (name: string): string => `${name}.js is not where it was installed: start the program again`;
