import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The value as programs write it, made here by other means than the code that looks for it. */
export function writtenForms(value: string): Record<string, string> {
  const bytes = Buffer.from(value);
  const inBase64 = (before: number): string => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  };
  const base64 = [0, 1, 2].flatMap((before): [string, string][] => {
    const text = inBase64(before);
    const forUrls = text.replaceAll("+", "-").replaceAll("/", "_");
    return [
      [`base64 behind ${before}`, text],
      [`url-safe base64 behind ${before}`, forUrls],
    ];
  });
  return {
    plain: value,
    address: encodeURIComponent(value),
    json: JSON.stringify(value).slice(1, -1),
    hex: bytes.toString("hex"),
    "large hex": bytes.toString("hex").toUpperCase(),
    html: value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ...Object.fromEntries(base64),
  };
}

/** Which forms of it stand in a text. */
export const formsIn = (text: string, value: string): string[] =>
  Object.entries(writtenForms(value)).flatMap(([form, written]) => (text.includes(written) ? [form] : []));

/** Files below a folder that hold it in any form, as `FILE: FORM`. @param except names of folders that are not looked into */
export function filesWith(folder: string, value: string, except: readonly string[] = []): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return except.includes(entry.name) ? [] : filesWith(path, value, except);
    if (!entry.isFile()) return [];
    return formsIn(readFileSync(path, "latin1"), Buffer.from(value).toString("latin1")).map(
      (form) => `${path}: ${form}`,
    );
  });
}
