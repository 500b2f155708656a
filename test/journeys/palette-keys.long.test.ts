import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";
import { answersIn } from "../support/talks.ts";

const prompt = /❯ ask, or/u;
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

/** The key beside the entry in this row: what it does is dim, and the key behind it is not. */
function keyIn(pty: Pty, row: number): string {
  const cells = pty.cells(row);
  const end = cells.findLastIndex(({ dim, text }) => dim && text !== " ");
  const behind = cells.slice(end + 1).map(({ text }) => text);
  return end < 0 ? "" : behind.join("").trim();
}

/** The entries of the palette that show a key, by their names. */
const keysShown = (pty: Pty): Record<string, string> =>
  Object.fromEntries(
    pty.screen().flatMap((text, row) => {
      const name = /^[❯ ] (\/\S+) /u.exec(text)?.[1];
      const key = keyIn(pty, row);
      return name === undefined || key === "" ? [] : [[name, key]];
    }),
  );

/** Presses a key as the palette says it: `esc esc`, `shift+tab`. */
const press = (pty: Pty, said: string): void =>
  pty.key(...said.split(" ").map((one) => one.replace("+", "-").replace(/^esc$/u, "escape")));

/** What each command comes to, and what is pressed to be back at the prompt. */
const effects: Readonly<Record<string, { shows: RegExp; back?: readonly string[]; write?: string }>> = {
  "/mode": { shows: /^accept-edits · /mu },
  "/background": { shows: /nothing runs that can go on in the background/u },
  "/agents": { shows: /^1 helper\n/u, back: ["escape"] },
  "/rewind": { shows: /go on from an earlier message/u, back: ["escape"] },
  "/run": { write: "echo said by $((40 + 2))", shows: /^ *said by 42 *$/mu },
};

describeInTerminals((terminal) => {
  it("each key that the palette shows beside a command does what it says", async () => {
    const answer = answersIn({
      go: [asks("agent", { task: "look at a" }), says("All done.")],
      "look at a": [says("a is fine.")],
    });
    const place = await openPlace([answer, answer, answer], { "a.txt": "one\n" });
    // All of the commands are on the screen.
    const pty = place.chat(["chat", "go"], { cols: 120, rows: 60, terminal });
    await pty.waitFor("All done.");
    await shows(pty, prompt);
    pty.key("ctrl-p");
    // Its last row is painted last.
    await pty.waitFor((one) => one.isFull() && /^❯ \/help[\s\S]*\/exit [\s\S]*esc back/mu.test(onScreen(one)));
    const keys = keysShown(pty);
    pty.key("escape");
    await shows(pty, prompt);
    expect(Object.keys(keys).toSorted()).toEqual([...Object.keys(effects), "/exit"].toSorted());
    for (const [name, { shows: wanted, back = [], write }] of Object.entries(effects)) {
      expect(onScreen(pty)).not.toMatch(wanted);
      press(pty, keys[name] ?? "");
      if (write !== undefined) {
        pty.type(write);
        pty.key("enter");
      }
      await shows(pty, wanted);
      pty.key(...back);
      await pty.waitFor((one) => !one.isFull() && prompt.test(onScreen(one)));
    }
    press(pty, keys["/exit"] ?? "");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  });
});
