import { expect, test } from "vitest";
import { callFor, titleOf } from "../../../../src/cli/ui/status/attention.ts";
import { reduce } from "../../../../src/cli/ui/view/view-state.ts";
import { eventOf, waitingEdit } from "../../../support/fake-session.ts";
import { ended, play, start } from "../../../support/views.ts";

const running = play({ type: "user_message", id: "m1", text: "go" });
const asking = reduce(running, eventOf({ type: "approval_requested", calls: [waitingEdit("c2")] }));
const away = { focused: false, worked: 0, lastKeyAt: 0 };

test("the title says the folder and what is to be known of the session", () => {
  expect([start, running, asking].map(titleOf)).toEqual([
    "agent – proj",
    "agent – proj – working",
    "agent – proj – waiting",
  ]);
});

test("the title says what the model called the session", () => {
  const named = reduce(asking, eventOf({ type: "session_titled", title: "Mend the \u001b[31mretries" }));
  expect(titleOf(named)).toMatch(/^agent – proj – waiting – Mend the .*retries$/);
  expect(titleOf(named)).not.toContain("\u001b");
});

test("a question calls once, and only a person who looks elsewhere", () => {
  const said = callFor(running, { view: asking, ...away }, 0);
  expect(said).toBe("edit_file src/a.ts waits for you");
  expect(callFor(asking, { view: asking, ...away }, 0)).toBeUndefined();
  expect(callFor(running, { view: asking, ...away, focused: true }, 99_000)).toBeUndefined();
});

test("a terminal that says nothing of its focus is taken for left after 20 s without a key", () => {
  const silent = { view: asking, focused: undefined, worked: 0, lastKeyAt: 1_000 };
  expect([20_000, 21_000].map((now) => callFor(running, silent, now) !== undefined)).toEqual([false, true]);
});

test("the end of a turn calls only if it took long", () => {
  const done = reduce(running, eventOf(ended("done")));
  expect(callFor(running, { view: done, ...away, worked: 19_999 }, 0)).toBeUndefined();
  expect(callFor(running, { view: done, ...away, worked: 20_000 }, 0)).toBe("the turn has ended");
  expect(callFor(done, { view: done, ...away, worked: 20_000 }, 0)).toBeUndefined();
});
