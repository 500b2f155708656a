import { ToolRefusal } from "../../core/codes.ts";

/** The content that came, ready to be shown or made into text. */
export type PageContent = { kind: "html" | "text"; text: string } | { kind: "pdf"; bytes: Uint8Array };

/** Of windows-1252, where Node 20 takes it for latin1: 0x80 to 0x9f. */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

const textTypes =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|typescript|sql|graphql|x-sh|x-httpd-php|x-ndjson|ndjson|x-yaml|rtf|xhtml)|image\/svg)/u;
const htmlTypes = /^(?:text\/html|application\/xhtml\+xml)$/u;

/**
 * Reads the content of bytes, by their beginning first and by their type then: servers err. @throws ToolRefusal BINARY for what is no
 * text.
 */
export function contentOf(bytes: Uint8Array, contentType: string): PageContent {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (head.startsWith("%PDF-")) return { kind: "pdf", bytes };
  const charset = charsetOf(contentType, head);
  if (isBinary(bytes, charset)) {
    const kind = type === "" || textTypes.test(type) ? "" : ` (${type})`;
    throw new ToolRefusal("BINARY", `what came is no text${kind}: ${bytes.byteLength} bytes`);
  }
  const text = decoded(bytes, charset);
  const looksLikeHtml = /^\s*<(?:!doctype html|html[\s>])/iu.test(head.replace(/^(?:ï»¿)?(?:\s*<!--[^>]*-->)*/u, ""));
  const isHtml = htmlTypes.test(type) || (looksLikeHtml && !/\bxml\b/u.test(type));
  return { kind: isHtml ? "html" : "text", text };
}

/** By the mark at the beginning, the server's word, the page's own; else UTF-8. Always one that can be read. */
function charsetOf(contentType: string, head: string): string {
  if (head.startsWith("\xef\xbb\xbf")) return "utf-8";
  if (head.startsWith("\xff\xfe")) return "utf-16le";
  if (head.startsWith("\xfe\xff")) return "utf-16be";
  const told = /charset\s*=\s*["']?\s*([\w.:-]+)/iu;
  const name = told.exec(contentType)?.[1] ?? /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/iu.exec(head)?.[1];
  try {
    return new TextDecoder(name ?? "utf-8").encoding;
  } catch {
    return "utf-8";
  }
}

/** Zero bytes are in no text but of UTF-16; without a word about the encoding half of it must be readable. */
function isBinary(bytes: Uint8Array, charset: string): boolean {
  if (charset.startsWith("utf-16")) return false;
  const start = bytes.subarray(0, 8192);
  if (start.includes(0)) return true;
  if (charset !== "utf-8") return false;
  const text = new TextDecoder().decode(start);
  const broken = text.split("\ufffd").length - 1;
  return broken > 8 && broken > text.length / 10;
}

function decoded(bytes: Uint8Array, charset: string): string {
  if (charset !== "windows-1252") return new TextDecoder(charset).decode(bytes);
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/gu, (one) => windows1252.charAt(one.charCodeAt(0) - 0x80));
}
