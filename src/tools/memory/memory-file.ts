import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import { writeAtomically } from "../../files/bytes/atomic-write.ts";
import { withFileLock } from "../../files/bytes/file-lock.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { sweepTemporaries } from "../../files/bytes/temporaries.ts";
import { readText, type Splice, spliceBytes, type TextForm } from "../../files/bytes/text-form.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { memoryLine } from "./memory-line.ts";
import { memoriesOf } from "./memory-section.ts";

/** Bytes of a memory file. */
export const largestMemory = 1024 * 1024;
const privateFile = 0o600;
const attempts = 5;

/** The change that was written into the memory file. */
export interface MemoryChange {
  real: string;
  /** Null where there was no file. */
  before: string | null;
  after: string;
  sha: Sha;
}

const emptyText: TextForm = { encoding: "utf-8", bom: false, eol: "none", text: "", bytes: Buffer.alloc(0) };

/** The text of a memory file; undefined where there is none. @throws ToolRefusal where it is no text, or too large. */
export async function readMemoryFile(memoryFile: string): Promise<string | undefined> {
  try {
    return (await readForm(await resolveLink(memoryFile))).form?.text;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw fileRefusal(error, memoryFile);
  }
}

/**
 * Changes a memory file under its lock, whatever link leads to it, and whoever else writes it: `change` sees the text as it is
 * and is asked again where an editor, which knows no lock, came between.
 * @param change the splices, or undefined where there is nothing to do.
 * @throws ToolRefusal
 */
export async function changeMemoryFile(
  memoryFile: string,
  signal: AbortSignal,
  change: (form: TextForm) => Splice[] | undefined,
): Promise<MemoryChange | undefined> {
  try {
    makeFolder(dirname(memoryFile));
    const real = await resolveLink(memoryFile);
    return await withFileLock(real, { signal }, async (assertHeld) => {
      await sweepTemporaries(dirname(real));
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const changed = await changeOnce(real, change, assertHeld);
        if (changed !== "overtaken") return changed;
      }
      throw new ToolRefusal("STALE", "the memory file kept changing: nothing was saved, try again");
    });
  } catch (error) {
    throw fileRefusal(error, memoryFile);
  }
}

async function changeOnce(
  real: string,
  change: (form: TextForm) => Splice[] | undefined,
  assertHeld: () => Promise<void>,
): Promise<MemoryChange | undefined | "overtaken"> {
  const { form, mode } = await readForm(real);
  const splices = change(form ?? emptyText);
  if (splices === undefined) return undefined;
  const bytes =
    form === undefined ? Buffer.from(splices.map(({ text }) => text).join("")) : spliceBytes(form, splices, real);
  await assertHeld();
  faultPoint("before memory line written");
  const expectBefore = form === undefined ? null : sha256(form.bytes);
  if ((await writeAtomically(real, bytes, { mode, expectBefore })) !== "written") return "overtaken";
  faultPoint("after memory line written");
  return { real, before: form?.text ?? null, after: readText(bytes, real).text, sha: sha256(bytes) };
}

// Keeps cli 6.
/**
 * Takes one saved line back, the last where there are several of it.
 * @param line as `memoryLine` wrote it. @returns false where it is not there any more. @throws ToolRefusal
 */
export async function forgetLine(memoryFile: string, line: string): Promise<boolean> {
  const changed = await changeMemoryFile(memoryFile, new AbortController().signal, ({ text }) => {
    const found = memoriesOf(text).findLast(({ memory }) => memoryLine(memory) === line);
    return found === undefined ? undefined : [{ start: found.start, end: found.end, text: "" }];
  });
  return changed !== undefined;
}

/** The lock lies beside the file itself. */
async function resolveLink(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

async function readForm(real: string): Promise<{ form?: TextForm; mode: number }> {
  try {
    const { handle, stats } = await openRegular(real, real);
    const bytes = await readBounded(handle, stats.size, largestMemory, real).finally(() => handle.close());
    return { form: readText(bytes, real), mode: stats.mode & 0o7777 };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { mode: privateFile };
    throw error;
  }
}
