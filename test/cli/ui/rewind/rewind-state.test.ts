import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import type { Chat } from "../../../../src/cli/ui/chat/chat.ts";
import { press, withEvents } from "../../../../src/cli/ui/chat/chat-state.ts";
import { breathMs } from "../../../../src/cli/ui/question/arming.ts";
import {
  newRewinding,
  type Rewinding,
  type RewindStep,
  rewindChoices,
  rewindKey,
  withTakeBack,
} from "../../../../src/cli/ui/rewind/rewind-state.ts";
import { eventOf, waitingEdit } from "../../../support/fake-session.ts";
import { draw, having, idle } from "../../../support/frames.ts";

const key = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false } as const;
  return [...name].length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};

const point = (turn: number) => ({
  turn,
  text: `say ${turn}`,
  files: ["/w/a"],
  calls: [`c${turn}`],
});
const three = newRewinding([point(3), point(2), point(1)]);

/** Keys at their leisure, a second each. */
const pressed = (rewinding: Rewinding, ...names: string[]): RewindStep =>
  names.reduce<RewindStep>(
    (step, name, index) =>
      step.rewinding === undefined ? step : rewindKey(step.rewinding, key(name), 5, index * 1_000),
    { rewinding },
  );

const known = (calls: string[]): Rewinding => {
  const { rewinding } = pressed(three, "enter");
  if (rewinding === undefined) throw new Error("nothing was chosen");
  return withTakeBack({ ...rewinding, enteredAt: Number.NEGATIVE_INFINITY }, 3, { calls, left: [] });
};

const justEntered = (calls: string[]): Rewinding => {
  const { rewinding } = pressed(three, "enter");
  if (rewinding === undefined) throw new Error("nothing was chosen");
  return withTakeBack(rewinding, 3, { calls, left: [] });
};

describe("going on from an earlier message", () => {
  it("lists the messages, the newest last and pointed at, and stays inside", () => {
    expect(three.points.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    const at = (...names: string[]) => pressed(three, ...names).rewinding?.at;
    expect([three.at, at("k"), at("up", "up", "up"), at("down"), at("g"), at("g", "G"), at("pageup")]).toEqual([
      2, 1, 0, 2, 0, 2, 0,
    ]);
  });

  it("looks at the files of the message that was chosen, and offers only what can be done", () => {
    expect(pressed(three, "k", "enter").effect).toEqual({ do: "rewind_look", point: point(2) });
    expect(rewindChoices({ takeBack: undefined })).toEqual(["back"]);
    expect(rewindChoices(known([]))).toEqual(["talk", "back"]);
    expect(rewindChoices(known(["c3"]))).toEqual(["both", "talk", "files", "back"]);
  });

  it("drops what was found for a message that was left meanwhile", () => {
    const chosen = pressed(three, "enter").rewinding as Rewinding;
    expect(withTakeBack(chosen, 2, { calls: ["c2"], left: [] })).toBe(chosen);
    expect(withTakeBack(three, 3, { calls: ["c3"], left: [] })).toBe(three);
  });

  it("does by enter or by its letter what is chosen, with the calls that can be taken back", () => {
    const done = (choice: string) => ({
      rewinding: undefined,
      effect: { do: "rewind", point: point(3), choice, takeBack: { calls: ["c2", "c3"], left: [] } },
    });
    const files = known(["c2", "c3"]);
    expect(pressed(files, "enter")).toEqual(done("both"));
    expect(pressed(files, "j", "enter")).toEqual(done("talk"));
    expect([pressed(files, "u"), pressed(files, "t"), pressed(files, "f")]).toEqual([
      done("both"),
      done("talk"),
      done("files"),
    ]);
    expect(pressed(known([]), "f")).toEqual({ rewinding: known([]) });
    expect(pressed(pressed(three, "enter").rewinding as Rewinding, "t").effect).toBeUndefined();
  });

  it("goes back by esc, one step at a time", () => {
    expect(pressed(known(["c3"]), "escape").rewinding).toEqual(three);
    expect(pressed(known(["c3"]), "G", "down", "down", "down", "enter").rewinding).toEqual(three);
    expect(pressed(three, "escape")).toEqual({ rewinding: undefined });
  });

  it("chooses nothing by an Enter that is held down from the list on, whenever the choices are known", () => {
    let held = justEntered(["c3"]);
    for (const now of [0, 30, 600, breathMs, breathMs + 30]) {
      const step = rewindKey(held, key("enter"), 5, now);
      expect(step.effect).toBeUndefined();
      if (step.rewinding === undefined) throw new Error("it was left");
      held = step.rewinding;
    }
    expect(rewindKey(held, key("enter"), 5, 2 * breathMs + 30).effect).toMatchObject({ do: "rewind", choice: "both" });
  });

  it("decides nothing that cannot be seen", () => {
    expect(rewindKey(three, key("enter"), 0, 0)).toEqual({ rewinding: three });
  });
});

/** What the chat asks for at each of these keys. */
function asked(chat: Chat, ...names: string[]): string[] {
  let now = chat;
  return names.flatMap((name) => {
    const step = press(now, key(name), draw(now, 80, 24).screen, 0);
    now = step.chat;
    return step.effects.map((effect) => effect.do);
  });
}

describe("esc esc", () => {
  it("lists the messages on an empty line at rest, and only when nothing is pressed in between", () => {
    expect(asked(idle, "escape", "escape")).toEqual(["messages"]);
    expect(asked(idle, "escape", "escape", "escape")).toEqual(["messages"]);
    expect(asked(idle, "escape", "a", "backspace", "escape")).toEqual([]);
  });

  it("is no more than esc while a turn runs, while something is written, and at a question that was put off", () => {
    const running = having({ type: "user_message", id: "u1", text: "go" });
    expect(asked(running, "escape", "escape")).toEqual(["take_back", "stop", "take_back", "stop"]);
    expect(asked(idle, "a", "escape", "escape")).toEqual([]);
    const aside = { ...having({ type: "approval_requested", calls: [waitingEdit("c1")] }), aside: true };
    expect(asked(aside, "escape", "escape")).not.toContain("messages");
  });

  it("gives way to a question, and to the chat by esc", () => {
    const chat = { ...idle, open: { ...idle.open, rewind: three } };
    expect(press(chat, key("escape"), draw(chat, 80, 24).screen, 0).chat.open.rewind).toBeUndefined();
    const asks = eventOf({ type: "approval_requested", calls: [waitingEdit("c1")] });
    expect(withEvents(chat, [asks], 0).open.rewind).toBeUndefined();
  });
});
