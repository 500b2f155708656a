import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { sessionOf } from "../support/background-jobs.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTmux } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import type { TmuxPty } from "../support/tmux.ts";

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));
const prompt = /❯ ask, or/u;
const edit = (from: string, to: string) => asks("edit_file", { file_path: "a.txt", old_string: from, new_string: to });

/** Ends the chat as nothing can be cleaned up after, and goes on with this session in the same window. */
async function killedAndResumed(pty: TmuxPty, session: string): Promise<void> {
  pty.kill("SIGKILL");
  await pty.exit;
  pty.type(`clear; ${[...agentCommand, "resume", session].map((word) => `'${word}'`).join(" ")}\r`);
}

describeInTmux("sessions in tmux (needs tmux)", () => {
  it.each([
    { cols: 60, rows: 20, other: [42, 10] },
    { cols: 42, rows: 10, other: [60, 20] },
  ] as const)(
    "are chosen in a window that changes, gone on with, and exported as a page, from $cols x $rows",
    async (at) => {
      const { other, ...size } = at;
      const place = await openPlace([edit("one", "two"), says("Hello."), says("Then not.")], { "a.txt": "one\n" });
      await place.run(["run", "change the file"]);
      await place.run(["run", "say hello"]);
      const pty = place.tmux(["resume"], size);
      await pty.waitFor(
        (one) => one.isFull() && /sessions of ~\/work · 2[\s\S]*❯ change the file/u.test(onScreen(one)),
      );
      pty.key("g");
      await shows(pty, /❯ say hello[\s\S]*1 of 2$/u);
      pty.key("j");
      await shows(pty, /❯ change the file[\s\S]*2 of 2$/u);
      pty.key("/");
      pty.type("hello");
      await shows(pty, /1 of 2 · with hello\n❯ say hello/u);
      const [cols, rows] = other;
      await pty.resized(cols, rows);
      // The head stays in the first row and the field in the last one: what tmux only cut or moved is not so.
      await pty.waitFor((one) => {
        const screen = one.screen();
        return screen.length === rows && /1 of 2 · with hello$/u.test(screen[0] ?? "") && screen.at(-1) === "/hello";
      });
      expect(onScreen(pty).match(/❯/gu)).toHaveLength(1);
      pty.key("ctrl-u");
      pty.type("change");
      await shows(pty, /1 of 2 · with change\n❯ change the file/u);
      pty.key("enter");
      await pty.waitFor((one) => !one.isFull() && /1 \+ two[\s\S]*❯ ?n /u.test(onScreen(one)));
      await readQuestion();
      pty.key("n");
      await shows(pty, /● Then not\.\s+❯ ask, or/u);
      pty.type("/export talk.html");
      await pty.waitFor("❯ /export talk.html");
      pty.key("enter");
      await expect.poll(() => place.has("talk.html")).toBe(true);
      await pty.waitFor(/the\s+file\s+before\s+you\s+give\s+it\s+away/u);
      const page = await readFile(place.path("talk.html"), "utf8");
      expect(page).toMatch(
        /^<!doctype html>[\s\S]*change the file[\s\S]*a\.txt[\s\S]*denied[\s\S]*Then not\.[\s\S]*<\/html>\s*$/iu,
      );
      expect(page).not.toContain("<script");
      pty.leave();
      expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    },
  );

  it("are gone back in to a message beyond the list, and the files with it, over kill -9 at the question", async () => {
    const talk = Array.from({ length: 9 }, (_, at) => says(`Heard ${at + 1}.`));
    const changes = [edit("one", "two"), says("Now two."), edit("two", "three"), says("Now three.")];
    const place = await openPlace([changes, talk].flat(), { "a.txt": "one\n" });
    const { session } = await place.json(["run", "make it two", "--mode", "accept-edits"]);
    const said = ["make it three", ...talk.map((_, at) => `message ${at + 1}`)];
    for (const text of said) await place.run(["run", text, "--session", session, "--mode", "accept-edits"]);
    const pty = place.tmux(["resume", session], { cols: 42, rows: 10 });
    await shows(pty, /● Heard 9\.\s+❯ ask, or/u);
    pty.key("escape", "escape");
    await pty.waitFor((one) => one.isFull() && /❯ message 9[\s\S]*11 of 11$/u.test(onScreen(one)));
    expect(onScreen(pty)).not.toContain("make it");
    pty.key("g");
    await shows(pty, /❯ make it two[\s\S]*1 of 11$/u);
    pty.key("j");
    await shows(pty, /❯ make it three[\s\S]*2 of 11$/u);
    pty.key("enter");
    await shows(pty, /a\.txt[\s\S]*❯ u +talk and files/u);
    await readQuestion();
    pty.key("u");
    await pty.waitFor((one) => !one.isFull() && /undo_changes[\s\S]*❯ ?n /u.test(onScreen(one)));
    await killedAndResumed(pty, session);
    await shows(pty, /undo_changes[\s\S]*❯ ?n /u);
    expect(await place.read("a.txt")).toBe("three\n");
    await readQuestion();
    pty.key("y");
    await shows(pty, /❯ make it three/u);
    expect(await place.read("a.txt")).toBe("two\n");
    pty.key("ctrl-c");
    await shows(pty, prompt);
    pty.leave();
    await shows(pty, /^agent resume \S+-[0-9a-f]{4}$/mu);
  });

  it("count on after kill -9 behind 8 of 25 approvals, and say what was decided", async () => {
    const calls = Array.from({ length: 25 }, (_, at) => ({
      name: "write_file",
      arguments: { file_path: `f${at + 1}.txt`, content: "x\n" },
    }));
    const place = await openPlace([{ calls }, says("All written.")]);
    const pty = place.tmux(["chat", "write them"], { cols: 60, rows: 20 });
    const asked = async (number: number): Promise<void> => {
      await shows(pty, new RegExp(`\\[${number}\\][\\s\\S]*❯ n `, "u"));
      await readQuestion();
    };
    for (let number = 1; number <= 8; number += 1) {
      await asked(number);
      pty.key("y");
    }
    await asked(9);
    await killedAndResumed(pty, await sessionOf(place));
    await pty.waitFor("of 25 calls you have decided: 8 approved · 17 to go");
    await asked(9);
    expect(onScreen(pty)).toMatch(/8✔ \[9\] .*25$/mu);
    pty.leave();
    await shows(pty, /^agent resume \S+-[0-9a-f]{4}$/mu);
    expect([place.has("f1.txt"), place.server.requests.length]).toEqual([false, 1]);
  });
});
