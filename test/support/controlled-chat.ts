import { expect } from "vitest";
import type { Key } from "../../src/cli/terminal/key.ts";
import { noBanner } from "../../src/cli/ui/chat/banner.ts";
import type { ChatOptions } from "../../src/cli/ui/chat/chat-options.ts";
import { ChatController } from "../../src/cli/ui/chat/controller.ts";
import type { ControllerPorts } from "../../src/cli/ui/chat/controller-ports.ts";
import type { Session } from "../../src/session/session.ts";
import { servicesWith } from "./fake-services.ts";

export const key = (name: Key["name"], text?: string): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...(text === undefined ? {} : { text }),
});

export const control = (text: string): Key => ({ ...key("char", text), ctrl: true });

/** Types a line, with Enter behind it. */
export function say(controller: ChatController, line: string): void {
  for (const one of line) controller.key(key("char", one));
  controller.key(key("enter"));
}

/** A clock that goes on by a second each time: what is painted is armed by the next key. */
export function controllerOf(
  session: Session,
  { options: more = {}, ...ports }: Partial<Omit<ControllerPorts, "options">> & { options?: Partial<ChatOptions> } = {},
): ChatController {
  let time = 0;
  const options = {
    session,
    env: {},
    model: "demo",
    mode: "ask",
    services: servicesWith(),
    now: () => (time += 1_000),
    ...more,
  };
  return new ChatController({
    options: options as unknown as ChatOptions,
    history: [],
    banner: noBanner,
    size: () => ({ columns: 100, rows: 30 }),
    brackets: false,
    paintIn: (theme) => theme === "none",
    theme: () => ({ choice: "auto", hasColors: true }),
    write: () => true,
    isLent: () => false,
    edit: async () => undefined,
    suspend: async () => undefined,
    remember: () => undefined,
    entitle: () => undefined,
    tell: () => undefined,
    lastWord: async () => true,
    call: () => undefined,
    left: () => undefined,
    failed: (error) => expect.fail(String(error)),
    ...ports,
  });
}
