import { parentPort, workerData } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";

/** A file of its own beside the program: it holds what reads PDF, and is ended when its time is up. */
const { bytes, first, most } = workerData as { bytes: Uint8Array; first: number; most: number };
parentPort?.postMessage({ ready: true });
const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
const pages: string[] = [];
for (let page = first; page <= document.numPages && pages.length < most; page += 1) {
  const { items } = await (await document.getPage(page)).getTextContent();
  pages.push(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""));
}
parentPort?.postMessage({ done: { pages, total: document.numPages } });
