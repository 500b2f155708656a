import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/json.ts";
import { redact } from "../../src/records/redact.ts";
import { secretsIn } from "../../src/records/secrets.ts";

describe("what counts as secret", () => {
  it("is the value of a variable by the end of its name, in any case, of six characters or more", () => {
    const env = {
      OPENAI_API_KEY: "sk-123456",
      github_token: "ghp_123456",
      Client_Secret: "  shh-123456\n",
      DB_PASSWORD: "hunter22",
      PIN_KEY: "12345",
      KEYBOARD: "qwertz-layout",
      PATH: "/usr/bin",
      EMPTY_TOKEN: "",
      GONE_TOKEN: undefined,
    };
    expect(secretsIn(env, [])).toEqual([
      { name: "Client_Secret", value: "shh-123456" },
      { name: "DB_PASSWORD", value: "hunter22" },
      { name: "OPENAI_API_KEY", value: "sk-123456" },
      { name: "github_token", value: "ghp_123456" },
    ]);
  });

  it("is also what was registered; of two with the same value the first name stands for both", () => {
    expect(secretsIn({ B_KEY: "same-value", A_KEY: "same-value" }, ["same-value", "another", "short"])).toEqual([
      { name: "A_KEY", value: "same-value" },
      { name: "SECRET_2", value: "another" },
    ]);
  });
});

describe("redacting", () => {
  const clean = (data: Json, ...values: string[]) =>
    redact(
      data,
      values.map((value, i) => ({ name: `S${i + 1}`, value })),
    );

  it("replaces values wherever they stand: in longer texts, in lists, in keys", () => {
    const data = { text: "a hunter22 b hunter22", calls: [{ "x-hunter22": ["hunter22", 1, null, true] }] };
    expect(clean(data, "hunter22")).toEqual({
      data: { text: "a ‹S1› b ‹S1›", calls: [{ "x-‹S1›": ["‹S1›", 1, null, true] }] },
      replaced: [{ name: "S1", count: 4 }],
    });
    expect(data.text).toBe("a hunter22 b hunter22");
  });

  it("replaces the longer one where one contains the other, and never searches a placeholder", () => {
    expect(clean("abcdef abcdefgh S2S2S2", "abcdef", "abcdefgh", "S2S2S2").data).toBe("‹S1› ‹S2› ‹S3›");
  });

  it("takes every character of a value as it is", () => {
    const value = "$&(.*)[a-z]{6}\\|/^x";
    expect(clean(`is ${value}!`, value).data).toBe("is ‹S1›!");
    expect(clean("anything else", value).replaced).toEqual([]);
  });

  it("finds a value inside a JSON text and inside an address", () => {
    const value = 'pa"ss\\word +1';
    const text = `${JSON.stringify({ key: value })} https://h/?k=${encodeURIComponent(value)}`;
    expect(clean(text, value)).toEqual({
      data: '{"key":"‹S1›"} https://h/?k=‹S1›',
      replaced: [{ name: "S1", count: 2 }],
    });
  });

  it("leaves all as it is where there is nothing to hide, and survives what no address can hold", () => {
    const data = JSON.parse('{"__proto__": {"a": "b"}, "n": 1e300}') as Json;
    expect(clean(data)).toEqual({ data, replaced: [] });
    expect(JSON.stringify(clean(data, "never-there", "\ud800 alone").data)).toBe(JSON.stringify(data));
  });
});
