import { parentPort, workerData } from "node:worker_threads";
import { extractText, getDocumentProxy } from "unpdf";

/** A file of its own beside the program: it holds what reads PDF, and is ended when its time is up. */
const { bytes } = workerData as { bytes: Uint8Array };
parentPort?.postMessage({ ready: true });
const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
const { text } = await extractText(document, { mergePages: false });
parentPort?.postMessage({ done: text });
