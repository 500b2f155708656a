import { describe, expect, it } from "vitest";
import { endWord } from "../../../src/cli/print/plain-printer.ts";
import type { CallEnd, CallOf, EndReason } from "../../../src/core/call.ts";
import { callWords } from "../../../src/graph/talk/call-words.ts";
import { pendingCall } from "../../support/fake-session.ts";

type Ended = CallOf<"cancelled"> | CallOf<"interrupted">;

const edit = pendingCall("c1", "edit_file", { file_path: "a.txt" });
const cancelled = (ended: CallEnd, reason?: string): Ended =>
  ({ ...edit, status: "cancelled", by: { actor: "person" }, ended, ...(reason && { reason }) }) as Ended;
const interrupted = (ended: CallEnd): Ended => ({ ...edit, status: "interrupted", ended }) as Ended;

const note = "its process died";
const unseen = "its process ended while it ran";
const unknown = (known: string) =>
  `Outcome unknown: the call was started, its end was not seen (${known}). Look before you repeat it.`;

/** Every reason, each as it may end a call: the word in lists, and what the model reads. */
const table: Record<EndReason, readonly (readonly [Ended, string, string])[]> = {
  denied: [
    [cancelled({ why: "denied" }), "denied", "Not run: denied by the person"],
    [cancelled({ why: "denied" }, "not now"), "denied", "Not run: denied by the person: not now"],
    [{ ...cancelled({ why: "denied" }), by: { actor: "script" } } as Ended, "denied", "Not run: denied by the script"],
  ],
  policy: [[cancelled({ why: "policy", note: "it is sealed" }), "denied", "Not run: denied by policy: it is sealed"]],
  stopped: [[cancelled({ why: "stopped" }), "cancelled", "Not run: the person stopped the turn before it ran"]],
  superseded: [
    [cancelled({ why: "superseded" }), "cancelled", "Not run: the person sent a new message instead of an answer"],
    [
      cancelled({ why: "superseded", unknown: true, note }),
      "outcome unknown",
      "Outcome unknown: its process died; the person went on with a new message",
    ],
  ],
  forked: [
    [cancelled({ why: "forked" }), "cancelled", "Not run: the session was forked before it ran"],
    [
      cancelled({ why: "forked", unknown: true, note }),
      "outcome unknown",
      "Outcome unknown: its process died; the session was forked",
    ],
  ],
  given_up: [
    [
      cancelled({ why: "given_up", unknown: true, note }),
      "outcome unknown",
      "Outcome unknown: its process died; the person gave up on it",
    ],
    [
      cancelled({ why: "given_up", unknown: true, note, files: ["a.txt"] }),
      "outcome unknown",
      "Outcome unknown: a.txt was changed; the rest is not known: its process died; the person gave up on it",
    ],
  ],
  lapsed: [
    [
      cancelled({ why: "lapsed", note: "the file is gone" }),
      "cancelled",
      "Not run: it can no longer be done: the file is gone",
    ],
    [
      cancelled({ why: "lapsed", note: "the file is gone", files: ["a.txt", "b.txt"] }),
      "partly done",
      "Partly done: a.txt, b.txt were changed; the rest was not: it can no longer be done: the file is gone",
    ],
  ],
  raced: [
    [cancelled({ why: "raced", note: "their save won" }), "not applied", "Not applied: their save won"],
    [interrupted({ why: "raced", note: "their save won" }), "not settled", "Not applied: their save won"],
  ],
  overstepped: [
    [
      cancelled({ why: "overstepped", note: "x changed" }),
      "done, not accepted",
      "Done, and the person does not accept it: x changed",
    ],
    [interrupted({ why: "overstepped", note: "x changed" }), "not settled", "Done, and not accepted yet: x changed"],
  ],
  partly: [[interrupted({ why: "partly" }), "not settled", unknown("part of it was already done")]],
  unseen: [
    [interrupted({ why: "unseen" }), "outcome unknown", unknown(unseen)],
    [
      interrupted({ why: "unseen", unwritten: true, note }),
      "outcome unknown",
      unknown(`its end could not be written down; ${note}`),
    ],
  ],
  unclear: [
    [
      interrupted({ why: "unclear", note: "it failed while it ran: EIO" }),
      "not settled",
      unknown("it failed while it ran: EIO"),
    ],
  ],
};

describe.each(Object.entries(table))("a call that ended because of %s", (_, rows) => {
  it.each(rows)("is told in its words: %j", (call, word, said) => {
    expect([endWord(call), callWords.observed(call)]).toEqual([word, said]);
  });
});

it("a call that failed says what it did before, and nothing of it where it did nothing", () => {
  const failed = { ...edit, status: "error", errorCode: "STALE", errorMsg: "it changed" } as CallOf<"error">;
  expect(callWords.failure(failed)).toBe("it changed");
  expect(callWords.failure({ ...failed, ended: { why: "unseen" } })).toBe("it changed");
  expect(callWords.failure({ ...failed, ended: { why: "partly", files: ["a.txt"] } })).toBe(
    "it changed; before that, a.txt was changed",
  );
});
