import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import { jsonLine } from "../../core/json-line.ts";
import { changeMemoryFile, readMemoryFile } from "../../tools/memory/memory-file.ts";
import { type Memory, memoryLine } from "../../tools/memory/memory-line.ts";
import { type Entry, memoriesOf } from "../../tools/memory/memory-section.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { lists } from "../../words/en/lists.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";
import type { StyledLine } from "../terminal/span.ts";

/** Stays the same as long as the memory says the same to the same workspaces. */
const idOf = ({ fact, project = "" }: Memory): string => sha256(`${project}\n${fact}`).slice(0, 8);

const scopeOf = ({ by, project }: Memory): string =>
  by === "person" ? cellWords().yourOwn : project === undefined ? cellWords().everywhere : project;

/** `agent memories list`: each with where it is told, when and in which session it was saved. */
export async function listMemories({ io, flags, places }: Composition): Promise<number> {
  const text = await told(readMemoryFile(places.memories));
  const memories = memoriesOf(text ?? "").map(({ memory }) => memory);
  if (flags.json === true) {
    for (const memory of memories) {
      const { fact, by, date, project, session } = memory;
      const scope = project === undefined ? "everywhere" : "project";
      io.stdout.write(jsonLine({ id: idOf(memory), fact, by, scope, project, date, session }));
    }
    return 0;
  }
  if (memories.length === 0) io.stdout.write(cleanText(`${lists().noMemories({ file: places.memories })}\n`));
  const { width } = pageOf(io);
  await printRows(
    io,
    memories.flatMap((memory) => memoryRows(memory, width)),
  );
  return 0;
}

function memoryRows(memory: Memory, width: number | undefined): StyledLine[] {
  const more = [scopeOf(memory), memory.date, memory.session].filter((one) => one !== undefined).join(" · ");
  const id = span(idOf(memory), { color: "yellow" });
  const blank = " ".repeat(idOf(memory).length);
  const rows = [
    [id, span(memory.fact)],
    [span(blank), span(more, { dim: true })],
  ];
  return tableRows(rows, width, "wrap");
}

/** `agent memories rm ID...`. @throws CliProblem usage for an id that names none, or several; nothing is removed then. */
export async function removeMemories(composition: Composition, ids: readonly string[]): Promise<number> {
  const gone: Memory[] = [];
  await change(composition, (entries) => {
    const found = [...new Set(ids.map((id) => named(entries, id)))];
    gone.splice(0, gone.length, ...found.map(({ memory }) => memory));
    return found.map(({ start, end }) => ({ start, end, text: "" }));
  });
  for (const memory of gone)
    composition.io.stdout.write(cleanText(`${cellWords().removed({ what: `${idOf(memory)}  ${memory.fact}` })}\n`));
  return 0;
}

/** `agent memories move ID`: told in this workspace alone from now on, or everywhere. */
export async function moveMemory(composition: Composition, id: string, everywhere: boolean): Promise<number> {
  const { io, workspace } = composition;
  let moved: Memory | undefined;
  await change(composition, (entries, eol) => {
    const { memory, start, end } = named(entries, id);
    const { project: _project, ...rest } = memory;
    moved = everywhere ? rest : { ...rest, by: "agent", project: workspace };
    return [{ start, end, text: `${memoryLine(moved)}${eol}` }];
  });
  if (moved !== undefined) io.stdout.write(cleanText(`${idOf(moved)}  ${moved.fact}\n          ${scopeOf(moved)}\n`));
  return 0;
}

type Splices = { start: number; end: number; text: string }[];

async function change(
  { places }: Composition,
  splices: (entries: readonly Entry[], eol: string) => Splices,
): Promise<void> {
  const changed = changeMemoryFile(places.memories, new AbortController().signal, ({ text, eol }) =>
    splices(memoriesOf(text), eol === "crlf" ? "\r\n" : "\n").toSorted((one, other) => one.start - other.start),
  );
  await told(changed);
}

/** A file that cannot be read or written is the person's to mend. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    if (cause instanceof ToolRefusal) throw new CliProblem("failed", cause.message, { cause });
    throw cause;
  });

function named(entries: readonly Entry[], id: string): Entry {
  const found = entries.filter(({ memory }) => id !== "" && idOf(memory).startsWith(id));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why = only === undefined ? lists().noMemory({ id }) : lists().severalMemories({ count: found.length, id });
  throw new CliProblem("usage", why, { hint: lists().memoriesHint });
}
