import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

/** All that is on the screen and above it, without what only the width makes. */
const all = (pty: Pty): string => pty.scrollback().join("").replaceAll(/\s+/gu, "");
const times = (pty: Pty, text: string): number => all(pty).split(text.replaceAll(" ", "")).length - 1;
const sizes: [number, number][] = [
  [42, 10],
  [30, 8],
  [100, 30],
];
const long = "A rather long answer. ".repeat(12).trim();

it("a window that gets narrow, too small, and wide again leaves nothing of the old frames above", async () => {
  const place = await openPlace([says(long)]);
  const pty = place.chat(["chat"], { cols: 60, rows: 20 });
  await pty.waitFor("ask, or / for commands");
  pty.type("say something");
  pty.key("enter");
  await pty.waitFor(/ask, or[\s\S]*$/u);
  await pty.waitFor((one) => times(one, long) === 1);
  for (const [cols, rows] of sizes) await pty.resized(cols, rows);
  await pty.waitFor((one) => one.screen().some((row) => row.startsWith("❯ ask, or / for commands, @ for files")));
  expect(times(pty, "❯ ask, or")).toBe(1);
  expect(times(pty, "window is too small")).toBe(0);
  expect(times(pty, "❯ say something")).toBe(1);
  expect(times(pty, long)).toBe(1);
  expect(times(pty, "ask ·")).toBe(1);
  pty.leave();
  expect((await pty.exit).code).toBe(0);
});

it("the same with a question on the screen, which is answered in the window that is wide again", async () => {
  const files = { "a.txt": `${Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")}\n` };
  const edit = asks("edit_file", { file_path: "a.txt", old_string: "line 7\n", new_string: "line seven\n" });
  const place = await openPlace([edit, says("Done.")], files);
  const pty = place.chat(["chat"], { cols: 60, rows: 20 });
  await pty.waitFor("ask, or / for commands");
  pty.type("change it");
  pty.key("enter");
  await pty.waitFor(/❯ ?n/u);
  for (const [cols, rows] of sizes) await pty.resized(cols, rows);
  await pty.waitFor(/❯ ?n/u);
  expect(times(pty, "line seven")).toBe(1);
  expect(times(pty, "window is too small")).toBe(0);
  await readQuestion();
  pty.key("y");
  await pty.waitFor("Done.");
  expect(times(pty, "❯ change it")).toBe(1);
  pty.leave();
  expect((await pty.exit).code).toBe(0);
  expect(await place.read("a.txt")).toContain("line seven\n");
});
