import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Of a program's file: where its parts begin and how long they are, which another build of it has elsewhere. */
const headBytes = 4096;

/**
 * Names this build of Node, so that it is told from any other. V8's own check of compiled code knows its version and flags alone: Node
 * 20.20.2 takes what 20.20.1 compiled, and crashes. @returns undefined where the program's file cannot be read
 */
export function nodeBinary(program: string = process.execPath): string | undefined {
  const { version, versions, platform, arch } = process;
  try {
    const head = Buffer.alloc(headBytes);
    const file = openSync(program, "r");
    try {
      const { size } = fstatSync(file);
      const read = readSync(file, head, 0, headBytes, 0);
      const digest = createHash("sha256").update(head.subarray(0, read)).digest("hex");
      return [version, versions.v8, versions.modules, platform, arch, size, digest].join(" ");
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
