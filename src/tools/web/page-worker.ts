import { parentPort, workerData } from "node:worker_threads";
import { htmlToMarkdown } from "./html-markdown.ts";
import { htmlToText } from "./html-text.ts";

/** A file of its own beside the program: it holds what reads HTML, and is ended when its time is up. */
const { html, base, format } = workerData as { html: string; base: string; format: "markdown" | "text" };
parentPort?.postMessage({ ready: true });
parentPort?.postMessage({ done: format === "text" ? htmlToText(html) : htmlToMarkdown(html, base) });
