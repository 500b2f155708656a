import { expect, test } from "vitest";
import { ToolRefusal } from "../../../src/core/codes.ts";
import { sha256 } from "../../../src/core/json.ts";
import { readText, spliceBytes } from "../../../src/files/bytes/text-form.ts";
import { createEditFileTool } from "../../../src/tools/files/edit-file.ts";
import { matchEdit } from "../../../src/tools/files/edit-match.ts";
import { contextOf, planOf, run, tempFolder } from "../../files/fixtures.ts";

/** A source of numbers that is the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Pick = ReturnType<typeof numbers>;
const words = ["a b;", "c  (d);", "if (e) {", "}", "f =\t1;", "g()", "}", ""];

interface Case {
  eol: string;
  bom: string;
  ended: boolean;
  /** Of the file, without line endings. */
  lines: string[];
  /** Where the block that is asked for begins. */
  from: number;
  old: string[];
  fresh: string[];
  whole: boolean;
}

/** A file of few different lines, so that places are often alike, and a request for some of them with other white space. */
function caseOf(pick: Pick): Case {
  const unit = ["  ", "    ", "\t"][pick(3)] ?? "  ";
  const lines = Array.from(
    { length: 3 + pick(9) },
    () => unit.repeat(pick(4)) + (words[pick(words.length)] ?? "") + " ".repeat(pick(3)),
  );
  const from = pick(lines.length);
  // An empty first or last line is found, as it is written, beside any line.
  if (lines[from]?.trim() === "") lines[from] = "h()";
  const to = Math.min(lines.length, from + 1 + pick(4));
  if (lines[to - 1]?.trim() === "") lines[to - 1] = "i()";
  const old = lines.slice(from, to).map(damageOf(pick));
  const fresh = [...old];
  const at = pick(fresh.length);
  const put = Array.from({ length: pick(3) }, (_, index) => `${/^[ \t]*/u.exec(old[at] ?? "")?.[0] ?? ""}new${index};`);
  fresh.splice(at, pick(2), ...put);
  return {
    eol: ["\n", "\r\n"][pick(2)] ?? "\n",
    bom: pick(4) === 0 ? "\uFEFF" : "",
    ended: pick(3) > 0,
    lines,
    from,
    old,
    fresh,
    whole: pick(2) === 0,
  };
}

/** What a model makes of white space, the same for all lines of a request. */
function damageOf(pick: Pick): (line: string) => string {
  const kind = pick(5);
  return (line) => {
    const bare = line.trim();
    const indent = line.slice(0, line.length - line.trimStart().length);
    if (kind === 0) return bare;
    if (kind === 1) return `${indent}${bare.replace(/[ \t]+/gu, "   ")}`;
    if (kind === 2) return `  ${indent}${bare}`;
    if (kind === 3) return `\t${bare.replace(/[ \t]+/gu, " ")}\t`;
    return line;
  };
}

const normal = (line: string): string => line.trim().replace(/[ \t]+/gu, " ");

/** Where the old lines stand but for white space, and do not nest in another way, by comparing everywhere. */
const placesBut = ({ lines, old }: Case): number[] =>
  [...lines.keys()].filter(
    (at) =>
      at + old.length <= lines.length &&
      old.every((line, k) => normal(line) === normal(lines[at + k] ?? "")) &&
      nestsAlike(old, lines.slice(at, at + old.length)),
  );

async function outcome(one: Case): Promise<{ before: Buffer; after: Buffer } | string> {
  const text = one.bom + one.lines.join(one.eol) + (one.ended ? one.eol : "");
  const before = Buffer.from(text);
  const form = readText(before, "a");
  const end = one.whole ? "\n" : "";
  const request = {
    old_string: one.old.join("\n") + end,
    new_string: one.fresh.join("\n") + end,
    mode: "flexible",
    replace_all: false,
  } as const;
  try {
    const { splices } = await matchEdit(form, request, { signal: new AbortController().signal, regexTimeoutMs: 1000 });
    expect(splices).toHaveLength(1);
    return { before, after: spliceBytes(form, splices, "a") };
  } catch (error) {
    if (error instanceof ToolRefusal) return error.code;
    throw error;
  }
}

test("of 4,000 requests with other white space none changes a byte outside of its place, or takes one of several", async () => {
  const pick = numbers(8);
  const counts: Record<string, number> = {};
  for (let round = 0; round < 4_000; round += 1) {
    const one = caseOf(pick);
    const made = await outcome(one);
    const kind = typeof made === "string" ? made : "done";
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (typeof made === "string") continue;
    const after = made.after.toString();
    const told = JSON.stringify({ one, after });
    // The lines of the file that are the same before and after the changed ones hold all that differs.
    const all = placesBut(one);
    const within = all.filter((at) => keepsAround(one, at, after));
    expect(within.length, told).toBeGreaterThan(0);
    if (all.length > 1) expect(isClearest(one, all, within), told).toBe(true);
    expect(after.startsWith("\uFEFF"), told).toBe(one.bom !== "");
    if (one.eol === "\r\n") expect(after.replaceAll("\r\n", ""), told).not.toMatch(/[\r\n]/u);
    else expect(after, told).not.toContain("\r");
  }
  expect(counts).toMatchObject({ done: expect.any(Number), NOT_UNIQUE: expect.any(Number) });
  expect(counts["done"]).toBeGreaterThan(1_000);
  expect(counts["NOT_UNIQUE"]).toBeGreaterThan(100);
});

