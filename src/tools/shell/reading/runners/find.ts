import { dirname, join } from "node:path";
import { isInside } from "../../../../files/boundary.ts";
import { kernelPath, longestPath } from "../../../../files/kernel-path.ts";
import { type Binder, isFile, isFolder, namesIn } from "./binder.ts";
import type { Runner } from "./table.ts";

/** The places where names of code become files: the folder that the program stands in, and the folders that the person works in, all real. */
export interface Lookup {
  at: string;
  roots: readonly string[];
  /** Entries of PATH. */
  path: readonly string[];
  binder: Binder;
}

/** The files that would run under a name, in the way of the runner; none where there is no such file. */
export function findCode(name: string, find: Runner["find"], lookup: Lookup): string[] {
  if (name === "" || name.length > longestPath) return [];
  const path = kernelPath(lookup.at, name);
  switch (find) {
    case "shell":
      return [path, ...(name.includes("/") ? [] : lookup.path.map((folder) => join(folder, name)))].filter(isFile);
    case "node":
      return nodeFile(path, lookup.binder);
    case "python": {
      const [file = name] = name.split("::");
      const script = kernelPath(lookup.at, file);
      return isFolder(script) ? filesOf(script, ["__main__.py"]) : [script].filter(isFile);
    }
    case "bin":
      return above(lookup, [`node_modules/.bin/${name}`]).slice(0, 1);
    case "go":
      return isFolder(path)
        ? filesOf(
            path,
            namesIn(path).filter((one) => one.endsWith(".go")),
          )
        : [path].filter(isFile);
    default:
      return [path].filter(isFile);
  }
}

const filesOf = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => join(folder, name)).filter(isFile);

const nodeEndings = ["", ".js", ".json", ".node", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/** As node finds what it is started with: the file, with an ending, or the folder's main (Node's manual, modules, "All together"). */
function nodeFile(path: string, binder: Binder): string[] {
  const asFile = nodeEndings.map((ending) => path + ending).find(isFile);
  if (asFile !== undefined || !isFolder(path)) return asFile === undefined ? [] : [asFile];
  const manifest = join(path, "package.json");
  const main = mainOf(binder.text(manifest));
  const named = main === undefined ? [] : [join(path, main), join(path, main, "index")];
  const found = [...named, join(path, "index")]
    .flatMap((one) => nodeEndings.map((ending) => one + ending))
    .find(isFile);
  return [...(found === undefined ? [] : [found]), ...[manifest].filter(isFile)];
}

function mainOf(text: string | undefined): string | undefined {
  try {
    const { main } = JSON.parse(text ?? "{}") as { main?: unknown };
    return typeof main === "string" && main.length <= longestPath ? main : undefined;
  } catch {
    return undefined; // node will say what is wrong with it
  }
}

/** Finds the files that are loaded under a name that may be a package's, as far as they lie below the folders that the person works in. */
export function findModule(name: string, runner: Runner, lookup: Lookup): string[] {
  if (name.length > longestPath) return [];
  if (runner.find === "python") return pythonModule(name, lookup.at);
  if (runner.names === "perl") return [];
  const path = kernelPath(lookup.at, name);
  const asPath = nodeFile(path, lookup.binder);
  if (asPath.length > 0 || /^[./]/u.test(name)) return asPath;
  const packages = above(lookup, ["node_modules"]).map((folder) => join(folder, name));
  return packages.flatMap((one) => nodeFile(one, lookup.binder)).slice(0, 2);
}

/** `-m a.b`: the file, and what of the packages on the way to it runs first. */
function pythonModule(name: string, at: string): string[] {
  const parts = name.split(".");
  const folders = parts.map((_, index) => join(at, ...parts.slice(0, index + 1)));
  const last = folders.at(-1) ?? at;
  const onTheWay = folders.flatMap((folder) => [join(folder, "__init__.py"), `${folder}.py`]);
  return [...onTheWay, join(last, "__main__.py")].filter(isFile);
}

/** These files and folders in the folder that the program stands in and those above it, as far as the roots go; the nearest first. */
export function above({ at, roots }: Lookup, names: readonly string[]): string[] {
  const found: string[] = [];
  for (let folder = at; roots.some((root) => isInside(root, folder)); folder = dirname(folder)) {
    found.push(...names.map((name) => join(folder, name)).filter((path) => isFile(path) || isFolder(path)));
    if (dirname(folder) === folder) break;
  }
  return found;
}
