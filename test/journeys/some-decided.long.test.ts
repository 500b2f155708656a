import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const writes = Array.from({ length: 25 }, (_, at) => ({
  name: "write_file",
  arguments: { file_path: `f${at + 1}.txt`, content: "x\n" },
}));

/** The question about the call with this number is on the screen, and read. */
async function asked(pty: Pty, number: number): Promise<void> {
  await pty.waitFor((one) => one.screen().some((row) => row.includes(`[${number}]`)));
  await readQuestion();
}

it("counts on where the person was, after kill -9 in the middle of 25 questions, and says what they decided", async () => {
  const place = await openPlace([{ calls: writes }, says("All written.")]);
  const first = place.chat(["chat", "write them"]);
  await asked(first, 1);
  // Where not all numbers fit the last one says how many there are.
  expect(first.screen().find((row) => row.includes("[1]"))).toMatch(/ \[1\] 2 3 .* … 25$/);
  for (let number = 1; number <= 3; number += 1) {
    first.key(number === 2 ? "n" : "y");
    await asked(first, number + 1);
  }
  process.kill(first.pid, "SIGKILL");
  await first.exit;

  const pty = place.chat(["resume"]);
  await asked(pty, 4);
  expect(pty.screen().join("\n")).toContain("of 25 calls you have decided: 2 approved, 1 denied · 22 to go");
  expect(pty.screen().find((row) => row.includes("[4]"))).toMatch(/ 1✔ 2✖ 3✔ \[4\] 5 .* … 25$/);
  pty.key("l");
  await pty.waitFor((one) => one.screen().some((row) => row.includes("❯  4 ◆")));
  const rows = pty.screen().join("\n");
  expect(rows).toMatch(/ 1 ✔ Write file f1\.txt\n/);
  expect(rows).toMatch(/ 2 ✖ Write file f2\.txt\n/);
  expect(rows).toMatch(/10 ◆ Write file f10\.txt \+1 −0\n/);
  pty.leave();
  await pty.exit;
});
