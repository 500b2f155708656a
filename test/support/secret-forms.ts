import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpack } from "../../src/store/journal/packed-bytes.ts";
import { RawStore } from "./raw-store.ts";

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

/** Which forms of it stand in a text; a code, which is few digits, counts as it is where no letter or digit is beside it. */
export const formsIn = (text: string, value: string): string[] =>
  Object.entries(writtenForms(value)).flatMap(([form, written]) => {
    const isThere = /^\d{6,8}$/.test(written) ? holdsAlone(text, written) : text.includes(written);
    return isThere ? [form] : [];
  });

const holdsAlone = (text: string, digits: string): boolean =>
  new RegExp(`(?<![A-Za-z0-9])${digits}(?![A-Za-z0-9])`).test(text);

/** The key of a second factor as its owner may have it written. */
export const keyTexts = (key: string): string[] => [key, key.toLowerCase(), key.replaceAll(/.{4}(?=.)/g, "$& ")];

/**
 * Where files below a folder hold one of the values in any form, as `FILE: FORM`: in their bytes, and of a store also in each cell of each row,
 * unpacked where it lies packed.
 * @param except names of folders that are not looked into
 */
export function filesWith(
  folder: string,
  values: string | readonly string[],
  except: readonly string[] = [],
): string[] {
  const files = filesBelow(folder, except);
  const heldIn = (place: string, bytes: Buffer): string[] =>
    [values]
      .flat()
      .flatMap((value) =>
        formsIn(bytes.toString("latin1"), Buffer.from(value).toString("latin1")).map((form) => `${place}: ${form}`),
      );
  // All bytes first: to look into a store may move what lies in its WAL.
  const inBytes = files.map((path) => ({ path, bytes: bytesOf(path) }));
  const stores = inBytes.filter(({ bytes }) => bytes.toString("latin1", 0, 15) === "SQLite format 3");
  return [
    ...inBytes.flatMap(({ path, bytes }) => heldIn(path, bytes)),
    ...stores.flatMap(({ path }) => cellsOf(path).flatMap(({ place, bytes }) => heldIn(`${path}, ${place}`, bytes))),
  ];
}

/** A file of a store that this process may have open is read by another one: to close it here would drop its locks. */
const bytesOf = (path: string): Buffer =>
  /\.db(?:-\w+)?$/.test(path) ? execFileSync("cat", [path], { maxBuffer: 2 ** 30 }) : readFileSync(path);

function filesBelow(folder: string, except: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return except.includes(entry.name) ? [] : filesBelow(path, except);
    return entry.isFile() ? [path] : [];
  });
}

/** Each text and blob of a store, and what its blobs unpack to. @throws Error for one that cannot be unpacked */
export function cellsOf(file: string): { place: string; bytes: Buffer }[] {
  const store = new RawStore(file);
  try {
    const tables = store.column<string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    return tables.flatMap((table) =>
      store
        .all<Record<string, unknown>>(`SELECT * FROM "${table}"`)
        .flatMap((row) => Object.keys(row).flatMap((column) => cellOf(row, column, `${table}.${column}`))),
    );
  } finally {
    store.close();
  }
}

function cellOf(row: Record<string, unknown>, column: string, place: string): { place: string; bytes: Buffer }[] {
  const cell = row[column];
  if (typeof cell === "string") return [{ place, bytes: Buffer.from(cell) }];
  if (!(cell instanceof Uint8Array)) return [];
  const { form } = row;
  const packed =
    column === "packed" ? { form: 1, bytes: cell } : { form: column === "bytes" ? Number(form) : 0, bytes: cell };
  const bytes = unpack(packed);
  if (bytes === undefined) throw new Error(`${place} cannot be unpacked`);
  return [{ place, bytes: Buffer.from(bytes) }];
}
