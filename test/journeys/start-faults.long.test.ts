import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { expectTruth, underLimit } from "../support/few-files.ts";
import { says } from "../support/model-server.ts";

it("says where a process may have too few files open, and how to allow more, whatever met it first", async () => {
  // From which number on the program is read at all, and which is enough for it, depends on the Node that runs it.
  let told = 0;
  for (const most of Array.from({ length: 22 }, (_, i) => i + 19)) {
    const ended = await underLimit(most);
    if (ended.code === 74) told += 1;
    expectTruth(most, ended);
  }
  expect(told).toBeGreaterThan(0);
  expect(await underLimit(1024)).toMatchObject({ code: 0, stdout: "First.\n" });
});

it.each([
  ["HTTPS_PROXY", "https://models.example/v1"],
  ["HTTP_PROXY", "http://models.example/v1"],
])(
  "names the proxy of %s that does not answer, without its password, and not the server behind it",
  async (name, url) => {
    const place = await openPlace();
    const ran = await place.spawn(["run", "one"], {
      env: { OPENAI_BASE_URL: url, [name]: "http://ada:secret-word@127.0.0.1:9", NO_PROXY: undefined },
    }).done;
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`No connection to the proxy http://127.0.0.1:9, through which ${url} is asked`);
    expect(ran.stderr).toContain("Check the proxy: HTTPS_PROXY or HTTP_PROXY names it");
    expect(ran.stderr).not.toMatch(/Nothing listens at|secret-word/);
  },
);

it("asks past a dead proxy what NO_PROXY names", async () => {
  const place = await openPlace([says("First.")]);
  const ran = await place.spawn(["run", "one"], { env: { HTTP_PROXY: "http://127.0.0.1:9" } }).done;
  expect(ran).toMatchObject({ code: 0, stdout: "First.\n" });
});
