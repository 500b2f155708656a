/** Draws docs/approval.svg, the screen of the README: the demo at a real pseudo-terminal, at its first question. usage: npm run screenshot */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPty } from "../test/support/pty.ts";
import { screenToSvg } from "../test/support/screen-svg.ts";

const root = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "holdfast-screenshot-"));
const pty = openPty({
  command: process.execPath,
  args: [join(root, "bin/agent.js"), "chat", "--model", "demo"],
  env: { AGENT_HOME: home, COLORTERM: "truecolor" },
  cols: 100,
  rows: 30,
});
try {
  await pty.waitFor("Yes, and in this project", 30_000);
  writeFileSync(join(root, "docs/approval.svg"), screenToSvg(pty, { title: "agent chat --model demo" }));
} finally {
  await pty.close();
  rmSync(home, { recursive: true, force: true });
}
