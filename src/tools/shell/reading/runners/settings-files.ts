import { basename, dirname, join } from "node:path";
import type { PlannedScript } from "../../../../core/command.ts";
import { kernelPath } from "../../../../files/kernel-path.ts";
import { isFile } from "./binder.ts";
import { above, type Lookup } from "./find.ts";
import type { Runner } from "./table.ts";

/** Lines of settings by which a runner runs or loads something else; tokens and registries are not shown. */
const telling: Readonly<Record<string, RegExp>> = {
  ".npmrc":
    /^[ \t]*(?:script-shell|shell|node-options|node-path|git|editor|init-module|init\.module|prefix|userconfig|globalconfig|pnpmfile|global-pnpmfile|npm-path|scripts-prepend-node-path|ignore-scripts|onload-script|script-prepend-node-path)[ \t]*=.*$/gmu,
  ".yarnrc": /^[ \t]*"?(?:yarn-path|script-shell|--[\w.-]*(?:script-shell|modules-folder|cwd|use-yarnrc))"?[ \t].*$/gmu,
  ".yarnrc.yml":
    /^[ \t]*(?:yarnPath|(?:-[ \t]+)?path|spec|nodeLinker|pnpEnableEsmLoader|injectEnvironmentFiles)[ \t]*:.*$/gmu,
  "bunfig.toml": /^[ \t]*(?:preload|shell|bun|env|define|loader)[ \t]*=.*$/gmu,
};

/** Files that a runner reads on its way, by itself, with what they name; `isSought`: one of those that say what its tasks do is there. */
export function settingsOf(
  { reads = "", readsAbove = "", names }: Runner,
  lookup: Lookup,
): { scripts: PlannedScript[]; isSought: boolean } {
  const here = split(reads).map((name) => join(lookup.at, name));
  const files = [...here.filter(isFile), ...above(lookup, split(readsAbove)).filter(isFile)];
  const isTests = names.startsWith("pytest");
  const settings = isTests
    ? files.filter((path) => basename(path) !== "pyproject.toml" || isMeant(path, lookup))
    : files;
  const scripts = settings.flatMap((path) => [...one(path, lookup), ...namedIn(path, lookup)]);
  return { scripts, isSought: settings.length > 0 };
}

const split = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== "");

const isMeant = (path: string, { binder }: Lookup): boolean => /^\[tool\.pytest/mu.test(binder.text(path) ?? "");

function one(path: string, { binder }: Lookup): PlannedScript[] {
  const file = binder.hashed(path);
  if (file === undefined) return [];
  const text = linesIn(path, binder.text(path)).join("\n");
  return [{ ...file, how: "reads", ...(text === "" ? {} : { text }) }];
}

function linesIn(path: string, text: string | undefined): string[] {
  const name = basename(path);
  const pattern = Object.hasOwn(telling, name) ? telling[name] : undefined;
  return pattern === undefined ? [] : [...(text ?? "").matchAll(pattern)].map(([line]) => line.trim()).slice(0, 20);
}

/** Files that these lines name run too. */
function namedIn(path: string, { binder, at }: Lookup): PlannedScript[] {
  const words = linesIn(path, binder.text(path)).flatMap((line) => line.split(/[\s"'=:,[\]]+/u));
  const files = words.flatMap((word) =>
    word === "" ? [] : [dirname(path), at].map((folder) => kernelPath(folder, word)),
  );
  return [...new Set(files)]
    .filter(isFile)
    .map((file) => binder.hashed(file))
    .filter((script) => script !== undefined);
}

const makefiles = ["GNUmakefile", "makefile", "Makefile"];
const mostIncludes = 50;

/**
 * The makefiles that GNU make reads: those that are named, else the first of its three names in the folder; and those that they
 * include by a name without variables and patterns.
 * @param named words behind -f: relative to the folder that make goes to.
 */
export function makefilesOf(named: readonly string[], folders: readonly string[], lookup: Lookup): string[] {
  const found = makefiles.map((name) => join(lookup.at, name)).find(isFile);
  const queue =
    named.length > 0
      ? named.map((name) => kernelPath(lookup.at, name)).filter(isFile)
      : found === undefined
        ? []
        : [found];
  const all = new Set(queue);
  for (const path of all) {
    if (all.size > mostIncludes) break;
    const text = lookup.binder.text(path) ?? "";
    const words = [...text.matchAll(/^ *[-s]?include[ \t]+([^#\n]*)/gmu)].flatMap(([, list = ""]) => split(list));
    for (const word of words) {
      if (/[$*?[%]/u.test(word)) continue;
      const places = [lookup.at, ...folders].map((folder) => kernelPath(folder, word));
      const included = places.find(isFile);
      if (included !== undefined) all.add(included);
    }
  }
  return [...all];
}
