import { expect, test } from "vitest";
import { stopped, ticked, workedUntil } from "../../../../src/cli/ui/status/turn-clock.ts";

const works = { running: true, asking: false };
const asks = { running: true, asking: true };
const rests = { running: false, asking: false };

test("what the person takes to answer is not counted", () => {
  const begun = ticked(stopped, works, true, 1_000);
  const asked = ticked(begun, asks, false, 4_000);
  expect(workedUntil(asked, 90_000)).toBe(3_000);
  const answered = ticked(asked, works, false, 90_000);
  expect(workedUntil(answered, 92_000)).toBe(5_000);
  expect(workedUntil(ticked(answered, rests, false, 93_000), 99_000)).toBe(6_000);
});

test("a new turn begins at nothing", () => {
  const ended = ticked(ticked(stopped, works, true, 0), rests, false, 5_000);
  expect(workedUntil(ticked(ended, works, true, 8_000), 9_000)).toBe(1_000);
});

test("a clock that is set back takes nothing away", () => {
  expect(workedUntil(ticked(stopped, works, true, 5_000), 1_000)).toBe(0);
});
