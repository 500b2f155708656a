import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { dialogKey } from "../../../../src/cli/ui/dialog/dialog-keys.ts";
import {
  choicesOf,
  type Dialog,
  type DialogStep,
  dialogPainted,
  syncDialog,
} from "../../../../src/cli/ui/dialog/dialog-state.ts";
import type { ReaderText } from "../../../../src/cli/ui/full-view/reader-state.ts";
import { breathMs, calmMs, seenMs } from "../../../../src/cli/ui/question/arming.ts";
import { toRequest } from "../../../../src/cli/ui/view/requests.ts";
import type { Ask, AskedCall } from "../../../../src/cli/ui/view/view.ts";
import type { CallDecision } from "../../../../src/graph/decisions.ts";
import type { GrantOffer } from "../../../../src/policy/types.ts";
import { fakeCall, waitingEdit } from "../../../support/fake-session.ts";

const at = (now: number) => ({ now, keyAt: Number.NEGATIVE_INFINITY });

const key = (name: Key["name"], more: Partial<Key> = {}): Key => ({
  name,
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});
const char = (text: string): Key => key("char", { text });
const fits = { total: 5, window: 10, columns: 80 };
const long = { total: 30, window: 10, columns: 80 };

const askOf = (...calls: AskedCall[]): Ask => ({
  requests: calls.map((call) => toRequest(call, "/home/ada/proj")),
  batch: calls.map(({ callId }) => ({ ref: fakeCall(callId), label: callId })),
});

const opened = (ask: Ask, geometry = fits): Dialog => {
  const dialog = syncDialog(undefined, ask, at(0));
  if (dialog === undefined) throw new Error("no dialog");
  return dialogPainted(dialog, geometry, 0);
};

/** Keys one after the other, long after the dialog was painted. */
const type = (ask: Ask, keys: Key[], geometry = fits): DialogStep =>
  keys.reduce<DialogStep>((step, one) => dialogKey(step.dialog, ask, one, geometry, 10_000), {
    dialog: opened(ask, geometry),
  });

const answered = (callId: string, decision: CallDecision): DialogStep["effect"] => ({
  do: "answer",
  answers: [{ ref: fakeCall(callId), decision }],
});

const one = askOf(waitingEdit("c1"));
const emptyText: ReaderText = { rows: [], heads: [], window: 10, top: 0, mayHaveSides: false, sides: false };
const digest = "9f3c1122334455667788";
const sessionGrant: GrantOffer = {
  scope: "session",
  grant: { scope: "session", tool: "edit_file", why: "w" },
  text: "allow edit_file",
  where: "grants.json",
};

describe("arming", () => {
  it("decides nothing before a frame was painted, however long ago it opened", () => {
    const dialog = syncDialog(undefined, one, at(0));
    if (dialog === undefined) throw new Error("no dialog");
    const step = dialogKey(dialog, one, char("y"), fits, 60_000);
    expect({ effect: step.effect, toDraft: step.toDraft, armed: step.dialog.armed }).toEqual({
      effect: undefined,
      toDraft: true,
      armed: false,
    });
  });

  it(`decides nothing within ${seenMs} ms of its first frame`, () => {
    expect(dialogKey(opened(one), one, char("y"), fits, seenMs - 1).toDraft).toBe(true);
    expect(dialogKey(opened(one), one, char("n"), fits, seenMs).effect).toEqual(answered("c1", { decision: "deny" }));
  });

  it(`decides nothing while the person goes on typing with pauses below ${calmMs} ms`, () => {
    let dialog = opened(one);
    for (let now = 100; now < 5000; now += calmMs - 1) {
      const step = dialogKey(dialog, one, char("y"), fits, now);
      expect(step.toDraft).toBe(true);
      dialog = step.dialog;
    }
    const last = dialog.lastKeyAt;
    expect(dialogKey(dialog, one, char("n"), fits, last + calmMs).effect).toBeDefined();
  });

  it("decides nothing by a key that was pressed too early and is held down, however late its first repeat comes", () => {
    for (const first of [270, 500, 660]) {
      let { dialog } = dialogKey(opened(one), one, char("y"), fits, 400);
      for (let now = 400 + first; now < 3_000; now += 30) {
        const step = dialogKey(dialog, one, char("y"), fits, now);
        expect(step.toDraft, `${now} ms, first repeat ${first} ms`).toBe(true);
        dialog = step.dialog;
      }
    }
  });

  it("stays armed once it is", () => {
    const first = dialogKey(opened(one), one, char("d"), fits, 600);
    expect(dialogKey(first.dialog, one, char("q"), fits, 601).toDraft).toBeUndefined();
  });

  it("starts anew for the next call and for a changed plan", () => {
    const armed = dialogKey(opened(one), one, key("down"), fits, 600).dialog;
    expect(syncDialog(armed, askOf(waitingEdit("c2")), at(700))).toMatchObject({
      ref: fakeCall("c2"),
      armed: false,
      row: 0,
    });
    expect(syncDialog(armed, askOf(waitingEdit("c1", { digest: "other" })), at(700))).toMatchObject({
      ref: fakeCall("c1"),
      digest: "other",
      armed: false,
      row: 0,
    });
    expect(syncDialog(armed, one, at(700))).toBe(armed);
  });
});

