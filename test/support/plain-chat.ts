import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Key } from "../../src/cli/terminal/key.ts";
import type { Tty } from "../../src/cli/terminal/tty.ts";
import { noBanner } from "../../src/cli/ui/chat/banner.ts";
import type { ChatEnd } from "../../src/cli/ui/chat/chat-end.ts";
import type { ChatOptions } from "../../src/cli/ui/chat/chat-options.ts";
import { runLineMode } from "../../src/cli/ui/plain/line-mode.ts";
import { servicesWith } from "./fake-services.ts";
import { FakeSession } from "./fake-session.ts";

const plain = { ctrl: false, alt: false, shift: false };
export const enter: Key = { name: "enter", ...plain };
export const esc: Key = { name: "escape", ...plain };
export const ctrlC: Key = { name: "char", text: "c", ...plain, ctrl: true };
export const typed = (text: string): Key[] => [...text].map((one) => ({ name: "char", text: one, ...plain }));

/** A plain chat with a session that plays what it is told to; `heard` is what came to the session. */
export function openPlain(more: Partial<ChatOptions> = {}) {
  let time = 0;
  // A second at each look: what is asked was there long enough to be read.
  const now = () => (time += 1_000);
  const session = new FakeSession();
  onTestFinished(() => session.close());
  let shown = "";
  let press: (key: Key) => void = () => undefined;
  let end: ChatEnd | undefined;
  const nothing = () => () => undefined;
  const tty: Tty = {
    onBackground: () => undefined,
    onXtermJs: () => undefined,
    fullScreen: () => undefined,
    columns: 80,
    rows: 24,
    onKey: (listener) => {
      press = listener;
      return () => undefined;
    },
    onResize: nothing,
    onResume: nothing,
    onClose: nothing,
    pause: () => undefined,
    resume: () => undefined,
    suspend: () => undefined,
    restore: () => undefined,
  };
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      shown += String(chunk);
      done();
    },
  });
  const at = { version: "0", model: "demo", mode: "ask" as const, historyFile: "" };
  const options = {
    ...at,
    session,
    services: servicesWith(),
    tty,
    env: {},
    now,
    stdout: Object.assign(stdout, {}) as NodeJS.WriteStream,
    ...more,
  };
  void runLineMode(options, noBanner).then((one) => (end = one));
  return {
    session,
    shown: () => shown,
    end: () => end,
    keys: async (...keys: Key[]) => {
      for (const key of keys) press(key);
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    },
    shows: (text: string) => expect.poll(() => shown).toContain(text),
  };
}
