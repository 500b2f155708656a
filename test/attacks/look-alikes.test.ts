import { describe, expect, it, test } from "vitest";
import { lookAlikes } from "../../src/core/look-alikes.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

describe("F22, a word that could be taken for another, is pointed at", () => {
  it.each([
    ["one Cyrillic letter", 'const host = "pаypal.com";', "pаypal", "а is U+0430"],
    ["several", "const ѕсоре = 1; isАdmin()", "isАdmin", "А is U+0410"],
    ["a Greek one", "if (admιn || usεr || pοst)", "pοst", "ο is U+03BF"],
    ["an Armenian one", "tօken", "tօken", "օ is U+0585"],
    ["a Cherokee one", "Ꭺdmin", "Ꭺdmin", "Ꭺ is U+13AA"],
    ["full-width ones", "ｅval(x) + evａl(x)", "ｅval", "ｅ is U+FF45"],
    ["mathematical ones, which Python reads as plain", "𝐞𝐯𝐚𝐥(x)", "𝐞𝐯𝐚𝐥", "𝐞 is U+1D41E"],
    ["punycode", "https://xn--pypal-4ve.com/", "xn--pypal-4ve", "it is punycode for other letters"],
  ])("%s", (_, text, word, why) => {
    expect(lookAlikes(text)).toContainEqual({ word, why });
  });

  it.each([
    ["Russian", "// Проверка прав: рост, сор, IT-отдел, web-сервер, id_пользователя, getИмя(), URLы"],
    ["Chinese and Japanese", '"登录 API 失败", "日本語のテスト", "ＡＰＩ", データbase'],
    ["Greek", "// η σταθερά είναι η ίδια"],
    ["formulas", "Δt = λx + μs * αβ_test; 𝑥 = 1; Ωm; 10 µm; σ2; ρ0"],
    ["Turkish, Vietnamese, German, French", "ışık đường Straße naïveté œuvre"],
    ["Arabic, Hebrew, Hindi, Thai, Korean", "مرحبا API שלום test नमस्ते ทดสอบ 한국어 abc한국어"],
    ["emoji, and names of code", "👩‍💻 done ✅ a_b-c.d123 x1 café"],
  ])("and an honest one is not: %s", (_, text) => {
    expect(lookAlikes(text)).toEqual([]);
  });

  it("in time that grows with the text alone", () => {
    const text = "pаypal-".repeat(100_000) + "а".repeat(500_000);
    expect(lookAlikes(text).length).toBeGreaterThan(0);
  });
});

test("paths and new lines with look-alikes are warned of above the diff, in every form, and the digest stays the same", async () => {
  const write = (path: string, content: string) => asks("write_file", { file_path: path, content });
  const place = await openPlace([write("srс/a.ts", 'go("pаypal.com")\n'), says("Done.")]);
  const told = await place.json(["run", "write"]);
  const [call] = told.the("approval_requested").calls;
  const warnings = [
    "letters that look like others in a path: “srс” (с is U+0441)",
    "letters that look like others in srс/a.ts: “pаypal” (а is U+0430)",
  ];
  expect(call?.plan.warnings).toEqual(warnings);
  const plain = await place.run(["resume", told.session]);
  for (const warning of warnings) expect(plain.stderr).toContain(`! ${warning}`);
  expect(plain.stderr.indexOf("look like others")).toBeLessThan(plain.stderr.indexOf("+++"));
  expect((await place.run(["resume", told.session, "--approve", `c1@${call?.digest}`])).code).toBe(0);
  expect(await place.read("srс/a.ts")).toBe('go("pаypal.com")\n');
});

test("what a file had before is not pointed at again, and Russian or Chinese words are never", async () => {
  const edit = asks("edit_file", {
    file_path: "a.ts",
    old_string: 'x("pаypal")',
    new_string: 'y("pаypal", "登录 API") // ключ',
  });
  const place = await openPlace([edit, says("Done.")], { "a.ts": 'x("pаypal")\n' });
  const told = await place.json(["run", "edit"]);
  expect(told.the("approval_requested").calls[0]?.plan.warnings ?? []).not.toContainEqual(
    expect.stringContaining("look like others"),
  );
});
