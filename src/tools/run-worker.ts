import { Worker } from "node:worker_threads";
import { builtFile, isGone } from "./built-file.ts";

const mebibyte = 1024 * 1024;

/** Mebibytes of the worker's heap; a page, document or picture that needs more is not read. */
const heap = 512;

/** Mebibytes by which the process may grow meanwhile: what a document unpacks to lies outside of the heap. */
const growth = 1024;

/** The time between two looks at that, in milliseconds: a worker unpacks some hundred mebibytes a second. */
const lookEveryMs = 100;

export type Worked = { ok: true; value: unknown } | { ok: false; why: "time" | "memory" | "failed"; message: string };

/**
 * Runs a worker of this program on `data`, and ends it. Its time counts from when it is loaded.
 * @returns what it came to, or why it came to nothing; rejects with the signal's reason.
 */
export async function runWorker(
  name: "page-worker" | "pdf-worker" | "image-worker" | "misfits-worker",
  data: object,
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
): Promise<Worked> {
  signal.throwIfAborted();
  const file = builtFile(name);
  if (file === undefined) return { ok: false, why: "failed", message: isGone(name) };
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    execArgv: [],
    // What a library prints is nobody's to read.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heap },
  });
  try {
    return await answerOf(worker, deadlineMs, signal);
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, deadlineMs: number, signal: AbortSignal): Promise<Worked> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const before = process.memoryUsage.rss();
    const look = setInterval(() => {
      if (process.memoryUsage.rss() - before > growth * mebibyte)
        settle({ ok: false, why: "memory", message: `it takes more than ${growth} MiB` });
    }, lookEveryMs);
    const settle = (worked: Worked): void => {
      clearTimeout(timer);
      clearInterval(look);
      signal.removeEventListener("abort", stop);
      resolve(worked);
    };
    const stop = (): void => {
      clearTimeout(timer);
      clearInterval(look);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: { ready: true } | { done: unknown }) => {
      if ("done" in message) return settle({ ok: true, value: message.done });
      const late = { ok: false, why: "time", message: `it was not read within ${deadlineMs / 1000} s` } as const;
      timer = setTimeout(() => settle(late), deadlineMs);
    });
    worker.once("error", (error: Error & { code?: string }) => {
      const why = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "failed";
      settle({ ok: false, why, message: `${error.name}: ${error.message}` });
    });
    worker.once("exit", () => settle({ ok: false, why: "failed", message: "it ended without an answer" }));
  });
}
