import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import { shownPath } from "../../core/shown-path.ts";
import { defineTool, type TextEncoding, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { assertInsideOpened, realWorkspace, refuseFolderName, rootOf } from "../../files/boundary.ts";
import { binaryKind, type MediaKind, mediaHeadBytes, mediaKind } from "../../files/bytes/file-head.ts";
import { openRegular, readBounded, tooLarge } from "../../files/bytes/read-regular.ts";
import { binary, encodingOf, readText } from "../../files/bytes/text-form.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { nearNames } from "../../files/near-names.ts";
import { readMedia } from "../media/read-media.ts";
import { plannedRead, planRead } from "../planned-read.ts";
import { missing } from "./file-change.ts";

const longestLine = 2_000;
const mostBytes = limits.readOutput.most;
/** Of what a call said, less than the model gets of any call, the numbers of lines included: what is read of it is not cut itself. */
const keptLines = 1_000;
const mostKept = limits.observation.most - 9 * keptLines;
const defaultLimit = 2_000;
/** Smaller files are read whole and hashed, so that a later edit knows whether they have changed. */
const largestHashed = 16 * 1024 * 1024;

const args = z.strictObject({
  file_path: z.string().min(1).describe("File in the workspace; or call:ID, all that a call said."),
  offset: z.int().min(1).optional().describe("First line (of a PDF: page; of a notebook: cell) to show. Default 1."),
  limit: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(`Lines, pages or cells to show. Default ${defaultLimit} lines; of what a call said, ${keptLines}.`),
});

type Args = z.infer<typeof args>;

/** Shows numbered lines of a text file, of any size, in bounded memory and output; pictures, pages of a PDF, cells of a notebook. */
export function createReadFileTool(): Tool {
  return defineTool({
    name: "read_file",
    description: `Reads a text file. Each line is shown with its number and a tab before it. At most ${defaultLimit} lines and ${mostBytes / 1_000} kB at once: a notice says how to go on with offset. Lines longer than ${longestLine} characters are cut. Pictures are shown, PDFs and notebooks read as text.`,
    args,
    risk: "low",
    effect: "none",
    display: {
      en: { name: "Read file", params: { file_path: "File", offset: "From line", limit: "Lines" } },
      zh: { name: "读取文件", params: { file_path: "文件", offset: "起始行", limit: "行数" } },
    },
    plan: async ({ file_path }, ctx) =>
      keptCall(file_path) === undefined
        ? planRead("read", file_path, ctx)
        : { summary: `read the output of ${file_path}`, cwd: ctx.cwd },
    execute: async (request, ctx) => {
      const call = keptCall(request.file_path);
      return call === undefined ? read(request, ctx) : readKept(call, request, ctx);
    },
  });
}

/** The call whose output is meant, by a name such as `call:c12`; a file of that name is `./call:c12`. */
const keptCall = (asked: string): string | undefined => /^call:(\w+)$/.exec(asked)?.[1];

/** @throws ToolRefusal NOT_FOUND where this session has no such call, or it is not settled. */
function readKept(
  callId: string,
  { file_path: asked, offset = 1, limit = keptLines }: Args,
  ctx: ToolContext,
): ToolResult {
  const kept = ctx.outputs?.of(callId);
  if (kept === undefined)
    throw new ToolRefusal(
      "NOT_FOUND",
      `this session has no output of a call ${callId}; a file of that name is ./${asked}`,
    );
  const window = collectLines({ offset, limit, longestLine, mostBytes: mostKept });
  const text = Buffer.from(kept.bytes).toString("utf8");
  const inParts = text.split("\n").flatMap(partsOf).join("\n");
  window.push(inParts);
  const read = shownLines({ ...window.end(), ended: true }, { asked, offset, title: `output of ${callId}` });
  if (inParts === text) return read;
  return {
    ...read,
    output: `${read.output}\n(lines of more than ${longestLine} characters stand here in parts, each as a line)`,
  };
}

/** A line that would be cut, in parts that are not. */
const partsOf = (line: string): string[] =>
  line.length <= longestLine ? [line] : (line.match(/[\s\S]{1,1000}/gu) ?? []);

async function read(request: Args, ctx: ToolContext): Promise<ToolResult> {
  const asked = request.file_path;
  refuseFolderName(asked);
  const { real } = plannedRead(ctx);
  try {
    const { handle, stats } = await openRegular(ctx.pins?.at(real) ?? real, asked);
    try {
      await assertInsideOpened(handle, await rootOf(ctx, real), real, ctx.pins);
      return await readOpened(handle, stats.size, real, request, ctx);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw missing(asked, await nearNames(real, asked, ctx.mayTell));
    throw fileRefusal(error, asked);
  }
}

async function readOpened(
  handle: FileHandle,
  size: number,
  real: string,
  request: Args,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { file_path: asked, offset = 1, limit = defaultLimit } = request;
  const kind = mediaKind(await headOf(handle), real);
  const media = kind === undefined ? undefined : await mediaOf(kind, { handle, size, real }, request, ctx);
  if (media !== undefined) return media;
  const window = collectLines({ offset, limit, longestLine, mostBytes, masking: ctx.masking });
  if (size > largestHashed) {
    const scan = await scanLarge(handle, window, { asked, size, signal: ctx.signal });
    return result(scan, request, real, undefined, ctx);
  }
  const bytes = await readBounded(handle, size, largestHashed, asked);
  const { text, eol } = readText(bytes, asked);
  window.push(eol === "cr" ? text.replaceAll("\r", "\n") : text);
  const sha = sha256(bytes);
  ctx.seen?.note(real, sha);
  return result({ ...window.end(), ended: true }, request, real, sha, ctx);
}

async function headOf(handle: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** @returns undefined where it is a text after all. */
async function mediaOf(
  kind: MediaKind,
  { handle, size, real }: { handle: FileHandle; size: number; real: string },
  { file_path: asked, offset, limit }: Args,
  ctx: ToolContext,
): Promise<ToolResult | undefined> {
  const largest = kind === "notebook" ? largestHashed : limits.mediaFile.most;
  if (size > largest && kind === "notebook") return undefined;
  if (size > largest) throw tooLarge(asked, size, largest);
  const bytes = await readBounded(handle, size, largest, asked);
  const shown = shownPath(await realWorkspace(ctx), real);
  const read = await readMedia(kind, bytes, { asked, shown, offset, limit, signal: ctx.signal });
  if (read === undefined) return undefined;
  const sha = sha256(bytes);
  ctx.seen?.note(real, sha);
  return { ...read, metadata: { path: real, ...read.metadata, sha } };
}

async function result(
  scan: Scan,
  { file_path: asked, offset = 1 }: Args,
  real: string,
  sha: string | undefined,
  ctx: ToolContext,
): Promise<ToolResult> {
  const shown = shownPath(await realWorkspace(ctx), real);
  const { metadata, ...told } = shownLines(scan, { asked, offset, title: shown });
  return { ...told, metadata: { path: real, ...metadata, ...(sha === undefined ? {} : { sha }) } };
}

/** @throws ToolRefusal INVALID_ARGUMENT where it has fewer lines than `offset`. */
function shownLines(
  scan: Scan,
  { asked, offset, title }: { asked: string; offset: number; title: string },
): ToolResult {
  if (scan.lines.length === 0 && offset > 1) {
    const lines = scan.total === 1 ? "1 line" : `${scan.total} lines`;
    throw new ToolRefusal("INVALID_ARGUMENT", `${asked} has ${lines}: offset=${offset} is past its end`);
  }
  const last = offset + scan.lines.length - 1;
  const body = scan.lines.map((line, index) => numbered(line, offset + index));
  return {
    output: scan.total === 0 ? "(the file is empty)" : [...body, ...notices(scan, offset, last)].join("\n"),
    title: scan.total === 0 ? `read ${title} (empty)` : `read ${title} (lines ${offset}-${last})`,
    metadata: { lines: scan.lines.length, total: scan.total },
  };
}

function notices(scan: Scan, first: number, last: number): string[] {
  const found: string[] = [];
  if (scan.cut.length > 0) {
    const most = 10;
    const lines = scan.cut.slice(0, most).join(", ") + (scan.cut.length > most ? ", ..." : "");
    found.push(`(cut to ${longestLine} characters: line ${lines})`);
  }
  const ended = scan.ended && last === scan.total;
  if (first > 1 || !ended) {
    const total = scan.ended ? `${scan.total}` : `more than ${scan.total}`;
    found.push(`(lines ${first}-${last} of ${total}${ended ? "" : `; go on with offset=${last + 1}`})`);
  }
  return found;
}

interface WindowLimits {
  /** First line shown, from 1. */
  offset: number;
  /** Most lines shown. */
  limit: number;
  /** Most characters shown of one line. */
  longestLine: number;
  /** Most bytes shown in all. */
  mostBytes: number;
  /** Takes values out of a line before it is cut. */
  masking?: Pick<Masking, "text" | "beginning"> | undefined;
}

/** So much more is read of a line that is cut, where values are taken out of it: a long one may stand where the cut is. */
const maskedMore = 16_384;

interface LineWindow {
  lines: string[];
  /** Numbers of lines that were cut. */
  cut: number[];
  /** Lines of the text so far. */
  total: number;
  /** No later line will be shown. */
  full: boolean;
}

/**
 * Collects a window of lines from a text that comes in pieces. Holds no more than the window, whatever comes: a line of
 * many gigabytes too. Lines end in \n or \r\n.
 */
function collectLines(limits: WindowLimits): {
  push(piece: string): void;
  end(): LineWindow;
  state: LineWindow;
} {
  const state: LineWindow = { lines: [], cut: [], total: 0, full: false };
  const { masking, longestLine } = limits;
  const mostRead = longestLine + (masking === undefined ? 1 : maskedMore);
  let bytes = 0;
  let head = "";
  let length = 0;

  const wanted = (): boolean => !state.full && state.total + 1 >= limits.offset;
  const extend = (part: string): void => {
    if (wanted() && head.length < mostRead) head += part.slice(0, mostRead - head.length);
    length += part.length;
  };
  const finish = (): void => {
    if (wanted()) show();
    state.total += 1;
    head = "";
    length = 0;
  };
  const show = (): void => {
    const isAll = head.length === length;
    const text = (isAll ? masking?.text(head) : masking?.beginning(head)) ?? head;
    const long = text.length > longestLine || !isAll;
    const line = long ? whole(text.slice(0, longestLine)) : text.replace(/\r$/, "");
    const size = Buffer.byteLength(line, "utf8") + numbered("", 1).length + 1;
    if (state.lines.length > 0 && bytes + size > limits.mostBytes) {
      state.full = true;
      return;
    }
    bytes += size;
    state.lines.push(line);
    if (long) state.cut.push(state.total + 1);
    state.full = state.lines.length >= limits.limit;
  };

  return {
    state,
    push(piece) {
      let start = 0;
      for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", start)) {
        extend(piece.slice(start, at));
        finish();
        start = at + 1;
      }
      extend(piece.slice(start));
    },
    end() {
      if (length > 0) finish();
      return state;
    },
  };
}

/** Without half of a surrogate pair at its end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

/** A line as read_file shows it. */
export const numbered = (line: string, number: number): string => `${String(number).padStart(6)}\t${line}`;

/** Even, so that no two-byte unit is torn. */
const chunkBytes = 256 * 1024;
/** So much is read after the window to count the lines; beyond it "more than" has to do. */
const countedBytes = 64 * 1024 * 1024;

export interface Scan extends LineWindow {
  /** The file was read to its end: `total` is exact. */
  ended: boolean;
}

/**
 * Reads a file of any size in constant memory until the window is full, and some way on to count its lines.
 * @throws ToolRefusal BINARY by its first bytes; CANCELLED.
 */
async function scanLarge(
  handle: FileHandle,
  window: ReturnType<typeof collectLines>,
  file: { asked: string; size: number; signal: AbortSignal },
): Promise<Scan> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let decode: ((bytes: Buffer) => string) | undefined;
  let fullAt: number | undefined;
  for (let position = 0; ; ) {
    if (file.signal.aborted) throw new ToolRefusal("CANCELLED", "reading was cancelled");
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return { ...window.end(), ended: true };
    const bytes = chunk.subarray(0, bytesRead);
    decode ??= decoderFor(bytes, file);
    window.push(decode(bytes));
    position += bytesRead;
    if (window.state.full) fullAt ??= position;
    if (fullAt !== undefined && position - fullAt > countedBytes) return { ...window.state, ended: false };
  }
}

function decoderFor(head: Buffer, file: { asked: string; size: number }): (bytes: Buffer) => string {
  const kind = binaryKind(head);
  if (kind !== undefined) throw binary(file.asked, kind, file.size);
  const { encoding, bom } = headEncoding(head);
  const decoder = new StringDecoder(encoding === "utf-16be" ? "utf16le" : encoding);
  let marked = bom;
  return (bytes) => {
    const text = decoder.write(encoding === "utf-16be" ? bytes.subarray(0, bytes.length & ~1).swap16() : bytes);
    const shown = marked ? text.slice(1) : text;
    marked = false;
    return shown;
  };
}

/** The last character of the head may be cut in two: up to three bytes of it are left out of the judgement. */
function headEncoding(head: Buffer): { encoding: TextEncoding; bom: boolean } {
  for (let cut = 0; cut <= 3; cut += 1) {
    const found = encodingOf(head.subarray(0, head.length - cut));
    if (found.encoding !== "latin1") return found;
  }
  return { encoding: "latin1", bom: false };
}
