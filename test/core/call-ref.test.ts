import { describe, expect, it } from "vitest";
import { addressOf, namedIn, nameIn, readCallName, sameCall } from "../../src/core/call-ref.ts";

describe("a call's address", () => {
  it.each([
    ["c3", { call: "c3" }],
    ["all", { call: "all" }],
    ["c3@9f3c11223344", { call: "c3", digest: "9f3c11223344" }],
    ["brisk-otter-4f2a:c3", { session: "brisk-otter-4f2a", call: "c3" }],
    ["brisk-otter-4f2a:c3@9f3c", { session: "brisk-otter-4f2a", call: "c3", digest: "9f3c" }],
    ["brisk-otter-4f2a@c2.1:c3", { session: "brisk-otter-4f2a@c2.1", call: "c3" }],
    ["brisk-otter-4f2a@c2:x@c1:c3@9f3c", { session: "brisk-otter-4f2a@c2:x@c1", call: "c3", digest: "9f3c" }],
  ])("is read from %s", (text, read) => expect(readCallName(text)).toEqual(read));

  it.each(["", ":c3", "c3@", "s:", "s:@9f3c", "c3@a@b", "s:c3@"])("is not read from %j", (text) =>
    expect(readCallName(text)).toBeUndefined(),
  );

  it("is the same call by both its parts alone, and has a short name at home", () => {
    const ref = { session: "s@c2", call: "c3" };
    expect([sameCall(ref, { ...ref }), sameCall(ref, { ...ref, session: "s" }), sameCall(ref, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([nameIn("s@c2", ref), nameIn("s", ref)]).toEqual(["c3", "s@c2:c3"]);
    for (const home of ["s", "s@c2"])
      for (const name of [nameIn(home, ref), addressOf(ref)])
        expect(namedIn(home, readCallName(name) ?? { call: "" })).toEqual(ref);
  });
});
