import { ToolRefusal } from "../../core/codes.ts";
import { countText } from "../../core/count-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import type { ImageRef } from "../../core/tool.ts";
import { mediaHeadBytes, mediaKind } from "../../files/bytes/file-head.ts";
import { readText } from "../../files/bytes/text-form.ts";
import { readPdf } from "../media/read-pdf.ts";
import { longestAddress, shortLine } from "./request-of.ts";

/** The content of one part that a server gave: words, or a picture that is not decoded yet. */
export interface Part {
  text?: string;
  image?: ImageRef;
}

export interface Reading {
  /** Ends the reading of documents: what is not read by then is left out, and told. */
  signal: AbortSignal;
  /** The server whose resources the person can name, where it has some. */
  from?: string | undefined;
  /** Takes values of secrets out of names of pictures; whoever has the texts takes them out of those. */
  masking?: Pick<Masking, "text"> | undefined;
}

/** A resource that came by its bytes. */
interface Blob {
  address: string;
  kind: string;
  data: string;
}

type Said = Part & { blob?: Blob };

/**
 * Reads a server's words, part by part: of an embedded resource the text, the picture or the words of a PDF, as its bytes tell, and a line for
 * whatever is left out. Never throws: the server may have done its work.
 */
export async function readParts(given: readonly Json[], reading: Reading): Promise<Part[]> {
  const parts: Part[] = [];
  let pdfs = 0;
  for (const one of given) {
    const { blob, ...part } = saidIn(one, reading.from);
    const bytes = blob === undefined ? undefined : Buffer.from(blob.data, "base64");
    if (blob === undefined || bytes === undefined) parts.push(part);
    else if (mediaKind(bytes.subarray(0, mediaHeadBytes), "") !== "pdf") parts.push(readBytes(bytes, blob));
    else {
      pdfs += 1;
      const isOver = pdfs > limits.mcpDocuments.most;
      const why = `of one answer ${limits.mcpDocuments.most} PDFs are read`;
      parts.push({ text: isOver ? leftOut(blob, why) : await pdfText(bytes, blob, reading.signal) });
    }
  }
  return parts.map(({ image, ...rest }) => (image === undefined ? rest : { ...rest, image: named(image, reading) }));
}

const named = (image: ImageRef, { masking }: Reading): ImageRef => ({
  ...image,
  name: masking?.text(image.name) ?? image.name,
});

function saidIn(part: Json, from: string | undefined): Said {
  if (!isJsonObject(part)) return { text: "(a part of the answer cannot be read)" };
  const { type, text, data, mimeType, resource } = part;
  const kind = kindOf(mimeType);
  if (type === "text" && typeof text === "string") return { text };
  if (type === "image" && typeof data === "string") return { image: { name: "picture", mediaType: kind, data } };
  if (type === "audio" && typeof data === "string") return { text: `(sound of ${kind}, left out)` };
  if (type === "resource_link" && typeof part["uri"] === "string") return { text: linkWords(part, from) };
  if (type === "resource" && isJsonObject(resource)) return resourceIn(resource);
  return { text: `(a part of the answer is left out: ${String(type).slice(0, 40)})` };
}

const kindOf = (mimeType: Json | undefined): string =>
  typeof mimeType === "string" ? shortLine(mimeType) : "of no named kind";

function resourceIn({ uri, text, blob, mimeType }: JsonObject): Said {
  const address = typeof uri === "string" ? shortLine(uri, longestAddress) : "a resource";
  if (typeof text === "string") return { text: `${address}:\n${text}` };
  if (typeof blob !== "string") return { text: `(${address} cannot be read)` };
  return { blob: { address, kind: kindOf(mimeType), data: blob } };
}

/** A resource that is only named: where it is, and how it can be had. */
function linkWords({ uri, name, mimeType, size }: JsonObject, from: string | undefined): string {
  const address = String(uri);
  const facts = [
    ...(typeof name === "string" ? [shortLine(name)] : []),
    ...(typeof mimeType === "string" ? [kindOf(mimeType)] : []),
    ...(typeof size === "number" ? [`${countText(size)} bytes`] : []),
  ];
  const shown = shortLine(address, longestAddress);
  const typed = /\s/u.test(address) ? `"${from}:${address}"` : `${from}:${address}`;
  const canBeTyped = from !== undefined && shown === address && !address.includes('"');
  const how = canBeTyped ? `; in a chat the person attaches it as @${typed}` : "";
  return `(a resource of the server, named and not read: ${[...facts, shown].join(", ")}${how})`;
}

/** A picture or a text, as its bytes tell. */
function readBytes(bytes: Buffer, blob: Blob): Part {
  const { address, kind, data } = blob;
  if (mediaKind(bytes.subarray(0, mediaHeadBytes), "") === "image")
    return { image: { name: address, mediaType: kind, data } };
  try {
    return { text: `${address}:\n${readText(bytes, "it").text}` };
  } catch (error) {
    return { text: leftOut(blob, wordsOf(error)) };
  }
}

async function pdfText(bytes: Uint8Array, blob: Blob, signal: AbortSignal): Promise<string> {
  try {
    const { pages, total, note } = await readPdf(bytes, { most: limits.documentPages.most, signal });
    const shown = withinRoom(pages.map((page, at) => `## Page ${at + 1}\n\n${page}`));
    const rest = pages.length === 0 || shown.length === total ? [] : [restWords(shown.length, total)];
    return [`${blob.address} (${note}):`, ...shown, ...rest].join("\n\n");
  } catch (error) {
    return leftOut(blob, signal.aborted ? "it was stopped before it was read" : wordsOf(error));
  }
}

const restWords = (shown: number, total: number): string =>
  shown === 0
    ? `(of ${total} pages none is told: the first is too long)`
    : `(pages 1-${shown} of ${total}; the others are left out)`;

/** The first of them, as many as one document may say. */
function withinRoom(pages: readonly string[]): string[] {
  let room = limits.mcpDocumentText.most;
  const end = pages.findIndex((page) => {
    room -= Buffer.byteLength(page);
    return room < 0;
  });
  return end < 0 ? [...pages] : pages.slice(0, end);
}

const wordsOf = (error: unknown): string => (error instanceof ToolRefusal ? error.message : "it cannot be read");

const leftOut = ({ address, kind }: Blob, why: string): string => `(${address}, ${kind}, is left out: ${why})`;