describe("the menu", () => {
  it("starts on deny, so that Enter alone denies", () => {
    expect(type(one, [key("enter")]).effect).toEqual(answered("c1", { decision: "deny" }));
  });

  it("takes the row that was moved to, also when both keys come at once", () => {
    const step = type(one, [key("down"), key("down"), key("down"), key("enter")]);
    expect(step.effect).toEqual(answered("c1", { decision: "approve", digest }));
  });

  it("denies by Escape", () => {
    expect(type(one, [key("escape")]).effect).toMatchObject({ answers: [{ decision: { decision: "deny" } }] });
  });

  it("decides nothing by a paste or by a key that is no choice", () => {
    const step = type(one, [key("paste", { text: "y\ny\n" }), char("x"), char("Y")]);
    expect(step.effect).toBeUndefined();
    expect(step.dialog).toMatchObject({ row: 0, busy: false, note: "“Y” is no choice here" });
  });

  it("takes no second answer while the first is on its way", () => {
    const step = type(one, [char("n"), char("y")]);
    expect(step.effect).toBeUndefined();
    expect(step.dialog.busy).toBe(true);
  });

  it("sends the reason with the denial", () => {
    const step = type(one, [char("r"), char("n"), char("o"), key("enter")]);
    expect(step.effect).toEqual(answered("c1", { decision: "deny", reason: "no" }));
  });

  it("shows the rule of a wider grant before Enter writes it", () => {
    const ask = askOf(waitingEdit("c1", { grants: [sessionGrant] }));
    const pointed = type(ask, [char("s")]);
    expect(pointed.effect).toEqual({ do: "history", ref: fakeCall("c1"), scope: "session" });
    expect(pointed.dialog.row).toBe(4);
    expect(type(ask, [char("s"), key("enter")]).effect).toEqual(
      answered("c1", { decision: "approve", digest, grant: sessionGrant }),
    );
  });

  it("asks once what a grant would have decided, when it is pointed at first", () => {
    const ask = askOf(waitingEdit("c1", { grants: [sessionGrant] }));
    const effects = [char("s"), key("up"), key("down"), key("end")].reduce<{ dialog: Dialog; found: unknown[] }>(
      ({ dialog, found }, pressed) => {
        const step = dialogKey(dialog, ask, pressed, fits, 10_000);
        return { dialog: step.dialog, found: [...found, step.effect] };
      },
      { dialog: opened(ask), found: [] },
    );
    expect(effects.found.filter((one) => one !== undefined)).toEqual([
      { do: "history", ref: fakeCall("c1"), scope: "session" },
    ]);
  });

  it("knows no wider grant that policy does not offer", () => {
    expect(type(one, [char("s"), char("p")]).dialog).toMatchObject({ row: 0, note: "“p” is no choice here" });
  });

  it("goes to the next request by Tab, and round", () => {
    const two = askOf(waitingEdit("c1"), waitingEdit("c2"));
    expect(type(two, [key("tab")]).dialog.ref.call).toBe("c2");
    expect(type(two, [key("tab"), key("tab")]).dialog.ref.call).toBe("c1");
    const { dialog } = type(two, [key("tab")]);
    const step = dialogKey(dialogPainted(dialog, fits, 10_000), two, char("n"), fits, 10_000);
    expect(step.effect).toMatchObject({ answers: [{ ref: fakeCall("c2") }] });
  });

  it.each(["y", "n", "A"])(
    "decides nothing by %s typed twice with the Tab before it: that request was not on the screen",
    (letter) => {
      const two = askOf(waitingEdit("c1"), waitingEdit("c2"));
      for (const unread of [[char(letter), char(letter)], [key("escape")], [key("enter"), key("enter")]]) {
        const step = type(two, [key("tab"), ...unread]);
        expect([step.effect, step.toDraft, step.dialog.ref.call, step.dialog.note]).toEqual([
          undefined,
          undefined,
          "c2",
          "",
        ]);
      }
    },
  );
});

