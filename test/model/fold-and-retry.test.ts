import { describe, expect, test } from "vitest";
import { connectionFailure, failureOf, oneLine } from "../../src/model/failures.ts";
import { foldReply } from "../../src/model/fold-reply.ts";
import { retryAfterMs, waitBefore } from "../../src/model/retrying.ts";
import { pieceOf } from "../../src/model/wire.ts";

describe("the fold", () => {
  test("gives nothing before a finish reason, whatever came", () => {
    const fold = foldReply();
    fold.push({ text: "a", calls: [{ index: 0, id: "x", name: "ls", args: "{}" }] });
    expect(fold.ended).toBe(false);
    expect(() => fold.finish()).toThrowError(expect.objectContaining({ kind: "cut" }));
    fold.push({ finish: "tool_calls" });
    expect(fold.finish()).toEqual({
      text: "a",
      calls: [{ id: "x", name: "ls", rawArguments: "{}" }],
      finish: "tool_calls",
    });
  });

  test("puts calls in the order of their indices, whatever came first, with gaps or not", () => {
    const fold = foldReply();
    fold.push({ calls: [{ index: 7, id: "a", name: "one", args: "{" }] });
    fold.push({
      calls: [
        { index: 2, id: "b", name: "two", args: "[" },
        { index: 7, args: "}" },
      ],
    });
    const events = fold.push({ calls: [{ index: 2, args: "]" }], finish: "stop" });
    expect(events).toEqual([{ type: "call", index: 1, argumentsDelta: "]" }]);
    expect(fold.finish().calls.map(({ rawArguments }) => rawArguments)).toEqual(["[]", "{}"]);
  });

  test("a call that never gets a name is no call", () => {
    const fold = foldReply();
    fold.push({ calls: [{ index: 0, args: "{}" }], finish: "tool_calls" });
    expect(() => fold.finish()).toThrowError(expect.objectContaining({ kind: "cut" }));
  });

  test("an empty reply that ended well is a reply", () => {
    const fold = foldReply();
    fold.push({ finish: "stop" });
    expect(fold.finish()).toEqual({ text: "", calls: [], finish: "stop" });
  });
});

describe("an event of the stream", () => {
  test.each([null, 3, "x", [], {}, { choices: 3 }, { choices: [] }, { choices: [null] }, { choices: [{ delta: 4 }] }])(
    "of no known form (%j) is nothing",
    (event) => {
      const piece = pieceOf(event as never);
      expect([piece.text, piece.calls, piece.finish, piece.usage].filter((each) => each !== undefined)).toEqual([]);
    },
  );

  test("with fields of the wrong type keeps what can be read", () => {
    const calls = [null, { index: "0", id: 5, function: { name: 7, arguments: 8 } }, { function: { name: "ls" } }];
    const piece = pieceOf({ choices: [{ delta: { content: null, tool_calls: calls }, finish_reason: 3 }] });
    expect(piece.calls?.map(({ name }) => name)).toEqual([undefined, "ls"]);
    expect(piece.finish).toBeUndefined();
  });
});

describe("waits", () => {
  test("double each time, half of it by chance", () => {
    expect([1, 2, 3, 4].map((attempt) => waitBefore(attempt, undefined, 0))).toEqual([500, 1000, 2000, 4000]);
    expect(waitBefore(1, undefined, 1)).toBe(1000);
    expect(waitBefore(40, undefined, 1)).toBe(60_000);
    expect(waitBefore(1, 0, 1)).toBe(0);
  });

  test.each([
    ["12", 12_000],
    ["0.5", 500],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 59_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-4", undefined],
    ["", undefined],
  ])("retry-after %j is %j ms", (value, wanted) => {
    expect(retryAfterMs(new Headers({ "retry-after": value }), 1000)).toBe(wanted);
  });
});

describe("what a server said", () => {
  const endpoint = { model: "m", baseUrl: "https://example.invalid/v1" };
  test.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "refused", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "refused", "NODE_EXTRA_CA_CERTS"],
    ["CERT_HAS_EXPIRED", "refused", "NODE_EXTRA_CA_CERTS"],
    ["EPROTO", "refused", "http://"],
  ])("no other try mends %s: %s, with the hint %s", (code, kind, hint) => {
    const failure = connectionFailure(code, "", endpoint, undefined);
    expect(failure).toMatchObject({ name: "ModelFailure", kind, hint: expect.stringContaining(hint) });
  });

  test.each(["ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN", undefined])("another try may mend %s", (code) => {
    expect(connectionFailure(code, "gone", endpoint, undefined).name).toBe("Passing");
  });

  test("a rate limit that speaks of context is still a rate limit", () => {
    const failure = failureOf(
      { status: 429, message: "context window tokens per minute" },
      { model: "m", baseUrl: "u" },
    );
    expect(failure.name).toBe("Passing");
  });

  test("is one short line without the key", () => {
    expect(oneLine("a\n\tb  c sk-123456", ["sk-123456"])).toBe("a b c ***");
    expect(oneLine("<!DOCTYPE html><html>…")).toBe("it answered with a web page");
    expect(oneLine("x".repeat(1000))).toHaveLength(300);
  });
});
