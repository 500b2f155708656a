/**
 * Names that are protected for one reason. A name is one or more segments of a path that follow each other anywhere below the
 * workspace; a folder means all below it, unless the
 * name ends with `$`, which means a path's last segment. Written in lower case, `*` stands for any characters of a segment.
 */
export interface ListRow {
  names: readonly string[];
  /** Names of the same form that are not meant. */
  except?: readonly string[];
  /** In words that can follow "because". */
  why: string;
  /** Paths that the row means; the tests run them. */
  match: readonly string[];
  /** Honest neighbours of these, which no row of the list means. */
  notMatch: readonly string[];
}

/** Names as they are written in the lists: with a comma between them. */
export const listed = (names: string): string[] => names.trim().split(/,\s+/u);

type Segment = string | RegExp;

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

/** One `*` of a segment, or two, are matched without going back far: names are short. */
function readSegment(text: string): Segment {
  if (!text.includes("*")) return text;
  const parts = text.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

const fits = (segment: Segment, found: string | undefined): boolean =>
  found !== undefined && (typeof segment === "string" ? segment === found : segment.test(found));