describe("a diff that does not fit", () => {
  it("asks once more before it is approved unseen", () => {
    const first = type(one, [char("y")], long);
    expect(first.effect).toBeUndefined();
    expect(first.dialog.note).toBe("lines 11-30 not shown: space goes there · y again approves");
    expect(type(one, [char("y"), char("y")], long).effect).toMatchObject({
      answers: [{ decision: { decision: "approve" } }],
    });
  });

  it("asks anew after anything else was pressed", () => {
    expect(type(one, [char("y"), key("pagedown"), char("y")], long).effect).toBeUndefined();
    expect(type(one, [char("y"), key("up"), char("y")], long).effect).toBeUndefined();
  });

  it("is approved at once when each page has been on the screen", () => {
    let dialog = opened(one, long);
    for (let page = 0; page < 4; page += 1) {
      dialog = dialogPainted(dialogKey(dialog, one, key("pagedown"), long, 10_000).dialog, long, 10_000);
    }
    expect(dialogKey(dialog, one, char("y"), long, 10_000).effect).toMatchObject({
      answers: [{ decision: { decision: "approve" } }],
    });
  });

  it("is not seen by a jump to its end", () => {
    const end = dialogKey(opened(one, long), one, key("end"), long, 10_000).dialog;
    expect(dialogKey(dialogPainted(end, long, 10_000), one, char("y"), long, 10_000).effect).toBeUndefined();
  });

  it("is another text at another width, of which nothing was seen yet", () => {
    let dialog = opened(one, fits);
    dialog = dialogPainted(
      dialogKey(dialog, one, key("down"), fits, 10_000).dialog,
      { total: 12, window: 10, columns: 60 },
      10_000,
    );
    const narrow = dialogKey(dialog, one, char("y"), { total: 12, window: 10, columns: 60 }, 10_000);
    expect(narrow.effect).toBeUndefined();
    expect(narrow.dialog.note).toBe("lines 11-12 not shown: space goes there · y again approves");
    expect(dialogKey(dialog, one, char("y"), fits, 10_000).effect).toMatchObject({
      answers: [{ decision: { decision: "approve" } }],
    });
  });

  describe("in the full view", () => {
    const rows = Array.from({ length: 30 }, (_, at) => [{ text: `row ${at}` }]);
    const text = (dialog: Dialog): ReaderText => ({
      rows,
      heads: [
        { kind: "hunk", row: 0 },
        { kind: "hunk", row: 15 },
      ],
      window: 10,
      top: dialog.reader.top,
      mayHaveSides: false,
      sides: false,
    });
    /** Keys in the full view, a frame written after each. */
    const reading = (keys: Key[], ask = one): DialogStep =>
      keys.reduce<DialogStep>(
        (step, pressed) => {
          const laid = step.dialog.stage === "full" ? text(step.dialog) : undefined;
          const next = dialogKey(step.dialog, ask, pressed, long, 10_000, laid);
          const { stage, reader } = next.dialog;
          const geometry = stage === "full" ? { ...long, top: reader.top } : long;
          return { ...next, dialog: dialogPainted(next.dialog, geometry, 10_000) };
        },
        { dialog: opened(ask, long) },
      );
    const toTheEnd = [char("d"), char(" "), char(" "), char(" ")];

    it("nothing is decided before its end was read", () => {
      for (const pressed of [char("y"), char("r"), char("e"), key("enter"), key("paste", { text: "y" })]) {
        const step = reading([char("d"), pressed]);
        expect(step.effect).toBeUndefined();
        expect(step.dialog.stage).toBe("full");
      }
      expect(reading([char("d"), char("y")]).dialog.reader.note).toBe(
        "lines 11-30 not shown: space goes there · esc goes back",
      );
    });

    it("the keys of the menu decide once the end was read, which counts in the dialog too", () => {
      expect(reading([...toTheEnd, char("y")]).effect).toEqual(answered("c1", { decision: "approve", digest }));
      expect(reading([...toTheEnd, char("r")]).dialog.stage).toBe("reason");
      expect(reading([...toTheEnd, key("escape"), char("y")]).effect).toEqual(
        answered("c1", { decision: "approve", digest }),
      );
      const high = askOf(waitingEdit("c1", { risk: "high" }));
      expect(reading([...toTheEnd, char("y")], high)).toMatchObject({ dialog: { stage: "confirm" } });
    });

    it("J goes to the next change, and n and p, which do so in other readers, neither go nor decide", () => {
      expect(reading([char("d"), char("J")]).dialog.reader.top).toBe(15);
      for (const keys of [[char("d")], toTheEnd]) {
        const walked = reading([...keys, ...[..."npnnnnnnpp"].map(char)]);
        expect(walked.effect).toBeUndefined();
        expect(walked.dialog).toMatchObject({ stage: "full", busy: false });
        expect(walked.dialog.reader.note).toContain("keys of the menu");
      }
      const last = reading([...toTheEnd, char("J"), char("J"), char("J")]);
      expect(last.dialog.reader.note).toBe("no further change");
    });

    it("names what was not shown, and space goes there: first as it was said, at the end without being told", () => {
      const jumped = reading([char("d"), char("G"), char("y")]);
      expect(jumped.dialog.reader).toMatchObject({ top: 20, note: expect.stringContaining("lines 11-20 not shown") });
      expect(reading([char("d"), char("G"), char("y"), char(" ")]).dialog.reader).toMatchObject({ top: 10, note: "" });
      expect(reading([char("d"), char("G"), char(" ")]).dialog.reader.top).toBe(10);
      // What stands between was shown then: it may be approved, though the end was read first.
      expect(reading([char("d"), char("G"), char("y"), char(" "), char("y")]).effect).toEqual(
        answered("c1", { decision: "approve", digest }),
      );
      const parts = reading([char("d"), ...Array.from({ length: 15 }, () => char("j")), char("k"), char("y")]);
      expect(parts.dialog.reader.note).toContain("lines 26-30 not shown");
      expect(reading([char("d"), char("y"), char("j"), char(" ")]).dialog.reader.top).toBe(10);
    });

    it("Escape goes back to the choices and never denies, out of a search to the text", () => {
      for (const keys of [[char("d")], toTheEnd, [...toTheEnd, char("n")]]) {
        const step = reading([...keys, key("escape")]);
        expect(step.effect).toBeUndefined();
        expect(step.dialog.stage).toBe("choose");
      }
      expect(reading([char("d"), char("/"), char("y"), key("escape")]).dialog.stage).toBe("full");
    });

    it("goes over to the next request and stays", () => {
      const two = askOf(waitingEdit("c1"), waitingEdit("c2"));
      expect(reading([char("d"), key("tab")], two).dialog).toMatchObject({ ref: fakeCall("c2"), stage: "full" });
      expect(reading([char("d"), char("]")], two).dialog).toMatchObject({ ref: fakeCall("c2"), stage: "full" });
    });
  });

  it("is not seen by reading why it is asked about, however long that is", () => {
    const why = type(one, [char("?")], long).dialog;
    const read = dialogPainted(why, { total: 30, window: 30, columns: 80 }, 10_000);
    expect(dialogKey(read, one, key("down"), long, 10_000).dialog).toMatchObject({ stage: "why", scroll: 1 });
    const back = dialogKey(read, one, char("y"), long, 10_000);
    expect(back.effect).toBeUndefined();
    expect(back.dialog).toMatchObject({ stage: "choose", scroll: 0 });
    expect(back.dialog).toMatchObject({
      sure: true,
      note: "lines 11-30 not shown: space goes there · y again approves",
    });
  });
});

