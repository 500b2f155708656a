import { parentPort, workerData } from "node:worker_threads";
import { htmlToMarkdown, withoutHidden } from "./html-markdown.ts";
import { htmlToText } from "./html-text.ts";

/** A file of its own beside the program: it holds what reads HTML, and is ended when its time is up. */
const { html, base, format } = workerData as { html: string; base: string; format: "markdown" | "text" | "all" };
parentPort?.postMessage({ ready: true });
const forms = {
  markdown: () => htmlToMarkdown(html, base),
  text: () => htmlToText(withoutHidden(html)),
  all: () => htmlToText(html),
};
parentPort?.postMessage({ done: forms[format]() });
