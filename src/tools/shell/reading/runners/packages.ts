import { dirname, join } from "node:path";
import type { PlannedScript } from "../../../../core/command.ts";
import { isInside } from "../../../../files/boundary.ts";
import { kernelPath, longestPath } from "../../../../files/kernel-path.ts";
import { shellRuns } from "../../../../words/contract/shell-runs.ts";
import type { GivenOption, Words } from "../options.ts";
import { isFile, namesIn } from "./binder.ts";
import { above, findCode, type Lookup } from "./find.ts";

/** The known facts of a run: the files, and why it is not known what else would run, in words. */
export interface PackageRun {
  scripts: PlannedScript[];
  loose?: string;
  /** Code of which nothing is bound may run: the person is told. */
  isUnseen?: true;
}

const verbs: Readonly<Record<string, string>> = { t: "test", tst: "test", i: "install", add: "install", in: "install" };
const runVerbs = new Set("run run-script rum urn".split(" "));
/** With these a program of the folder runs under its own name. */
const execVerbs = new Set("exec x dlx".split(" "));
/** Scripts that come with a verb beside those before and after it (npm help scripts, "Life Cycle Operation Order"). */
const lifecycle: Readonly<Record<string, string>> = {
  install: "preinstall install postinstall prepublish preprepare prepare postprepare",
  ci: "preinstall install postinstall prepublish preprepare prepare postprepare",
  rebuild: "preinstall install postinstall",
  pack: "prepack prepare postpack",
  publish: "prepublishOnly prepack prepare postpack publish postpublish",
  version: "preversion version postversion",
  restart: "prerestart prestop stop poststop prestart start poststart restart postrestart",
};

/** Package managers run what package.json has under a name, of the folder that they are sent to or of packages of the workspace. */
export function packageRun(
  operands: Words,
  options: readonly GivenOption[],
  isSent: boolean,
  lookup: Lookup,
): PackageRun {
  const [verb = "", next] = operands;
  const isRun = verb !== null && runVerbs.has(verb);
  const name = isRun ? next : Object.hasOwn(verbs, verb ?? "") ? verbs[verb ?? ""] : verb;
  if (verb === null || name === null) return { scripts: [], loose: shellRuns.which_script, isUnseen: true };
  if (execVerbs.has(verb)) return programOf(next, lookup);
  const at = isSent ? lookup.at : homeOf(lookup);
  const packages = packagesOf(options, at, lookup);
  return packages === undefined ? ofFolder(at, name, lookup) : ofPackages(packages, at, name, lookup);
}

/** The packages of the workspace that options mean; undefined where there is no such option. */
function packagesOf(options: readonly GivenOption[], at: string, lookup: Lookup): Package[] | undefined {
  const chosen = options.filter(({ means }) => means === "W");
  const all = options.some(({ name }) => name === "-ws" || name === "--workspaces");
  if (chosen.length === 0 && !all) return undefined;
  const packages = workspacesOf(at, lookup);
  if (all) return packages;
  return packages.filter((one) => chosen.some(({ value }) => isMeant(one, value, at, lookup.at)));
}

function ofPackages(packages: readonly Package[], at: string, name: string | undefined, lookup: Lookup): PackageRun {
  const found = packages.map(({ folder }) => ofFolder(folder, name, lookup));
  const scripts = [lookup.binder.hashed(join(at, "package.json")), ...found.flatMap((one) => one.scripts)];
  const loose = packages.length === 0 ? { loose: shellRuns.which_package } : {};
  return { scripts: scripts.filter((one) => one !== undefined), ...loose };
}

/** The nearest folder with a package.json. */
function homeOf(lookup: Lookup): string {
  const [manifest] = above(lookup, ["package.json"]);
  return manifest === undefined ? lookup.at : dirname(kernelPath("/", manifest));
}

