import { describe, expect, test } from "vitest";
import { guardedReason, sealedReason } from "../../src/policy/protected.ts";

/** Put into a protected name after its second character. Some file systems leave them out when they compare names. */
const unseen = [
  ..."\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u2060\u2062\u2064\u2066\u206f\u3164\ufe00\ufe0f\ufeff\uffa0",
  "\u{1bca0}",
  "\u{1d173}",
  "\u{e0001}",
  "\u{e0041}",
  "\u{e0100}",
  "\u200b\u00ad\ufe0f",
];
const names = [
  ".git/config",
  ".holdfast/policy.json",
  ".env",
  "AGENTS.md",
  ".ssh/id_rsa",
  "sub/.github/workflows/a.yml",
];

const isProtected = (name: string): boolean =>
  sealedReason(`/work/${name}`, "/work", { roots: [] }) !== undefined ||
  guardedReason(`/work/${name}`, "/work", "write") !== undefined;

describe("a protected name", () => {
  test.each(names)("is known with characters that a file system leaves out: %s", (name) => {
    const at = name.lastIndexOf("/.") + 3;
    for (const one of unseen) {
      const spelled = name.slice(0, at) + one + name.slice(at);
      expect([JSON.stringify(one), isProtected(spelled)]).toEqual([JSON.stringify(one), true]);
      expect(isProtected(one + name)).toBe(true);
      expect(isProtected(spelled.toUpperCase())).toBe(true);
    }
  });

  test.each([".\u1e9eh/config", ".\u017fsh/config", ".\u212aube/config", ".ENV", "AGENT\u017f.MD", ".G\u0131t/config"])(
    "is known by what a folding of case makes of it: %s",
    (name) => expect(isProtected(name)).toBe(true),
  );

  test("is not seen in honest names of other scripts", () => {
    const honest = [
      "gıt.md",
      "straße.txt",
      "Ünïcode.ts",
      "日本語.md",
      "नमस्ते.txt",
      "می‌خواهم.txt",
      "e\u0301.txt",
      "👩‍💻.md",
      "env",
      "ss",
    ];
    for (const name of honest) expect([name, isProtected(name)]).toEqual([name, false]);
  });
});
