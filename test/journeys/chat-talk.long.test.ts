import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file`);
const paste = Array.from({ length: 60 }, (_, at) => `row ${at + 1} of the paste`).join("\n");

describeInTerminals((terminal) => {
  it.each([
    [100, 30],
    [60, 20],
    [42, 10],
  ])("Ctrl+O shows the whole talk where there are no helpers, with nothing folded, at %d x %d", async (cols, rows) => {
    const place = await openPlace([asks("read_file", { file_path: "long.txt" }), says("It has 200 lines.")], {
      "long.txt": `${lines.join("\n")}\n`,
    });
    const pty = place.chat(["chat", paste], { cols, rows, terminal });
    await pty.waitFor("It has 200 lines.");
    pty.type("a draft");
    pty.key("ctrl-o");
    await shows(pty, /all of it, as of now/u);
    await shows(pty, /It has 200 lines\./u);
    // The result is read as the model was told it, to its first line.
    pty.type("/line 77 of");
    pty.key("enter");
    await shows(pty, /line 77 of the file/u);
    pty.key("home");
    await shows(pty, /row 1 of the paste/u);
    pty.type("/row 41 of the paste");
    pty.key("enter");
    await shows(pty, /row 41 of the paste/u);
    // What opens there decides nothing, and the draft is as it was.
    pty.type("yn");
    pty.key("escape");
    await shows(pty, /❯ a draft/u);
    pty.key("ctrl-o");
    await shows(pty, /all of it, as of now/u);
    pty.key("ctrl-c");
    await shows(pty, /❯ a draft/u);
    pty.key("ctrl-c");
    pty.type("/transcript\r");
    await shows(pty, /all of it, as of now/u);
    pty.type("q");
    await shows(pty, /❯ /u);
    pty.leave();
    expect((await pty.exit).code).toBe(0);
  });
});

it("shows of a change what is recorded, which the chat folds, and what failed in the words that the model was told", async () => {
  const place = await openPlace(
    [
      asks("write_file", { file_path: "new.txt", content: `${lines.slice(0, 60).join("\n")}\n` }),
      asks("read_file", { file_path: "gone.txt" }),
      says("Done."),
    ],
    {},
  );
  const pty = place.chat(["chat", "go", "--mode", "accept-edits"], { cols: 100, rows: 30 });
  await pty.waitFor("Done.");
  pty.type("/talk\r");
  await shows(pty, /all of it, as of now[\s\S]*gone\.txt does not exist[\s\S]*Done\./u);
  pty.type("/line 35 of");
  pty.key("enter");
  await shows(pty, /\+.*line 35 of the file/u);
  pty.key("escape");
  await shows(pty, /accept-edits/u);
  pty.leave();
  expect((await pty.exit).code).toBe(0);
});

it("has nothing to show before the first message", async () => {
  const place = await openPlace([]);
  const pty = place.chat(["chat"], { cols: 60, rows: 20 });
  await pty.waitFor(/ask, or|^> |❯/mu);
  pty.key("ctrl-o");
  await pty.waitFor("nothing was said here yet");
  pty.leave();
  expect((await pty.exit).code).toBe(0);
});
