import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { sessionOf } from "../support/background-jobs.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const size = { cols: 60, rows: 20 };
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));
const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });

/** Says which process the program is, and stays as a person's shell does, which runs what is typed then. */
const shell = `echo "$ before"
sh -c 'echo $$ >"$AGENT_HOME/pid"; exec "$@"' sh "$@"
stty sane
echo "$ it ended with $?"
while read -r line; do eval "$line"; done`;

interface Window {
  pty: Pty;
  /** Ends the chat as nothing can be cleaned up after, and comes back once its shell has the terminal. */
  killed(): Promise<void>;
}

/** A chat in a window whose shell stays: in a terminal of our own, or in tmux. */
function inShell(place: Place, terminal: "xterm.js" | "tmux"): Window {
  const argv = ["chat", "change it"];
  if (terminal === "tmux") {
    const pty = place.tmux(argv, size);
    const killed = async (): Promise<void> => {
      pty.kill("SIGKILL");
      expect(await pty.exit).toEqual({ code: 137, signal: 0 });
    };
    return { pty, killed };
  }
  const args = ["-c", shell, "sh", ...agentCommand, ...argv];
  const pty = openPty({ command: "sh", args, cwd: place.workspace, env: { ...place.env, PAGER: "cat" }, ...size });
  onTestFinished(() => pty.close());
  const killed = async (): Promise<void> => {
    process.kill(Number(readFileSync(`${place.home}/pid`, "utf8")), "SIGKILL");
    await shows(pty, /^\$ it ended/mu);
  };
  return { pty, killed };
}

const typed = (argv: readonly string[]): string =>
  `${[...agentCommand, ...argv].map((word) => `'${word}'`).join(" ")}\r`;

async function asked(place: Place, terminal: "xterm.js" | "tmux"): Promise<Window> {
  const window = inShell(place, terminal);
  await shows(window.pty, /1 \+ two[\s\S]*❯ ?n[\s\S]*esc denies/u);
  await readQuestion();
  return window;
}

/** The talk is drawn once more with its question, on the first screen, and of what the killed one had painted no row is left below or beside it. */
async function goesOn(place: Place, pty: Pty): Promise<void> {
  await pty.waitFor((one) => one.scrollback().filter((row) => row === "❯ change it").length === 2);
  await shows(pty, /❯ change it[\s\S]*1 \+ two[\s\S]*❯ ?n[\s\S]*esc denies/u);
  const rows = pty.scrollback();
  const places = rows.filter((row) => /^openai:|holdfast \d/u.test(row));
  expect(places.filter((row) => !/^(openai:test-model · ~\/work · \S+-[0-9a-f]{4}|holdfast \S+)$/u.test(row))).toEqual(
    [],
  );
  expect([places.length, rows.filter((row) => /❯ ?n /u.test(row)).length, pty.isFull()]).toEqual([4, 1, false]);
  await readQuestion();
  pty.key("y");
  await shows(pty, /● Done at last\.\s+❯ ask, or/u);
  expect(await place.read("a.txt")).toBe("two\n");
  pty.leave();
  await shows(pty, /^agent resume \S+-[0-9a-f]{4}$/mu);
  await pty.waitFor((one) => one.cursor().visible && !one.isFull() && !one.term.modes.bracketedPasteMode);
}

describeInTerminals((terminal) => {
  const byId = ["by its id", []] as const;
  const behindFlag = ["by its id behind a flag, before which nothing is painted", ["-m", "openai:test-model"]] as const;
  it.each(terminal === "tmux" ? [byId] : [byId, behindFlag])(
    "a chat that was killed in a full view goes on below its talk, on the first screen, %s",
    async (_, flags) => {
      const place = await openPlace([edit, says("Done at last.")], { "a.txt": "one\n" });
      const { pty, killed } = await asked(place, terminal);
      pty.key("d");
      await pty.waitFor((one) => one.isFull() && /esc back/u.test(onScreen(one)));
      await killed();
      expect(pty.isFull()).toBe(true);
      pty.type(typed(["resume", ...flags, await sessionOf(place)]));
      await goesOn(place, pty);
    },
  );

  it("a session that is chosen from the list goes on where a killed chat left its rows, and has none of them beside it", async () => {
    const place = await openPlace([says("Old."), edit, says("Done at last.")], { "a.txt": "one\n" });
    await place.run(["run", "an old one"]);
    const { pty, killed } = await asked(place, terminal);
    await killed();
    pty.type(typed(["resume"]));
    await pty.waitFor((one) => one.isFull() && /❯ change it[\s\S]*1 of 2/u.test(onScreen(one)));
    pty.key("enter");
    await goesOn(place, pty);
  });
});
