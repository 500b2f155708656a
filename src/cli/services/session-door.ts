import { parseModelSpec } from "../../model/spec.ts";
import type { DrivenAgent } from "../../session/open-agent.ts";
import type { Session } from "../../session/session.ts";
import type { SessionRow } from "../../store/types.ts";
import { services as words } from "../../words/en/services.ts";
import { starting } from "../../words/en/starting.ts";
import type { Composition } from "../composition.ts";
import { checkFolder, findRoot, newestSession } from "../find-session.ts";
import { lazily } from "../lazily.ts";
import { CliProblem } from "../problem.ts";
import { checkMode } from "../wide-workspace.ts";
import type { BegunIn, OpenedSession, Opening, SessionDoor } from "./session-services.ts";

type LazyAgent = () => Promise<DrivenAgent>;

/** Sessions are begun and taken over here, whichever front end asks. */
export function sessionDoor(composition: Composition): SessionDoor {
  const agent = lazily(async () => {
    const [{ openAgent }, parts] = await Promise.all([import("../../session/open-agent.ts"), composition.agentParts()]);
    return openAgent(parts);
  });
  return {
    begin: (at) => begin(composition, agent, at),
    open: (id, how = {}) => open(composition, agent, id, how),
    isStored: (id) => isStored(composition, id),
    shelf: async (workspace) => (await import("./shelf-of.ts")).sessionShelf(composition, workspace),
  };
}

async function begin(composition: Composition, agent: LazyAgent, at: BegunIn): Promise<Session> {
  await checkPlace(composition, at);
  const driven = await agent();
  await composition.local(at.workspace); // broken settings end it before anything is said
  return driven.start(at);
}

async function open(
  composition: Composition,
  agent: LazyAgent,
  id: string | undefined,
  how: Opening,
): Promise<OpenedSession> {
  const { toDo = starting().toResume, takeOver = false, mostEntries, goesOn = false } = how;
  const row = await (id === undefined ? newestSession(composition, toDo) : findRoot(composition, id));
  await checkFolder(row);
  await checkPlace(composition, { workspace: row.workspace, mode: composition.mode });
  const driven = await agent();
  const { mode, model = row.model } = composition.flags;
  refuseDemoIn(row, model);
  const shown = mostEntries === undefined ? {} : { mostEntries };
  const session = await driven.resume(row, { mode, takeOver, model, ...shown });
  if (goesOn) void session.proceed().catch(() => undefined);
  return { session, model };
}

/** @throws CliProblem where the mode cannot be had in the folder, or one that was added cannot be taken */
async function checkPlace(composition: Composition, { workspace, mode }: Omit<BegunIn, "model">): Promise<void> {
  checkMode(mode, workspace, composition.io.env["HOME"]);
  await composition.addDirs(workspace);
}

const isDemo = (model: string): boolean => parseModelSpec(model)?.kind === "demo";

/**
 * The tour's calls are fixed and would change a person's files: only a session that was begun as a demo goes on as one.
 * @throws CliProblem where `model` would play it in another session.
 */
function refuseDemoIn(row: Pick<SessionRow, "id" | "model">, model: string): void {
  if (!isDemo(model) || isDemo(row.model)) return;
  throw new CliProblem("usage", words().demoApart({ session: row.id }), {
    hint: words().demoHint,
  });
}

/** A store that nothing opened holds nothing of this process; one that cannot be read any more may. */
async function isStored(composition: Composition, id: string): Promise<boolean> {
  if (!composition.hasStore()) return false;
  try {
    return (await composition.store()).sessions.get(id) !== undefined;
  } catch {
    return true;
  }
}
