import { ToolRefusal } from "../../core/codes.ts";
import type { ImageRef } from "../../core/tool.ts";
import type { ScriptedTurn, ScriptedWords } from "../../model/port.ts";
import type { ResumedSession } from "../../session/open-agent.ts";
import type { Pictures } from "../../session/said.ts";
import type { Session } from "../../session/session.ts";
import type { Composition } from "../composition.ts";
import { findRoot, newestSession } from "../find-session.ts";
import { givenPrompt } from "../given-prompt.ts";
import { jsonPrinter, type Printer, play, type RunState } from "../headless.ts";
import { wantsLines } from "../io.ts";
import { openingNotices } from "../opening-notices.ts";
import { pageOf } from "../print/page.ts";
import { plainPrinter } from "../print/plain-printer.ts";
import { CliProblem } from "../problem.ts";
import { ignoredAnswers, scriptedPerson } from "../scripted-person.ts";
import { checkMode } from "../wide-workspace.ts";
import { beginsDemo, openDemo, refuseDemoIn } from "./demo.ts";

/** All of stdin as text, for `agent run -`. */
async function readStdin(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

type Turns = [ScriptedTurn, ...ScriptedTurn[]];

/** What the person says: the prompt given, else all that the script says, which is played in a new session. */
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
  throw new CliProblem("usage", "the prompt is empty", {
    hint: 'agent run "what to do", or agent run - with the prompt on stdin',
  });
}

/** The session that `--session` or `--continue` names; undefined for a new one. */
async function olderSession(composition: Composition) {
  const { flags } = composition;
  if (flags.session !== undefined) return findRoot(composition, flags.session);
  return flags.continue === true ? newestSession(composition, "to continue") : undefined;
}

export interface OpenedSession {
  session: Session;
  model: string;
  /** An older session, which has perhaps something to go on with. */
  older?: ResumedSession;
}

/** A new session of this run's workspace and model, or the older one that the flags name. */
export async function openSession(
  composition: Composition,
  shown: { mostEntries?: number } = {},
): Promise<OpenedSession> {
  const row = await olderSession(composition);
  const { mode, flags, model, workspace } = composition;
  checkMode(mode, row?.workspace ?? workspace, composition.io.env["HOME"]);
  await composition.addDirs(row?.workspace ?? workspace);
  const agent = await composition.agent();
  if (row === undefined) {
    await composition.local(workspace); // broken settings end it before anything is said
    return { session: agent.start({ workspace, model, mode }), model };
  }
  const goesOnWith = flags.model ?? row.model;
  refuseDemoIn(row, goesOnWith);
  const older = await agent.resume(row, { mode: flags.mode, model: goesOnWith, ...shown });
  return { session: older, model: goesOnWith, older };
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

/** What servers gave for the words stays told as theirs. */
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
  if (beginsDemo(composition)) return runDemo(composition, given);
  const [first, ...further] = await turnsOf(composition, given);
  const { session, model } = await openSession(composition);
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
  const notices = [
    ...(await openingNotices(composition, session, model)),
    ...(await ignoredAnswers(composition, model)),
  ];
  const said = "text" in first ? firstSaid(composition, first, session, { images, isGiven: isArgument(given) }) : first;
  return play(session, composition, await printerOf(composition), () => begin(session, said), answer, notices);
}

/** What stdin or a script says is no command. */
const isArgument = (given: string | undefined): boolean => given !== undefined && given !== "-";

function firstSaid(
  composition: Composition,
  first: Exclude<ScriptedTurn, { undo: unknown }>,
  at: Pick<Session, "id" | "workspace">,
  { images, isGiven }: { images: readonly ImageRef[]; isGiven: boolean },
): BegunTurn {
  const all = [...images, ...(first.images ?? [])];
  return {
    ...first,
    ...(isGiven ? saidBy(composition, first.text, at, all) : { brought: broughtByScript({ ...first, images: all }) }),
  };
}

/**
 * What a prompt says that was given as an argument, and who finds what it brings: one that begins with the name of a file's command stands
 * for what that says.
 * @param images that come with it in any case
 */
export function saidBy(
  composition: Composition,
  prompt: string,
  at: Pick<Session, "id" | "workspace">,
  images: readonly ImageRef[],
): { text: string; brought: Pictures } {
  const { text, isCommand } = givenPrompt(prompt);
  if (!isCommand) return { text, brought: images };
  const brought = async (signal: AbortSignal) => {
    const { broughtBy } = await import("../services/file-commands.ts");
    const { stands } = (await broughtBy(composition, text, at)?.(signal)) ?? {};
    return { images, problems: [], stands };
  };
  return { text, brought };
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
async function runDemo(composition: Composition, given: string | undefined): Promise<number> {
  const { io } = composition;
  const asked = given === undefined ? undefined : await promptOf(io.stdin, given);
  const { session, prompt, announce } = await openDemo(composition);
  const begun = () => session.submit(asked ?? prompt);
  const person = scriptedPerson(composition, session, composition.model);
  const answer = async (heard: RunState) => (await person(heard)) === "answered";
  return play(session, composition, await printerOf(composition), begun, answer, [{ code: "demo", text: announce }]);
}
