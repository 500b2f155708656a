/**
 * Draws the pictures of the README from the demo at a real pseudo-terminal: its first question, dark and light, and a short tour.
 * usage: npm run screenshot
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPty, type Pty } from "../test/support/pty.ts";
import { frameSvg, framesToSvg, screenToSvg, sizeOf } from "../test/support/screen-svg.ts";

const root = join(import.meta.dirname, "..");
const title = "agent chat --model demo";
const question = "Yes, and in this project";
const patience = 30_000;

/** The demo in a home of its own, for as long as `work` takes. */
async function withDemo(ground: "dark" | "light", work: (pty: Pty) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-screenshot-"));
  const pty = openPty({
    command: process.execPath,
    args: [join(root, "bin/agent.js"), "chat", "--model", "demo"],
    env: { AGENT_HOME: home, COLORTERM: "truecolor", COLORFGBG: ground === "dark" ? "15;0" : "0;15" },
    cols: 100,
    rows: 30,
  });
  try {
    await work(pty);
  } finally {
    await pty.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A question is not answered by a key that comes at once. */
const armed = 1_200;

async function drawQuestion(ground: "dark" | "light"): Promise<void> {
  await withDemo(ground, async (pty) => {
    await pty.waitFor(question, patience);
    await pause(armed);
    writeFileSync(join(root, `docs/approval-${ground}.svg`), screenToSvg(pty, { title, ground }));
  });
}

/** The tour as a person takes it: a question, its whole diff, yes; the next one denied with a reason; what was changed. */
async function drawTour(): Promise<void> {
  await withDemo("dark", async (pty) => {
    const frames: { svg: string; ms: number }[] = [];
    const shoot = (ms: number) => frames.push({ svg: frameSvg(pty), ms });
    await pty.waitFor("❯", patience);
    shoot(1_500);
    await pty.waitFor(question, patience);
    await pause(armed);
    shoot(3_500);
    pty.key("d");
    await pause(600);
    shoot(3_000);
    pty.key("escape");
    await pause(600);
    pty.key("y");
    await pause(2_500);
    shoot(3_000);
    await pty.waitFor((one) => one.screen().some((row) => row.includes("No, deny")), patience);
    await pause(armed);
    shoot(2_500);
    pty.key("r");
    await pause(400);
    pty.type("keep it short");
    await pause(400);
    shoot(2_500);
    pty.key("enter");
    await pause(3_000);
    shoot(3_500);
    writeFileSync(join(root, "docs/tour.svg"), framesToSvg(frames, sizeOf(pty), { title }));
  });
}

await drawQuestion("dark");
await drawQuestion("light");
await drawTour();
