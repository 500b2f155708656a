import { describe, expect, it } from "vitest";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import type { Frame } from "../../../../src/cli/ui/chat/live-frame.ts";
import { disarmed, isOutOfSight } from "../../../../src/cli/ui/chat/out-of-sight.ts";

const frame = (tooSmall: boolean): Frame => ({
  lines: [],
  parts: [],
  tooSmall,
  screen: { columns: 13, geometry: { total: 0, window: 0, columns: 80 } },
});
const open = { recovery: { paintedAt: 1, lastKeyAt: 0, armed: true } } as Chat["open"];
const chat = (more: Partial<Chat>): Chat => ({ aside: false, open: {}, ...more }) as Chat;

describe("a question in a window that is too small for it", () => {
  it("is answered by no key, as long as it is not on the screen", () => {
    expect(isOutOfSight(chat({ open }), frame(true))).toBe(true);
    expect(isOutOfSight(chat({ open }), frame(false))).toBe(false);
    expect(isOutOfSight(chat({ open, aside: true }), frame(true))).toBe(false);
    expect(isOutOfSight(chat({}), frame(true))).toBe(false);
  });

  it("must be seen anew once the window has grown", () => {
    expect(disarmed(chat({ open }), 7).open.recovery).toMatchObject({
      paintedAt: undefined,
      lastKeyAt: 7,
      armed: false,
    });
    const nothing = chat({});
    expect(disarmed(nothing, 7)).toBe(nothing);
  });
});
