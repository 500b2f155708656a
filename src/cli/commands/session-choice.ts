import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { askLine, wantsLines } from "../io.ts";
import type { Listed } from "../services/session-services.ts";
import { sessionShelf } from "../services/shelf-of.ts";
import { openTty, type Tty } from "../terminal/tty.ts";
import { pickSession } from "../ui/picker/pick-session.ts";
import { idsByNumber, numbered } from "../ui/picker/session-shelf.ts";

/** The person's choice; without an id there was nothing to choose, and the newest session is meant. */
export interface Choice {
  id: string | undefined;
  /** The terminal, where it was taken already. */
  tty?: Tty;
}

/** Lets the person choose among the workspace's sessions, if there are several. @returns undefined where they left. */
export async function chooseSession(composition: Composition): Promise<Choice | undefined> {
  const { io, workspace, config } = composition;
  const shelf = sessionShelf(composition);
  const listed = await shelf.list(false);
  if (listed.rows.length < 2) return { id: undefined };
  if (wantsLines(io.env)) return chooseByNumber(composition, listed);
  const tty = openTty({ stdin: io.stdin, stdout: io.stdout, env: io.env, early: io.early });
  try {
    const opened = { ...listed, all: false };
    const { stdout, env } = io;
    const id = await pickSession({ tty, stdout, env, theme: config.theme, workspace, shelf, opened });
    if (id !== undefined) return { id, tty };
  } catch (error) {
    tty.restore();
    throw error;
  }
  tty.restore();
  return undefined;
}

async function chooseByNumber({ io }: Composition, listed: Listed): Promise<Choice | undefined> {
  const ids = idsByNumber(listed.rows);
  io.stdout.write(`${numbered(listed, { now: Date.now() })}\n`);
  for (;;) {
    const typed = await askLine(io.stdin, io.stdout, sessionWords().number);
    if (typed === undefined) return undefined;
    const word = typed.trim();
    const id = word === "" ? ids[0] : /^\d+$/.test(word) ? ids[Number(word) - 1] : undefined;
    if (id !== undefined) return { id };
    io.stdout.write(`${sessionWords().noNumber({ last: ids.length })}\n`);
  }
}
