import { jsonLine } from "../../core/json-line.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";

/** `agent skills`: what the model can read when it is needed, where each lies, and those that are left out. */
export async function listSkills(composition: Composition): Promise<number> {
  const { io, flags, workspace } = composition;
  const opened = await composition.tools(workspace);
  const { skills, leftOut, wishing } = opened.skills;
  await opened.close();
  const wishes = (source: string): boolean => wishing.includes(source);
  if (flags.json === true) {
    for (const { name, description, source, folder } of skills)
      io.stdout.write(
        jsonLine({ name, description, source, folder, ...(wishes(source) ? { unused: ["allowed-tools"] } : {}) }),
      );
    for (const { name, why } of leftOut) io.stdout.write(jsonLine({ name, error: why }));
    return 0;
  }
  const head = ["skill", "where", "what it is for"].map((word) => span(word, { dim: true }));
  const cells = skills.map(({ name, source, description }) => [
    span(name, { bold: true }),
    span(source),
    span(`${description}${wishes(source) ? "; not heeded: allowed-tools" : ""}`),
  ]);
  const left = leftOut.map(({ name, why }) => [span("left out", { dim: true }), span(name), span(why)]);
  const { width } = pageOf(io);
  if (skills.length > 0) await printRows(io, tableRows([head, ...cells], width, "wrap"));
  else await printRows(io, [[span("there are no skills here")]]);
  if (left.length > 0) await printRows(io, tableRows(left, width, "wrap"));
  return 0;
}
