import { stat } from "node:fs/promises";
import type { ResumedSession } from "../../session/create-agent.ts";
import type { Composition } from "../composition.ts";
import { applyDecisions, type FlagDecision, refuseContradictions } from "../decisions.ts";
import { type Heard, play } from "../headless.ts";
import { CliProblem } from "../problem.ts";
import { scriptedPerson } from "../scripted-person.ts";
import { unusedSettings } from "../unused-settings.ts";
import { refuseDemoIn } from "./demo.ts";
import { printerOf } from "./run.ts";

export interface ResumeFlags {
  decisions: FlagDecision[];
  takeOver: boolean;
}

/** The session an id names, or the newest of this workspace. */
export async function sessionRow(composition: Composition, id: string | undefined, toDo: string) {
  if (id !== undefined) return composition.findSession(id);
  const [newest] = (await composition.store()).sessions.list({ workspace: composition.workspace });
  if (newest === undefined) {
    throw new CliProblem("usage", `there is no session of ${composition.workspace} ${toDo}`, {
      hint: "agent sessions list --all shows those of other folders",
    });
  }
  return newest;
}

/** An older session that this process holds now, and the model it goes on with. */
export interface Reopened {
  session: ResumedSession;
  model: string;
}

/** Takes the session's lease; its workspace must still be there. */
export async function reopen(
  composition: Composition,
  id: string | undefined,
  takeOver: boolean,
  { toDo = "to resume", mostEntries }: { toDo?: string; mostEntries?: number } = {},
): Promise<Reopened> {
  const row = await sessionRow(composition, id, toDo);
  const there = await stat(row.workspace).catch(() => undefined);
  if (there?.isDirectory() !== true) {
    throw new CliProblem("failed", `the workspace of session ${row.id} is gone: ${row.workspace}`, {
      hint: `agent sessions show ${row.id} still shows what was said and done`,
    });
  }
  const agent = await composition.agent();
  const model = composition.flags.model ?? row.model;
  refuseDemoIn(row, model);
  const options = { mode: composition.mode, takeOver, model, ...(mostEntries === undefined ? {} : { mostEntries }) };
  return { session: await agent.resume(row, options), model };
}

/** `agent resume` without a terminal: decisions come as flags, then the prompt. @returns the exit code. */
export async function resumeHeadless(
  composition: Composition,
  id: string | undefined,
  prompt: string | undefined,
  flags: ResumeFlags,
): Promise<number> {
  refuseContradictions(flags.decisions);
  const { session } = await reopen(composition, id, flags.takeOver);
  const { io } = composition;
  const person = scriptedPerson(composition, session);
  const act = async (heard: Heard) => {
    const decides = flags.decisions.length > 0;
    const goesOn = (prompt === undefined || decides) && (await session.proceed());
    const warn = (text: string) => io.stderr.write(`${text}\n`);
    const held = decides && (await applyDecisions(session, flags.decisions, heard, goesOn, warn));
    if (prompt === undefined) return;
    await session.settled();
    if (held) warn("the message was not sent: decide about what waits first");
    else await session.submit(prompt);
  };
  const notices = await unusedSettings(composition, session.workspace);
  return play(session, io, printerOf(composition), act, person, notices);
}
