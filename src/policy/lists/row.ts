import type { PlainReason } from "../../words/contract/policy-reasons.ts";

/**
 * Names that are protected for one reason. A name is one or more segments of a path that follow each other anywhere below the
 * workspace; a folder means all below it, unless the
 * name ends with `$`, which means a path's last segment. Written in lower case, `*` stands for any characters of a segment.
 */
export interface ListRow {
  names: readonly string[];
  /** Names of the same form that are not meant. */
  except?: readonly string[];
  why: PlainReason;
  /** Paths that the row means; the tests run them. */
  match: readonly string[];
  /** Honest neighbours of these, which no row of the list means. */
  notMatch: readonly string[];
}

/** Names as they are written in the lists: with a comma between them. */
export const listed = (names: string): string[] => names.trim().split(/,\s+/u);

/** A name's text, or whether a segment is one of those that it stands for. */
type Segment = string | ((found: string) => boolean);

interface Name {
  segments: readonly Segment[];
  isLast: boolean;
  row: ListRow;
}

/** Finds the first row that means one of the segments of a path, all of them folded. */
export type ListLookup = (segments: readonly string[]) => ListRow | undefined;

/** Reads a list once: most names are found by their first segment alone, whatever the length of the list. */
export function compileList(rows: readonly ListRow[]): ListLookup {
  const plain = new Map<string, Name[]>();
  const wild: Name[] = [];
  for (const row of rows) {
    for (const name of row.names) {
      const isLast = name.endsWith("$");
      const segments = (isLast ? name.slice(0, -1) : name).split("/").map(readSegment);
      const [first] = segments;
      if (typeof first !== "string") wild.push({ segments, isLast, row });
      else plain.set(first, [...(plain.get(first) ?? []), { segments, isLast, row }]);
    }
  }
  const exceptions = new Map(rows.map((row) => [row, (row.except ?? []).map(readSegment)]));
  const isMeant = ({ segments, isLast, row }: Name, path: readonly string[], at: number): boolean =>
    (!isLast || at + segments.length === path.length) &&
    segments.every((segment, index) => fits(segment, path[at + index])) &&
    exceptions.get(row)?.some((one) => fits(one, path[at + segments.length - 1])) !== true;
  return (path) => {
    for (const [at, segment] of path.entries()) {
      const found = plain.get(segment)?.find((name) => isMeant(name, path, at));
      const name = found ?? wild.find((candidate) => isMeant(candidate, path, at));
      if (name !== undefined) return name.row;
    }
    return undefined;
  };
}

/**
 * Makes the test whether a path of these rows may end with the segment, exceptions not regarded: a row that means a path, but not the folder that it
 * lies in, is true of its last segment.
 */
export function lastNames(rows: readonly ListRow[]): (segment: string) => boolean {
  const names = rows.flatMap((row) => row.names).map((name) => name.replace(/\$$/u, "").split("/").at(-1) ?? "");
  const plain = new Set(names.filter((name) => !name.includes("*")));
  const endings = new Set(names.filter(isEnding).map((name) => name.slice(1)));
  const wild = [...new Set(names.filter((name) => name.includes("*") && !isEnding(name)))];
  // Asked of each name of a project: only those that begin as it does are tried.
  const firsts = [...new Set(wild.map((name) => name[0] ?? ""))];
  const starts = new Map(firsts.map((first) => [first, anyOf(wild.filter((name) => name.startsWith(first)))]));
  const endsLike = (segment: string): boolean => {
    for (let dot = segment.indexOf("."); dot !== -1; dot = segment.indexOf(".", dot + 1))
      if (endings.has(segment.slice(dot))) return true;
    return false;
  };
  const fitsFrom = (first: string, segment: string): boolean => starts.get(first)?.test(segment) === true;
  return (segment) =>
    plain.has(segment) || endsLike(segment) || fitsFrom(segment[0] ?? "", segment) || fitsFrom("*", segment);
}

const anyOf = (names: readonly string[]): RegExp => new RegExp(`^(?:${names.map(sourceOf).join("|")})$`, "su");

/** Makes the test whether a path of these rows may lead through a folder, by the last segments of the folder's own path; `*` not regarded. */
export function wayTo(rows: readonly ListRow[]): (segments: readonly string[]) => boolean {
  const ways = new Set<string>();
  for (const name of rows.flatMap((row) => row.names)) {
    const segments = name.split("/");
    for (let end = 1; end < segments.length; end += 1) ways.add(segments.slice(0, end).join("/"));
  }
  return (segments) => segments.some((_, at) => ways.has(segments.slice(at).join("/")));
}

/** Any characters before a dot and what follows it: looked up, since a matcher would try each at each character. */
const isEnding = (name: string): boolean => /^\*\.[^*]+$/u.test(name);

/** Most names with a `*` have one, and need no pattern, of which each start would make a hundred. */
function readSegment(text: string): Segment {
  const [first = "", last, ...more] = text.split("*");
  if (last === undefined) return first;
  if (more.length === 0)
    return (found) => found.length >= first.length + last.length && found.startsWith(first) && found.endsWith(last);
  // More of them are matched without going back far: names are short.
  const pattern = new RegExp(`^${sourceOf(text)}$`, "su");
  return (found) => pattern.test(found);
}

const sourceOf = (text: string): string =>
  text
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"))
    .join(".*");

const fits = (segment: Segment, found: string | undefined): boolean =>
  found !== undefined && (typeof segment === "string" ? segment === found : segment(found));
