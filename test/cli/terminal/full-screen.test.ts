import { expect, it } from "vitest";
import { FullScreen } from "../../../src/cli/terminal/full-screen.ts";

it("erases a row before it is written: behind a full row some terminals would erase its last character", () => {
  const written: string[] = [];
  const screen = new FullScreen({ fullScreen: () => undefined }, (text) => void written.push(text));
  screen.paint({ rows: ["ab", "cd"] });
  screen.paint({ rows: ["ab", "ef"] });
  expect(written.map((text) => text.replaceAll("\x1b[", "^"))).toEqual([
    "^?2026h^?25l^1;1H^2Kab^2;1H^2Kcd^?2026l",
    "^?2026h^?25l^2;1H^2Kef^?2026l",
  ]);
});
