import { isAbsolute, join, relative } from "node:path";
import { bytesOf, fileOf, type TracedCall } from "./traced-calls.ts";

/** One step of a session: what it does to its disk, what it says and asks. Paths are relative to the folder of its place. */
export type Operation =
  | { kind: "make"; path: string; mode: number }
  | { kind: "folder"; path: string; mode: number }
  | { kind: "write"; path: string; at: number | "end"; bytes: Buffer }
  | { kind: "resize"; path: string; size: number }
  | { kind: "mode"; path: string; mode: number }
  | { kind: "link"; path: string; to: string }
  | { kind: "rename"; path: string; to: string }
  | { kind: "remove"; path: string }
  /** `data`: the bytes and their length alone, as fdatasync has it. */
  | { kind: "sync"; path: string; data: boolean }
  /** Bytes on stdout. */
  | { kind: "said"; bytes: Buffer }
  /** A request to the model. */
  | { kind: "asked" }
  /** Bytes in the log of effects: what happened outside stays so, whatever becomes of the disk. */
  | { kind: "happened"; bytes: Buffer };

/** Not the index of SQLite's log, which is mapped into memory: it is made anew at the first opening. */
const isOfDisk = (name: string): boolean => /^(?:$|(?:work|home|tmp)(?:\/|$))/.test(name) && !name.endsWith("-shm");

/** What is open. One process writes here: its children get nothing that is open, and write outside the place only. */
interface Opened {
  /** Undefined for what is elsewhere. */
  path: string | undefined;
  /** Where the next write goes that does not say where. */
  next: number | "end";
}

const octal = (text = ""): number => Number.parseInt(text, 8);

/** Knows what of the traced calls is about a place, and what its descriptors stand for. */
class Reader {
  readonly #root: string;
  readonly #workspace: string;
  readonly #opened = new Map<number, Opened>();
  /** The descriptor that the first words were said on; a child's number 1 leads elsewhere. */
  #stdout: string | undefined;

  constructor(root: string, workspace: string) {
    this.#root = root;
    this.#workspace = workspace;
  }

  /** @throws Error at a call about the place that is not known here. */
  read({ name, args, result, opened }: TracedCall): Operation[] {
    switch (name) {
      case "openat":
        return this.#open(args, result, this.#below(opened));
      case "write":
      case "writev":
        return this.#write(args, result);
      case "pwrite64": {
        const bytes = bytesOf(args.slice(1)).subarray(0, result);
        return this.#on(args[0], (path) => ({ kind: "write", path, at: Number(args.at(-1)), bytes }));
      }
      case "ftruncate":
        return this.#on(args[0], (path) => ({ kind: "resize", path, size: Number(args[1]) }));
      case "fsync":
      case "fdatasync":
        return this.#on(args[0], (path) => ({ kind: "sync", path, data: name === "fdatasync" }));
      case "fchmod":
        return this.#on(args[0], (path) => ({ kind: "mode", path, mode: octal(args[1]) }));
      case "chmod":
        return this.#at(args[0], (path) => ({ kind: "mode", path, mode: octal(args[1]) }));
      case "mkdir":
        return this.#at(args[0], (path) => ({ kind: "folder", path, mode: octal(args[1]) }));
      case "rename":
      case "link":
        return this.#move(name, this.#named(args[0]), this.#named(args[1]));
      case "unlink":
      case "rmdir":
        return this.#at(args[0], (path) => ({ kind: "remove", path }));
      default:
        return this.#nothing(name, args);
    }
  }

  /** A path relative to the place; undefined for what is elsewhere. */
  #below(path: string | undefined): string | undefined {
    const name = path === undefined ? ".." : relative(this.#root, path);
    return isOfDisk(name) ? name : undefined;
  }

  /** The same of a path that a call was given: below a folder's descriptor, or plain. */
  #named(arg = ""): string | undefined {
    const path = bytesOf([arg]).toString();
    const [, number, rest = ""] = /^\/proc\/self\/fd\/(\d+)\/(.*)$/.exec(path) ?? [];
    if (number === undefined) return this.#below(isAbsolute(path) ? path : join(this.#workspace, path));
    const folder = this.#opened.get(Number(number));
    if (folder === undefined) throw new Error(`nothing is known of the folder of ${path}`);
    return folder.path === undefined ? undefined : join(folder.path, rest);
  }

  #on(descriptor: string | undefined, make: (path: string) => Operation): Operation[] {
    const path = this.#below(fileOf(descriptor));
    return path === undefined ? [] : [make(path)];
  }

  #at(arg: string | undefined, make: (path: string) => Operation): Operation[] {
    const path = this.#named(arg);
    return path === undefined ? [] : [make(path)];
  }

  #open([, , flags = "", mode]: readonly string[], result: number, path: string | undefined): Operation[] {
    const isFolder = flags.includes("O_DIRECTORY");
    if (path !== undefined || isFolder)
      this.#opened.set(result, { path, next: flags.includes("O_APPEND") ? "end" : 0 });
    if (path === undefined) return [];
    const made: Operation[] = flags.includes("O_CREAT") ? [{ kind: "make", path, mode: octal(mode) }] : [];
    return flags.includes("O_TRUNC") ? [...made, { kind: "resize", path, size: 0 }] : made;
  }

  #write([to = "", ...rest]: readonly string[], result: number): Operation[] {
    const bytes = bytesOf(rest).subarray(0, result);
    const target = fileOf(to);
    if (target === join(this.#root, "effects.log")) return [{ kind: "happened", bytes }];
    if (to.startsWith("1<")) this.#stdout ??= to;
    if (to === this.#stdout) return [{ kind: "said", bytes }];
    const path = this.#below(target);
    if (path === undefined) return bytes.subarray(0, 5).toString() === "POST " ? [{ kind: "asked" }] : [];
    const file = this.#opened.get(Number.parseInt(to, 10));
    if (file === undefined) throw new Error(`nothing is known of the file of ${path}`);
    const at = file.next;
    if (at !== "end") file.next = at + bytes.length;
    return [{ kind: "write", path, at, bytes }];
  }

  #move(kind: "rename" | "link", path: string | undefined, to: string | undefined): Operation[] {
    if (path === undefined && to === undefined) return [];
    if (path === undefined || to === undefined) throw new Error(`a ${kind} out of the place or into it: ${path} ${to}`);
    return [{ kind, path, to }];
  }

  #nothing(name: string, args: readonly string[]): Operation[] {
    const paths = args.flatMap((arg) => [fileOf(arg), arg.startsWith('"') ? bytesOf([arg]).toString() : undefined]);
    const about = paths.find((path) => this.#below(path) !== undefined);
    if (about !== undefined) throw new Error(`this is not known here: ${name} of ${about}`);
    return [];
  }
}

/**
 * What of the traced calls concerns a place.
 * @param root of the place. @param workspace where its processes work. @throws Error at a call that is not known here
 */
export function operationsOf(calls: readonly TracedCall[], root: string, workspace: string): Operation[] {
  const reader = new Reader(root, workspace);
  return calls.flatMap((call) => reader.read(call));
}
