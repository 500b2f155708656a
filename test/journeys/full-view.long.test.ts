import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const content = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join("");
const isFull = (pty: Pty): boolean => pty.term.buffer.active.type === "alternate";

it("reads what a session changed on the whole screen where it is longer than the terminal, and leaves nothing behind", async () => {
  const place = await openPlace([asks("write_file", { file_path: "b.txt", content }), says("Done.")]);
  const { session } = await place.json(["run", "write it", "--mode", "accept-edits"]);
  const pty = place.chat(["sessions", "show", session, "--diff"], { cols: 60, rows: 20 });
  await pty.waitFor(
    (one) => isFull(one) && one.screen().join("\n").includes(`changed by session ${session} · b.txt +40 −0`),
  );
  pty.key("G");
  await pty.waitFor((one) => one.screen().join("\n").includes("40 + line 40"));
  pty.key("/");
  pty.type("line 12");
  pty.key("enter");
  await pty.waitFor((one) => one.screen().join("\n").includes("finds “line 12” again"));
  const setOff = pty.screen().map((_, row) => pty.cells(row).flatMap(({ text, inverse }) => (inverse ? [text] : [])));
  expect(setOff.filter((row) => row.length > 0).map((row) => row.join(""))).toEqual(["line 12"]);
  pty.key("G");
  await pty.waitFor((one) => one.screen().join("\n").includes("40 + line 40"));
  pty.resize(100, 30);
  await pty.waitFor((one) => one.screen().join("\n").includes("j k space b g G"));
  pty.key("escape");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect({ full: isFull(pty), left: pty.scrollback().join("\n").trim() }).toEqual({ full: false, left: "" });

  const high = place.prints(["sessions", "show", session, "--diff"], { cols: 60, rows: 60 });
  expect(await high.exit).toEqual({ code: 0, signal: 0 });
  expect(high.scrollback().join("\n")).toContain("40 + line 40");
  expect(high.raw()).not.toContain("\x1b[?1049h");
});

it("says beside a grant that is pointed at what it would have decided over the recorded calls, and Esc denies nothing there", async () => {
  const edit = (old_string: string, new_string: string) =>
    asks("edit_file", { file_path: "a.txt", old_string, new_string });
  const place = await openPlace([edit("one", "two"), says("Done."), edit("two", "three"), says("Done again.")], {
    "a.txt": "one\n",
  });
  await place.json(["run", "change it", "--mode", "accept-edits"]);
  const pty = place.chat(["chat", "again"]);
  await pty.waitFor((one) => one.screen().join("\n").includes("❯ n"));
  await readQuestion();
  pty.key("p");
  await pty.waitFor("would have allowed 2 of the recorded calls");
  pty.key("escape");
  await pty.waitFor((one) => one.screen().join("\n").includes("❯ n"));
  pty.key("m");
  await pty.waitFor("sets: mode accept-edits");
  pty.key("enter");
  await pty.waitFor(/✔ Edit file a\.txt .*approved once by you/);
  await pty.waitFor("Done again.");
  await pty.waitFor("accept-edits · ");
  pty.leave();
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

const asFound = (pty: Pty) => {
  const { bracketedPasteMode, sendFocusMode } = pty.term.modes;
  const wheel = pty.raw().lastIndexOf("\x1b[?1007h") > pty.raw().lastIndexOf("\x1b[?1007l");
  return { full: isFull(pty), bracketedPasteMode, sendFocusMode, wheel, cursor: pty.cursor().visible };
};
const restored = { full: false, bracketedPasteMode: false, sendFocusMode: false, wheel: false, cursor: true };

it.each(["SIGTERM", "SIGHUP"] as const)("gives the terminal back when %s ends it in a full view", async (signal) => {
  const place = await openPlace([
    asks("write_file", { file_path: "b.txt", content }),
    says("Done."),
    asks("write_file", { file_path: "c.txt", content }),
  ]);
  const { session } = await place.json(["run", "write it", "--mode", "accept-edits"]);
  const reader = place.chat(["sessions", "show", session, "--diff"], { cols: 60, rows: 20 });
  await reader.waitFor((one) => isFull(one) && one.screen().join("\n").includes("b.txt +40 −0"));
  reader.kill(signal);
  await reader.exit;
  expect(asFound(reader)).toEqual(restored);

  const pty = place.chat(["chat", "another"]);
  await pty.waitFor((one) => one.screen().join("\n").includes("❯ n"));
  await readQuestion();
  pty.key("d");
  await pty.waitFor((one) => isFull(one) && one.screen().join("\n").includes("of 4"));
  pty.kill(signal);
  await pty.exit;
  expect(asFound(pty)).toEqual(restored);
});
