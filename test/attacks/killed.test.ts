import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { openStage, says } from "../support/play.ts";

const points = globalThis as Record<symbol, unknown>;
const hook = Symbol.for("holdfast.fault");

/** From now on the `nth` instant that the program comes to is its last. */
function dieAt(nth: number): void {
  let left = nth;
  points[hook] = (): void => {
    left -= 1;
    if (left <= 0) throw new Error("the process is dead");
  };
}

test("a session is never found without the words that it began with, wherever its process dies (m1)", async () => {
  const stage = await openStage({ lines: [says("Hello.")] });
  onTestFinished(() => {
    delete points[hook];
  });
  let deaths = 0;
  for (let begun = false; !begun; deaths += 1) {
    dieAt(deaths + 1);
    begun = await stage.begin("tell me", { running: true }).then(
      () => true,
      () => false,
    );
    delete points[hook];
  }
  const store = await openStore({ file: stage.database });
  const found = store.sessions.list().map(({ id, title }) => [
    title,
    ...store
      .readJournal(id)
      .turns()
      .map(({ text }) => text),
  ]);
  store.close();
  expect(deaths).toBeGreaterThan(6);
  expect(found.length).toBeGreaterThan(1);
  expect(found).toEqual(found.map(() => ["tell me", "tell me"]));
});
