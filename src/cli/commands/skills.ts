import { jsonLine } from "../../core/json-line.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { lists } from "../../words/en/lists.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";

/** `agent skills`: skills that the model can read, commands that can be typed, where each lies, and those that are left out. */
export async function listSkills(composition: Composition): Promise<number> {
  const { io, flags, workspace } = composition;
  const opened = await composition.tools(workspace);
  const { skills, leftOut, wishing } = opened.skills;
  await opened.close();
  const { commandsIn } = await import("../services/file-commands.ts");
  const found = await commandsIn(composition, workspace);
  const wishes = (source: string): boolean => wishing.includes(source);
  if (flags.json === true) {
    for (const { name, description, source, folder } of skills)
      io.stdout.write(
        jsonLine({
          kind: "skill",
          name,
          description,
          source,
          folder,
          ...(wishes(source) ? { unused: ["allowed-tools"] } : {}),
        }),
      );
    for (const { name, description, source } of found.commands)
      io.stdout.write(jsonLine({ kind: "command", name, description, source }));
    for (const { name, why } of leftOut) io.stdout.write(jsonLine({ kind: "skill", name, error: why }));
    for (const { name, source, why } of found.leftOut)
      io.stdout.write(jsonLine({ kind: "command", name, source, error: why }));
    return 0;
  }
  const head = [lists().heads.name, lists().heads.where, lists().heads.isFor].map((word) => span(word, { dim: true }));
  const cells = skills.map(({ name, source, description }) => [
    span(name, { bold: true }),
    span(source),
    span(`${description}${wishes(source) ? lists().wishes : ""}`),
  ]);
  const commands = found.commands.map(({ name, source, description }) => [
    span(`/${name}`, { bold: true }),
    span(source),
    span(description),
  ]);
  const left = [
    ...leftOut,
    ...found.leftOut.map(({ name, source, why }) => ({ name: cellWords().nameOf({ name: `/${name}`, source }), why })),
  ].map(({ name, why }) => [span(cellWords().leftOut, { dim: true }), span(name), span(saidAgain(why))]);
  const { width } = pageOf(io);
  const all = [...cells, ...commands];
  if (all.length > 0) await printRows(io, tableRows([head, ...all], width, "wrap"));
  else await printRows(io, [[span(lists().noSkills)]]);
  if (left.length > 0) await printRows(io, tableRows(left, width, "wrap"));
  return 0;
}
