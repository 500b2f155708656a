import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { builtProgram } from "./built.ts";
import { openPty, type Pty } from "./pty.ts";

export const prompt = "ask, or / for commands";
export const resume = "agent resume brisk-otter-4f2a";

export interface Scene {
  scene: "talk" | "long" | "ask" | "high" | "slow" | "late" | "half" | "crash" | "taken";
  clock?: "leaps" | "still" | "real";
  size?: [cols: number, rows: number];
  env?: Record<string, string | undefined>;
  /** Typed at a shell's prompt, `shell>`, which is there again when it stops or ends. */
  shell?: true;
}

/** Types a line and submits it. */
export async function say(pty: Pty, text: string): Promise<void> {
  pty.type(text);
  await pty.waitFor(text);
  pty.key("enter");
}

/** Ends the chat and checks what must hold after every run. */
export async function leave(pty: Pty, code = 0): Promise<void> {
  if (code === 0) pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code, signal: 0 });
  // Its last bytes may be read behind its end.
  await expect.poll(() => pty.cursor().visible).toBe(true);
  expect(pty.raw()).not.toContain("\x1b[3J");
  expect(pty.raw()).toContain("\x1b[?2004l");
  expect(pty.scrollback().join("\n").trimEnd().endsWith(resume)).toBe(true);
}

/** Rows, scrolled away ones too, that hold the text. */
export const count = (pty: Pty, text: string): number => pty.scrollback().filter((row) => row.includes(text)).length;

/** A real chat at a pseudo-terminal, without an agent: for the tests of one file, which it cleans up after. */
export function playScenes(): { start(scene: Scene): Promise<Pty>; historyFile(): string } {
  let demo: string;
  let folder: string;
  const open: Pty[] = [];

  beforeAll(async () => {
    demo = await builtProgram("test/support/ui-demo.tsx");
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "holdfast-ui-"));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((pty) => pty.close()));
    await rm(folder, { recursive: true, force: true });
  });

  async function start({ scene, clock = "leaps", size: [cols, rows] = [100, 30], ...more }: Scene): Promise<Pty> {
    const { env = {}, shell = false } = more;
    // Through env, for the harness itself says which terminal it is.
    const args = [
      `TERM=${env["TERM"] ?? "xterm-256color"}`,
      process.execPath,
      demo,
      scene,
      clock,
      join(folder, "history"),
    ];
    const pty = openPty({
      command: shell ? "bash" : "/usr/bin/env",
      args: shell ? ["--norc", "-i"] : args,
      cols,
      rows,
      env: { NODE_ENV: "production", HOME: "/home/ada", EDITOR: undefined, VISUAL: undefined, PS1: "shell> ", ...env },
    });
    open.push(pty);
    if (shell) {
      await pty.waitFor("shell>");
      pty.type(`env ${args.join(" ")}\r`);
    }
    await pty.waitFor(env["TERM"] === "dumb" ? "> " : prompt);
    return pty;
  }

  return { start, historyFile: () => join(folder, "history") };
}
