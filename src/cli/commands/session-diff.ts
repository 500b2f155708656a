import type { Composition } from "../composition.ts";
import { clean } from "../print/plain-printer.ts";

/** `agent sessions show --diff`: all that the session changed, a diff a file; what was taken back does not show. */
export async function showDiff(composition: Composition, id: string): Promise<number> {
  const { io } = composition;
  const row = await composition.findSession(id);
  for (const file of await composition.sessionDiff(row.id)) {
    io.stdout.write(composition.flags.json === true ? `${JSON.stringify(file)}\n` : clean(file.diff));
  }
  return 0;
}
