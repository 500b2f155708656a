import { expect, it } from "vitest";
import { sandboxNotices } from "../../src/cli/opening-notices.ts";

it("says what a sandbox would spare only where one is wanted, could be had, and is not installed", () => {
  expect(sandboxNotices("auto", "linux", undefined)).toEqual([
    { code: "no_sandbox", text: expect.stringMatching(/bubblewrap \(bwrap\) is not installed.*grep -r.*git diff/u) },
  ]);
  expect(sandboxNotices("auto", "linux", "/usr/bin/bwrap")).toEqual([]);
  expect(sandboxNotices("auto", "darwin", undefined)).toEqual([]);
  for (const choice of ["off", "required"] as const) expect(sandboxNotices(choice, "linux", undefined)).toEqual([]);
});
