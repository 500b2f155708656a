import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script } from "node:vm";
import { nodeBinary } from "./node-binary.ts";

/** The build's record of the compiled code beside the scripts. */
interface Record {
  /** The Node that compiled it, as `nodeBinary` tells it. */
  node: string;
  /** By the script's name: sha256, hex, of its text and of its compiled code. */
  scripts: { [name: string]: { text: string; code: string } };
}

type Exports = Readonly<{ [name: string]: unknown }>;

/** A script's value. `part` is its `import()`. */
type Body = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: Exports },
  url: string,
  part: (name: string) => Promise<Exports>,
) => void;

interface Opened {
  script: Script;
  exports: Exports;
}

const recordName = "compiled.json";
const codeOf = (name: string): string => `${name}.code`;
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

// Keeps cli 7.
/**
 * The scripts of a folder (`NAME.cjs`, made by `scripts/build/scripts.mjs`), each read and run when another asks for it. V8 takes its
 * compiled code from beside it where that is what the build made of this very text with this very Node; else it compiles the text, as
 * always. Who may write this record may write the scripts too: it keeps from mistakes, not from them.
 */
export class Scripts {
  readonly #folder: URL;
  readonly #require: NodeJS.Require;
  readonly #record: Record | undefined;
  readonly #opened = new Map<string, Opened>();

  /** @param folder with a slash at its end */
  constructor(folder: URL) {
    this.#folder = folder;
    this.#require = createRequire(folder);
    this.#record = this.#readRecord();
  }

  /**
   * Returns the exports of a script.
   * @throws with the code ERR_MODULE_NOT_FOUND, as `import()` does, where its file is gone; whatever the script throws.
   */
  run(name: string): Exports {
    return (this.#opened.get(name) ?? this.#open(name)).exports;
  }

  /** Tells whether V8 took the compiled code of a script that was run. */
  tookCode(name: string): boolean {
    return this.#opened.get(name)?.script.cachedDataRejected === false;
  }

  /** For the build, which writes it beside the scripts: by the file's name, what was compiled of those that were run, and the record. */
  compiled(): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    const record: Record = { node: nodeBinary() ?? "", scripts: {} };
    for (const [name, { script }] of this.#opened) {
      const code = script.createCachedData();
      files.set(codeOf(name), code);
      record.scripts[name] = { text: sha256(readScript(this.#urlOf(name))), code: sha256(code) };
    }
    return files.set(recordName, Buffer.from(JSON.stringify(record)));
  }

  #open(name: string): Opened {
    const url = this.#urlOf(name);
    const text = readScript(url);
    const code = this.#codeOf(name, text);
    const source = text.toString("latin1"); // they are ASCII
    const script = new Script(source, { filename: url.href, ...(code === undefined ? {} : { cachedData: code }) });
    const module: { exports: Exports } = { exports: {} };
    const require = Object.assign((id: string): unknown => this.#required(id), this.#require);
    (script.runInThisContext() as Body)(module.exports, require, module, url.href, (id) => this.#part(id));
    const opened = { script, exports: module.exports };
    this.#opened.set(name, opened);
    return opened;
  }

  #urlOf(name: string): URL {
    return new URL(`${name}.cjs`, this.#folder);
  }

  #required(id: string): unknown {
    const name = nameOf(id);
    return name === undefined ? this.#require(id) : this.run(name);
  }

  async #part(id: string): Promise<Exports> {
    const name = nameOf(id);
    if (name === undefined) return (await import(id)) as Exports;
    const exports = this.run(name);
    await exports["ready"];
    return exports;
  }

  /** The compiled code of a script, if it is what the build made of this text. */
  #codeOf(name: string, text: Buffer): Buffer | undefined {
    const recorded = this.#record?.scripts[name];
    if (recorded === undefined) return undefined;
    const code = readIfThere(new URL(codeOf(name), this.#folder));
    return code !== undefined && sha256(code) === recorded.code && sha256(text) === recorded.text ? code : undefined;
  }

  #readRecord(): Record | undefined {
    const text = readIfThere(new URL(recordName, this.#folder))?.toString();
    const node = nodeBinary();
    if (text === undefined || node === undefined) return undefined;
    try {
      const record = JSON.parse(text) as Record;
      return record.node === node ? record : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The script that `./NAME.js` means: the scripts were modules of these names. */
const nameOf = (id: string): string | undefined => /^\.\/([\w-]+)\.js$/.exec(id)?.[1];

function readScript(url: URL): Buffer {
  try {
    return readFileSync(url);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    throw Object.assign(new Error(`Cannot find ${url.pathname}`, { cause }), { code: "ERR_MODULE_NOT_FOUND" });
  }
}

function readIfThere(url: URL): Buffer | undefined {
  try {
    return readFileSync(url);
  } catch {
    return undefined; // compiled code is never needed
  }
}
