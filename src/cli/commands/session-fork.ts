import { jsonLine } from "../../core/json-line.ts";
import { forkSession } from "../../records/fork.ts";
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
        ? `session ${row.id} has no settled step: there is nothing to fork`
        : `session ${row.id} has no call ${JSON.stringify(at)}`,
      { hint: `agent sessions show ${row.id} --calls shows its calls` },
    );
  }
  const { turns, steps, calls, goesOn } = forked;
  if (flags.json === true) {
    io.stdout.write(jsonLine({ ...forked, from: row.id, workspace: row.workspace, model: row.model }));
    return 0;
  }
  io.stdout.write(`${forked.id}\n`);
  const through = forked.at === undefined ? "" : `, through call ${forked.at}`;
  io.stderr.write(
    cleanText(
      [
        `forked from ${row.id}: ${count(turns, "turn")}, ${count(steps, "step")}, ${count(calls, "call")}${through}`,
        `files are as they are now; ${row.id} stays as it is`,
        `go on with: agent resume ${forked.id} "…"`,
        ...(goesOn ? [`or let the model go on from there: agent resume ${forked.id}`] : []),
        "",
      ].join("\n"),
    ),
  );
  return 0;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
