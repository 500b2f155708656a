import { jsonLine } from "../../core/json-line.ts";
import { treeUnder } from "../../records/session-tree.ts";
import { verifyStore } from "../../records/verify.ts";
import { exitCodes } from "../../session/exit-codes.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { cleanText } from "../terminal/sanitise.ts";

/**
 * `agent sessions verify`: looks for damage in the database and in the records of these sessions with those that their calls drive, or of all there are.
 * A rewrite by the same user, hashes and all, is not found. @returns 0, or 74 with the broken places named.
 */
export async function verifySessions(composition: Composition, ids: readonly string[]): Promise<number> {
  const { stdout } = composition.io;
  const asked = await Promise.all(ids.map((id) => findSession({ store: composition.reading }, id)));
  const store = await composition.reading();
  const json = composition.flags.json === true;
  const line = (text: string, fields: object) => stdout.write(json ? jsonLine(fields) : `${cleanText(text)}\n`);
  const trees = asked.flatMap((row) => treeUnder(store, row.id).map((id) => ({ id })));
  const found = verifyStore(store, asked.length > 0 ? trees : store.sessions.list());
  const damage = found.database.problem;
  line(damage === undefined ? `✔ ${store.file}` : `✖ ${store.file}: ${saidAgain(damage)}`, {
    database: store.file,
    ok: damage === undefined,
    ...(damage === undefined ? {} : { problem: damage }),
  });
  for (const { session: id, calls, events, problem } of found.sessions) {
    line(
      problem === undefined ? cellWords().verified({ session: id, calls, events }) : `✖ ${id}: ${saidAgain(problem)}`,
      {
        session: id,
        ok: problem === undefined,
        calls,
        events,
        ...(problem === undefined ? {} : { problem }),
      },
    );
  }
  return found.ok ? exitCodes.done : exitCodes.store;
}
