import { expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { popupLines } from "../../../../src/cli/ui/composer/composer-lines.ts";
import {
  type Composer,
  type ComposerEffect,
  composerKey,
  draftOf,
  newComposer,
  withFiles,
  withMessages,
  withTakenBack,
} from "../../../../src/cli/ui/composer/composer-state.ts";

const plain = { name: "char", ctrl: false, alt: false, shift: false } as const;
const ctrl = (text: string): Key => ({ ...plain, text, ctrl: true });
const named = (name: Key["name"], more: Partial<Key> = {}): Key => ({ ...plain, name, ...more });
const letters = (text: string): Key[] => [...text].map((letter) => ({ ...plain, text: letter }));

function press(composer: Composer, keys: readonly Key[], running = false) {
  const effects: ComposerEffect[] = [];
  const last = keys.reduce((before, key) => {
    const { composer: next, effect } = composerKey(before, key, 80, running);
    if (effect !== undefined) effects.push(effect);
    return next;
  }, composer);
  return { composer: last, effects };
}

const below = (composer: Composer, columns = 100, rows = 20): string[] =>
  popupLines(composer, { columns, rows }).map((row) => plainText(row).trimEnd());

const history = ["fix the tests", "add a README", "fix the readme's links"];

it("shows the keys for ? on an empty line, and lets the next key do what it does", () => {
  const shown = press(newComposer([]), letters("?")).composer;
  expect(draftOf(shown)).toBe("");
  expect(below(shown)[0]).toBe("  enter               send; while the agent works: tell it at its next step");
  expect(below(press(shown, letters("a")).composer)).toEqual([]);
  expect(draftOf(press(shown, letters("a?")).composer)).toBe("a?");
  expect(draftOf(press(shown, letters("?")).composer)).toBe("?");
});

it("shows as many keys as there are rows, and says where the others are", () => {
  const shown = press(newComposer([]), letters("?")).composer;
  expect(below(shown, 42, 4)).toHaveLength(4);
  expect(below(shown, 42, 4).at(-1)).toBe("  … /help has them all");
});

it("offers commands with what they do, by name, by other name and by what they are for", () => {
  const offered = (typed: string) => below(press(newComposer([]), letters(typed)).composer);
  expect(offered("/mod")).toEqual([
    "  ❯ /model        show or change the model",
    "    /mode         show or change the mode: ask, accept-edits, read-only, plan",
    "    /permissions  the mode, and the rules and grants in force",
    "    /context      what takes the room of the model's context",
    "    /init         ask the model to write AGENTS.md",
  ]);
  expect(offered("/quit")[0]).toMatch(/^ {2}❯ \/exit/);
  expect(offered("/changed")).toEqual(["  ❯ /diff  all that this session changed"]);
  expect(offered("/zzz")).toEqual([]);
});

it("searches earlier messages for words in any order, and takes the found one into the input", () => {
  const opened = press(newComposer(history), [...letters("half a draft"), ctrl("r")]);
  expect(opened.effects).toEqual([{ do: "recall" }]);
  const known = withMessages(opened.composer, history.toReversed());
  const found = press(known, letters("readme fix")).composer;
  expect(below(found)).toEqual([
    "  earlier messages with: readme fix  1 of 1",
    "    fix the readme's links",
    "  ctrl+r older · enter takes it into the input · esc goes back",
  ]);
  expect(draftOf(press(found, [named("enter")]).composer)).toBe("fix the readme's links");
  expect(draftOf(press(found, [named("escape")]).composer)).toBe("half a draft");
});

it("goes from the newest found message to older ones and back, and takes none where none fits", () => {
  const known = withMessages(press(newComposer([]), [ctrl("r")]).composer, history.toReversed());
  const at = (keys: Key[]) => below(press(known, keys).composer)[1];
  expect(
    [[], [ctrl("r")], [named("up"), named("up")], [ctrl("r"), ctrl("r"), ctrl("r"), named("down")]].map((keys) =>
      at(keys),
    ),
  ).toEqual(["    fix the readme's links", "    add a README", "    fix the tests", "    add a README"]);
  const none = press(known, [...letters("nowhere"), named("enter")]);
  expect(none.effects).toEqual([]);
  expect(below(none.composer)[0]).toBe("  earlier messages with: nowhere  none");
});

it("draws a found message without what would steer the terminal", () => {
  const known = withMessages(press(newComposer([]), [ctrl("r")]).composer, ["a\u001b[2Jb\nc"]);
  expect(below(known)[1]).toBe("    a␛[2Jb ↵ c");
});

it("tells the agent at its next step by enter, and after the turn by alt+enter; at rest alt+enter is a new line", () => {
  const draft = press(newComposer([]), letters("stop that")).composer;
  const altEnter = named("enter", { alt: true });
  expect(press(draft, [named("enter")], true).effects).toEqual([{ do: "submit", text: "stop that", later: false }]);
  expect(press(draft, [altEnter], true).effects).toEqual([{ do: "submit", text: "stop that", later: true }]);
  const rested = press(draft, [altEnter], false);
  expect({ effects: rested.effects, draft: draftOf(rested.composer) }).toEqual({ effects: [], draft: "stop that\n" });
});

it("sends a paste whole, and writes it out in the input by tab", () => {
  const text = Array.from({ length: 1500 }, (_, index) => `line ${index}`).join("\n");
  const pasted = press(newComposer([]), [...letters("look: "), named("paste", { text })]).composer;
  expect(draftOf(pasted)).toBe("look: [pasted 1,500 lines]");
  const sent = { do: "submit", text: `look: ${text}`, written: "look: \ufffc", later: false };
  expect(press(pasted, [named("enter")]).effects).toEqual([sent]);
  const written = press(pasted, [named("tab")]).composer;
  expect(draftOf(written)).toBe(`look: ${text}`);
  expect(press(written, [named("tab")]).composer.buffer.text).toBe(`look: ${text}`);
  expect(press(written, [named("enter")]).effects).toEqual([sent]);
});

it("tells what the person wrote from what was pasted, with the blanks at its ends; one without a name in it is as typed", () => {
  const sent = (...keys: Parameters<typeof press>[1]) =>
    press(newComposer([]), [...keys, named("enter")]).effects.at(-1);
  const paste = (text: string) => named("paste", { text });
  expect(sent(...letters("see "), paste("the @hub:x there "), ...letters("@hub:y"))).toMatchObject({
    written: "see \ufffc @hub:y",
  });
  expect(sent(paste("plain"), ...letters(" @hub:y"))).not.toHaveProperty("written");
  expect(sent(...letters("@hub:"), paste("note://x"))).not.toHaveProperty("written");
});

it("knows what was pasted where a part of it is taken out, and where one paste stands in another", () => {
  const sent = (...keys: Parameters<typeof press>[1]) =>
    press(newComposer([]), [...keys, named("enter")]).effects.at(-1);
  const paste = (text: string) => named("paste", { text });
  expect(sent(paste("see @hub:x\n"), named("backspace"))).toMatchObject({ written: "\ufffc" });
  const both = sent(paste("@hub:a"), ...letters(" "), paste("see @hub:a and @hub:b"));
  expect(both).toMatchObject({ written: "\ufffc \ufffc" });
});

it.each([
  ["short", "see @hub:x there"],
  ["long", `@hub:x\n${"a line\n".repeat(12)}`],
])(
  "knows what was pasted, a %s one, where it comes back: taken back, by arrow, by search and as what was cut",
  (_, text) => {
    const sent = press(newComposer([]), [...letters("@hub:own "), named("paste", { text }), named("enter")]);
    const message = sent.effects.find((one) => one.do === "submit");
    const found = withMessages(press(sent.composer, [ctrl("r")]).composer, [message?.text ?? ""]);
    const cut = press(newComposer([]), [named("paste", { text }), ctrl("a"), ctrl("u"), ctrl("e"), ctrl("u")]).composer;
    const back = [
      withTakenBack(sent.composer, [message?.text ?? ""]),
      press(sent.composer, [named("up")]).composer,
      press(found, [named("enter")]).composer,
    ];
    for (const composer of back) {
      const again = press(composer, [named("enter")]).effects.at(-1);
      expect(again).toMatchObject({ do: "submit", written: expect.stringMatching(/^@hub:own .*\ufffc/su) });
      expect(again).not.toMatchObject({ written: expect.stringContaining("@hub:x") });
    }
    const yanked = press(cut, [...letters("cut"), named("enter"), ctrl("y"), named("enter")]).effects.at(-1);
    expect(yanked).not.toMatchObject({
      text: expect.stringContaining("@hub:x"),
      written: expect.stringContaining("@hub:x"),
    });
    expect(yanked === undefined || !("written" in yanked) ? yanked : yanked.written).not.toContain("@hub:x");
    // What the person types is theirs, also where it was pasted before.
    expect(press(sent.composer, [...letters("see @hub:x there"), named("enter")]).effects.at(-1)).not.toHaveProperty(
      "written",
    );
  },
);

it("has no server asked by what is pasted, but by the letter behind it", () => {
  const pasted = press(newComposer([]), [named("paste", { text: "see @hub:no" })]);
  expect(pasted.effects).toEqual([]);
  expect(press(pasted.composer, letters("t")).effects).toEqual([{ do: "complete", prefix: "hub:not" }]);
});

it("gives the whole draft, pastes written out, to the person's editor", () => {
  const text = "x\n".repeat(12);
  const pasted = press(newComposer([]), [named("paste", { text }), ctrl("g")]);
  expect(pasted.effects).toEqual([{ do: "compose", text }]);
});

it("takes a file that was found, with what was typed behind it", () => {
  const asked = press(newComposer([]), letters("see @usn"));
  expect(asked.effects.at(-1)).toEqual({ do: "complete", prefix: "usn" });
  const found = withFiles(asked.composer, "usn", ["src/user-names.ts", "src/users/"]);
  expect(below(found)).toEqual(["  ❯ src/user-names.ts", "    src/users/"]);
  expect(draftOf(press(found, [named("tab")]).composer)).toBe("see @src/user-names.ts ");
});

it("puts messages that were taken back in front of the draft, long ones as pastes, and leaves the cursor where it was", () => {
  const long = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
  const draft = press(newComposer([]), [...letters("xz"), named("left")]).composer;
  const back = withTakenBack(draft, ["first\u001b[2J", long]);
  expect(draftOf(back)).toBe("first\n\n[pasted 40 lines]\n\nxz");
  const { effects } = press(back, [...letters("y"), named("enter")]);
  expect(effects).toEqual([{ do: "submit", text: `first\n\n${long}\n\nxyz`, later: false }]);
  const alone = withTakenBack(newComposer([]), ["first", "second"]);
  expect(press(alone, letters("!")).composer.buffer.text).toBe("first\n\nsecond!");
});

it("names a picture whose path is pasted, apart from the words before it", () => {
  const text = "'/tmp/my shot.png'";
  const pasted = press(newComposer([]), [...letters("see"), named("paste", { text })]).composer;
  expect(draftOf(pasted)).toBe('see @"/tmp/my shot.png" ');
  const plainPath = press(newComposer([]), [named("paste", { text: "/tmp/a.txt" })]).composer;
  expect(draftOf(plainPath)).toBe("/tmp/a.txt");
});
