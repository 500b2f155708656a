import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import { readPdf } from "../media/read-pdf.ts";
import { runWorker } from "../run-worker.ts";
import { visibleText } from "../use/visible-text.ts";
import { titleOf } from "./html-text.ts";
import type { PageContent } from "./page-content.ts";

export type PageFormat = "markdown" | "text" | "html";

/** A page as the model reads it, whole. */
export interface PageText {
  title: string;
  text: string;
  /** The note on how it came about that the reader must know. */
  note?: string;
}

/**
 * The text of what came. HTML becomes markdown or words, without what is hidden; where that fails or takes too long, all of its words, and a
 * note says so. @throws
 * ToolRefusal TIMEOUT, TOO_LARGE, BINARY for a document that cannot be read; the signal's reason.
 */
export async function textOf(
  content: PageContent,
  { format, base, signal }: { format: PageFormat; base: string; signal: AbortSignal },
): Promise<PageText> {
  if (content.kind === "pdf") return pdfText(content.bytes, signal);
  if (content.kind === "text") return { title: "", text: visibleText(content.text) };
  const title = visibleText(titleOf(content.text));
  if (format === "html")
    return { title, text: visibleText(content.text), note: "the page's source, with what it hides from a reader" };
  const read = (as: "markdown" | "text" | "all") =>
    runWorker("page-worker", { html: content.text, base, format: as }, { deadlineMs: limits.pageTime.most, signal });
  const wanted = await read(format);
  if (wanted.ok) return { title, text: visibleText(String(wanted.value)) };
  const worked = await read("all");
  if (!worked.ok)
    throw new ToolRefusal(
      worked.why === "time" ? "TIMEOUT" : "TOO_LARGE",
      `the page cannot be read: ${worked.message}`,
    );
  const note = "too intricate to be read as it is drawn: all of its words, with those it hides from a reader";
  return { title, text: visibleText(String(worked.value)), note };
}

async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<PageText> {
  const { pages, note } = await readPdf(bytes, { signal });
  return { title: "", text: pages.map((page, index) => `## Page ${index + 1}\n\n${page}`).join("\n\n"), note };
}
