import { resolve } from "node:path";
import { loadApart, PartGone } from "../../core/load-apart.ts";
import { waitForAll } from "../../core/wait-for-all.ts";
import { ModelFailure } from "../../model/port.ts";
import type { Session } from "../../session/session.ts";
import { parts } from "../../words/en/parts.ts";
import { type Composition, compose } from "../composition.ts";
import { logDefect } from "../defects.ts";
import type { Flags } from "../flags.ts";
import { mentionOf } from "../image-names.ts";
import { wantsLines } from "../io.ts";
import { previewsOf } from "../previews.ts";
import { CliProblem } from "../problem.ts";
import { sessionServices } from "../services/open-services.ts";
import type { SessionServices } from "../services/session-services.ts";
import { welcomeOf } from "../services/welcome-of.ts";
import { catchSignals, signalCodes } from "../signals.ts";
import { blankScreen } from "../terminal/first-paint.ts";
import { loadEngine } from "../terminal/highlight.ts";
import { openTty, type Tty } from "../terminal/tty.ts";
import { type ChatOptions, redrawnEntries } from "../ui/chat/chat-options.ts";
import { beginsDemo, openDemo } from "./demo.ts";
import { sendEarly } from "./early-message.ts";
import { sessionOfFlags } from "./run.ts";

export interface ChatRequest {
  prompt: string | undefined;
  /** Go on with an older session: by id, or the newest of the workspace. */
  resume?: { id: string | undefined; takeOver: boolean };
  /** The text in the input of a new chat. */
  draft?: string | undefined;
}

interface Opened {
  session: Session;
  model: string;
  /** Nothing was said in it yet, and nothing is to be. */
  isNew?: boolean;
  announce?: string;
  firstPrompt?: string;
  draft?: string;
}

/** By then the screen is drawn; the person is still reading or typing. */
const afterFirstFrameMs = 150;

/** The chat on a screen, for `agent chat` and `agent resume`. @returns the exit code. */
export async function chatAtTerminal(composition: Composition, request: ChatRequest): Promise<number> {
  const { resume, prompt } = request;
  composition.person.isThere = true;
  if (resume === undefined || resume.id !== undefined || prompt !== undefined) return talk(composition, request);
  const choice = await (await import("./session-choice.ts")).chooseSession(composition);
  if (choice === undefined) return 0;
  try {
    return await talk(composition, { ...request, resume: { ...resume, id: choice.id } }, choice.tty);
  } catch (error) {
    choice.tty?.restore();
    throw error;
  }
}

/** @param taken the terminal, where it was taken already */
async function talk(composition: Composition, request: ChatRequest, taken?: Tty): Promise<number> {
  const { io, flags } = composition;
  const services = sessionServices(composition);
  const found = await open(composition, services, request).catch((error: unknown) => missingKey(error, request, flags));
  if (found instanceof ModelFailure) return talkWithout(composition, request, found);
  const opened = withImages(composition, found);
  const { session, model } = opened;
  const { early } = io;
  const unused = await services.folder.notices(session, model, "/trust");
  const announced = [...(opened.announce === undefined ? [] : [opened.announce]), ...unused.map(({ text }) => text)];
  const typed = isAtServer(opened) && !wantsLines(io.env) ? early?.takeLine() : undefined;
  const tty = taken ?? openTty({ stdin: io.stdin, stdout: io.stdout, env: io.env, early });
  const leaving = new AbortController();
  const leave = (): void => {
    composition.leave();
    leaving.abort();
  };
  const signals = catchSignals(io.stdout, leave, signalCodes.SIGHUP);
  const begun =
    typed === undefined
      ? undefined
      : await sendEarly(session, typed, services.folder.picturesOf({ text: typed }, session));
  const isGreeted = opened.isNew === true && typed === undefined;
  const [{ runChat }, welcome] = await Promise.all([
    loadScreen(composition, tty),
    isGreeted ? welcomeOf(composition, services, session.workspace) : undefined,
  ]);
  const options: ChatOptions = {
    session,
    services,
    tty,
    stdout: io.stdout,
    env: io.env,
    version: composition.version(),
    model,
    mode: session.mode,
    theme: composition.config.theme,
    historyFile: composition.places.history,
    leaving: leaving.signal,
    reportDefect: (error) => logDefect(composition.places.logs, error),
    previews: previewsOf(composition, leaving.signal),
    notify: composition.config.notify,
    statusLine: composition.config.statusLine,
    sideColumn: composition.config.sideColumn,
    ...(welcome === undefined ? {} : { welcome }),
    ...(begun === undefined ? {} : { begun }),
    ...(announced.length === 0 ? {} : { announce: announced.join("\n") }),
    ...wordsOf(opened),
  };
  setTimeout(() => void warmUp().catch(() => undefined), afterFirstFrameMs).unref();
  const { exitCode } = await runChat(options);
  leaving.abort();
  signals.release();
  return signals.came() ?? exitCode;
}

