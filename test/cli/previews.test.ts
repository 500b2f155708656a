import { expect, it } from "vitest";
import { previewsOf } from "../../src/cli/previews.ts";

const kitty = { TERM: "xterm-kitty" };

/** Whether pictures are drawn; nothing is read to know it. */
const draws = (previews: "auto" | "off", env: Record<string, string>): boolean => {
  const composition = { config: { previews }, io: { env }, store: () => Promise.reject(new Error("never")) };
  return (
    previewsOf(composition as unknown as Parameters<typeof previewsOf>[0], new AbortController().signal) !== undefined
  );
};

it("pictures are drawn where the terminal shows them and the person has not said no", () => {
  expect([draws("auto", kitty), draws("off", kitty), draws("auto", { TERM: "xterm" })]).toEqual([true, false, false]);
});
