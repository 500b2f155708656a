import { Worker } from "node:worker_threads";
import { type PackAnswer, type PackItem, type PackRequest, type PackWork, packWorkerSource } from "./pack-worker.ts";
import type { TreeFile } from "./tree-list.ts";

/** Appends contents to a pack beside the thread that draws the screen. One at work on a pack at a time. */
export interface Packer {
  /** @returns the hash of each file, null where it is not the one that was met any more. @throws what kept it from the disk. */
  pack(files: readonly TreeFile[]): Promise<(string | null)[]>;
  close(): Promise<void>;
}

export function createPacker(work: PackWork): Packer {
  const worker = new Worker(packWorkerSource, { eval: true, workerData: work, env: {} });
  const waiting = new Map<number, (answer: PackAnswer) => void>();
  let asked = 0;
  const fail = (why: string): void => {
    for (const [id, answer] of waiting) answer({ id, failed: why });
    waiting.clear();
  };
  worker.on("message", (answer: PackAnswer) => {
    const take = waiting.get(answer.id);
    waiting.delete(answer.id);
    take?.(answer);
  });
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => fail("what copies files before a command has ended"));
  // A session that only waits for the person must be able to end.
  worker.unref();
  return {
    pack: async (files) => {
      asked += 1;
      const id = asked;
      const items = files.map(({ path, ino, dev, size }): PackItem => ({ path, ino, dev, size }));
      worker.ref();
      const answer = await new Promise<PackAnswer>((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ id, items } satisfies PackRequest);
      });
      worker.unref();
      if ("failed" in answer) throw Object.assign(new Error(answer.failed), { code: answer.errno, syscall: "write" });
      return answer.shas;
    },
    close: async () => void (await worker.terminate()),
  };
}
