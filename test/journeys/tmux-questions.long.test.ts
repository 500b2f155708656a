import { expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { sessionOf } from "../support/background-jobs.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTmux } from "../support/needs.ts";
import { type Pty, whole } from "../support/pty.ts";
import { lastBlock, readQuestion } from "../support/read-question.ts";

const sizes = [
  { cols: 100, rows: 30, other: [60, 20] },
  { cols: 60, rows: 20, other: [42, 10] },
  { cols: 42, rows: 10, other: [100, 30] },
] as const;

const content = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`).join("");
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

/** The menu of the question, and the change above it. */
async function question(pty: Pty, change: RegExp): Promise<void> {
  await shows(pty, new RegExp(`${change.source}[\\s\\S]*❯ ?n`, "u"));
  await readQuestion();
}

/** Waits until a screen that is another one than this stands there whole. */
async function settled(pty: Pty, last: string): Promise<string> {
  await pty.waitFor((one) => onScreen(one) !== last);
  await whole(pty);
  return onScreen(pty);
}

/** Goes to the rows that were not shown yet, a screen by one key, until all were. */
async function readToTheEnd(pty: Pty): Promise<void> {
  let now = await settled(pty, "");
  while (!/read( to its end)?: y yes/u.test(now)) {
    pty.key("space");
    now = await settled(pty, now);
  }
}

/** The full view fills a window of this height: a terminal that only cuts what stood there, or has more rows, leaves its head or its foot elsewhere. */
const fills = (pty: Pty, rows: number): boolean => {
  const screen = pty.screen();
  const [head = "", foot = ""] = [screen[0], screen.at(-1)];
  return screen.length === rows && /a\.txt/u.test(head) && /of 61$|61 \(end\)$/u.test(foot);
};

describeInTmux("a question in tmux (needs tmux)", () => {
  it.each(sizes)("is read whole through a resize, and then answered, at $cols x $rows", async ({ other, ...size }) => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content }), says("Done.")]);
    const pty = place.tmux(["chat", "write it"], size);
    await question(pty, /1 \+ line 1/u);
    pty.key("z");
    await shows(pty, /“z” is no choice here/u);
    pty.key("?");
    await shows(pty, /risk: medium[\s\S]*as in the menu · esc goes back/u);
    pty.key("escape");
    await shows(pty, /1 \+ line 1[\s\S]*❯ ?n/u);
    pty.key("d");
    await pty.waitFor((one) => one.isFull() && /1-\d+ of 61/u.test(onScreen(one)));
    pty.key("G");
    await shows(pty, /60 \+ line 60[\s\S]*61 \(end\)/u);
    await pty.resized(other[0], other[1]);
    await pty.waitFor((one) => fills(one, other[1]));
    pty.key("y");
    await shows(pty, /lines \d+-\d+ not shown/u);
    expect(place.has("a.txt")).toBe(false);
    await readToTheEnd(pty);
    await readQuestion();
    pty.key("y");
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe(content);
    expect(pty.isFull()).toBe(false);
    // Nothing of the view is left on the screen, and the chat goes on below what was said.
    await shows(pty, /● Done\.\s+❯ ask, or/u);
    expect(onScreen(pty)).not.toMatch(/not shown|❯ ?n /u);
    pty.leave();
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  });

  it.each(sizes)("waits for who detaches, and for who looks at what was before it, at $cols x $rows", async (at) => {
    const { other, ...size } = at;
    const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
    const place = await openPlace([edit, says("Then not.")], { "a.txt": "one\n" });
    const pty = place.tmux(["chat", "change it"], size);
    await question(pty, /1 \+ two/u);
    // The keys of copy mode are tmux's.
    pty.prefix("[");
    await pty.waitFor(() => pty.tmux("display-message", "-p", "#{pane_in_mode}") === "1\n");
    pty.key("y", "enter");
    pty.tmux("send-keys", "-X", "history-top");
    await shows(pty, /holdfast \d/u);
    pty.prefix("[");
    pty.key("y", "q");
    await pty.waitFor(() => pty.tmux("display-message", "-p", "#{pane_in_mode}") === "0\n");
    await shows(pty, /1 \+ two[\s\S]*❯ ?n/u);
    // Ctrl+B is tmux's prefix; pressed twice it is a key of the program's, where it decides nothing.
    pty.prefix("ctrl-b");
    pty.key("z");
    await shows(pty, /“z” is no choice here/u);
    // The next key takes the note away, for which a low window gives up a row of the change.
    pty.key("?");
    await shows(pty, /as in the menu · esc goes back/u);
    pty.key("escape");
    await pty.waitFor((one) => !/no choice here|esc goes back/u.test(onScreen(one)));
    const [cols, rows] = other;
    await pty.reattached(cols, rows);
    await pty.waitFor((one) => one.screen().length === rows && lastBlock(one).some((row) => /❯ ?n/u.test(row)));
    await question(pty, /1 \+ two/u);
    expect(onScreen(pty).match(/❯ ?n/gu)).toHaveLength(1);
    expect([place.server.requests.length, await place.read("a.txt")]).toEqual([1, "one\n"]);
    pty.key("n");
    await pty.waitFor("Then not.");
    expect(place.heard(-1, -1)).toMatch(/^Not run: denied by the person/u);
    expect(await place.read("a.txt")).toBe("one\n");
    pty.leave();
    expect((await pty.exit).code).toBe(0);
  });

  it.each(sizes)(
    "is asked again where the chat was killed and gone on with in its window, at $cols x $rows",
    async (at) => {
      const { cols, rows } = at;
      const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
      const place = await openPlace([edit, says("Done at last.")], { "a.txt": "one\n" });
      const pty = place.tmux(["chat", "change it"], { cols, rows });
      await question(pty, /1 \+ two/u);
      // Where a full view was left the terminal keeps that place, which is not that of what begins later.
      pty.key("d");
      await pty.waitFor((one) => one.isFull() && /esc back/u.test(onScreen(one)));
      pty.key("escape");
      await pty.waitFor((one) => !one.isFull() && /❯ ?n[\s\S]*esc denies/u.test(onScreen(one)));
      pty.kill("SIGKILL");
      expect(await pty.exit).toEqual({ code: 137, signal: 0 });
      const words = [...agentCommand, "resume", await sessionOf(place)];
      pty.type(`${words.map((word) => `'${word}'`).join(" ")}\r`);
      // The question of the killed one stands there until the talk is drawn once more.
      await pty.waitFor((one) => one.scrollback().filter((row) => row === "❯ change it").length === 2);
      await question(pty, /1 \+ two/u);
      // It begins below what the shell has said meanwhile.
      expect(pty.scrollback().filter((row) => /^Killed/u.test(row))).toHaveLength(1);
      expect(await place.read("a.txt")).toBe("one\n");
      pty.key("y");
      await pty.waitFor("Done at last.");
      await shows(pty, /● Done at last\.\s+❯ ask, or/u);
      // Nothing of what the killed one had painted is left, neither below nor beside what came.
      expect(onScreen(pty)).not.toMatch(/❯ ?n /u);
      const places = pty.scrollback().filter((row) => row.startsWith("openai:"));
      expect(places.filter((row) => !/^openai:test-model · ~\/work ·( \S+-[0-9a-f]{4})?$/u.test(row))).toEqual([]);
      expect(await place.read("a.txt")).toBe("two\n");
      pty.leave();
      await shows(pty, /agent resume \S+-[0-9a-f]{4}/u);
      await pty.waitFor((one) => one.cursor().visible && !one.term.modes.bracketedPasteMode);
    },
  );
});