describe("a partial call", () => {
  const word = (text: string): Key[] => [...text].map(char);
  const partial = { lines: 10, bytes: 2_000_000, why: "size" as const };
  const large = askOf(waitingEdit("c1", { partial, grants: [sessionGrant] }));
  const binary = askOf(waitingEdit("c1", { partial: { lines: 0, bytes: 12, why: "binary" }, grants: [sessionGrant] }));
  const approved = answered("c1", { decision: "approve", digest });

  it("is not approved by y, however often, but by the word yes", () => {
    expect(type(large, [char("y"), char("y"), char("y")], long).effect).toBeUndefined();
    expect(type(large, [char("y"), key("enter")], long).dialog.note).toBe("not approved: the word was not “yes”");
    expect(type(large, [char("y"), ...word("yes"), key("enter")], long).effect).toEqual(approved);
  });

  it("is approved by y when it was read to its end", () => {
    let dialog = opened(large, long);
    for (let page = 0; page < 3; page += 1) {
      expect(dialogKey(dialog, large, char("y"), long, 10_000).effect).toBeUndefined();
      dialog = dialogPainted(dialogKey(dialog, large, key("pagedown"), long, 10_000).dialog, long, 10_000);
    }
    expect(dialogKey(dialog, large, char("y"), long, 10_000).effect).toEqual(approved);
  });

  it("is never read to its end where it is no text", () => {
    const step = type(binary, [char("y")]);
    expect([step.effect, step.dialog.stage]).toEqual([undefined, "confirm"]);
    expect(step.dialog.note).toBe("12 bytes of this change are not shown: they are not text");
    expect(type(binary, [char("y"), ...word("yes"), key("enter")]).effect).toEqual(approved);
  });

  it("takes no wider grant before it was read", () => {
    for (const ask of [large, binary]) {
      const step = type(ask, [char("s"), key("enter"), key("enter")], long);
      expect(step.effect).toBeUndefined();
      expect(step.dialog.note).toBe("not all shown; read it to its end first, or approve it once with y");
    }
  });
});

