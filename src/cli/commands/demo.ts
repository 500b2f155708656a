import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "../../graph/events.ts";
import { parseModelSpec } from "../../model/spec.ts";
import type { Session } from "../../session/session.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { demoTour } from "../../words/en/demo-tour.ts";
import { starting } from "../../words/en/starting.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { jsonPrinter, type Printer, play } from "../headless.ts";
import type { Io } from "../io.ts";
import { settledLine, waitingText } from "../print/plain-printer.ts";
import { scriptedPerson } from "../scripted-person.ts";
import { sessionServices } from "../services/open-services.ts";
import type { SessionServices } from "../services/session-services.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** A fresh copy of the demo's small project, in a folder of its own. @returns its real path. */
async function scratchProject(files: Record<string, string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-demo-")));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** The first line of every demo. */
const demoLine = (workspace: string): string => starting().demo({ workspace });

/** A session in which the tour can be played: in a folder of its own, never in the person's. */
export interface DemoSession {
  session: Session;
  /** The first message of the person, unless they say something else. */
  prompt: string;
  /** Says that it is scripted, and where it works. */
  announce: string;
}

/** Tells whether this run begins a tour: the demo is its model, and no older session is named. */
export const beginsDemo = ({ model, flags }: Pick<Composition, "model" | "flags">): boolean =>
  parseModelSpec(model)?.kind === "demo" && flags.session === undefined && flags.continue !== true;

export async function openDemo(
  { mode }: Pick<Composition, "mode">,
  { sessions }: Pick<SessionServices, "sessions">,
): Promise<DemoSession> {
  const { demoProject } = await import("../../model/demo-project.ts");
  const workspace = await scratchProject(demoProject());
  const session = await sessions.begin({ workspace, model: "demo", mode });
  return { session, prompt: demoTour().prompt, announce: demoLine(workspace) };
}

/** Returns one event of the tour as plain text; undefined where it is not shown. */
function tourText(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "user_message":
      return `\n${cellWords().scriptedPerson({ said: `❯ ${event.text}` })}\n`;
    case "tool_call":
      return "toolName" in event.call && event.call.times.settled !== undefined ? settledLine(event.call) : undefined;
    case "approval_requested":
      return event.calls.map((call) => waitingText(event.session, call)).join("\n");
    case "decision": {
      if (event.by !== "script") return undefined;
      const reason = event.reason === undefined ? "" : `: ${event.reason}`;
      return `${cellWords().scriptedPerson({ said: `❯ ${event.decision}${reason}` })}\n`;
    }
    case "error":
      return cellWords().error({ message: saidAgain(event.message) });
    default:
      return undefined;
  }
}

/** The whole tour as plain text on stdout, the scripted person included and labelled as such. */
function tourPrinter(io: Io): Printer {
  let fresh = true;
  const print = (text: string) => {
    io.stdout.write(cleanText(text));
    fresh = text.endsWith("\n");
  };
  return {
    print(event) {
      if (event.type === "text_delta") return print(event.text);
      const text = tourText(event);
      if (text !== undefined || (event.type === "turn_ended" && !fresh)) print(`${fresh ? "" : "\n"}${text ?? ""}`);
      if (text !== undefined) print("\n");
    },
  };
}

/** `agent chat --model demo` without a terminal: plays the tour, the person's answers too. @returns 0 when it played whole. */
export async function playTour(composition: Composition): Promise<number> {
  const { io } = composition;
  const { session, prompt, announce } = await openDemo(composition, sessionServices(composition));
  const json = composition.flags.json === true;
  const person = scriptedPerson(composition, session, composition.model);
  if (!json) io.stdout.write(`${announce}\n`);
  const code = await play(
    session,
    composition,
    json ? jsonPrinter(io) : tourPrinter(io),
    () => session.submit(prompt),
    async (heard) => (await person(heard)) === "answered",
    json ? [{ code: "demo", text: announce }] : [],
  );
  // A denied call is part of the tour.
  return code === 10 ? 0 : code;
}
