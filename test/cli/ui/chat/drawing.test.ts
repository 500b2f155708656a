import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { pictureSequence } from "../../../../src/cli/terminal/picture.ts";
import { plainText, type StyledLine } from "../../../../src/cli/terminal/span.ts";
import { Drawing } from "../../../../src/cli/ui/chat/drawing.ts";
import { itemRows } from "../../../../src/cli/ui/transcript/item-lines.ts";
import type { Item } from "../../../../src/cli/ui/view/view.ts";
import { namedDiffs } from "../../../../src/files/diff/diff-text.ts";
import { longPlan, waitingEdit } from "../../../support/fake-session.ts";
import { having, idle } from "../../../support/frames.ts";
import { makePng } from "../../../support/pictures.ts";

const textOf = (rows: readonly StyledLine[]): string[] => rows.map(plainText);
const whole = (item: Item): string[] => {
  const rows = itemRows(item, 80);
  return textOf(rows.slice(0, rows.length));
};

/** A screen on which these items are finished: what went past ink, in which turn of the event loop, and what went through it. */
async function drawn(items: Item[], isOurs = (_turn: number) => true) {
  const past: { turn: number; rows: string[] }[] = [];
  let turn = 0;
  const drawing = new Drawing(
    {
      size: () => ({ columns: 80, rows: 24 }),
      now: () => 0,
      isLent: () => !isOurs(turn),
      brackets: false,
      write: (rows) => {
        if (isOurs(turn)) past.push({ turn, rows: textOf(rows) });
        return isOurs(turn);
      },
      failed: (error) => {
        throw error;
      },
    },
    idle,
  );
  drawing.show({ ...idle, view: { ...idle.view, items } });
  for (; turn < 80; turn += 1) {
    // the terminal is given back: what is shown then is drawn again
    if (turn === 10) drawing.show({ ...idle, view: { ...idle.view, items } });
    await nextTurn();
  }
  const through = drawing.snapshot().pieces.map(textOf);
  const rows = [...past.flatMap((one) => one.rows), ...through.flat()];
  return { past, through, rows: rows.filter((row) => row !== "") };
}

const wholeOf = (...items: Item[]): string[] => items.flatMap(whole).filter((row) => row !== "");

const { files, cwd } = longPlan(10_000);
const diff: Item = { kind: "diff", changes: namedDiffs(files, cwd) };

it("a diff of 10,000 lines goes past ink, whole and in its order, some rows a turn of the event loop", async () => {
  const { past, through, rows } = await drawn([diff]);
  expect(rows).toEqual(wholeOf(diff));
  expect(through.flat().length).toBeLessThanOrEqual(50);
  expect(Math.max(...past.map(({ rows }) => rows.length))).toBeLessThanOrEqual(400);
  expect(new Set(past.map(({ turn }) => turn)).size).toBe(past.length);
});

it("many short items, as a resume brings them, come in pieces too", async () => {
  const items = Array.from({ length: 3_000 }, (_, at): Item => ({ kind: "user", text: `message ${at}` }));
  const { past, rows } = await drawn(items);
  expect(Math.max(...past.map((one) => one.rows.length))).toBeLessThanOrEqual(400);
  expect(rows).toEqual(wholeOf(...items));
});

it("what is short goes through ink with its frame, never more than fifty rows", async () => {
  const item: Item = { kind: "notice", level: "info", text: "a\nb\nc" };
  const { past, through } = await drawn([item]);
  expect({ past, through }).toEqual({ past: [], through: [whole(item)] });
  const fifty: Item = { kind: "diff", changes: ["x\n".repeat(50)] };
  expect((await drawn([fifty])).through).toEqual([whole(fifty)]);
  const more: Item = { kind: "diff", changes: ["x\n".repeat(51)] };
  expect((await drawn([more])).past.map(({ rows }) => rows)).toEqual([whole(more)]);
});

it("rows that came while the terminal was lent wait until it is ours again, and are not lost", async () => {
  expect((await drawn([diff], (turn) => turn > 5)).rows).toEqual(wholeOf(diff));
});

/** What went to the terminal past ink of a picture that comes in this chat, and of it again once the chat is another. */
async function previewed(chat: typeof idle, later = idle, isOurs = (_turn: number) => true) {
  const written: { turn: number; rows: string[]; picture: string | undefined }[] = [];
  let turn = 0;
  const drawing = new Drawing(
    {
      size: () => ({ columns: 80, rows: 24 }),
      now: () => 0,
      isLent: () => !isOurs(turn),
      brackets: false,
      write: (rows, picture) => {
        if (isOurs(turn)) written.push({ turn, rows: textOf(rows), picture });
        return isOurs(turn);
      },
      failed: (error) => {
        throw error;
      },
    },
    chat,
  );
  const picture = { png: makePng(30, 20), width: 30, height: 20 };
  drawing.preview({ name: "a.png", picture }, "kitty");
  for (; turn < 20; turn += 1) {
    if (turn === 10) drawing.show(later);
    await nextTurn();
  }
  const sequence = pictureSequence(picture, "kitty", { columns: 80, rows: 24 });
  expect(written.map(({ rows, picture }) => ({ rows, picture }))).toEqual([
    { rows: ["  a.png · 30x20"], picture: sequence },
  ]);
  return written[0]?.turn;
}

it("a picture is written once, below what is finished, in one piece past ink", async () => {
  expect(await previewed(idle)).toBeLessThan(10);
  const items: Item[] = [{ kind: "notice", level: "info", text: "a" }];
  expect(await previewed({ ...idle, view: { ...idle.view, items } })).toBeLessThan(10);
});

it("a picture never comes into a reply, never moves a question, and waits while the terminal is lent", async () => {
  const replying = having({ type: "text_delta", id: "m1", text: "I think" });
  const asking = having({ type: "approval_requested", calls: [waitingEdit("c1")] });
  expect(await previewed(replying)).toBeGreaterThanOrEqual(10);
  expect(await previewed(asking)).toBeGreaterThanOrEqual(10);
  expect(await previewed(idle, idle, (turn) => turn > 5)).toBeGreaterThanOrEqual(10);
});
