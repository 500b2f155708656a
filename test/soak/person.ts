import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openPty, type Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import type { AgentProgram, SoakPlace } from "./place.ts";

/** What a person saw of the chat they had beside other processes. */
export interface Talk {
  turns: number;
  /** How often the chat was killed while its question was open, and gone on with. */
  killed: number;
  complaints: string[];
}

const prompt = "ask, or / for commands";
const question = "❯ n";

/**
 * A person at a pseudo-terminal: turn after turn they ask for a file, read the question about it, press y and wait for the answer. Every fourth turn
 * the chat is killed with its question open and gone on with by its id. Each file must be there with the content that was asked about, no
 * earlier than the y, and each answer must stand in the session.
 */
export async function talk(place: SoakPlace, programs: readonly AgentProgram[], until: number): Promise<Talk> {
  const word = "chat";
  const model = await place.askingScript(word, 200);
  const complaints: string[] = [];
  let [turns, killed] = [0, 0];
  const open = (argv: readonly string[]): Pty => {
    const [command, program] = programs[(turns + killed) % programs.length] ?? [process.execPath, ""];
    const size = turns % 2 === 0 ? { cols: 100, rows: 30 } : { cols: 60, rows: 20 };
    return openPty({ command, args: [program, ...argv], cwd: place.workspace, env: place.env, ...size });
  };
  let pty = open(["chat", "-m", model]);
  try {
    await pty.waitFor(onScreen(prompt));
    while (complaints.length === 0 && (turns === 0 || Date.now() < until)) {
      const file = join(place.workspace, "out", `${word}-${turns}.txt`);
      pty.type(`turn ${turns}`);
      await pty.waitFor(onScreen(`turn ${turns}`));
      pty.key("enter");
      await pty.waitFor(onScreen(question));
      if (turns % 4 === 3) {
        pty.kill("SIGKILL");
        await pty.close();
        killed += 1;
        pty = open(["resume", await sessionOf(place, model)]);
        await pty.waitFor(onScreen(question));
      }
      if (existsSync(file)) complaints.push(`turn ${turns}: its file was there before it was approved`);
      await readQuestion();
      pty.key("y");
      await pty.waitFor((one) =>
        [`said ${word} ${turns}.`, prompt].every((text) => one.screen().join("\n").includes(text)),
      );
      if (!existsSync(file) || readFileSync(file, "utf8") !== `${word} ${turns}\n`)
        complaints.push(`turn ${turns}: its file is not as it was approved`);
      turns += 1;
    }
    pty.leave();
    const { code } = await pty.exit;
    if (code !== 0) complaints.push(`the chat ended with ${code}`);
  } catch (error) {
    complaints.push(`turn ${turns}: ${String(error)}`);
  } finally {
    await pty.close();
  }
  const shown = await place.start(["sessions", "show", await sessionOf(place, model)]).done;
  for (let turn = 0; turn < turns; turn += 1) {
    const times = shown.stdout.split("\n").filter((line) => line.includes(`said ${word} ${turn}.`)).length;
    if (times !== 1) complaints.push(`turn ${turn}: its answer stands ${times} times in the session`);
  }
  return { turns, killed, complaints };
}

const onScreen =
  (text: string) =>
  (pty: Pty): boolean =>
    pty.screen().join("\n").includes(text);

/** The id of the one session that talks to this model. */
async function sessionOf(place: SoakPlace, model: string): Promise<string> {
  const { stdout } = await place.start(["sessions", "list", "--json"]).done;
  const listed = stdout.split("\n").filter(Boolean);
  const sessions = listed.map((line) => JSON.parse(line) as { id: string; model: string });
  return sessions.find((one) => one.model === model)?.id ?? "";
}
