import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { countText } from "../../core/count-text.ts";
import { canonicalJson, isJsonObject, type Json } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { isInside } from "../../files/boundary.ts";
import { fileAddress } from "./file-address.ts";

/** No system opens a longer path. */
const longestPath = 4_096;

/** Folders that a relative text may be meant from. */
export interface NamedFrom {
  /** The folders that the session works in. */
  folders: readonly string[];
  /** The folder that the server runs in. Below that nothing is judged but what is in `folders`, too: nothing of anybody else lies there. */
  own: string;
}

/** Places that the arguments of a call may mean. */
export interface Named {
  places: { asked: string; real: string }[];
  /** The reason why they may mean others, too, in words: a person decides then. */
  doubt?: string;
}

/**
 * Places that the arguments of a call may mean: texts and names that are paths, or name what is there. What the server does with them is
 * not known; so that none is reached unasked that is guarded or sealed, each is judged as read.
 */
export async function namedFiles(args: Json, { folders, own }: NamedFrom): Promise<Named> {
  const texts = new Set<string>();
  const { most } = limits.mcpNamed;
  let isUnclear = false;
  for (const text of textsIn(args)) {
    if (texts.size > most) break;
    const address = fileAddress(text);
    isUnclear ||= address?.isUnclear === true;
    for (const path of [...pathsIn(text), ...(address?.paths ?? []).flatMap(pathsIn)]) texts.add(path);
  }
  const looked = [...texts].slice(0, most);
  const [known, ofServer] = [new Set(folders), await realByAncestor(own)];
  const found = await Promise.all(
    looked.flatMap((text) => [
      ...[...known].map((folder) => placeOf(text, folder)),
      ...(known.has(own)
        ? []
        : [placeOf(text, own).then((place) => (place && isBelow(place, ofServer) ? undefined : place))]),
    ]),
  );
  const places = new Map(
    found.flatMap((place) => (place === undefined ? [] : [[canonicalJson(place), place] as const])),
  );
  const doubt = texts.size > most ? tooMany() : isUnclear ? unclear : undefined;
  return { places: [...places.values()], ...(doubt === undefined ? {} : { doubt }) };
}

const tooMany = (): string =>
  `it has more than ${countText(limits.mcpNamed.most)} texts, and not all were looked at for files that are closed: a person decides each time`;

const unclear =
  "it has an address of a file (file:) that can be read in several ways, and may name one that is closed: a person decides each time";

const isBelow = ({ real }: { real: string }, folder: string): boolean => isInside(folder, real);

function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (isJsonObject(value))
    for (const [name, one] of Object.entries(value)) {
      yield name;
      yield* textsIn(one);
    }
}

/** A text as the path that it may be: as it is, without blanks around it, and of a home. */
function pathsIn(text: string): string[] {
  if (text === "" || text.includes("\0")) return [];
  const meant = text.trim().replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homedir());
  return [...new Set([text, ...(meant === "" ? [] : [meant])])];
}

async function placeOf(asked: string, folder: string): Promise<{ asked: string; real: string } | undefined> {
  const at = resolve(folder, asked);
  if (at.length > longestPath) return undefined;
  const isLine = !at.includes("\n");
  const isPlain = isLine && (isAbsolute(asked) || asked.startsWith("."));
  const isThere = (await lstat(at).catch(() => undefined)) !== undefined;
  // A word that names nothing is a word, and so is one that leads nowhere else.
  const leads = isLine && /^[\w@.-]+\//u.test(asked) && !isInside(folder, at);
  return isThere || isPlain || leads ? { asked: at, real: await realByAncestor(at) } : undefined;
}

async function realByAncestor(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realByAncestor(parent), basename(path));
  }
}
