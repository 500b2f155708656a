import { basename } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { ToolResult } from "../../core/tool.ts";
import type { MediaKind } from "../../files/bytes/file-head.ts";
import { imageHead } from "../../files/bytes/image-head.ts";
import { readText } from "../../files/bytes/text-form.ts";
import { notebookCells } from "./notebook.ts";
import { readPdf } from "./read-pdf.ts";
import { shownImage } from "./result-images.ts";

/** Pages of a PDF that are read where nobody says how many. */
const usualPages = 20;

interface Wanted {
  /** As the model named it, and as it is shown. */
  asked: string;
  shown: string;
  /** Of pages or cells, from 1. */
  offset?: number | undefined;
  limit?: number | undefined;
  signal: AbortSignal;
}

/**
 * A picture to be seen, or the text of a document by pages or cells.
 * @returns undefined for a notebook that is none, and for a picture that is cut off in its head.
 * @throws ToolRefusal BINARY, TOO_LARGE, TIMEOUT, INVALID_ARGUMENT for a place past the end; the signal's reason.
 */
export async function readMedia(kind: MediaKind, bytes: Uint8Array, wanted: Wanted): Promise<ToolResult | undefined> {
  if (kind === "image") return imageResult(bytes, wanted);
  return kind === "pdf" ? pdfResult(bytes, wanted) : notebookResult(bytes, wanted);
}

async function imageResult(bytes: Uint8Array, { asked, shown, signal }: Wanted): Promise<ToolResult | undefined> {
  const head = imageHead(bytes);
  if (head === undefined) return undefined;
  const image = await shownImage(bytes, { name: basename(asked), signal });
  const kind = head.mediaType.replace("image/", "").toUpperCase();
  const isSame = head.width === image.width && head.height === image.height;
  const sides = `${head.width}x${head.height}`;
  return {
    output: `${shown}: ${kind} picture, ${sides} pixels, ${bytes.byteLength} bytes${isSame ? "" : `, shown at ${image.width}x${image.height}`}`,
    title: `read ${shown} (${kind}, ${sides})`,
    metadata: { width: head.width, height: head.height },
    images: [image],
  };
}

async function pdfResult(bytes: Uint8Array, { asked, shown, offset = 1, limit = usualPages, signal }: Wanted) {
  const most = atMost(limit, asked, "pages");
  const { pages, total, note } = await readPdf(bytes, { first: offset, most, signal });
  if (pages.length === 0 && total >= offset)
    return { output: note, title: `read ${shown} (${note})`, metadata: { total } };
  const parts = pages.map((page, index) => `## Page ${offset + index}\n\n${page}`);
  return shownParts(parts, { asked, shown, offset, total, unit: "page", note });
}

function notebookResult(bytes: Uint8Array, { asked, shown, offset = 1, limit }: Wanted): ToolResult | undefined {
  const notebook = notebookCells(readText(bytes, asked).text);
  if (notebook === undefined) return undefined;
  const most = atMost(limit ?? limits.documentPages.most, asked, "cells");
  const total = notebook.cells.length;
  const language = notebook.language === "" ? "" : `, ${notebook.language}`;
  const note = `Notebook${language}, ${total} ${total === 1 ? "cell" : "cells"}; the file itself is JSON, which is what an edit changes`;
  if (total === 0) return { output: note, title: `read ${shown} (empty notebook)`, metadata: { total } };
  const parts = notebook.cells.slice(offset - 1, offset - 1 + most);
  return shownParts(parts, { asked, shown, offset, total, unit: "cell", note });
}

function atMost(limit: number, asked: string, unit: string): number {
  const { most } = limits.documentPages;
  if (limit <= most) return limit;
  throw new ToolRefusal("INVALID_ARGUMENT", `of ${asked} at most ${most} ${unit} are read at once: set limit`);
}

/** Whole parts, as many as fit into one result; of the first one what fits. */
function shownParts(
  parts: readonly string[],
  {
    asked,
    shown,
    offset,
    total,
    unit,
    note,
  }: Pick<Wanted, "asked" | "shown"> & { offset: number; total: number; unit: "page" | "cell"; note: string },
): ToolResult {
  if (parts.length === 0)
    throw new ToolRefusal("INVALID_ARGUMENT", `${asked} has ${total} ${unit}s: offset=${offset} is past its end`);
  const { most } = limits.readOutput;
  const fitting: string[] = [];
  let room = most;
  for (const part of parts) {
    room -= Buffer.byteLength(part) + 2;
    if (room < 0) break;
    fitting.push(part);
  }
  const cut =
    fitting.length > 0 ? [] : [`${firstBytes(parts[0] ?? "", most)}\n(this ${unit} is longer: it is cut here)`];
  const count = Math.max(1, fitting.length);
  const last = offset + count - 1;
  const place = `${unit}s ${offset}-${last} of ${total}`;
  const isAll = offset === 1 && last === total;
  return {
    output: [
      note,
      ...fitting,
      ...cut,
      ...(isAll ? [] : [`(${place}${last < total ? `; go on with offset=${last + 1}` : ""})`]),
    ].join("\n\n"),
    title: `read ${shown} (${place})`,
    metadata: { [`${unit}s`]: count, total },
  };
}

/** Without a part of a character at its end. */
const firstBytes = (text: string, most: number): string =>
  Buffer.from(text)
    .subarray(0, most)
    .toString("utf8")
    .replace(/\ufffd+$/u, "");
