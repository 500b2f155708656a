import { describe, expect, it } from "vitest";
import type { Chat } from "../../../../src/cli/ui/chat/chat-state.ts";
import type { Frame } from "../../../../src/cli/ui/chat/live-frame.ts";
import { disarmed, isOutOfSight } from "../../../../src/cli/ui/chat/out-of-sight.ts";

const frame = (tooSmall: boolean): Frame => ({
  lines: [],
  parts: [],
  tooSmall,
  screen: { inputWidth: 10, geometry: { total: 0, window: 0, columns: 80 } },
});
const menu = { paintedAt: 1, lastKeyAt: 0, armed: true } as Chat["menu"];
const chat = (more: Partial<Chat>): Chat => ({ aside: false, ...more }) as Chat;

describe("a question in a window that is too small for it", () => {
  it("is answered by no key, as long as it is not on the screen", () => {
    expect(isOutOfSight(chat({ menu }), frame(true))).toBe(true);
    expect(isOutOfSight(chat({ menu }), frame(false))).toBe(false);
    expect(isOutOfSight(chat({ menu, aside: true }), frame(true))).toBe(false);
    expect(isOutOfSight(chat({}), frame(true))).toBe(false);
  });

  it("must be seen anew once the window has grown", () => {
    expect(disarmed(chat({ menu }), 7).menu).toMatchObject({ paintedAt: undefined, lastKeyAt: 7, armed: false });
    const nothing = chat({});
    expect(disarmed(nothing, 7)).toBe(nothing);
  });
});
