import type { PlannedCommand, PlannedScript } from "../../../core/command.ts";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import type { CommandPlace } from "./command-place.ts";
import type { Folders } from "./folders.ts";
import type { Words } from "./options.ts";
import { type Binder, isFolder } from "./runners/binder.ts";
import { filesNamed } from "./scripts.ts";

/** Words of the shell that set what later programs get. */
const setters = new Set(["export", "declare", "typeset", "readonly", "local"]);
/** Variables by which programs find code in folders: PATH, PYTHONPATH, NODE_PATH, PERL5LIB, RUBYLIB, CLASSPATH, LD_LIBRARY_PATH. */
const places = /(?:PATH|LIB)$/u;

/** Files, and folders that code is taken from, which variables name that are set for a program (`BASH_ENV=a.sh`, `PYTHONPATH=lib`). */
export function setFiles(
  argv: Words,
  assignments: PlannedCommand["assignments"],
  folders: Folders,
  { workspace }: CommandPlace,
  binder: Binder,
): PlannedScript[] {
  const words = setters.has(argv[0] ?? "") ? argv.slice(1).map((word) => word?.split("=", 2) ?? []) : [];
  const set = [...assignments.map(({ name, value }) => [name, value]), ...words];
  if (set.length === 0) return [];
  return set.flatMap(([name = "", value = ""]) =>
    (folders ?? [workspace]).flatMap((folder) => {
      const at = kernelPath("/", folder);
      const named = places.test(name) ? value.split(":").filter((one) => one !== "" && one.length <= longestPath) : [];
      const taken = named.map((one) => kernelPath(at, one)).filter(isFolder);
      const bound = taken.map((one) => binder.folder(one));
      if (bound.includes(undefined))
        binder.warnings.add(`${name}: a folder that it names holds more than is looked at`);
      return [...filesNamed([value], at, binder), ...bound.filter((one) => one !== undefined)];
    }),
  );
}
