import { expect, it } from "vitest";
import { readPdf } from "../../../src/tools/media/read-pdf.ts";
import { makePdf, makeSwellingPdf } from "../../support/pdf.ts";

it("a document that unpacks to more than is to be had is given up before it takes all, and the next one is read", async () => {
  const bytes = makeSwellingPdf(4096);
  expect(bytes.length).toBeLessThan(8_000_000);
  const before = process.memoryUsage.rss();
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before);
  }, 20);
  const { signal } = new AbortController();
  // A slow machine comes to the limit of time first.
  await expect(readPdf(bytes, { signal })).rejects.toMatchObject({
    code: expect.stringMatching(/^(TOO_LARGE|TIMEOUT)$/u),
  });
  clearInterval(looking);
  expect(most / 1024 / 1024).toBeLessThan(1_700);
  expect(await readPdf(makePdf(["It is read."]), { signal })).toMatchObject({ pages: ["It is read."] });
});
