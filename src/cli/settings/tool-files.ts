import { readdir, realpath } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { errnoOf } from "../../core/errno.ts";
import { sha256 } from "../../core/json.ts";
import { isTypeScript, noTypeScript } from "../../core/strip-types.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import type { LeftOut, ToolFile } from "../../tools/own/open-own-tools.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { toolFiles as words } from "../../words/en/tool-files.ts";

/** The tool files that count for work in one folder, the bytes that may run with them, and what is left out. */
export interface FoundToolFiles {
  files: ToolFile[];
  bytes: Record<string, string>;
  /** Folders of the person's own files, whose other files they may import. */
  open: string[];
  leftOut: LeftOut[];
}

/** The folder of a project's tools, relative to the workspace. */
export const projectToolFolder = ".holdfast/tools";

/** Bytes; a tool that is larger was not written by a person. */
const maxBytes = 1_000_000;

/** A test beside a tool is none. */
const isToolFile = (name: string): boolean =>
  (extname(name) === ".mjs" || isTypeScript(name)) && !/[.]test[.]m?[jt]s$/u.test(name);

/** Tells whether a file of the project, by its path relative to the workspace, is one of tools. */
export const isProjectTool = (path: string): boolean => dirname(path) === projectToolFolder && isToolFile(path);

/** Names of the files of tools that the project brings, in their order; whether they count is another matter. */
export async function projectToolFiles(workspace: string): Promise<string[]> {
  const names = await readdir(join(workspace, projectToolFolder)).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "")) return [];
    throw error;
  });
  return names.filter(isToolFile).sort();
}

/**
 * The person's files, as their settings name them (from the folder of the settings on), and the project's as far as they are trusted:
 * those bytes, and no others.
 * @param trusted finds whether the person trusts the workspace now; asked only where the project has tools.
 */
export async function findToolFiles(
  { named, configDir, home }: NamedFiles,
  workspace: string,
  trusted: () => Promise<TrustState>,
): Promise<FoundToolFiles> {
  const found: FoundToolFiles = { files: [], bytes: {}, open: [], leftOut: [] };
  for (const name of named) await addNamed(name, userToolPath(name, configDir, home), found);
  const project = await projectToolFiles(workspace);
  if (project.length > 0) addProject(project, workspace, await trusted(), found);
  return found;
}

/** Returns the path of a file that the person's settings name. */
const userToolPath = (name: string, configDir: string, home: string | undefined): string =>
  name.startsWith("~/") && home !== undefined ? join(home, name.slice(2)) : resolve(configDir, name);

async function addNamed(name: string, path: string, found: FoundToolFiles): Promise<void> {
  const leave = (why: string): void => void found.leftOut.push({ name, origin: "user", why });
  try {
    if (!isToolFile(path)) return leave(words().nameShape);
    if (isTypeScript(path) && noTypeScript !== undefined) return leave(noTypeScript);
    const real = await realpath(path);
    if (found.bytes[real] !== undefined) return;
    found.bytes[real] = await readText(real, name);
    found.open.push(dirname(real));
    found.files.push({ path: real, shown: name, origin: "user" });
  } catch (error) {
    leave(
      errnoOf(error) === "ENOENT" ? words().missing({ path }) : error instanceof Error ? error.message : String(error),
    );
  }
}

async function readText(real: string, name: string): Promise<string> {
  const { handle, stats } = await openRegular(real, name);
  const bytes = await readBounded(handle, stats.size, maxBytes, name).finally(() => handle.close());
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** All that lies in the project's folder of tools may be imported by them; it was shown, hashed and trusted with them. */
function addProject(names: readonly string[], workspace: string, state: TrustState, found: FoundToolFiles): void {
  for (const { path, text, sha } of state.state === "trusted" ? state.files : [])
    if (path.startsWith(`${projectToolFolder}/`) && sha256(text) === sha) found.bytes[join(workspace, path)] = text;
  for (const name of names) {
    const shown = `${projectToolFolder}/${name}`;
    const path = join(workspace, shown);
    if (isTypeScript(name) && noTypeScript !== undefined)
      found.leftOut.push({ name: shown, origin: "project", why: noTypeScript });
    else if (found.bytes[path] !== undefined && isTrusted(state, shown, found.bytes[path]))
      found.files.push({ path, shown, origin: "project" });
    else found.leftOut.push({ name: shown, origin: "project", why: whyNot(state, shown) });
  }
}

function whyNot(state: TrustState, shown: string): string {
  switch (state.state) {
    case "trusted":
      return state.files.some(({ path }) => path === shown) ? words().noText : words().noFile;
    case "changed":
      return words().changed;
    default:
      return words().waits;
  }
}

/** Files of tools as a person reads of them before they trust them. */
export const countOfToolFiles = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [cellWords().toolFiles({ count: length })];

/** Returns the paths of the files that the person's settings name: closed to the model, as the settings are. */
export const userToolFiles = ({ named, configDir, home }: NamedFiles): string[] =>
  named.map((name) => userToolPath(name, configDir, home));

/** The tool files that the person's settings name, and the folders to which their names are relative. */
interface NamedFiles {
  named: readonly string[];
  configDir: string;
  home: string | undefined;
}
