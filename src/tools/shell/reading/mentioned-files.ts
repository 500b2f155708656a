import { statSync } from "node:fs";
import { type Bounds, rootsOf } from "../../../core/tool.ts";
import { isAmongDevices } from "../../../files/boundary.ts";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import { isStream } from "../../../files/streams.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import type { Folders } from "./folders.ts";
import type { Words } from "./options.ts";
import type { Use } from "./programs.ts";
import { TooMuch } from "./walk-errors.ts";

/**
 * Files that words of a program name of which it is not known what they mean: whole, or between what joins an option, a revision or a
 * form's field to its value (`--env-file=.env`, `HEAD:.env`, `f=@.env;type=x`, `-T.env`), quotes of code (`open(".env")`), or as an
 * address (`file:///w/.env`). They count as read. Words that name no file are none.
 * @param left of a line, the looks that may still be taken at what its words may stand for; undefined for words that it has written out
 * @throws TooMuch where those are more: a file that is not looked at may be denied
 */
export function mentionedFiles([, ...words]: Words, folders: Folders, place: Bounds, left?: { looks: number }): Use[] {
  const tops = (folders ?? [place.workspace]).map((folder) => kernelPath("/", folder));
  const roots = rootsOf(place);
  const paths = new Set<string>();
  for (const word of words) {
    if (word === null) continue;
    for (const path of [word, ...partsOf(word)]) paths.add(path);
    if (left !== undefined && paths.size * tops.length > left.looks) throw new TooMuch(shellDoubts.many_parts);
  }
  if (left !== undefined) left.looks -= paths.size * tops.length;
  return [...paths].filter((path) => isFile(path, tops, roots)).map((path) => ({ path, access: "read" }));
}

/** So many parts of one word are looked at: code may hold thousands. */
const mostParts = 400;

/** Of a word that is longer than a path only what stands between its quotes, blanks and signs. */
function partsOf(word: string): string[] {
  const between = word.split(/[\s=@:,;"'`<>|&(){}[\]]+/u).filter((part) => part !== "" && part !== word);
  if (word.length > longestPath) return between.slice(0, mostParts);
  const behind = [...word.matchAll(/[=@:,<]/gu)].map(({ index }) => word.slice(index + 1));
  // `-T.env`, `-sT.env`
  const joined = /^-[^-]/u.test(word) ? [2, 3, 4, 5].map((at) => word.slice(at)) : [];
  const [, address] = /file:\/\/[^/]*(\/[^?#"'\s]*)/iu.exec(word) ?? [];
  const addresses = address === undefined ? [] : [address, decoded(address)];
  return [...behind, ...joined, ...addresses, ...between].slice(0, mostParts);
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** @param tops folders, links followed */
const isFile = (path: string, tops: readonly string[], roots: readonly string[]): boolean =>
  path !== "" &&
  path.length <= longestPath &&
  tops.some((top) => {
    try {
      const real = kernelPath(top, path);
      const found = statSync(real);
      // Names of devices are words of awk's, and of the shell's.
      return found.isFile() || (isStream(found) && !isAmongDevices(real, roots));
    } catch {
      return false;
    }
  });