describe("a call of high risk", () => {
  const high = askOf(waitingEdit("c1", { risk: "high" }));
  const word = (text: string): Key[] => [...text].map(char);

  it("is approved by the word yes and by nothing else", () => {
    expect(type(high, [char("y"), key("enter")]).effect).toBeUndefined();
    expect(type(high, [char("y"), ...word("y"), key("enter")]).effect).toBeUndefined();
    expect(type(high, [char("y"), ...word("yes"), key("enter")]).effect).toEqual(
      answered("c1", { decision: "approve", digest }),
    );
  });
});

describe("editing the arguments", () => {
  it("goes back to the menu when nothing was changed", () => {
    const step = type(one, [char("e"), key("char", { text: "s", ctrl: true })]);
    expect(step.effect).toBeUndefined();
    expect(step.dialog).toMatchObject({ stage: "choose", note: "the arguments are as before" });
  });

  it("opens the text that is meant as it is, and answers with it among the arguments", () => {
    const begun = type(one, [char("e")]);
    expect(begun.dialog).toMatchObject({ argument: "new_string", text: { text: '"hello, world"', cursor: 0 } });
    expect(type(one, [char("e"), char("x"), key("char", { text: "s", ctrl: true })]).effect).toEqual(
      answered("c1", {
        decision: "edit",
        arguments: { file_path: "src/a.ts", old_string: '"hello"', new_string: 'x"hello, world"' },
      }),
    );
    expect(type(one, [char("e"), key("char", { text: "o", ctrl: true })]).effect).toMatchObject({
      do: "editor",
      name: "a.ts",
    });
    expect(type(one, [char("e"), char("x"), key("tab")]).dialog.text.text).toContain('"new_string": "x\\"hello, world');
    const odd = askOf(waitingEdit("c1", { arguments: { new_string: "a\r\n", file_path: "a" } }));
    expect(type(odd, [char("e")]).dialog).toMatchObject({
      argument: undefined,
      text: { text: expect.stringContaining("\\r\\n") },
    });
  });

  it("says what is wrong with the JSON and keeps the text and the cursor", () => {
    const step = type(one, [char("e"), key("tab"), char("x"), key("char", { text: "s", ctrl: true })]);
    expect(step.effect).toBeUndefined();
    expect(step.dialog.stage).toBe("edit");
    expect(step.dialog.note).toMatch(/^not JSON: /);
    expect(step.dialog.text).toMatchObject({ text: expect.stringMatching(/^x\{/), cursor: 1 });
  });

  it("answers with the whole arguments, fields that are locked included", () => {
    const ask = askOf(waitingEdit("c1", { arguments: { path: "a", secret: "k" }, editable: ["path"] }));
    const begun = type(ask, [char("e")]);
    expect(begun.dialog.text.text).toBe('{\n  "path": "a"\n}');
    const keys = [
      key("down"),
      key("end"),
      key("backspace"),
      char("b"),
      char('"'),
      key("char", { text: "s", ctrl: true }),
    ];
    expect(type(ask, [char("e"), ...keys]).effect).toEqual(
      answered("c1", { decision: "edit", arguments: { path: "ab", secret: "k" } }),
    );
  });

  it("is not offered where nothing may be edited, and its key says so", () => {
    const ask = askOf(waitingEdit("c1", { editable: [] }));
    expect(ask.requests.map(choicesOf)).toEqual([["deny", "reason", "once"]]);
    expect(type(ask, [char("e")]).dialog).toMatchObject({
      stage: "choose",
      note: "nothing in this call may be edited",
    });
  });

  it("shows hidden characters as escapes and gives them back as they were", () => {
    const ask = askOf(waitingEdit("c1", { arguments: { text: "a\u202eb" } }));
    expect(type(ask, [char("e")]).dialog.text.text).toBe('{\n  "text": "a\\u202eb"\n}');
    expect(type(ask, [char("e"), key("char", { text: "s", ctrl: true })]).dialog.note).toBe(
      "the arguments are as before",
    );
  });
});

describe("what was written and not sent", () => {
  const esc = key("escape");
  const send = key("char", { text: "s", ctrl: true });
  const edited = [char("e"), char("x"), char("y")];

  it("is kept when the person leaves it, said to be, and there again when they come back", () => {
    const left = type(one, [...edited, esc]);
    expect(left.dialog).toMatchObject({ stage: "choose", note: "your edit is kept: e opens it again" });
    const again = type(one, [...edited, esc, char("e")]).dialog;
    expect(again).toMatchObject({ stage: "edit", note: expect.stringContaining("your edit as you left it") });
    expect(again.text).toMatchObject({ text: 'xy"hello, world"', cursor: 2 });
    expect(type(one, [...edited, esc, char("e"), send]).effect).toMatchObject({
      answers: [{ decision: { decision: "edit", arguments: { new_string: 'xy"hello, world"' } } }],
    });
    expect(type(one, [...edited, esc, char("o")]).effect).toMatchObject({ do: "editor", text: 'xy"hello, world"' });
  });

  it("is kept beside other requests, as JSON too, and the reason of a denial with it", () => {
    const two = askOf(waitingEdit("c1"), waitingEdit("c2"));
    const seen = (keys: Key[]): Dialog =>
      keys.reduce(
        (dialog, pressed) => dialogPainted(dialogKey(dialog, two, pressed, fits, 10_000).dialog, fits, 10_000),
        opened(two),
      );
    expect(seen([...edited, esc, key("tab"), char("e")]).text.text).toBe('"hello, world"');
    expect(seen([...edited, esc, key("tab"), key("tab"), char("e")]).text.text).toBe('xy"hello, world"');
    const json = [char("e"), key("tab"), char("x"), esc, char("e")];
    expect(seen(json)).toMatchObject({ argument: undefined, text: { text: expect.stringMatching(/^x\{/) } });
    const reason = [char("r"), char("n"), char("o"), esc];
    expect(seen(reason).note).toBe("your reason is kept: r opens it again");
    expect(seen([...reason, key("tab"), char("r")]).text.text).toBe("");
    expect(seen([...reason, char("r")]).text).toMatchObject({ text: "no", cursor: 2 });
  });

  it("is not kept where nothing was changed, and begins anew by ctrl+r, which can be undone", () => {
    expect(type(one, [char("e"), char("x"), key("backspace"), esc]).dialog.note).toBe("");
    const anew = [...edited, esc, char("e"), key("char", { text: "r", ctrl: true })];
    expect(type(one, anew).dialog.text.text).toBe('"hello, world"');
    expect(type(one, [...anew, key("char", { text: "_", ctrl: true })]).dialog.text.text).toBe('xy"hello, world"');
    expect(type(one, [...anew, esc, char("e")]).dialog.note).toBe("");
  });

  it("is kept when the plan changes while the person writes, and gone once the call says it", () => {
    const changed = askOf(waitingEdit("c1", { digest: "other" }));
    const writing = type(one, edited).dialog;
    const next = syncDialog(writing, changed, at(20_000), one.requests[0]);
    if (next === undefined) throw new Error("no dialog");
    expect(next).toMatchObject({ stage: "choose", armed: false, note: "your edit is kept: e opens it again" });
    const painted = dialogPainted(next, fits, 20_000);
    expect(dialogKey(painted, changed, char("e"), fits, 30_000).dialog.text.text).toBe('xy"hello, world"');
    const sent = type(one, [...edited, send]).dialog;
    const taken = askOf(
      waitingEdit("c1", {
        digest: "edited",
        arguments: { file_path: "src/a.ts", old_string: '"hello"', new_string: 'xy"hello, world"' },
      }),
    );
    const asked = syncDialog(sent, taken, at(20_000), one.requests[0]);
    if (asked === undefined) throw new Error("no dialog");
    expect(asked.note).toBe("");
    expect(dialogKey(dialogPainted(asked, fits, 20_000), taken, char("e"), fits, 30_000).dialog.note).toBe("");
  });
});

describe("one step back by Escape", () => {
  const ask = askOf(waitingEdit("c1", { grants: [sessionGrant], mode: "accept-edits" }));
  const esc = key("escape");

  it.each([
    ["why it is asked", [char("?")]],
    ["the full view", [char("d")]],
    ["a grant that is pointed at", [char("s")]],
    ["the mode that is pointed at", [char("m")]],
    ["the reason", [char("r"), char("x")]],
    ["the arguments", [char("e")]],
  ])("never denies from %s", (_, keys) => {
    const step = type(ask, [...keys, esc]);
    expect(step.effect).toBeUndefined();
    expect(step.dialog).toMatchObject({ stage: "choose", busy: false });
  });

  it("takes back a y that asked once more, and denies only then", () => {
    const step = type(ask, [char("y"), esc], long);
    expect(step).toEqual({ dialog: expect.objectContaining({ sure: false, stage: "choose" }) });
    expect(type(ask, [char("y"), esc, esc], long).effect).toBeUndefined();
    const later = dialogKey(type(ask, [char("y"), esc], long).dialog, ask, esc, long, 10_000 + breathMs);
    expect(later.effect).toEqual(answered("c1", { decision: "deny" }));
  });

  it.each([
    ["why, then the full view", "?d", ["why", "choose"]],
    ["the full view, then why", "d?", ["full", "choose"]],
    ["why, the full view, why again", "?d?", ["full", "why", "choose"]],
    ["why, then the reason", "?r", ["why", "choose"]],
    ["why, then the arguments", "?e", ["why", "choose"]],
    ["why, then a grant", "?s", ["why", "choose"]],
    ["why, then the mode", "?m", ["why", "choose"]],
    ["why, and a key without a meaning there", "?x", ["choose"]],
    ["why, then a y that asks once more", "?y", ["why", "choose"]],
  ])("goes through the pages as they were opened: %s", (_, letters, pages) => {
    let dialog = opened(ask, long);
    const stageAfter = (pressed: Key) => {
      const text = dialog.stage === "full" ? emptyText : undefined;
      const step = dialogKey(dialog, ask, pressed, long, 10_000, text);
      expect(step.effect?.do).not.toBe("answer");
      ({ dialog } = step);
      return dialog.stage;
    };
    for (const letter of letters) stageAfter(char(letter));
    const stages = pages.map(() => stageAfter(esc));
    expect(stages).toEqual(pages);
    expect(dialog).toMatchObject({ trail: [], row: 0 });
  });

  it("denies nothing while it is held down, and says so", () => {
    let { dialog } = type(ask, [char("?")]);
    for (const now of [10_000, 10_000 + breathMs - 1, ...[30, 60, 90, 800].map((by) => 10_000 + breathMs + by)]) {
      const step = dialogKey(dialog, ask, esc, fits, now);
      expect(step.effect).toBeUndefined();
      ({ dialog } = step);
    }
    expect(dialog.note).toContain("nothing is denied");
    expect(dialogKey(dialog, ask, char("n"), fits, 20_000).effect).toEqual(answered("c1", { decision: "deny" }));
    expect(dialogKey(dialog, ask, esc, fits, 20_000).effect).toEqual(answered("c1", { decision: "deny" }));
  });

  it("and an Enter that opened a request from the list does not deny it", () => {
    const two = askOf(waitingEdit("c1"), waitingEdit("c2"));
    for (const keys of [[char("l")], [char("l"), key("down")]]) {
      let { dialog } = type(two, [...keys, key("enter")]);
      dialog = dialogPainted(dialog, fits, 10_000);
      const again = dialogKey(dialog, two, key("enter"), fits, 10_000 + 30);
      expect(again.effect).toBeUndefined();
      expect(again.dialog.note).toContain("nothing is decided");
      expect(dialogKey(again.dialog, two, key("enter"), fits, 20_000).effect).toMatchObject({ do: "answer" });
    }
    const wrong = type(askOf(waitingEdit("c1", { risk: "high" })), [char("y"), key("enter"), key("enter")]);
    expect(wrong.effect).toBeUndefined();
  });
});

describe("the page of reasons", () => {
  it.each([
    ["y", { effect: answered("c1", { decision: "approve", digest }) }],
    ["n", { effect: answered("c1", { decision: "deny" }) }],
    ["e", { dialog: { stage: "edit" } }],
    ["d", { dialog: { stage: "full" } }],
    ["r", { dialog: { stage: "reason" } }],
  ])("knows the key of the menu %s", (letter, after) => {
    expect(type(one, [char("?"), char(letter)])).toMatchObject(after);
  });
});

describe("the mode that allows edits", () => {
  it("is set with the approval, after it was pointed at", () => {
    const ask = askOf(waitingEdit("c1", { mode: "accept-edits" }));
    expect(type(ask, [char("m")]).effect).toBeUndefined();
    expect(type(ask, [char("m"), key("enter")]).effect).toEqual({
      ...answered("c1", { decision: "approve", digest, mode: "accept-edits" }),
    });
    expect(type(one, [char("m")]).dialog.note).toBe("“m” is no choice here");
  });
});

describe("a batch", () => {
  const calls = [
    waitingEdit("c1", { digest: "d1" }),
    waitingEdit("c2", { digest: "d2", risk: "high" }),
    waitingEdit("c3", { digest: "d3" }),
    waitingEdit("c4", { digest: "d4" }),
  ];
  const ask = askOf(...calls);
  const approved = (callId: string, digest: string) => ({
    ref: fakeCall(callId),
    decision: { decision: "approve", digest },
  });
  /** As `type`, with a frame written after each key. */
  const read = (keys: Key[], geometry = fits): DialogStep =>
    keys.reduce<DialogStep>(
      (step, one) => {
        const next = dialogKey(step.dialog, ask, one, geometry, 10_000);
        return { ...next, dialog: dialogPainted(next.dialog, geometry, 10_000) };
      },
      { dialog: opened(ask, geometry) },
    );

  it("approves by A what was shown whole, of low and medium risk, and nothing else", () => {
    const step = read([key("tab"), key("tab"), char("A")]);
    expect(step.effect).toEqual({ do: "answer", answers: [approved("c1", "d1"), approved("c3", "d3")] });
    expect(read([char("A")], long)).toEqual({
      dialog: expect.objectContaining({ note: "A approves what was shown whole, of low or medium risk: nothing yet" }),
    });
  });

  it("does not count for A what was shown at another width", () => {
    const { dialog } = read([key("tab")]);
    const narrow = dialogKey(dialog, ask, char("A"), { ...fits, columns: 40 }, 10_000);
    expect(narrow.effect).toBeUndefined();
  });

  it("opens by the list any call that waits, and decides nothing there", () => {
    expect(read([char("l"), key("down"), key("down"), key("enter")]).dialog).toMatchObject({
      ref: fakeCall("c3"),
      stage: "choose",
    });
    expect(read([char("l"), char("y")])).toEqual({ dialog: expect.objectContaining({ stage: "list" }) });
    expect(read([char("l"), key("escape")])).toEqual({ dialog: expect.objectContaining({ stage: "choose", row: 0 }) });
  });

  it("goes on with the next call, not with the first, when one was answered", () => {
    const { dialog } = read([key("tab"), char("n")]);
    const rest: Ask = { ...ask, requests: ask.requests.filter((request) => request.call.callId !== "c2") };
    expect(syncDialog(dialog, rest, at(20_000))?.ref.call).toBe("c3");
  });
});
