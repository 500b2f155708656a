import { extname, resolve } from "node:path";
import type { ToolCallInfo } from "../../core/call.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import { secretTag } from "../../core/secrets/secret-tags.ts";
import { exportOf } from "../../records/export-script.ts";
import { type PageForm, pageOf } from "../../records/page/session-page.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { writeNew } from "../new-file.ts";
import { instantText, momentText } from "../print/moments.ts";
import { pageBlock, pageLine } from "../print/page-text.ts";
import { endWord } from "../print/plain-printer.ts";
import { eventAgain } from "../print/standing-words.ts";
import { unreadText } from "../secrets/open-secrets.ts";

/** The form of an export: a script that plays the session again, or a page for people. */
export type ExportForm = "script" | PageForm;

/** By the end of its name. */
export function formOf(file: string): ExportForm {
  const ends: Readonly<Record<string, PageForm>> = { ".html": "html", ".htm": "html", ".md": "markdown" };
  return ends[extname(file).toLowerCase()] ?? "script";
}

/**
 * Writes the session with this id to a new file, whole or not at all. @returns what the person is told, line by line; not safe to draw.
 * @throws CliProblem where the file is there already, or cannot be written.
 */
export async function writeExport(
  composition: Composition,
  id: string,
  file: string,
  form = formOf(file),
): Promise<string[]> {
  const path = resolve(composition.io.cwd(), file);
  const told = await exportTo(composition, id, form, (parts) => writeNew(path, parts));
  const again = form === "script" ? [sessionWords().playsAgain({ file: path })] : [];
  return [cellWords().exported({ session: id, path }), ...again, ...told];
}

/** Hands the session over as a file. @param write takes the whole, piece by piece @returns what the person is told, line by line */
export async function exportTo(
  composition: Composition,
  id: string,
  form: ExportForm,
  write: (parts: Iterable<Uint8Array>) => Promise<void>,
): Promise<string[]> {
  const { text, replaced } = await exported(composition, id, form);
  const secrets = await composition.secrets();
  const counts = new Map<string, number>();
  const tagOf = (name: string): string => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return form === "html" ? `&lt;secret&gt;${name}&lt;/secret&gt;` : secretTag(name);
  };
  await write(secrets === undefined ? pieces(text) : masked(pieces(text), secrets.masking, tagOf));
  const unread = secrets === undefined || secrets.unread.length === 0 ? [] : [unreadText(secrets.unread)];
  const tagged = [...counts].map(([name, count]) => cellWords().replaced({ name, count, by: secretTag(name) }));
  return [
    ...unread,
    ...tagged,
    ...replaced().map(({ name, count }) => cellWords().replaced({ name, count, by: `‹${name}›` })),
    sessionWords().notSeen,
  ];
}

interface Exported {
  text: Iterable<string>;
  /** Once all of the text was taken. */
  replaced(): readonly { name: string; count: number }[];
}

async function exported({ reading, io, flags }: Composition, id: string, form: ExportForm): Promise<Exported> {
  const store = await reading();
  const row = form === "script" ? undefined : store.sessions.get(id);
  if (form === "script" || row === undefined) {
    const { script, replaced } = exportOf(store, id, io.env);
    return { text: [script], replaced: () => replaced };
  }
  const utc = flags.utc === true;
  const words = {
    moment: (at: number) => momentText(at, utc),
    instant: (at: number) => instantText(at, utc),
    end: (call: ToolCallInfo) => eventAgain(endWord(call)),
    event: eventAgain,
    block: pageBlock,
    line: pageLine,
  };
  return pageOf({ store, row, form, env: io.env, words });
}

/** Few large pieces of many small ones. */
function* pieces(text: Iterable<string>): Generator<Uint8Array> {
  let [kept, length]: [string[], number] = [[], 0];
  for (const one of text) {
    kept.push(one);
    length += one.length;
    if (length < pieceLength) continue;
    yield Buffer.from(kept.join(""));
    [kept, length] = [[], 0];
  }
  yield Buffer.from(kept.join(""));
}

const pieceLength = 64 * 1024;

/** Masks the parts of an export. The person's own words may hold a secret of theirs: no call does. */
function* masked(
  parts: Iterable<Uint8Array>,
  masking: Masking,
  tagOf: (name: string) => string,
): Generator<Uint8Array> {
  const stream = masking.stream(tagOf);
  for (const part of parts) yield stream.push(part);
  yield stream.end();
}
