import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "../../graph/events.ts";
import type { Composition, DemoParts } from "../composition.ts";
import { jsonPrinter, type Printer, play } from "../headless.ts";
import type { Io } from "../io.ts";
import { clean, settledLine, waitingText } from "../plain-printer.ts";
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

/** The whole tour as plain text on stdout, the scripted person included and labelled as such. */
function tourPrinter(io: Io): Printer {
  let fresh = true;
  const say = (text: string) => {
    io.stdout.write(`${fresh ? "" : "\n"}${clean(text)}\n`);
    fresh = true;
  };
  return {
    print(event: AgentEvent) {
      switch (event.type) {
        case "user_message":
          say(`\n❯ ${event.text}   (scripted person)\n`);
          break;
        case "text_delta":
          io.stdout.write(clean(event.text));
          fresh = event.text.endsWith("\n");
          break;
        case "tool_call":
          if ("toolName" in event.call && event.call.times.settled !== undefined) say(settledLine(event.call));
          break;
        case "approval_requested":
          for (const call of event.calls) say(waitingText(call));
          break;
        case "decision":
          if (event.by === "person") {
            const reason = event.reason === undefined ? "" : `: ${event.reason}`;
            say(`❯ ${event.decision}${reason}   (scripted person)\n`);
          }
          break;
        case "error":
          say(`error: ${event.message}`);
          break;
        case "turn_ended":
          if (!fresh) io.stdout.write("\n");
          fresh = true;
          break;
        default:
      }
    },
  };
}

/** `agent chat --model demo` without a terminal: plays the tour, the person's answers too. @returns 0 when it played whole. */
export async function playTour(composition: Composition, demo: DemoParts): Promise<number> {
  const { io, mode } = composition;
  const workspace = await scratchProject(demo.files);
  const session = (await composition.agent()).start({ workspace, model: "demo", mode });
  const json = composition.flags.json === true;
  if (!json) io.stdout.write(`${demo.notice}\nIt works on a copy of a small project in ${workspace}.\n`);
  const code = await play(session, io, json ? jsonPrinter(io) : tourPrinter(io), () => session.submit(demo.prompt), scriptedPerson(composition, session));
  // A denied call is part of the tour.
  return code === 10 ? 0 : code;
}
