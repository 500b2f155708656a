import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "../../graph/events.ts";
import type { Composition, DemoParts } from "../composition.ts";
import { jsonPrinter, type Printer, play } from "../headless.ts";
import type { Io } from "../io.ts";
import { clean, settledLine, waitingText } from "../print/plain-printer.ts";
import { scriptedPerson } from "../scripted-person.ts";

/** A fresh copy of the demo's small project, in a folder of its own. @returns its real path. */
export async function scratchProject(files: Record<string, string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-demo-")));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** The first line of every demo. */
export const demoLine = (workspace: string): string =>
  `This is a scripted demo, on a copy of a small project in ${workspace}`;

/** What one event of the tour looks like as plain text; undefined where it is not shown. */
function tourText(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "user_message":
      return `\n❯ ${event.text}   (scripted person)\n`;
    case "tool_call":
      return "toolName" in event.call && event.call.times.settled !== undefined ? settledLine(event.call) : undefined;
    case "approval_requested":
      return event.calls.map(waitingText).join("\n");
    case "decision": {
      if (event.by !== "person") return undefined;
      const reason = event.reason === undefined ? "" : `: ${event.reason}`;
      return `❯ ${event.decision}${reason}   (scripted person)\n`;
    }
    case "error":
      return `error: ${event.message}`;
    default:
      return undefined;
  }
}

/** The whole tour as plain text on stdout, the scripted person included and labelled as such. */
function tourPrinter(io: Io): Printer {
  let fresh = true;
  const print = (text: string) => {
    io.stdout.write(clean(text));
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
export async function playTour(composition: Composition, demo: DemoParts): Promise<number> {
  const { io, mode } = composition;
  const workspace = await scratchProject(demo.files);
  const session = (await composition.agent()).start({ workspace, model: "demo", mode });
  const json = composition.flags.json === true;
  if (!json) io.stdout.write(`${demoLine(workspace)}\n`);
  const code = await play(
    session,
    io,
    json ? jsonPrinter(io) : tourPrinter(io),
    () => session.submit(demo.prompt),
    scriptedPerson(composition, session),
  );
  // A denied call is part of the tour.
  return code === 10 ? 0 : code;
}
