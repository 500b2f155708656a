import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { isBinaryFile } from "../../../files/bytes/file-head.ts";
import { needsNoOther } from "../reading/box-rows.ts";
import { lookAt, realOf } from "./closed-below.ts";

/** The programs of PATH that a line needs. */
export interface NeededPrograms {
  /** Folders of PATH, those of its own programs first. */
  folders: readonly string[];
  /** Its own programs, by their names; undefined where it may start any. */
  names: ReadonlySet<string> | undefined;
}

/** All of them. */
export const anyPrograms = (path: string): NeededPrograms => ({ folders: foldersOf(path), names: undefined });

/** Folders in which a program that the line names is found first; or all, where one may start others, or tells which there are. */
export function neededPrograms(path: string, commands: readonly PlannedCommand[]): NeededPrograms {
  const folders = foldersOf(path);
  const names = new Set(commands.flatMap(({ argv: [name], program }) => (program === undefined ? [] : (name ?? []))));
  const found = [...names].flatMap((name) => {
    const folder = folders.find((one) => mayRun(join(one, name)));
    return folder === undefined ? [] : [{ folder, file: join(folder, name) }];
  });
  const own = new Set(found.map(({ folder }) => folder));
  // A script may start any program.
  const isAlone = commands.every(needsNoOther) && found.every(({ file }) => isBinaryFile(realOf(file) ?? file));
  return isAlone ? { folders: [...own], names } : { folders: [...new Set([...own, ...folders])], names: undefined };
}

/** As the kernel takes them: a step back from a link leads to where that leads. */
function foldersOf(path: string): string[] {
  const folders = path.split(delimiter).filter(isAbsolute);
  return [...new Set(folders.map((folder) => plainOf(folder)))];
}

function plainOf(folder: string): string {
  const plain = resolve(folder);
  const real = realOf(folder);
  return real === undefined || realOf(plain) === real ? plain : real;
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return lookAt(realOf(file) ?? file)?.isFile() === true;
  } catch {
    return false;
  }
}
