import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { endMarked, freeRun, sleep } from "../support/background-jobs.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTmux } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";
import { lastBlock, readQuestion } from "../support/read-question.ts";
import { processesOf } from "../support/under-way.ts";

const sizes = [
  { cols: 100, rows: 30 },
  { cols: 60, rows: 20 },
  { cols: 42, rows: 10 },
];

const prompt = /❯ ask, or/u;
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

/** Types it as a person does, at the prompt. */
async function say(pty: Pty, text: string): Promise<void> {
  await shows(pty, prompt);
  pty.type(text);
  await pty.waitFor(`❯ ${text}`);
  pty.key("enter");
}

describeInTmux("a chat in tmux (needs tmux)", () => {
  it.each(sizes)("takes tmux's paste, shows its work, and hands on what was said, at $cols x $rows", async (size) => {
    let goOn = (): void => undefined;
    const toldToGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const place = await openPlace([
      async () => {
        await toldToGoOn;
        return says("It has twelve rows.");
      },
      says("Thrice said."),
    ]);
    const pty = place.tmux(["chat"], size);
    pty.tmux("set", "-g", "set-clipboard", "on");
    await shows(pty, prompt);
    const rows = Array.from({ length: 12 }, (_, at) => `row ${at + 1} of it`).join("\n");
    pty.tmux("set-buffer", rows);
    pty.tmux("paste-buffer", "-p");
    await shows(pty, /❯ \[pasted 12 lines\]/u);
    pty.type("how many?");
    pty.key("enter");
    await expect.poll(() => place.server.requests.length).toBe(1);
    expect(place.heard(0, -1)).toContain(rows);
    expect(place.heard(0, -1)).toContain("how many?");
    await shows(pty, /how many\?[\s\S]*esc stops/u);
    // While it works all of the talk can be read.
    pty.key("ctrl-o");
    await pty.waitFor((one) => one.isFull() && /all of it, as of now/u.test(onScreen(one)));
    await shows(pty, /row \d+ of it/u);
    pty.key("escape");
    await pty.waitFor((one) => !one.isFull() && /esc stops/u.test(onScreen(one)));
    goOn();
    await pty.waitFor("It has twelve rows.");

    await say(pty, "/copy");
    await pty.waitFor(() => pty.tmux("show-buffer") === "It has twelve rows.");
    await say(pty, "/export talk.md");
    await expect.poll(() => place.has("talk.md")).toBe(true);
    expect(await readFile(place.path("talk.md"), "utf8")).toContain("It has twelve rows.");
    await shows(pty, prompt);
    pty.type("a draft");
    await pty.waitFor("❯ a draft");
    pty.key("ctrl-c");
    await shows(pty, prompt);
    // Both come within the time that tmux waits for the rest of a key.
    pty.key("escape", "escape");
    await shows(pty, /go on from an earlier message/u);
    pty.key("escape");
    await shows(pty, prompt);
    pty.leave();
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    await pty.waitFor((one) => !one.isFull() && one.cursor().visible);
  });

  it.each(sizes)("lists what runs, and ends it, at $cols x $rows", async (size) => {
    const mark = sleep(4_400 + size.cols);
    onTestFinished(() => endMarked(mark));
    const command = `echo listening; ${mark}`;
    const place = await openPlace([asks("shell", { command, background: true }), says("Serving."), says("I see.")]);
    const pty = place.tmux(["chat", ...freeRun, "serve"], size);
    await pty.waitFor("Serving.");
    await shows(pty, /● 1 job/u);
    await say(pty, "/jobs");
    await shows(pty, /1 background job, 1 running\n❯ c1 /u);
    pty.key("enter");
    await shows(pty, /^listening$/mu);
    pty.key("escape");
    await shows(pty, /❯ c1 /u);
    pty.type("x");
    await shows(pty, /end it\? y ends it/u);
    pty.type("y");
    await pty.waitFor(() => processesOf(mark) === 0);
    await shows(pty, prompt);
    await pty.waitFor((one) => !onScreen(one).includes("● 1 job"));
    pty.leave();
    expect((await pty.exit).code).toBe(0);
  });

  it.each(sizes)("keeps a grant, which its list takes back, and lists the models, at $cols x $rows", async (size) => {
    const place = await openPlace(
      [asks("shell", { command: "touch a" }), says("Made.")],
      {},
      { models: ["one", "two"] },
    );
    const pty = place.tmux(["chat", "make it"], size);
    await shows(pty, /❯ ?n/u);
    await readQuestion();
    pty.key("s");
    await shows(pty, /enter confirms/u);
    pty.key("enter");
    if (size.rows === 10) {
      await shows(pty, /enter again approves/u);
      pty.key("enter");
    }
    await pty.waitFor("Made.");
    await say(pty, "/permissions");
    await shows(pty, /^❯ allow {2}shell/mu);
    pty.key("x");
    await shows(pty, /revoke it\?/u);
    pty.key("y");
    await shows(pty, /is revoked/u);
    expect((await place.run(["policy", "list"])).stdout).toContain("no rules or grants");
    pty.key("escape");
    await say(pty, "/model");
    await shows(pty, /^❯ openai:/mu);
    pty.type("two");
    await shows(pty, /^❯ openai:two/mu);
    pty.key("enter");
    await pty.waitFor("the model is now openai:two");
    pty.leave();
    expect((await pty.exit).code).toBe(0);
  });

  it("has a column beside it in a wide window, its status below, and both sides of a change", async () => {
    const edit = (file_path: string) => ({
      name: "edit_file",
      arguments: { file_path, old_string: "one", new_string: "two" },
    });
    const place = await openPlace(
      [
        { calls: [edit("a.txt")] },
        says("First."),
        { calls: [edit("b.txt"), edit("c.txt")] },
        says("All."),
        says("More."),
      ],
      { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" },
    );
    const pty = place.tmux(["chat", "--mode", "accept-edits"], { cols: 160, rows: 50 });
    await say(pty, "change the first");
    await pty.waitFor("First.");
    await shows(pty, /│ 1 file changed \+1 −1\n.*│ a\.txt \+1 −1/u);
    await shows(pty, /^accept-edits · ~\/work · openai:test-model · 0 % of 128k · ↑22 ↓14/mu);
    pty.key("shift-tab", "shift-tab", "shift-tab");
    await shows(pty, /^ask · /mu);
    await say(pty, "change the others");
    await shows(pty, /❯ ?n/u);
    await readQuestion();
    pty.key("d");
    await pty.waitFor((one) => one.isFull());
    pty.key("v");
    await shows(pty, /1 - one +.*1 \+ two/u);
    pty.key("escape");
    await shows(pty, /❯ ?n/u);
    // Where the window becomes narrower the column goes: what is left is the question's own rows, and once.
    await pty.resized(100, 30);
    await pty.waitFor((one) => one.screen().length === 30 && lastBlock(one).every((row) => /^▌[^│]*$/u.test(row)));
    expect(onScreen(pty)).not.toContain("│ 1 file changed");
    expect(onScreen(pty).match(/❯ ?n /gu)).toHaveLength(1);
    // And comes back with it, beside the question and not over it.
    await pty.resized(160, 50);
    await pty.waitFor((one) => one.screen().length === 50 && /❯ ?n .*│ [\s\S]*esc denies .*│/u.test(onScreen(one)));
    await shows(pty, /│ 1 file changed \+1 −1/u);
    await readQuestion();
    pty.key("y");
    await shows(pty, /Edit file c\.txt[\s\S]*❯ ?n /u);
    await readQuestion();
    pty.key("n");
    await pty.waitFor("All.");
    await shows(pty, /● All\.[\s\S]*│ 2 files changed \+2 −2[\s\S]*❯ ask, or/u);
    expect(await place.read("b.txt")).toBe("two\n");
    expect([await place.read("c.txt"), onScreen(pty).match(/❯ ?n /gu)]).toEqual(["one\n", null]);
    pty.leave();
    expect((await pty.exit).code).toBe(0);
  });
});
