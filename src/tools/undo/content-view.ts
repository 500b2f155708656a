import { ToolRefusal } from "../../core/codes.ts";
import type { FilePlan } from "../../core/tool.ts";
import { encodeWhole, readText, type TextForm } from "../../files/bytes/text-form.ts";
import type { Content } from "../../files/diff/diff.ts";

/** A whole content as a diff takes it, with its form. */
export type ContentView = Pick<FilePlan, "eol" | "bom" | "encoding"> & { content: Content };

/** Bytes of a file, null where there is none. */
export function viewOf(bytes: Buffer | null): ContentView {
  if (bytes === null) return { eol: "none", bom: false, encoding: "utf-8", content: null };
  const form = asText(bytes);
  if (form === undefined) return { eol: "none", bom: false, encoding: "latin1", content: { bytes: bytes.length } };
  const { eol, bom, encoding, text } = form;
  return { eol, bom, encoding, content: (bom ? "\uFEFF" : "") + text };
}

/** undefined for what is no text, or does not read back to the very same bytes. */
export function asText(bytes: Buffer): TextForm | undefined {
  try {
    const form = readText(bytes, "");
    return encodeWhole(form.text, form, "").equals(bytes) ? form : undefined;
  } catch (error) {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  }
}
