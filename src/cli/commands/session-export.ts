import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import type { Io } from "../io.ts";
import { type ExportForm, exportTo, formOf, writeExport } from "../services/written-export.ts";
import { cleanText } from "../terminal/sanitise.ts";

/**
 * `agent sessions export`: one file that `--model script:FILE` replays, or a page for people. Secrets are replaced, and said by name on stderr.
 * @param file where to, never over a file that is there; stdout where it is `-` or not given.
 * @param form where it is not given the file's name says it
 */
export async function exportSession(
  composition: Composition,
  id: string,
  file: string | undefined,
  form: ExportForm = formOf(file ?? ""),
): Promise<number> {
  const { io } = composition;
  const row = await findSession({ store: composition.reading }, id);
  const lines =
    file === undefined || file === "-"
      ? await exportTo(composition, row.id, form, (parts) => print(io, parts))
      : await writeExport(composition, row.id, file, form);
  io.stderr.write(cleanText(`${lines.join("\n")}\n`));
  return 0;
}

async function print({ stdout }: Pick<Io, "stdout">, parts: Iterable<Uint8Array>): Promise<void> {
  for (const part of parts) await new Promise<void>((resolve) => stdout.write(part, () => resolve()));
}
