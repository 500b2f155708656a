import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

/** Texts that are looked at, and how long one may be that is a path. */
const most = { texts: 200, characters: 4_096 };

/**
 * Places that the arguments of a call may mean: texts that are paths, or name what is there. What the server does with them is not known;
 * so that none is reached unasked that is guarded or sealed, each is judged as read.
 */
export async function namedFiles(args: JsonObject, cwd: string): Promise<{ asked: string; real: string }[]> {
  const texts = [...new Set(textsIn(args))].filter(mayBePath).slice(0, most.texts);
  const found = await Promise.all(texts.map(async (asked) => placeOf(asked, cwd)));
  return found.flatMap((place) => place ?? []);
}

const textsIn = (value: Json): string[] => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

const mayBePath = (text: string): boolean =>
  text !== "" &&
  text.length <= most.characters &&
  !/[\n\0]/u.test(text) &&
  (!text.includes("://") || text.startsWith("file://"));

async function placeOf(asked: string, cwd: string): Promise<{ asked: string; real: string } | undefined> {
  const path = pathIn(asked);
  if (path === undefined) return undefined;
  const isPlain = isAbsolute(path) || /^[.~]/u.test(path);
  const at = resolve(cwd, path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path);
  const isThere = (await lstat(at).catch(() => undefined)) !== undefined;
  // A word that names nothing is a word.
  return isThere || isPlain ? { asked: at, real: await realByAncestor(at) } : undefined;
}

function pathIn(text: string): string | undefined {
  if (!text.startsWith("file://")) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

async function realByAncestor(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realByAncestor(parent), basename(path));
  }
}
