import * as nodeModule from "node:module";

/** Not in the declarations of Node 20, which has none. */
const { stripTypeScriptTypes } = nodeModule as { stripTypeScriptTypes?: (code: string) => string };

/** Tells whether a file has types that are to be stripped before it runs; `x.d.ts` has nothing else. */
export const isTypeScript = (name: string): boolean => /(?<![.]d)[.]m?ts$/u.test(name);

/** The reason that this Node runs no TypeScript, and the remedy; undefined where it does. */
export const noTypeScript: string | undefined =
  stripTypeScriptTypes === undefined
    ? `it is TypeScript, which Node ${process.version} does not run: use Node 22.18 or later, or write it as .mjs`
    : undefined;

/**
 * The program without its types, each line where it was. Node warns once that it is experimental: so it is in Node 22 and 24 alike.
 * @throws Error with its words where the types are no types alone (`enum`, `namespace`), or this Node has no such function.
 */
export function withoutTypes(code: string): string {
  if (stripTypeScriptTypes === undefined) throw new Error(noTypeScript);
  return stripTypeScriptTypes(code);
}
