import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

it("without its search program it says so in one sentence with what mends it, before anything is asked of a model", async () => {
  const place = await openPlace([says("Never.")], { "a.txt": "one\n" });
  // The package of the program looks for one of this machine's kind.
  const { code, stdout, stderr } = await place.spawn(["run", "look at a.txt"], { env: { npm_config_arch: "none" } })
    .done;
  expect({ code, stdout }).toEqual({ code: 52, stdout: "" });
  expect(stderr).toContain("ripgrep, by which files are searched, is not installed here");
  expect(stderr).toContain("install again, with optional dependencies: npm ci");
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(place.server.requests).toEqual([]);
});