function ofFolder(folder: string, name: string | undefined, lookup: Lookup): PackageRun {
  const manifest = join(folder, "package.json");
  const whole =
    isFile(manifest) && lookup.roots.some((root) => isInside(root, kernelPath("/", manifest)))
      ? lookup.binder.hashed(manifest)
      : undefined;
  if (whole === undefined) return { scripts: [], loose: shellRuns.no_package };
  if (name === undefined || name === "") return { scripts: [whole] };
  const texts = scriptsIn(lookup.binder.text(manifest));
  const names = Object.hasOwn(lifecycle, name)
    ? (lifecycle[name] ?? "").split(" ")
    : [`pre${name}`, name, `post${name}`];
  const told = names.flatMap((one) => (texts.has(one) ? [{ ...whole, name: one, text: texts.get(one) ?? "" }] : []));
  const scripts = told.length > 0 ? told : [{ ...whole, name }];
  if (texts.has(name)) return { scripts };
  return { scripts: [...scripts, ...withoutScript(folder, name, lookup)] };
}

/** Finds the files that run where package.json has no such script: server.js, binding.gyp, else a program of that name in node_modules. */
function withoutScript(folder: string, name: string, lookup: Lookup): PlannedScript[] {
  const beside = name === "start" ? ["server.js"] : name === "install" || name === "ci" ? ["binding.gyp"] : [];
  const files = [
    ...beside.map((one) => join(folder, one)),
    ...findCode(name, "bin", { ...lookup, at: folder }),
    ...findCode(name, undefined, lookup),
  ];
  return files.map((path) => lookup.binder.hashed(path)).filter((one) => one !== undefined);
}

function programOf(name: string | null | undefined, lookup: Lookup): PackageRun {
  const [file] = typeof name === "string" ? findCode(name, "bin", lookup) : [];
  const manifest = join(homeOf(lookup), "package.json");
  const scripts = [manifest, ...(file === undefined ? [] : [file])].map((path) => lookup.binder.hashed(path));
  return {
    scripts: scripts.filter((one) => one !== undefined),
    loose: shellRuns.loads_package,
    isUnseen: true,
  };
}

function scriptsIn(text: string | undefined): Map<string, string> {
  try {
    const { scripts } = JSON.parse(text ?? "") as { scripts?: Record<string, unknown> };
    return new Map(Object.entries(scripts ?? {}).filter((one): one is [string, string] => typeof one[1] === "string"));
  } catch {
    return new Map(); // the runner will say what is wrong with it
  }
}

interface Package {
  folder: string;
  name: string | undefined;
}

const mostPackages = 200;

/** The packages that a package.json names as its workspaces, by path or by `folder/*`. */
function workspacesOf(at: string, { binder, roots }: Lookup): Package[] {
  const patterns = patternsIn(binder.text(join(at, "package.json")));
  const folders = patterns.flatMap((pattern) => {
    const [, head, rest] = /^(.*?)\/?(\*.*)?$/u.exec(pattern.replace(/^\.\//u, "").replace(/\/$/u, "")) ?? [];
    const base = kernelPath(at, head ?? "");
    return rest === undefined ? [base] : namesIn(base).map((name) => join(base, name));
  });
  return folders
    .slice(0, mostPackages)
    .filter((folder) => isFile(join(folder, "package.json")) && roots.some((root) => isInside(root, folder)))
    .map((folder) => ({ folder, name: nameIn(binder.text(join(folder, "package.json"))) }));
}

function patternsIn(text: string | undefined): string[] {
  try {
    const { workspaces } = JSON.parse(text ?? "") as { workspaces?: unknown };
    const list = Array.isArray(workspaces) ? workspaces : (workspaces as { packages?: unknown } | undefined)?.packages;
    return Array.isArray(list) ? list.filter((one) => typeof one === "string" && one.length <= longestPath) : [];
  } catch {
    return [];
  }
}

function nameIn(text: string | undefined): string | undefined {
  try {
    const { name } = JSON.parse(text ?? "") as { name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** A workspace is named by its name, its folder, or a folder that it lies below. */
const isMeant = ({ folder, name }: Package, value: string | null | undefined, top: string, at: string): boolean =>
  typeof value === "string" &&
  value.length <= longestPath &&
  (name === value || [top, at].some((from) => isInside(kernelPath(from, value), folder)));
