import type { Session } from "../../graph/session.ts";
import type { Composition } from "../composition.ts";
import { jsonPrinter, play } from "../headless.ts";
import { plainPrinter } from "../plain-printer.ts";
import { CliProblem } from "../problem.ts";
import { scriptedPerson } from "../scripted-person.ts";

/** All of stdin as text, for `agent run -`. */
async function readStdin(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

async function promptOf(composition: Composition, given: string): Promise<string> {
  const text = given === "-" ? await readStdin(composition.io.stdin) : given;
  if (text.trim() === "")
    throw new CliProblem("usage", "the prompt is empty", {
      hint: 'agent run "what to do", or agent run - with the prompt on stdin',
    });
  return text;
}

/** The session that `--session` or `--continue` names; undefined for a new one. */
async function olderSession(composition: Composition) {
  const { flags } = composition;
  if (flags.session !== undefined) return composition.findSession(flags.session);
  if (flags.continue !== true) return undefined;
  const [newest] = (await composition.store()).sessions.list({ workspace: composition.workspace });
  if (newest === undefined)
    throw new CliProblem("usage", `there is no session of ${composition.workspace} to continue`);
  return newest;
}

/** A new session of this run's workspace and model, or the older one that the flags name. */
export async function openSession(composition: Composition): Promise<Session> {
  const row = await olderSession(composition);
  const { mode, flags, model, workspace } = composition;
  const agent = await composition.agent();
  if (row === undefined) return agent.start({ workspace, model, mode });
  return agent.resume(row, { mode, ...(flags.model === undefined ? {} : { model: flags.model }) });
}

export const printerOf = (composition: Composition) =>
  composition.flags.json === true ? jsonPrinter(composition.io) : plainPrinter(composition.io);

/** `agent run`: one message, no person; when something must be asked it stops, saved. @returns the exit code. */
export async function runOnce(composition: Composition, given: string): Promise<number> {
  const prompt = await promptOf(composition, given);
  const session = await openSession(composition);
  const person = scriptedPerson(composition, session);
  return play(session, composition.io, printerOf(composition), () => session.submit(prompt), person);
}
