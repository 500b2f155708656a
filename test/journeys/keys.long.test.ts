import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { makePng } from "../support/pictures.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows =
  (wanted: string | RegExp) =>
  (pty: Pty): boolean =>
    typeof wanted === "string" ? onScreen(pty).includes(wanted) : wanted.test(onScreen(pty));
const isFull = (pty: Pty): boolean => pty.term.buffer.active.type === "alternate";

/** The next question, read as a person reads it. */
async function question(pty: Pty, wanted: string | RegExp = "❯"): Promise<void> {
  await pty.waitFor((one) => shows(/❯ ?n/)(one) && shows(wanted)(one));
  await readQuestion();
}

/** Once the cursor stands there, counted from where it stood. */
const cursorAt = async (pty: Pty, from: { row: number; col: number }, row: number, col: number): Promise<void> =>
  pty.waitFor((one) => one.cursor().row === from.row + row && one.cursor().col === from.col + col);

describe("the field of an edit", () => {
  const lines = ["first", "second line", "日本語の行", "fourth", ""];

  it.each([
    [100, 30],
    [60, 20],
  ])("goes by its rows at %ix%i, over wide characters too, and writes what was put there", async (cols, rows) => {
    const place = await openPlace([
      asks("write_file", { file_path: "a.txt", content: lines.join("\n") }),
      says("Done."),
    ]);
    const pty = place.chat(["chat", "write it"], { cols, rows });
    await question(pty);
    pty.key("e");
    await pty.waitFor("ctrl+s takes it over");
    await pty.waitFor((one) => one.screen()[one.cursor().row]?.includes("first") === true);
    const from = pty.cursor();
    pty.key("down");
    await cursorAt(pty, from, 1, 0);
    pty.key("end");
    await cursorAt(pty, from, 1, 11);
    pty.key("down"); // the row is 10 cells wide
    await cursorAt(pty, from, 2, 10);
    pty.key("home", "right");
    await cursorAt(pty, from, 2, 2);
    pty.key("down", "up", "up");
    await cursorAt(pty, from, 1, 2);
    pty.key("home", "down", "down");
    await cursorAt(pty, from, 3, 0);
    pty.type("X");
    pty.key("pageup");
    await cursorAt(pty, from, 0, 1);
    pty.type("Y");
    pty.key("pagedown");
    await cursorAt(pty, from, 4, 0);
    pty.type("Z");
    pty.key("ctrl-s");
    await question(pty, rows < 30 ? "was  +first" : "fYirst");
    pty.key(...(rows < 30 ? ["y", "y"] : ["y"])); // not all of it has room there
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe("fYirst\nsecond line\n日本語の行\nXfourth\nZ");
    pty.leave();
  });

  it("goes by the rows that a long line has in the window as it is now, also where it was made smaller meanwhile", async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${String(at).padStart(2, "0")}`).join(" ");
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: words }), says("Done.")]);
    const pty = place.chat(["chat", "write it"]);
    await question(pty);
    pty.key("e");
    await pty.waitFor("ctrl+s takes it over");
    const wordUnder = async (keys: string[]): Promise<void> => {
      const { row } = pty.cursor();
      pty.key(...keys);
      await pty.waitFor((one) => one.cursor().row === row + keys.length);
    };
    await wordUnder(["down"]);
    const second = /(word\d\d)/.exec(pty.screen()[pty.cursor().row] ?? "")?.[1] ?? "?";
    pty.type("<");
    await pty.waitFor(shows(`<${second}`));
    await pty.resized(60, 20);
    await pty.waitFor((one) => one.screen()[one.cursor().row]?.includes("<") === true);
    await wordUnder(["down", "down"]);
    pty.key("home");
    pty.type("A");
    pty.key("ctrl-s");
    await question(pty, "was  +word00");
    pty.key("y", "y"); // not all of it has room there
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe(`A${words.replace(second, `<${second}`)}`);
    pty.leave();
  });

  it("keeps what was written when it is left, through other pages, and the reason of a denial too", async () => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "plain\n" }), says("Done.")]);
    const pty = place.chat(["chat", "write it"]);
    await question(pty);
    pty.key("r");
    await pty.waitFor("why not?");
    pty.type("because of that");
    pty.key("escape");
    await pty.waitFor("your reason is kept: r opens it again");
    pty.key("e");
    await pty.waitFor("ctrl+s takes it over");
    pty.type("not so ");
    await pty.waitFor(shows("not so plain"));
    pty.key("escape");
    await pty.waitFor("your edit is kept: e opens it again");
    pty.key("r");
    await pty.waitFor(shows("why not? because of that"));
    pty.key("escape");
    await pty.waitFor(shows("your reason is kept"));
    pty.key("ctrl-c");
    await pty.waitFor("the call stays waiting");
    pty.key("enter");
    await pty.waitFor(shows(/❯ ?n/));
    pty.key("e");
    await pty.waitFor("this is your edit as you left it");
    pty.key("ctrl-s");
    await question(pty, "not so plain");
    pty.key("y");
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe("not so plain\n");
    pty.leave();
  });
});

const green = makePng(6, 4, { paint: () => [0, 255, 0, 255] });

/** A place whose model sees, with pictures of these names. */
async function withPictures(names: readonly string[], answers: number): Promise<Place> {
  const place = await openPlace(Array.from({ length: answers }, () => says("Seen.")));
  await writeFile(join(place.home, "config.json"), JSON.stringify({ models: { "openai:*": { vision: true } } }));
  for (const name of names) {
    await mkdir(dirname(place.path(name)), { recursive: true });
    await writeFile(place.path(name), green);
  }
  return place;
}

/** Pictures of the newest message, and its text. */
function newest(place: Place): { pictures: number; text: string } {
  const { content } = place.server.requests.at(-1)?.body.messages.at(-1) ?? {};
  const blocks = Array.isArray(content) ? (content as { image_url?: unknown; text?: string }[]) : [];
  return {
    pictures: blocks.filter((one) => one.image_url !== undefined).length,
    text: typeof content === "string" ? content : blocks.map((one) => one.text ?? "").join(""),
  };
}

describe("the menu of @", () => {
  const names = [
    "Screenshot 2026-11-22 at 10.00.00\u202fAM.png",
    "it's (1).png",
    'said "so" twice.png',
    "-rf.png",
    "数\u3000学.png",
    "two\nlines.png",
    'quote"d.png',
  ];

  it.each(["tab", "enter"])("names each picture so that it is sent, whatever its name, by %s", async (key) => {
    const place = await withPictures(names, names.length);
    const pty = place.chat(["chat"], { cols: 100, rows: 30 });
    await pty.waitFor("ask, or / for commands");
    for (const [index, name] of names.entries()) {
      const begun = name.split(/\s/)[0]?.slice(0, 2) ?? "";
      pty.type(`what is @${begun}`);
      await pty.waitFor((one) => one.screen().some((row) => /^ +❯ /.test(row) && row.includes(begun)));
      pty.key(key);
      await pty.waitFor((one) => !one.screen().some((row) => /^ +❯ /.test(row)));
      pty.key("enter");
      await expect.poll(() => place.server.requests.length).toBe(index + 1);
      expect({ name, ...newest(place) }).toMatchObject({ name, pictures: 1 });
      await pty.waitFor(shows("ask, or / for commands"));
    }
    expect(onScreen(pty)).not.toContain("not attached");
    pty.leave();
  });

  it("goes on in a folder whose name has a blank, and what follows the name stays as it was", async () => {
    const place = await withPictures(["my pics/old ones/a b.png", "my pics/c.png", "plain/d e.png"], 2);
    const pty = place.chat(["chat"]);
    await pty.waitFor("ask, or / for commands");
    pty.type("look at  now");
    pty.key("left", "left", "left", "left");
    pty.type("@my");
    await pty.waitFor(shows("❯ my pics/"));
    pty.key("tab");
    await pty.waitFor(shows('look at @"my pics/" now'));
    pty.type("c");
    await pty.waitFor(shows("❯ my pics/c.png"));
    pty.key("tab");
    await pty.waitFor(shows('look at @"my pics/c.png" now'));
    pty.key("ctrl-e");
    pty.type(" and @pl");
    await pty.waitFor(shows("❯ plain/"));
    pty.key("tab");
    await pty.waitFor(shows("❯ plain/"));
    pty.type("d");
    await pty.waitFor(shows("❯ plain/d e.png"));
    pty.key("enter");
    await pty.waitFor(shows('and @"plain/d e.png"'));
    pty.key("enter");
    await expect.poll(() => place.server.requests.length).toBe(1);
    expect(newest(place).pictures).toBe(2);
    expect(newest(place).text).toContain('look at @"my pics/c.png" now and @"plain/d e.png"');
    await pty.waitFor(shows("ask, or / for commands"));
    pty.type('@"my pi');
    await pty.waitFor(shows("❯ my pics/"));
    pty.key("tab");
    await pty.waitFor(shows('@"my pics/"'));
    pty.type("old");
    await pty.waitFor(shows("❯ my pics/old ones/"));
    pty.key("tab");
    pty.type("a");
    await pty.waitFor(shows("❯ my pics/old ones/a b.png"));
    pty.key("tab", "enter");
    await expect.poll(() => place.server.requests.length).toBe(2);
    expect(newest(place)).toMatchObject({ pictures: 1 });
    pty.leave();
  });
});

const long = Array.from({ length: 275 }, (_, at) => `line ${at + 1}\n`).join("");

describe("a question", () => {
  it("is not denied by who walks through its change, in the full view and out of it, and says which keys go", async () => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: long }), says("Done.")]);
    const pty = place.chat(["chat", "write it"]);
    await question(pty);
    pty.key("d");
    await pty.waitFor(isFull);
    for (const key of [
      "G",
      "n",
      "n",
      "p",
      "N",
      "j",
      "k",
      "g",
      "J",
      "J",
      "K",
      "b",
      "space",
      "h",
      "l",
      "h",
      "v",
      "G",
      "n",
    ])
      pty.key(key);
    await pty.waitFor(shows("n and p are keys of the menu: esc goes back there · J K go from change to change"));
    for (const key of ["G", "J", "K", "j", "k", "g", "space", "/", "x", "escape", "escape"]) pty.key(key);
    await pty.waitFor((one) => !isFull(one) && shows(/❯ ?n/)(one));
    for (const key of [
      "j",
      "k",
      "g",
      "G",
      "J",
      "K",
      "b",
      "space",
      "h",
      "v",
      "/",
      "[",
      "down",
      "up",
      "home",
      "end",
      "]",
    ])
      pty.key(key);
    await pty.waitFor(shows("“]” is no choice here"));
    expect(place.server.requests).toHaveLength(1);
    pty.key("y", "y");
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe(long);
    pty.leave();
  });

  it.each([
    [100, 30],
    [60, 20],
  ])("names at %ix%i the lines that were not shown, and space goes there until all of it was", async (cols, rows) => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: long }), says("Done.")]);
    const pty = place.chat(["chat", "write it"], { cols, rows });
    await question(pty);
    pty.key("d");
    await pty.waitFor((one) => isFull(one) && shows(/1-\d+ of 27\d/)(one));
    const [, shown = "", total = ""] = /1-(\d+) of (\d+)/.exec(onScreen(pty)) ?? [];
    pty.key("G");
    await pty.waitFor(shows(`${total} (end)`));
    pty.key("y");
    const last = Number(total) - Number(shown);
    await pty.waitFor(shows(`lines ${Number(shown) + 1}-${last} not shown: space goes there`));
    pty.key("space");
    await pty.waitFor(shows(`${Number(shown) + 1}-${2 * Number(shown)} of ${total}`));
    expect(place.has("a.txt")).toBe(false);
    for (let top = -1; !shows("read: y yes")(pty) && !shows("read to its end: y yes")(pty); ) {
      const now = Number(/(\d+)-\d+ of/.exec(onScreen(pty))?.[1] ?? total);
      if (now !== top) pty.key("space");
      top = now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    pty.key("y");
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe(long);
    pty.leave();
  });

  it("is left by Esc a page at a time, and by an Esc that is held down or pressed at once again not denied", async () => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: long }), says("Done.")]);
    const pty = place.chat(["chat", "write it"]);
    await question(pty);
    const whyPage = shows("as in the menu · esc goes back");
    pty.key("?");
    await pty.waitFor(whyPage);
    pty.key("d");
    await pty.waitFor(isFull);
    pty.key("escape");
    await pty.waitFor((one) => !isFull(one) && whyPage(one));
    pty.key("escape");
    await pty.waitFor(shows(/❯ ?n/));
    pty.key("escape");
    await pty.waitFor(shows("nothing is denied"));
    // Held down: the first repeats late, the others fast.
    for (const key of ["?", "d", "?", "r"]) pty.key(key);
    await pty.waitFor("why not?");
    for (let repeat = 0; repeat < 20; repeat += 1) {
      pty.key("escape");
      await new Promise((resolve) => setTimeout(resolve, repeat === 0 ? 600 : 60));
    }
    await pty.waitFor(shows("nothing is denied"));
    expect(place.server.requests).toHaveLength(1);
    await readQuestion();
    pty.key("escape");
    await pty.waitFor("Done.");
    expect(place.heard(-1, -1)).toMatch(/^Not run: denied by the person/);
    expect(place.has("a.txt")).toBe(false);
    pty.leave();
  });

  it("that was put off is brought back by Enter, and not answered by one that is held down", async () => {
    const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "x\n" }), says("Done.")]);
    const pty = place.chat(["chat", "write it"]);
    await question(pty);
    pty.key("down", "up"); // from here on it is answered at once
    await readQuestion();
    pty.key("ctrl-c");
    await pty.waitFor("the call stays waiting");
    pty.key("enter", "enter");
    await pty.waitFor(shows(/❯ ?n/));
    pty.key("enter", "enter");
    await pty.waitFor(shows("nothing is decided: enter went here just now"));
    expect(place.server.requests).toHaveLength(1);
    pty.key("y");
    await pty.waitFor("Done.");
    expect(await place.read("a.txt")).toBe("x\n");
    pty.leave();
  });
});
