import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportOf } from "../../records/export-script.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

/**
 * `agent sessions export`: one file that `--model script:FILE` replays. Secrets are replaced, and said by name on stderr.
 * @param file where to, never over a file that is there; stdout where it is `-` or not given.
 */
export async function exportSession(composition: Composition, id: string, file: string | undefined): Promise<number> {
  const { io } = composition;
  const row = await findSession({ store: composition.reading }, id);
  const lines =
    file === undefined || file === "-"
      ? await exportTo(composition, row.id, async (text) => void io.stdout.write(text))
      : await writeExport(composition, row.id, file);
  io.stderr.write(cleanText(`${lines.join("\n")}\n`));
  return 0;
}

/**
 * Writes the session with this id to a new file. @returns what the person is told, line by line; not safe to draw.
 * @throws CliProblem where the file is there already, or cannot be written.
 */
export async function writeExport(composition: Composition, id: string, file: string): Promise<string[]> {
  const path = resolve(composition.io.cwd(), file);
  const told = await exportTo(composition, id, (text) => writeNew(path, text));
  return [`exported ${id} to ${path}`, `it plays again with: agent run -m script:${path} --answers`, ...told];
}

async function exportTo(
  composition: Composition,
  id: string,
  write: (text: string) => Promise<void>,
): Promise<string[]> {
  const { script, replaced } = exportOf(await composition.reading(), id, composition.io.env);
  await write(script);
  const times = (count: number): string => `${count} ${count === 1 ? "time" : "times"}`;
  return [...replaced.map(({ name, count }) => `replaced ${name} ${times(count)} by ‹${name}›`), notSeen];
}

/** Whoever gives the file away must know what nobody looked for. */
const notSeen =
  "looked for: secrets of this environment by the names of their variables, also in base64 and hex, and passwords in addresses. " +
  "Not seen: all other secrets, such as keys that stood in files, and those that were encoded or put together otherwise. " +
  "Read the file before you give it away.";

export async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    const { code, message, syscall } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new CliProblem("failed", `${path} exists already: nothing was written`, { cause });
    // Half a script would replay half a session.
    if (syscall !== "open") await rm(path, { force: true });
    throw new CliProblem("failed", `cannot write ${path}: ${message}`, { cause });
  }
}