/** A new chat can begin otherwise where a key is missing and nothing else is wrong. */
function missingKey(error: unknown, { resume }: ChatRequest, { session, continue: goesOn }: Flags): ModelFailure {
  const isNew = resume === undefined && session === undefined && goesOn !== true;
  if (isNew && error instanceof ModelFailure && error.kind === "credentials") return error;
  throw error;
}

/** The chat with what the person chose in the place of a model without its key; what they typed meanwhile stands in the input. */
async function talkWithout(composition: Composition, request: ChatRequest, lacking: ModelFailure): Promise<number> {
  const { stdin, stdout, stderr, env, early } = composition.io;
  early?.restore();
  const typed = Buffer.concat((early?.take() ?? []).map(({ bytes }) => bytes));
  const start = await (await import("./key-choice.ts")).chooseStart(composition, lacking);
  if (start === undefined) throw lacking;
  const io = { stdin, stdout, stderr, env: { ...env, ...start.env }, cwd: () => composition.io.cwd() };
  const other = await compose(io, { ...composition.flags, model: start.model });
  try {
    other.person.isThere = true;
    return await talk(other, beginsDemo(other) ? { prompt: undefined } : { ...request, draft: draftIn(typed) });
  } finally {
    other.close();
  }
}

/** Returns the text that was typed before there was anything to type at, without its last Enter; undefined where keys are among it. */
function draftIn(typed: Buffer): string | undefined {
  const text = typed.toString("utf8").replaceAll("\r", "\n").trim();
  return text === "" || /[^\n\P{C}]/u.test(text) ? undefined : text;
}

/** Loads the part that draws, the heaviest of the chat; the painted prompt stands until then. */
async function loadScreen({ io }: Composition, tty: Tty) {
  try {
    const screen = await loadApart(parts().screen, () => import("../ui/chat/run-chat.tsx"));
    await loadEngine().catch(() => undefined); // code without colours is still code
    return screen;
  } catch (error) {
    tty.restore();
    throw error instanceof PartGone ? new CliProblem("failed", error.message, { cause: error }) : error;
  } finally {
    if (io.early !== undefined) io.stdout.write(io.early.erase);
    else if (!wantsLines(io.env)) io.stdout.write(blankScreen(io.env));
  }
}

/** Loads the modules that the first message will need, while nobody waits for it. */
const warmUp = () => Promise.all([import("../../session/open-session.ts"), import("../../model/chat-completions.ts")]);

async function open(composition: Composition, services: SessionServices, request: ChatRequest): Promise<Opened> {
  const { prompt, resume } = request;
  const asked = prompt === undefined ? {} : { firstPrompt: prompt };
  const shown = { mostEntries: redrawnEntries, goesOn: prompt === undefined };
  if (resume !== undefined) {
    return { ...(await services.sessions.open(resume.id, { takeOver: resume.takeOver, ...shown })), ...asked };
  }
  if (beginsDemo(composition)) return openTour(composition, services, prompt);
  // A missing key and a broken rule are said before the person has typed a long message.
  const { workspace, mode } = composition;
  await waitForAll(
    composition.openModel(composition.model),
    composition.policy({ session: composition.flags.session ?? "", workspace, mode }),
  );
  const { isNew, ...opened } = await sessionOfFlags(composition, services, shown);
  const { draft } = request;
  return { ...opened, isNew: isNew && prompt === undefined, ...asked, ...(draft === undefined ? {} : { draft }) };
}

/** Tells whether text that is typed before there is a screen can go to the model at once. Where pictures stand in the input, it belongs to them. */
const isAtServer = ({ isNew, model, draft }: Opened): boolean =>
  isNew === true && draft === undefined && model.trim().startsWith("openai:");

const wordsOf = ({ firstPrompt, draft }: Opened): Pick<ChatOptions, "firstPrompt" | "draft"> => ({
  ...(firstPrompt === undefined ? {} : { firstPrompt }),
  ...(draft === undefined ? {} : { draft }),
});

/** The pictures of `-i` are named in the first message as they would be typed, or stand in the input. */
function withImages({ flags, io }: Composition, opened: Opened): Opened {
  const { image = [] } = flags;
  if (image.length === 0) return opened;
  const named = image.map((file) => mentionOf(resolve(io.cwd(), file))).join(" ");
  const { firstPrompt } = opened;
  return firstPrompt === undefined
    ? { ...opened, draft: `${named} ${opened.draft ?? ""}` }
    : { ...opened, firstPrompt: `${firstPrompt} ${named}` };
}

async function openTour(
  composition: Composition,
  services: SessionServices,
  prompt: string | undefined,
): Promise<Opened> {
  const demo = await openDemo(composition, services);
  return { session: demo.session, model: "demo", announce: demo.announce, firstPrompt: prompt ?? demo.prompt };
}
