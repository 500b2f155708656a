import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const prompt = "ask, or / for commands";
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));
const edit = (from: string, to: string) => asks("edit_file", { file_path: "a.txt", old_string: from, new_string: to });

/** Two messages, each of which changed the file; a session that is resumed is in the mode ask. */
async function talked(): Promise<{ place: Place; id: string }> {
  const place = await openPlace(
    [edit("one", "two"), says("Now two."), edit("two", "three"), says("Now three."), says("Gone on.")],
    {
      "a.txt": "one\n",
    },
  );
  const { session: id } = await place.json(["run", "make it two", "--mode", "accept-edits"]);
  await place.json(["run", "make it three", "--session", id, "--mode", "accept-edits"]);
  return { place, id };
}

async function reopened(place: Place, id: string): Promise<Pty> {
  const pty = place.chat(["resume", id], { cols: 60, rows: 20 });
  await pty.waitFor("Now three.");
  await shows(pty, new RegExp(prompt));
  return pty;
}

/** By Esc Esc to the newest message, and to the question about the files that were changed since. */
async function goBack(pty: Pty): Promise<void> {
  pty.key("escape");
  await shows(pty, /esc again goes on from an earlier message/);
  pty.key("escape");
  await shows(pty, /make it two +1 file since\n❯ make it three +1 file since/);
  pty.key("enter");
  await shows(pty, /to be taken back:\n {2}a\.txt[\s\S]*❯ u +talk and files/);
  await readQuestion(); // the Enter that led here chooses nothing when it is held down
  pty.key("enter");
  await question(pty);
}

async function question(pty: Pty): Promise<void> {
  await shows(pty, /undo_changes[\s\S]*❯ n/);
  await readQuestion();
}

const forkOf = (pty: Pty): string => /session (\S+); the one before/.exec(pty.scrollback().join(" "))?.[1] ?? "";

it("by esc esc the talk goes on before a message: its changes are taken back once approved, the message is in the input", async () => {
  const { place, id } = await talked();
  const pty = await reopened(place, id);
  await goBack(pty);
  expect(await place.read("a.txt")).toBe("three\n");
  pty.key("y");
  await shows(pty, /❯ make it three/);
  expect(await place.read("a.txt")).toBe("two\n");
  expect(forkOf(pty)).not.toBe(id);
  pty.type(", please");
  pty.key("enter");
  await pty.waitFor("Gone on.");
  const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "user");
  expect(said?.map(({ content }) => content)).toEqual(["make it two", "make it three, please"]);
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
  expect((await place.run(["sessions", "show", id])).stdout).toContain("make it three");
});

it("a denied undo leaves files and talk as they are; the talk alone goes back without a question", async () => {
  const { place, id } = await talked();
  const pty = await reopened(place, id);
  await goBack(pty);
  pty.key("n");
  await shows(pty, new RegExp(prompt));
  expect([await place.read("a.txt"), forkOf(pty)]).toEqual(["three\n", ""]);
  pty.key("escape", "escape");
  await shows(pty, /❯ make it three/);
  pty.key("enter");
  await shows(pty, /❯ u +talk and files/);
  pty.key("t");
  await pty.waitFor("the one before is saved");
  await shows(pty, /❯ make it three/);
  expect(await place.read("a.txt")).toBe("three\n");
  pty.key("ctrl-c", "ctrl-d");
  expect((await pty.exit).code).toBe(0);
});

it("after kill -9 at its question the undo is asked about again, and the talk goes on from there", async () => {
  const { place, id } = await talked();
  const killed = await reopened(place, id);
  await goBack(killed);
  killed.kill("SIGKILL");
  await killed.exit;
  expect(await place.read("a.txt")).toBe("three\n");
  const pty = place.chat(["resume", id], { cols: 60, rows: 20 });
  await question(pty);
  pty.key("y");
  await shows(pty, /❯ make it three/);
  expect(await place.read("a.txt")).toBe("two\n");
  pty.key("ctrl-c", "ctrl-d");
  expect((await pty.exit).code).toBe(0);
});
