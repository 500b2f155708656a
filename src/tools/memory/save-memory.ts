import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { sha256 } from "../../core/json.ts";
import { defineTool, type Tool, type ToolResult } from "../../core/tool.ts";
import { writeAtomically } from "../../files/atomic-write.ts";
import { diffOf } from "../../files/diff.ts";
import { totalOf } from "../../files/diff-text.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { withFileLock } from "../../files/file-lock.ts";
import { openRegular, readBounded } from "../../files/read-regular.ts";
import { recordedDiff } from "../../files/recorded-diff.ts";
import { sweepTemporaries } from "../../files/temporaries.ts";
import { readText, spliceBytes, type TextForm } from "../../files/text-form.ts";
import { memorySplice } from "./memory-section.ts";

const longestFact = 500;
const largestMemory = 1024 * 1024;
const privateFile = 0o600;
const attempts = 5;

const args = z.strictObject({
  fact: z
    .string()
    .describe(`What to remember, as one line of at most ${longestFact} characters that is understood on its own.`),
});

export interface SaveMemoryOptions {
  /** The user's CONTEXT.md, absolute; made when it is missing. Without it every call is refused. */
  memoryFile?: string | undefined;
}

/** Adds one line under "## Agent Memories"; a fact that is there already is not added again. */
export function createSaveMemoryTool({ memoryFile }: SaveMemoryOptions): Tool {
  return defineTool({
    name: "save_memory",
    description:
      "Remembers a fact about the user or their way of working beyond this session, when they ask for it or it is clearly of lasting use. Not for what only this task needs.",
    args,
    risk: "low",
    effect: "store",
    display: {
      en: { name: "Save memory", params: { fact: "Fact" } },
      zh: { name: "保存记忆", params: { fact: "事实" } },
    },
    validate: ({ fact }) => complaint(fact),
    execute: async ({ fact }, ctx) => {
      const wrong = complaint(fact);
      if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
      if (memoryFile === undefined)
        throw new ToolRefusal("NOT_FOUND", "there is no memory file here: nothing was saved");
      return save(memoryFile, fact.trim(), ctx.signal);
    },
  });
}

function complaint(given: string): string | undefined {
  const fact = given.trim();
  if (fact === "") return "the fact is empty";
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(fact)) return "the fact must be one line without control characters";
  if (/\p{Surrogate}/u.test(fact)) return "the fact holds half of a surrogate pair, which is no character";
  if ([...fact].length > longestFact) return `the fact is longer than ${longestFact} characters: say it shorter`;
  return /^#/.test(fact) ? "the fact must not be a heading: leave out the # before it" : undefined;
}

async function save(memoryFile: string, fact: string, signal: AbortSignal): Promise<ToolResult> {
  try {
    await mkdir(dirname(memoryFile), { recursive: true, mode: 0o700 });
    const real = await resolveLink(memoryFile);
    return await withFileLock(real, { signal }, async (assertHeld) => {
      await sweepTemporaries(dirname(real));
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const saved = await addLine(real, fact, assertHeld);
        if (saved !== undefined) return saved;
      }
      throw new ToolRefusal("STALE", "the memory file kept changing: nothing was saved, try again");
    });
  } catch (error) {
    throw fileRefusal(error, memoryFile);
  }
}

/** The lock lies beside the file itself, whatever link leads to it. */
async function resolveLink(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

/** @returns undefined where somebody else (an editor: it knows no lock) wrote the file meanwhile. */
async function addLine(real: string, fact: string, assertHeld: () => Promise<void>): Promise<ToolResult | undefined> {
  const { form, mode } = await readMemory(real);
  const splice = memorySplice(form ?? emptyText, fact);
  if (splice === undefined)
    return { output: `Already remembered: ${fact}`, title: `known already: ${fact}`, metadata: { path: real } };
  const after = form === undefined ? Buffer.from(splice.text, "utf8") : spliceBytes(form, [splice], real);
  await assertHeld();
  faultPoint("before memory line written");
  const expectBefore = form === undefined ? null : sha256(form.bytes);
  if ((await writeAtomically(real, after, { mode, expectBefore })) !== "written") return undefined;
  faultPoint("after memory line written");
  const before = form?.text ?? "";
  const text = before.slice(0, splice.start) + splice.text + before.slice(splice.end);
  const change = diffOf(form === undefined ? null : before, text);
  const recorded = recordedDiff([{ name: basename(real), kind: form === undefined ? "new" : "modify", ...change }]);
  return {
    output: `Remembered: ${fact}`,
    title: `remembered: ${fact}`,
    metadata: { path: real, ...recorded, ...totalOf([change]), sha: sha256(after) },
  };
}

const emptyText: TextForm = { encoding: "utf-8", bom: false, eol: "none", text: "", bytes: Buffer.alloc(0) };

async function readMemory(real: string): Promise<{ form?: TextForm; mode: number }> {
  try {
    const { handle, stats } = await openRegular(real, real);
    const bytes = await readBounded(handle, stats.size, largestMemory, real).finally(() => handle.close());
    return { form: readText(bytes, real), mode: stats.mode & 0o7777 };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { mode: privateFile };
    throw error;
  }
}
