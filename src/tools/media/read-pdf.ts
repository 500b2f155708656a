import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import { runWorker } from "../run-worker.ts";
import { visibleText } from "../use/visible-text.ts";

export interface PdfText {
  /** Of each page that was asked for its text, without what is hidden in it. */
  pages: string[];
  /** Pages of the document. */
  total: number;
  /** The note on it that the reader must know. */
  note: string;
}

/**
 * The text of a PDF, or of `most` of its pages from `first` (from 1) on.
 * @throws ToolRefusal TIMEOUT, TOO_LARGE, BINARY for one that cannot be read; the signal's reason.
 */
export async function readPdf(
  bytes: Uint8Array,
  { first = 1, most = Number.POSITIVE_INFINITY, signal }: { first?: number; most?: number; signal: AbortSignal },
): Promise<PdfText> {
  const worked = await runWorker("pdf-worker", { bytes, first, most }, { deadlineMs: limits.pdfTime.most, signal });
  if (!worked.ok) {
    if (worked.why === "time") throw new ToolRefusal("TIMEOUT", `the PDF cannot be read: ${worked.message}`);
    if (worked.why === "memory") throw new ToolRefusal("TOO_LARGE", "the PDF needs too much memory");
    const isLocked = worked.message.startsWith("PasswordException");
    throw new ToolRefusal(
      "BINARY",
      isLocked ? "the PDF needs a password" : `the PDF cannot be read: ${visibleText(worked.message)}`,
    );
  }
  const { pages, total } = worked.value as Omit<PdfText, "note">;
  const texts = pages.map((page) => visibleText(page.trim()));
  if (first === 1 && texts.length === total && texts.every((text) => text === ""))
    return {
      pages: [],
      total,
      note: `PDF of ${total} pages without text: they are images`,
    };
  return { pages: texts, total, note: `PDF, ${total} ${total === 1 ? "page" : "pages"}` };
}
