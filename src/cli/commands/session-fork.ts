import { jsonLine } from "../../core/json-line.ts";
import { forkSession } from "../../records/fork.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions fork`: a new session from an earlier point of another one; prints its id. */
export async function forkAt(composition: Composition, id: string, at: string | undefined): Promise<number> {
  const { io, flags } = composition;
  const row = await findSession(composition, id);
  const store = await composition.store();
  const forked = await forkSession(store, row, at);
  if (forked === undefined) {
    throw new CliProblem(
      "usage",
      at === undefined
        ? sessionWords().nothingToFork({ session: row.id })
        : sessionWords().noCall({ session: row.id, call: at }),
      { hint: sessionWords().callsHint({ session: row.id }) },
    );
  }
  const { turns, steps, calls, goesOn } = forked;
  if (flags.json === true) {
    io.stdout.write(jsonLine({ ...forked, from: row.id, workspace: row.workspace, model: row.model }));
    return 0;
  }
  io.stdout.write(`${forked.id}\n`);
  io.stderr.write(
    cleanText(
      [
        sessionWords().forked({ session: row.id, turns, steps, calls, at: forked.at }),
        sessionWords().stays({ session: row.id }),
        sessionWords().goesOn({ fork: forked.id }),
        ...(goesOn ? [sessionWords().letGoOn({ fork: forked.id })] : []),
        "",
      ].join("\n"),
    ),
  );
  return 0;
}
