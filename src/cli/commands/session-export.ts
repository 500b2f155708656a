import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { jsonLine } from "../../core/json-line.ts";
import { scriptOf } from "../../records/export-script.ts";
import { redact } from "../../records/redact.ts";
import { type Secret, secretsIn } from "../../records/secrets.ts";
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
  const lines = scriptOf((await composition.reading()).readJournal(row.id));
  const { data, replaced } = redact(lines, secretsOf(composition));
  const text = data.map(jsonLine).join("");
  if (file === undefined || file === "-") io.stdout.write(text);
  else {
    const path = resolve(io.cwd(), file);
    await writeNew(path, text);
    const again = `agent run -m script:${path} --answers`;
    io.stderr.write(cleanText(`exported ${row.id} to ${path}\nit plays again with: ${again}\n`));
  }
  for (const { name, count } of replaced) {
    io.stderr.write(cleanText(`replaced ${name} ${count} ${count === 1 ? "time" : "times"} by ‹${name}›\n`));
  }
  io.stderr.write(`${notSeen}\n`);
  return 0;
}

/** Whoever gives the file away must know what nobody looked for. */
const notSeen =
  "looked for: secrets of this environment by the names of their variables, also in base64 and hex, and passwords in addresses. " +
  "Not seen: all other secrets, such as keys that stood in files, and those that were encoded or put together otherwise. " +
  "Read the file before you give it away.";

/** No tool registers secrets of its own yet. */
const secretsOf = ({ io }: Composition): Secret[] => secretsIn(io.env, []);

async function writeNew(path: string, text: string): Promise<void> {
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