/** Whether what comes before and after the block at `at` is the same bytes as in the file. */
function keepsAround({ bom, lines, eol, ended, old }: Case, at: number, after: string): boolean {
  const head =
    bom +
    lines
      .slice(0, at)
      .map((line) => line + eol)
      .join("");
  const rest = lines.slice(at + old.length);
  const tail = rest.map((line) => eol + line).join("") + (ended ? eol : "");
  const slack = after.length >= head.length + tail.length - eol.length;
  // Where the last lines are taken away with their ending, the ending before them is the one that goes.
  return slack && after.startsWith(head) && (after.endsWith(tail) || after.endsWith(tail.slice(eol.length)));
}

/** Of several places it was the only one as asked, or the only one whose lines stand to each other as the request's do. */
function isClearest(one: Case, all: readonly number[], within: readonly number[]): boolean {
  const block = (at: number): string[] => one.lines.slice(at, at + one.old.length);
  const endOf = (at: number): string => (one.ended || at + one.old.length < one.lines.length ? "\n" : "");
  const asked = one.old.join("\n") + (one.whole ? "\n" : "");
  const literal = all.filter((at) => (block(at).join("\n") + endOf(at)).includes(asked));
  const shifted = all.filter((at) => isShift(one.old, block(at)));
  const [only] = literal.length === 1 ? literal : shifted.length === 1 ? shifted : [];
  return only !== undefined && within.includes(only);
}

const isShift = (old: readonly string[], block: readonly string[]): boolean =>
  old.every((line, k) => line.trim() === (block[k] ?? "").trim()) && isShifted(old, block);

function nestsAlike(old: readonly string[], block: readonly string[]): boolean {
  const isFlat = (lines: readonly string[]) => new Set(lines.filter((line) => line.trim() !== "").map(depth)).size <= 1;
  return isFlat(old) || isFlat(block) || isShifted(old, block);
}

function isShifted(old: readonly string[], block: readonly string[]): boolean {
  const pairs = old.flatMap((line, k) => (line.trim() === "" ? [] : [[depth(line), depth(block[k] ?? "")] as const]));
  return pairs.every(([a, b]) => pairs.every(([c, d]) => Math.sign(a - c) === Math.sign(b - d)));
}

const depth = (line: string): number => line.length - line.trimStart().length;

test("what an edit of other white space is shown as is what is applied", async () => {
  const pick = numbers(22);
  const edit = createEditFileTool();
  const { readFile, writeFile } = await import("node:fs/promises");
  let done = 0;
  for (let round = 0; round < 120; round += 1) {
    const one = caseOf(pick);
    const made = await outcome(one);
    if (typeof made === "string" || made.after.equals(made.before)) continue;
    const folder = await tempFolder();
    await writeFile(`${folder}/a.txt`, made.before);
    const end = one.whole ? "\n" : "";
    const request = {
      file_path: "a.txt",
      old_string: one.old.join("\n") + end,
      new_string: one.fresh.join("\n") + end,
      mode: "flexible",
    };
    const plan = await planOf(edit, request, contextOf(folder));
    await run(edit, request, contextOf(folder));
    const bytes = await readFile(`${folder}/a.txt`);
    expect(plan.files?.[0]?.after).toBe(sha256(bytes));
    expect(bytes.equals(made.after)).toBe(true);
    done += 1;
  }
  expect(done).toBeGreaterThan(20);
});

interface Nested {
  depth: number;
  text: string;
}

const written = (lines: readonly Nested[], unit: string): string[] =>
  lines.map(({ depth: deep, text }) => unit.repeat(deep) + text);

/** Lines of a block, as deep as they stand in it: each opening takes what comes one deeper. */
function nestedLines(pick: Pick, name: string, count: number, from = 0): Nested[] {
  const lines: Nested[] = [];
  let deep = from;
  for (let at = 0; at < count; at += 1) {
    const opens = pick(2) === 0;
    lines.push({ depth: deep, text: opens ? `${name}${at} {` : `${name}${at};` });
    if (opens) deep += 1;
    else if (deep > from && pick(2) === 0) deep -= 1;
  }
  return lines;
}

const styles = ["  ", "    ", "\t"];

test("new lines of 4,000 requests in one style stand in the file as its own style has them, at any depth", async () => {
  const pick = numbers(5);
  let done = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const [file, request] = [styles[pick(3)] ?? "", styles[pick(3)] ?? ""];
    const [depthThere, depthAsked] = [pick(4), pick(3)];
    const old = nestedLines(pick, "old", 1 + pick(4));
    const at = 1 + pick(old.length);
    const last = old[at - 1] ?? { depth: 0, text: "" };
    const put = nestedLines(pick, "new", 1 + pick(6), last.depth + (last.text.endsWith("{") ? 1 : 0));
    const fresh = [...old.slice(0, at), ...put, ...old.slice(at)];
    // One depth alone does not show which step of blanks is which of others.
    const isFlat = new Set(old.map((line) => line.depth)).size === 1;
    if (isFlat && file !== request && file !== "\t" && request !== "\t") continue;
    const around = written(nestedLines(pick, "other", 4), file);
    const place = (lines: Nested[]): string[] => written(lines, file).map((line) => file.repeat(depthThere) + line);
    const shifted = (lines: Nested[]): string[] =>
      written(lines, request).map((line) => request.repeat(depthAsked) + line);
    const before = ["head {", `${file}first;`, ...around, "}"];
    const one = {
      ...{ eol: "\n", bom: "", ended: true, lines: [...before, ...place(old), "tail;"], from: before.length },
      ...{ old: shifted(old), fresh: shifted(fresh), whole: pick(2) === 0 },
    };
    const made = await outcome(one);
    if (typeof made === "string") throw new Error(`${made}: ${JSON.stringify(one)}`);
    const wanted = [...before, ...place(fresh), "tail;"];
    expect(made.after.toString().split("\n").slice(0, -1), JSON.stringify({ one })).toEqual(wanted);
    done += 1;
  }
  expect(done).toBeGreaterThan(3_000);
});
