import type { ResumedSession } from "../../graph/agent.ts";
import type { Session } from "../../graph/session.ts";
import type { Composition } from "../composition.ts";
import { logDefect } from "../defects.ts";
import { catchSignals, signalCodes } from "../signals.ts";
import { openTty } from "../terminal/tty.ts";
import { type ChatOptions, runChat } from "../ui/chat-app.tsx";
import { demoLine, scratchProject } from "./demo.ts";
import { reopen } from "./resume.ts";
import { openSession } from "./run.ts";

export interface ChatRequest {
  prompt: string | undefined;
  /** Go on with an older session: by id, or the newest of the workspace. */
  resume?: { id: string | undefined; takeOver: boolean };
}

interface Opened {
  session: Session;
  model: string;
  announce?: string;
  firstPrompt?: string;
}

/** By then the screen is drawn; the person is still reading or typing. */
const afterFirstFrameMs = 150;

/** The chat on a screen, for `agent chat` and `agent resume`. @returns the exit code. */
export async function chatAtTerminal(composition: Composition, request: ChatRequest): Promise<number> {
  const { io } = composition;
  const opened = await open(composition, request);
  const agent = await composition.agent();
  const { session, model } = opened;
  const { early } = io;
  if (early !== undefined) io.stdout.write(early.erase);
  const tty = openTty({ stdin: io.stdin, stdout: io.stdout, env: io.env, early });
  const leaving = new AbortController();
  const signals = catchSignals(io.stdout, () => leaving.abort(), signalCodes.SIGHUP);
  const options: ChatOptions = {
    session,
    tty,
    stdout: io.stdout,
    env: io.env,
    version: composition.version(),
    model,
    workspace: session.workspace,
    mode: composition.mode,
    historyFile: composition.places.history,
    leaving: leaving.signal,
    reportDefect: (error) => logDefect(composition.places.logs, error),
    newSession: async () =>
      agent.start({ workspace: session.workspace, model: composition.model, mode: composition.mode }),
    openSession: async (id) => goOn((await reopen(composition, id, false)).session),
    listSessions: async () => (await composition.store()).sessions.list({ workspace: session.workspace }),
    listFiles: (prefix) => composition.completeFile(session.workspace, prefix),
    sessionDiff: async (id) => (await composition.sessionDiff(id)).map(({ diff }) => diff).join(""),
    ...(opened.announce === undefined ? {} : { announce: opened.announce }),
    ...(opened.firstPrompt === undefined ? {} : { firstPrompt: opened.firstPrompt }),
  };
  setTimeout(() => void composition.warmUp().catch(() => undefined), afterFirstFrameMs).unref();
  const { exitCode } = await runChat(options);
  signals.release();
  return signals.came() ?? exitCode;
}

/** What was left goes on by itself while the screen shows it. */
function goOn(session: ResumedSession): Session {
  void session.proceed().catch(() => undefined);
  return session;
}

async function open(composition: Composition, { prompt, resume }: ChatRequest): Promise<Opened> {
  const asked = prompt === undefined ? {} : { firstPrompt: prompt };
  if (resume !== undefined) {
    const { session, model } = await reopen(composition, resume.id, resume.takeOver);
    if (prompt === undefined) goOn(session);
    return { session, model, ...asked };
  }
  if (composition.model === "demo") return openDemo(composition, prompt);
  // A missing key and a broken rule are said before the person has typed a long message.
  const { workspace, mode } = composition;
  await Promise.all([
    composition.openModel(composition.model),
    composition.policy({ session: composition.flags.session ?? "", workspace, mode }),
  ]);
  const { session, model, older } = await openSession(composition);
  if (older !== undefined && prompt === undefined) goOn(older);
  return { session, model, ...asked };
}

async function openDemo(composition: Composition, prompt: string | undefined): Promise<Opened> {
  const demo = await composition.demo();
  const workspace = await scratchProject(demo.files);
  const session = (await composition.agent()).start({ workspace, model: "demo", mode: composition.mode });
  return { session, model: "demo", announce: demoLine(workspace), firstPrompt: prompt ?? demo.prompt };
}
