import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { makePng, pixelAt, pngChunk } from "../support/pictures.ts";

const prompt = "ask, or / for commands";
const iterm = { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app", TMUX: undefined, STY: undefined, ZELLIJ: undefined };
const hostile = "b\x1b]52;c;aGk=\x07.png";

it("in a terminal that shows pictures those of the person and of calls stand below their lines, once, small and harmless", async () => {
  const place = await openPlace([asks("read_file", { file_path: hostile }), says("Green, and blue.")]);
  await writeFile(join(place.home, "config.json"), JSON.stringify({ models: { "openai:*": { vision: true } } }));
  const extra = [pngChunk("tEXt", Buffer.from("Comment\0\x1b]52;c;aGk=\x07"))];
  await writeFile(place.path("shot.png"), makePng(60, 40, { paint: () => [0, 255, 0, 255], extra }));
  await writeFile(place.path(hostile), makePng(640, 640, { paint: () => [0, 0, 255, 255], extra }));
  const pty = place.chat(["chat", "what is it?", "-i", "shot.png"], { cols: 100, rows: 30 }, iterm);
  await pty.waitFor("Green, and blue.");
  const sequence = /\x1b\]1337;([^:\x1b\x07]*):([A-Za-z0-9+/=]*)\x07/g;
  const drawn = () => [...pty.raw().matchAll(sequence)];
  await pty.waitFor(() => drawn().length === 2);
  await pty.waitFor((one) => one.screen().join("\n").includes(prompt));
  expect(drawn().map(([, keys]) => keys?.replace(/size=\d+/, "size=N"))).toEqual([
    "File=inline=1;size=N;width=6;height=2;preserveAspectRatio=1",
    "File=inline=1;size=N;width=20;height=10;preserveAspectRatio=1",
  ]);
  const pictures = drawn().map(([, , data = ""]) => Buffer.from(data, "base64"));
  expect(pictures.map((png) => [png.readUInt32BE(16), pixelAt(png, 3, 3)])).toEqual([
    [60, [0, 255, 0, 255]],
    [320, [0, 0, 255, 255]],
  ]);
  expect(pictures.map((png) => png.includes("tEXt"))).toEqual([false, false]);
  expect(pty.raw()).not.toContain("\x1b]52");

  await pty.resized(70, 30);
  let rows: string[] = [];
  await pty.waitFor((one) => {
    rows = one.scrollback();
    const at = rows.findIndex((row) => row.includes(prompt));
    return at !== -1 && rows[at + 1]?.includes("· 0 %") === true;
  });
  const below = (caption: string): string[] => rows.slice(rows.findIndex((row) => row.includes(caption)));
  expect(below("shot.png · 60x40").slice(1, 3)).toEqual(["", ""]);
  expect(below(".png · 640x640").slice(1, 11)).toEqual(Array(10).fill(""));
  for (const text of ["❯ what is it?", "shot.png · 60x40", ".png · 640x640", "● Green, and blue.", prompt])
    expect([text, rows.filter((row) => row.includes(text)).length]).toEqual([text, 1]);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(drawn().length).toBe(2);
});
