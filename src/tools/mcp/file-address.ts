import { fileURLToPath } from "node:url";

/** The possible meanings of an address of a file. */
export interface FileAddress {
  /** Paths that it may be read as. */
  paths: string[];
  /** Whoever reads it may come to another file than these. */
  isUnclear: boolean;
}

/** A file of this machine by its whole path, with nothing behind it. */
const whole = /^file:\/\/(?:localhost)?\/(?!\/)[^?#\\]*$/iu;

/** Steps up and down, which lead elsewhere behind a link, and a slash that is no slash to everybody. */
const isMoved = /%(?:2f|5c|00)|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * A text as the address of a file; undefined where it is none. Readers of addresses pass over tabs and line ends anywhere in one and over
 * blanks around it, and differ in all but `file:///path`: what else begins so is taken as each path that some of them come to.
 */
export function fileAddress(text: string): FileAddress | undefined {
  const plain = text.replaceAll(/\p{C}/gu, "").trim();
  if (!/^file:/iu.test(plain)) return undefined;
  const behind = /^file:\s+(.*)$/isu.exec(plain)?.[1];
  // Prose: no address has a blank there. It may name a path all the same.
  if (behind !== undefined) return { paths: [...new Set([behind, decoded(behind)])], isUnclear: false };
  const path = whole.test(plain) ? pathOf(plain) : undefined;
  const written = plain.slice(plain.indexOf(":") + 1).replace(/^\/\/localhost(?=\/)/iu, "");
  if (path !== undefined && !isMoved.test(written)) {
    const asWritten = written.replace(/^\/+/u, "/");
    return { paths: [...new Set([path, asWritten])], isUnclear: false };
  }
  const bare = written.replace(/^[/\\]+/u, "");
  const behindHost = /[/\\].*$/u.exec(bare)?.[0] ?? "";
  const read = [bare, `/${bare}`, behindHost, behindHost.replace(/^[/\\]+/u, "")].flatMap((one) => {
    const cut = one.replace(/[?#].*$/u, "");
    return [one, cut, decoded(one), decoded(cut)];
  });
  return { paths: [...new Set(read)].filter((one) => one !== "" && !one.includes("\0")), isUnclear: true };
}

function pathOf(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
