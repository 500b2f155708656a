import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { ToolRefusal } from "../../core/codes.ts";
import type { Sha } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { openRegular } from "../../files/bytes/read-regular.ts";

/** The beginning of a file, and its mode bits. */
export interface FileStart {
  head: string;
  mode: number;
}

/** Hashes of files that start servers, for one look at them: each is read once, in steps, and there is an end to what is read in all. */
export class FileHashes {
  readonly #known = new Map<string, { start: FileStart; sha: Sha }>();
  #left: number = limits.mcpStartFiles.most;

  /**
   * The file's hash, where it is wanted by how it begins.
   * @param real absolute, links resolved. @throws ToolRefusal TOO_LARGE, and where it is no regular file; errors of the file system as they come.
   */
  async of(real: string, isWanted: (start: FileStart) => boolean): Promise<Sha | undefined> {
    const known = this.#known.get(real);
    if (known !== undefined) return isWanted(known.start) ? known.sha : undefined;
    const { handle, stats } = await openRegular(real, real);
    try {
      const head = Buffer.alloc(2);
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      const start = { head: head.toString("latin1", 0, bytesRead), mode: stats.mode };
      if (!isWanted(start)) return undefined;
      if (stats.size > this.#left) throw this.#tooMuch(real);
      const sha = await this.#hash(handle, real);
      this.#known.set(real, { start, sha });
      return sha;
    } finally {
      await handle.close();
    }
  }

  async #hash(handle: FileHandle, real: string): Promise<Sha> {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(1_000_000);
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return hash.digest("hex");
      at += bytesRead;
      this.#left -= bytesRead;
      if (this.#left < 0) throw this.#tooMuch(real);
      hash.update(chunk.subarray(0, bytesRead));
    }
  }

  #tooMuch(real: string): ToolRefusal {
    const most = limits.mcpStartFiles.most / 1_000_000;
    return new ToolRefusal("TOO_LARGE", `with ${real} the files that start servers come to more than ${most} MB`);
  }
}
