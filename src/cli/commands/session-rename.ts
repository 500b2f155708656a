import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions rename ID TITLE`. @throws CliProblem usage for a title with nothing in it. */
export async function renameSession(composition: Composition, id: string, title: string): Promise<number> {
  const line = title.replace(/\s+/g, " ").trim();
  if (line === "") throw new CliProblem("usage", "the title is empty");
  const row = await findSession(composition, id);
  await (await composition.store()).sessions.rename(row.id, line);
  composition.io.stderr.write(cleanText(`${row.id} is now called ${line}\n`));
  return 0;
}
