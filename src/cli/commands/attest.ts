import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { jsonLine } from "../../core/json-line.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { allChanges } from "../../records/lines/file-history.ts";
import { textIn } from "../../records/lines/text-in.ts";
import { attest as attestWords } from "../../words/en/attest.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { readCommit } from "../attest/commit.ts";
import { opened, refusal, sealed } from "../attest/envelope.ts";
import { withoutProject } from "../attest/run-program.ts";
import { misfit, type Statement, statementOf } from "../attest/statement.ts";
import type { Composition } from "../composition.ts";
import { writeNew } from "../new-file.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";
import { sayUnread } from "./file-lines.ts";

/** A statement is read whole. */
const largest = 64 * 1024 * 1024;

/**
 * `agent attest [COMMIT]`: an in-toto statement of which lines that the commit added are approved calls' bytes, on stdout or into a new file.
 * @throws CliProblem where git does not know the commit, or the key cannot sign
 */
export async function attestCommit(
  composition: Composition,
  asked: string,
  { key, out }: { key?: string | undefined; out?: string | undefined },
): Promise<number> {
  const { io } = composition;
  const where = whereOf(composition);
  const commit = await readCommit(asked, where);
  const { steps, unread } = await allChanges(await composition.reading());
  sayUnread(composition, unread);
  const said = await statementOf(commit, steps, textIn);
  const text = key === undefined ? jsonLine(said) : await sealed(said, resolve(io.cwd(), key), where);
  if (out === undefined || out === "-") io.stdout.write(text);
  else await writeNew(resolve(io.cwd(), out), text);
  io.stderr.write(
    cleanText(
      `${(key === undefined ? cellWords().commitUnsigned : cellWords().commit)({ commit: commit.id.slice(0, 12), sums: sums(said) })}\n`,
    ),
  );
  return 0;
}

/**
 * `agent attest --verify FILE [COMMIT]`: whether one of the allowed signers signed it, and all that it says of the commit's bytes is so. What it says of approvals is the
 * signer's word. @throws CliProblem for anything else, with the reason
 */
export async function verifyAttest(
  composition: Composition,
  asked: string,
  { file, signers }: { file: string; signers: string | undefined },
): Promise<number> {
  const { io } = composition;
  if (signers === undefined)
    throw new CliProblem("usage", attestWords().needsSigners, { hint: attestWords().signersHint });
  const where = whereOf(composition);
  const path = await realpath(resolve(io.cwd(), file)).catch(() => file);
  const text = readThere(path, ({ size, read }) => (size > largest ? undefined : String(read(0, size))));
  if (text === undefined) throw new CliProblem("usage", attestWords().unreadable({ file }));
  const { said, by } = await opened(text, resolve(io.cwd(), signers), where);
  const commit = await readCommit(asked, where);
  const why = await misfit(said, commit, textIn);
  if (why !== undefined) throw refusal(why);
  io.stdout.write(cleanText(`${attestWords().verified({ by, commit: commit.id.slice(0, 12), sums: sums(said) })}\n`));
  return 0;
}

/** Programs are the person's, not those that the project brings along. */
const whereOf = ({ io, workspace }: Composition) => ({
  cwd: workspace,
  env: withoutProject(io.env, repositoryRoot(workspace) ?? workspace),
});

function sums({ predicate: { lines, left } }: Statement): string {
  const parts = [attestWords().ofCalls({ lines: lines.call }), attestWords().ofOthers({ lines: lines.other })];
  if (lines.unknown > 0) parts.push(attestWords().unknown({ lines: lines.unknown }));
  if (left.length > 0) parts.push(attestWords().noText({ files: left.length }));
  return parts.join(", ");
}
