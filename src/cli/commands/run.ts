import { ToolRefusal } from "../../core/codes.ts";
import type { ImageRef } from "../../core/tool.ts";
import type { ScriptedTurn, ScriptedWords } from "../../model/port.ts";
import type { Pictures } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import { starting } from "../../words/en/starting.ts";
import type { Composition } from "../composition.ts";
import { givenPrompt } from "../given-prompt.ts";
import { jsonPrinter, type Printer, play, type RunState } from "../headless.ts";
import { wantsLines } from "../io.ts";
import { pageOf } from "../print/page.ts";
import { plainPrinter } from "../print/plain-printer.ts";
import { CliProblem } from "../problem.ts";
import { ignoredAnswers, scriptedPerson } from "../scripted-person.ts";
import { sessionServices } from "../services/open-services.ts";
import type { FolderFacts, Opening, SessionServices } from "../services/session-services.ts";
import { beginsDemo, openDemo } from "./demo.ts";

/** All of stdin as text, for `agent run -`. */
async function readStdin(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

type Turns = [ScriptedTurn, ...ScriptedTurn[]];

/** Finds the person's messages: the prompt given, else all that the script says, which is played in a new session. */
async function turnsOf(composition: Composition, given: string | undefined): Promise<Turns> {
  const { flags, io, model } = composition;
  const older = flags.session !== undefined || flags.continue === true;
  if (given === undefined && !older && model.startsWith("script:")) {
    const [first, ...more] = (await composition.openModel(model)).turns ?? [];
    if (first !== undefined) return [first, ...more];
  }
  return [{ text: await promptOf(io.stdin, given ?? "") }];
}

async function promptOf(stdin: NodeJS.ReadStream, given: string): Promise<string> {
  const text = given === "-" ? await readStdin(stdin) : given;
  if (text.trim() !== "") return text;
  throw new CliProblem("usage", starting().emptyPrompt, { hint: starting().emptyPromptHint });
}

/** The session that the flags name, or a new one of this run's workspace and model. */
export async function sessionOfFlags(
  { flags, workspace, model, mode }: Pick<Composition, "flags" | "workspace" | "model" | "mode">,
  { sessions }: Pick<SessionServices, "sessions">,
  how: Opening = {},
): Promise<{ session: Session; model: string; isNew: boolean }> {
  if (flags.session === undefined && flags.continue !== true)
    return { session: await sessions.begin({ workspace, model, mode }), model, isNew: true };
  return { ...(await sessions.open(flags.session, { toDo: starting().toContinue, ...how })), isNew: false };
}

/** For people a change is drawn in the theme where stderr is a terminal that shows more than plain lines. */
export async function printerOf({ flags, io, config }: Composition): Promise<Printer> {
  if (flags.json === true) return jsonPrinter(io);
  if (io.stderr.isTTY !== true || wantsLines(io.env)) return plainPrinter(io);
  const { changeDrawing } = await import("../print/change-rows.ts");
  return plainPrinter(io, await changeDrawing(pageOf({ stdout: io.stderr, env: io.env }, config.theme)));
}

/** A turn of a script, or one with somebody who finds what comes with it. */
type BegunTurn = ScriptedTurn | (Exclude<ScriptedTurn, { undo: unknown }> & { brought: Pictures });

async function begin(session: Session, turn: BegunTurn): Promise<void> {
  if ("text" in turn) {
    await session.submit(turn.text, "brought" in turn ? turn.brought : broughtByScript(turn)).catch(refusedPictures);
    for (const steer of turn.steers ?? [])
      await session.steer(steer.text, broughtByScript(steer)).catch(refusedPictures);
    return;
  }
  const outcome = await session.undo({ calls: turn.undo });
  if (!outcome.ok) throw new CliProblem("failed", outcome.message);
}

/** Returns all that a script brings with its words; a text that servers gave for them stays marked as theirs. */
function broughtByScript({ images = [], served }: ScriptedWords): Pictures {
  if (served === undefined) return images;
  return () => Promise.resolve({ images, problems: [], stands: { text: served, calls: [], isServed: true } });
}

/** A script's pictures may be none, or too many. */
function refusedPictures(error: unknown): never {
  if (error instanceof ToolRefusal) throw new CliProblem("failed", error.message, { cause: error });
  throw error;
}

/**
 * `agent run`: one message, no person; when something must be asked it stops, saved. A script's further turns follow, each
 * when nothing runs and the script has no answer to what waits. @returns the exit code.
 */
export async function runOnce(composition: Composition, given: string | undefined): Promise<number> {
  const services = sessionServices(composition);
  if (beginsDemo(composition)) return runDemo(composition, services, given);
  const [first, ...further] = await turnsOf(composition, given);
  const { session, model } = await sessionOfFlags(composition, services);
  const images = await imagesOf(composition, session);
  const person = scriptedPerson(composition, session, model);
  const answer = async (heard: RunState): Promise<boolean> => {
    const said = await person(heard);
    // What the script may not answer waits for a person: no further turn gives it up.
    if (said !== "nothing") return said === "answered";
    const next = further.shift();
    if (next !== undefined) await begin(session, next);
    return next !== undefined;
  };
  const notices = [...(await services.folder.notices(session, model)), ...(await ignoredAnswers(composition, model))];
  const said =
    "text" in first ? firstSaid(services.folder, first, session, { images, isGiven: isArgument(given) }) : first;
  return play(session, composition, await printerOf(composition), () => begin(session, said), answer, notices);
}

/** Tells whether the prompt was given as an argument: the text of stdin or of a script is no command. */
const isArgument = (given: string | undefined): boolean => given !== undefined && given !== "-";

function firstSaid(
  folder: FolderFacts,
  first: Exclude<ScriptedTurn, { undo: unknown }>,
  at: Pick<Session, "id" | "workspace">,
  { images, isGiven }: { images: readonly ImageRef[]; isGiven: boolean },
): BegunTurn {
  const all = [...images, ...(first.images ?? [])];
  return {
    ...first,
    ...(isGiven ? saidBy(folder, first.text, at, all) : { brought: broughtByScript({ ...first, images: all }) }),
  };
}

/**
 * Returns the message of a prompt that was given as an argument, and the finder of all that it brings: one that begins with the name of a
 * file's command stands for that command's text.
 * @param images that come with it in any case
 */
export function saidBy(
  folder: Pick<FolderFacts, "picturesOf">,
  prompt: string,
  at: Pick<Session, "id" | "workspace">,
  images: readonly ImageRef[],
): { text: string; brought: Pictures } {
  const { text, isCommand } = givenPrompt(prompt);
  const found = isCommand ? folder.picturesOf({ text, isCommand }, at) : undefined;
  if (found === undefined) return { text, brought: images };
  return { text, brought: async (signal) => ({ images, problems: [], stands: (await found(signal)).stands }) };
}

/** The pictures of `-i`. @throws CliProblem for one that is none; the session is closed then. */
export async function imagesOf(composition: Composition, session: Session): Promise<ImageRef[]> {
  const { image = [] } = composition.flags;
  if (image.length === 0) return [];
  const { flagImages } = await import("../attached-images.ts");
  try {
    return await flagImages(composition, image, session.workspace);
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The demo answers its own questions, in a project of its own: nothing of the workspace is read or changed. */
async function runDemo(
  composition: Composition,
  services: SessionServices,
  given: string | undefined,
): Promise<number> {
  const { io } = composition;
  const asked = given === undefined ? undefined : await promptOf(io.stdin, given);
  const { session, prompt, announce } = await openDemo(composition, services);
  const begun = () => session.submit(asked ?? prompt);
  const person = scriptedPerson(composition, session, composition.model);
  const answer = async (heard: RunState) => (await person(heard)) === "answered";
  return play(session, composition, await printerOf(composition), begun, answer, [{ code: "demo", text: announce }]);
}
