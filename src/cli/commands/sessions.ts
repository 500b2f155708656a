import { jsonLine } from "../../core/json-line.ts";
import type { TranscriptEntry } from "../../graph/events.ts";
import type { Store } from "../../store/types.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { momentText } from "../print/figures.ts";
import { displayLines, settledLine } from "../print/plain-printer.ts";
import { CliProblem } from "../problem.ts";
import { openHistoryFile } from "../terminal/history-file.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions list`: this workspace's, newest first, or all. */
export async function listSessions(composition: Composition, all: boolean): Promise<number> {
  const rows = (await composition.reading()).sessions.list(all ? {} : { workspace: composition.workspace });
  if (composition.flags.json === true) {
    for (const { id, title, workspace, state, model, createdAt, updatedAt } of rows) {
      const [created, updated] = [createdAt, updatedAt].map((at) => new Date(at).toISOString());
      composition.io.stdout.write(
        jsonLine({ id, title, workspace, state, model, createdAt: created, updatedAt: updated }),
      );
    }
    return 0;
  }
  const { stdout } = composition.io;
  if (rows.length === 0)
    stdout.write(all ? "no sessions\n" : "no sessions of this folder (--all includes other folders)\n");
  const width = Math.max(0, ...rows.map((row) => row.id.length));
  for (const row of rows) {
    const where = all ? `  ${row.workspace}` : "";
    stdout.write(
      cleanText(`${row.id.padEnd(width)}  ${momentText(row.updatedAt)}  ${row.state.padEnd(17)}  ${row.title}${where}`),
    );
    stdout.write("\n");
  }
  return 0;
}

/** `agent sessions show`: what was said and done, from the journal. */
export async function showSession(composition: Composition, id: string): Promise<number> {
  const row = await findSession({ store: composition.reading }, id);
  const journal = (await composition.reading()).readJournal(row.id);
  const { historyOf } = await import("../../records/history.ts");
  const { transcript } = historyOf(journal);
  if (composition.flags.json === true) {
    for (const entry of transcript) composition.io.stdout.write(jsonLine(entry));
    return 0;
  }
  const { stdout } = composition.io;
  stdout.write(cleanText(`${row.id}  ${row.state}  ${row.model}\n${row.workspace}\n${row.title}\n`));
  if (row.forkedFrom !== undefined) {
    const { session, at } = row.forkedFrom;
    stdout.write(cleanText(`forked from ${session}${at === undefined ? "" : ` at ${at}`}\n`));
  }
  stdout.write(
    `started ${momentText(row.createdAt)}, last ${momentText(row.updatedAt)} UTC, ${row.inputTokens} tokens in, ${row.outputTokens} out\n`,
  );
  for (const entry of transcript) stdout.write(entryText(entry));
  return 0;
}

function entryText(entry: TranscriptEntry): string {
  switch (entry.role) {
    case "user":
      return `\n❯ ${cleanText(entry.text)}\n`;
    case "assistant":
      return entry.text === "" ? "" : `\n${cleanText(entry.text)}\n`;
    case "call": {
      const { call } = entry;
      const lines = [`${settledLine(call)}   [${call.callId}]`, ...displayLines(call)];
      return lines.map((line) => `${cleanText(line)}\n`).join("");
    }
  }
}

const remainders =
  "another process uses the store, or the disk is full: parts of what was removed may stay in its file until sessions are removed again";

/** `agent sessions rm`: everything of these sessions, except those that wait or run (unless forced). */
export async function removeSessions(
  composition: Composition,
  ids: readonly string[],
  force: boolean,
): Promise<number> {
  const rows = await Promise.all(ids.map((id) => findSession(composition, id)));
  const store = await composition.store();
  for (const row of rows) {
    if (row.state !== "idle" && !force) {
      throw new CliProblem("failed", `session ${row.id} is ${row.state}: nothing was removed`, {
        hint: "--force removes it anyway",
      });
    }
  }
  const typed = new Set<string>();
  for (const row of rows) for (const text of await typedIn(store, row.id)) typed.add(text);
  for (const row of rows) {
    const lease = await store.acquire(row.id);
    try {
      await store.sessions.remove(row.id);
    } finally {
      lease.release();
    }
    composition.io.stderr.write(`removed ${row.id}\n`);
  }
  if (!store.shrink()) composition.io.stderr.write(`${remainders}\n`);
  await forgetTyped(composition, typed);
  return 0;
}

/** What the person said in it; nothing where its records are broken. */
async function typedIn(store: Store, id: string): Promise<string[]> {
  const { historyOf } = await import("../../records/history.ts");
  try {
    const { transcript } = historyOf(store.readJournal(id));
    return transcript.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
  } catch {
    return [];
  }
}

/** The chat's input history, which is brought back by the arrow keys, holds each message once more. */
async function forgetTyped({ io, places }: Composition, typed: ReadonlySet<string>): Promise<void> {
  try {
    const count = await openHistoryFile(places.history).forget(typed);
    if (count > 0) io.stderr.write(`and ${count} ${count === 1 ? "line" : "lines"} of the chat's input history\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.stderr.write(cleanText(`${places.history} may still hold what was typed: it could not be written (${why})\n`));
  }
}
