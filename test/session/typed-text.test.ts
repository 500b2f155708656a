import { expect, it } from "vitest";
import { earlierMessages } from "../../src/records/earlier-messages.ts";
import { finishRewind, rewindTo } from "../../src/records/undo/rewind.ts";
import type { Brought } from "../../src/session/sent-message.ts";
import { calls, openStage, says, toolOf } from "../support/play.ts";

/** What a message that was typed stands for. */
const standing = (text: string) => async (): Promise<Brought> => ({
  images: [],
  problems: [],
  stands: { text, calls: [] },
});

it("gives back what was typed, and not the text that it stands for: taken back, found again, gone back to", async () => {
  let end: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    end = resolve;
  });
  const wait = toolOf("wait", () => opened.then(() => "waited"), { effect: "none" });
  const stage = await openStage({ tools: [wait], lines: [says("One."), calls(["wait", {}]), says("Two.")] });
  const life = await stage.begin("first");
  await life.session.submit("/rv one", standing("/rv one (rv.md)\n\nReview one."));
  await life.session.steer("/rv two", standing("/rv two (rv.md)\n\nReview two."));
  await life.session.submit("/rv three", standing("/rv three (rv.md)\n\nReview three."), true);
  expect(await life.session.takeBack()).toEqual(["/rv two", "/rv three"]);
  await life.session.steer("/rv four", standing("/rv four (rv.md)\n\nReview four."));
  end();
  await life.session.settled();

  expect(earlierMessages(life.store, stage.workspace)).toEqual(["/rv four", "/rv one", "first"]);
  const told = JSON.stringify(stage.requests.at(-1)?.messages);
  expect(told).toContain("Review one.");
  expect(told).toContain("Review four.");
  const row = life.store.sessions.get(life.session.id);
  if (row === undefined) throw new Error("no session");
  expect(await finishRewind(life.store, row, rewindTo({ turn: 2 }))).toMatchObject({ draft: "/rv one" });
});
