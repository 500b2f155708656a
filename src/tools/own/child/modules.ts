import { readFileSync, realpathSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, extname, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Module, SourceTextModule, SyntheticModule } from "node:vm";
import { isTypeScript, withoutTypes } from "../../../core/strip-types.ts";
import { isInside } from "../../../files/boundary.ts";
import type { ToolBytes } from "../messages.ts";

interface ModulesNeeds {
  bytes: ToolBytes;
  /** The exports of `holdfast`. */
  sdk: Readonly<Record<string, unknown>>;
  /** A file was read from the disk. */
  onRead(path: string, text: string): void;
}

/** A file, and the folder that its imports lie below. */
interface From {
  path: string;
  folder: string;
}

/** Modules of tool files, each made once, from the bytes that were given or from what its folder had when it was first read. */
export class Modules {
  readonly #needs: ModulesNeeds;
  readonly #sources: Map<string, string>;
  readonly #made = new Map<string, Module>();
  readonly #places = new WeakMap<Module, From>();
  /** Linking is not to be entered twice: a module that is being linked cannot be linked. */
  #linking: Promise<unknown> = Promise.resolve();

  constructor(needs: ModulesNeeds) {
    this.#needs = needs;
    this.#sources = new Map(Object.entries(needs.bytes.files));
  }

  /** @returns what the file exports, and the paths of all files that it came from. @throws what is wrong with it, in words. */
  async load(file: string, folder: string): Promise<{ exports: Record<string, unknown>; files: string[] }> {
    try {
      const module = await this.#ready(this.#ofFile(file, folder));
      return { exports: { ...(module.namespace as object) }, files: [...this.#filesOf(module, new Set())] };
    } catch (error) {
      // What could not be linked stays so: it is made anew the next time.
      this.#made.delete(pathToFileURL(file).href);
      throw new Error(wordsOf(error, file), { cause: error });
    }
  }

  async #ready(module: Module): Promise<Module> {
    const before = this.#linking;
    const linked = (async () => {
      await before;
      if (module.status === "unlinked")
        await module.link((specifier, { identifier }) => this.#of(specifier, identifier));
    })();
    this.#linking = linked.catch(() => undefined);
    await linked;
    if (module.status === "linked" || module.status === "evaluating") await module.evaluate();
    if (module.status === "errored") throw module.error;
    return module;
  }

  async #of(specifier: string, importer: string): Promise<Module> {
    if (specifier === "holdfast") return this.#ofValues("holdfast", this.#needs.sdk);
    if (specifier.startsWith("node:"))
      return this.#ofValues(specifier, (await import(specifier)) as Record<string, unknown>);
    const importing = this.#made.get(importer);
    const from = importing && this.#places.get(importing);
    if (from === undefined) throw new Error(`${importer} is no file of tools`);
    return this.#ofFile(pathOf(specifier, from), from.folder);
  }

  #ofValues(identifier: string, values: Readonly<Record<string, unknown>>): Module {
    const known = this.#made.get(identifier);
    if (known !== undefined) return known;
    const names = Object.keys(values);
    const module = new SyntheticModule(
      names,
      () => {
        for (const name of names) module.setExport(name, values[name]);
      },
      { identifier },
    );
    this.#made.set(identifier, module);
    return module;
  }

  #ofFile(path: string, folder: string): Module {
    const identifier = pathToFileURL(path).href;
    const known = this.#made.get(identifier);
    if (known !== undefined) return known;
    const text = this.#textOf(path);
    if (extname(path) === ".json") return this.#ofValues(identifier, { default: JSON.parse(text) });
    const module = new SourceTextModule(isTypeScript(path) ? withoutTypes(text) : text, {
      identifier,
      initializeImportMeta: (meta) => Object.assign(meta, { url: identifier, filename: path, dirname: dirname(path) }),
      importModuleDynamically: async (specifier) => this.#ready(await this.#of(specifier, identifier)),
    });
    this.#made.set(identifier, module);
    this.#places.set(module, { path, folder });
    return module;
  }

  /** @throws where the file may not be read, or is not there. */
  #textOf(path: string): string {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const { open, closed } = this.#needs.bytes;
    if (!open.some((folder) => isInside(folder, path))) throw new Error(`there is no ${path} among the trusted files`);
    const real = realpathSync(path);
    if (!open.some((folder) => isInside(folder, real))) throw new Error(`${path} leads out of the folder of its tool`);
    if (closed.some((folder) => isInside(folder, real)))
      throw new Error(
        `${path} lies in the workspace, where the agent writes: keep what your own tools import elsewhere`,
      );
    const text = readFileSync(real, "utf8");
    this.#sources.set(path, text);
    this.#needs.onRead(path, text);
    return text;
  }

  /** All files that the module was made from, as far as static imports lead. */
  #filesOf(module: Module, found: Set<string>): Set<string> {
    const place = this.#places.get(module);
    if (place === undefined || found.has(place.path)) return found;
    found.add(place.path);
    for (const specifier of (module as SourceTextModule).dependencySpecifiers.filter(isRelative)) {
      const path = pathOf(specifier, place);
      const next = this.#made.get(pathToFileURL(path).href);
      if (next !== undefined && this.#places.has(next)) this.#filesOf(next, found);
      else found.add(path);
    }
    return found;
  }
}

const isRelative = (specifier: string): boolean => specifier.startsWith("./") || specifier.startsWith("../");

/** @throws where a tool file may not import this. */
function pathOf(specifier: string, { path, folder }: From): string {
  const quoted = JSON.stringify(specifier);
  if (builtinModules.includes(specifier)) throw new Error(`it imports ${quoted}: write "node:${specifier}"`);
  if (!isRelative(specifier))
    throw new Error(
      `it imports ${quoted}: a tool file may import "holdfast", node: modules, and files below its folder by ./ or ../`,
    );
  const found = fileURLToPath(new URL(specifier, pathToFileURL(path)));
  if (!isInside(folder, found) || found === folder)
    throw new Error(`it imports ${quoted}, which is not below ${folder}${sep}`);
  return found;
}

/** An error in one line, with the line of the file where it says so. */
function wordsOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`;
  const name = error.name === "Error" ? "" : `${error.name}: `;
  const [where = ""] = (error.stack ?? "").split("\n", 1);
  const line = where.startsWith(pathToFileURL(file).href) ? /:(\d+)$/.exec(where)?.[1] : undefined;
  return `${name}${error.message}${line === undefined ? "" : ` (line ${line})`}`;
}
