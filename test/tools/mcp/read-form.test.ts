import { describe, expect, it } from "vitest";
import { contentProblem, readField, typedDefault } from "../../../src/core/forms/field-values.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { bidsSecret, looksSecret } from "../../../src/tools/mcp/asking/asks-for-secret.ts";
import { NotAsked, readForm } from "../../../src/tools/mcp/asking/read-form.ts";

const of = { from: "hub", tool: "t" };
const fieldsOf = (properties: JsonObject, required: string[] = []) =>
  readForm({ message: "m", requestedSchema: { type: "object", properties, required } }, of).fields;
const fieldOf = (schema: JsonObject, required: string[] = []) => {
  const [field] = fieldsOf({ a: schema }, required);
  if (field === undefined) throw new Error("no field");
  return field;
};

describe("a form", () => {
  it("has the kinds of fields that the protocol knows, with their bounds and defaults", () => {
    const titled = [{ const: "x", title: "Ex" }, { const: "y" }];
    expect(
      fieldsOf(
        {
          text: { type: "string", title: "T", description: "D", minLength: 1, maxLength: 9, default: "a" },
          mail: { type: "string", format: "email" },
          odd: { type: "string", format: "hostname", pattern: "^(a+)+$" },
          count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
          share: { type: "number" },
          sure: { type: "boolean", default: true },
          one: { type: "string", enum: ["x", "y"], enumNames: ["Ex", "Why"], default: "x" },
          two: { type: "string", oneOf: titled },
          some: { type: "array", items: { anyOf: titled }, minItems: 1, maxItems: 2, default: ["y"] },
          more: { type: "array", items: { type: "string", enum: ["x"] } },
        },
        ["text"],
      ),
    ).toEqual([
      ...[
        { name: "text", kind: "text", title: "T", description: "D", least: 1, most: 9, default: "a", required: true },
        { name: "mail", kind: "text", format: "email" },
        { name: "odd", kind: "text" },
        { name: "count", kind: "number", isWhole: true, least: 1, most: 9, default: 3 },
        { name: "share", kind: "number", isWhole: false },
        { name: "sure", kind: "yes_no", default: true },
        {
          ...{ name: "one", kind: "choice", default: "x" },
          choices: [
            { value: "x", title: "Ex" },
            { value: "y", title: "Why" },
          ],
        },
        { name: "two", kind: "choice", choices: [{ value: "x", title: "Ex" }, { value: "y" }] },
        {
          ...{ name: "some", kind: "choices", least: 1, most: 2, default: ["y"] },
          choices: [{ value: "x", title: "Ex" }, { value: "y" }],
        },
        { name: "more", kind: "choices", choices: [{ value: "x" }] },
      ].map((field) => ({ required: false, ...field })),
    ]);
  });

  it("does without a default that does not fit, and is none where a field is anything else", () => {
    expect(fieldOf({ type: "integer", maximum: 3, default: 9 })).not.toHaveProperty("default");
    const none: JsonObject[] = [
      { type: "object", properties: {} },
      { type: "array", items: { type: "string" } },
      { type: ["string", "null"] },
      { $ref: "#/x" },
      { type: "string", enum: [] },
      { type: "string", enum: [1] },
      { type: "string", format: "password" },
      { type: "string", writeOnly: true },
    ];
    for (const schema of none) expect(() => fieldOf(schema)).toThrow(NotAsked);
    for (const params of [null, [], {}, { message: "m" }, { message: "", requestedSchema: {} }])
      expect(() => readForm(params, of)).toThrow(NotAsked);
  });
});

describe("what is typed in a field", () => {
  const mail = { type: "string", format: "email" };
  it.each<[JsonObject, string, unknown]>([
    [{ type: "string" }, " as it is ", " as it is "],
    [{ type: "string", maxLength: 3 }, "😀😀😀", "😀😀😀"],
    [{ type: "string", maxLength: 3 }, "four", undefined],
    [mail, " ada@example.org ", "ada@example.org"],
    [mail, "ada", undefined],
    [mail, "a@b@c", undefined],
    [{ type: "string", format: "uri" }, "https://a.example/b?c", "https://a.example/b?c"],
    [{ type: "string", format: "uri" }, "a b", undefined],
    [{ type: "string", format: "date" }, "2024-02-29", "2024-02-29"],
    [{ type: "string", format: "date" }, "2023-02-29", undefined],
    [{ type: "string", format: "date-time" }, "2026-11-27T10:30:00Z", "2026-11-27T10:30:00Z"],
    [{ type: "string", format: "date-time" }, "2026-11-27T25:30:00Z", undefined],
    [{ type: "integer", minimum: 1 }, "12", 12],
    [{ type: "integer", minimum: 1 }, "0", undefined],
    [{ type: "integer" }, "1.5", undefined],
    [{ type: "integer" }, "9007199254740993", undefined],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "number" }, "0x10", undefined],
    [{ type: "number" }, "1e999", undefined],
    [{ type: "boolean" }, "Yes", true],
    [{ type: "boolean" }, "perhaps", undefined],
    [{ type: "string", enum: ["red", "2"] }, "2", "2"],
    [{ type: "string", enum: ["red", "blue"] }, "2", "blue"],
    [{ type: "string", enum: ["r"], enumNames: ["Red"] }, "red", "r"],
    [{ type: "string", enum: ["red"] }, "7", undefined],
    [{ type: "array", items: { enum: ["a", "b", "c"] }, maxItems: 2 }, "1, c", ["a", "c"]],
    [{ type: "array", items: { enum: ["a", "b", "c"] }, maxItems: 2 }, "1,2,3", undefined],
  ])("of %j, %j is %j", (schema, typed, value) => {
    const read = readField(fieldOf(schema), typed);
    expect(read.ok ? read.value : undefined).toEqual(value);
    expect(read.ok).toBe(value !== undefined);
  });

  it("may be nothing where it is not required, and what goes out holds no more than what was asked for", () => {
    expect(readField(fieldOf({ type: "string" }), "")).toEqual({ ok: true, value: undefined });
    expect(readField(fieldOf({ type: "string" }, ["a"]), "")).toMatchObject({ ok: false });
    const fields = fieldsOf({ a: { type: "string" } }, ["a"]);
    expect(contentProblem(fields, { a: "x" })).toBeUndefined();
    for (const content of [{}, { a: 1 }, { a: "x", b: "y" }]) expect(contentProblem(fields, content)).toBeDefined();
    const some = fieldOf({ type: "array", items: { enum: ["a", "b"] }, default: ["b"] });
    expect(readField(some, typedDefault(some))).toEqual({ ok: true, value: ["b"] });
  });
});

describe("what looks like a secret", () => {
  it.each([
    ...[
      "password",
      "userPassword",
      "PASS_WORD",
      "passwd",
      "pwd",
      "passphrase",
      "apiKey",
      "API key",
      "api-key",
      "APIKey",
    ],
    ...["access_token", "token", "GitHub token", "clientSecret", "secret", "PIN", "pin code", "OTP", "one-time code"],
    ...[
      "credentials",
      "private key",
      "CVV",
      "card number",
      "Ｐａｓｓｗｏｒｄ",
      "pass\u200bword",
      "раssword",
      "Passwort",
      "密码",
      "contraseña",
    ],
    ...["Enter your password (never shared)", "Do not share it, enter your password", "Don't worry: your PIN"],
  ])("%s does", (text) => expect(looksSecret(text)).toBe(true));

  it.each([
    ...["name", "keyboard", "monkey", "shipping", "spinner", "tokens per minute", "secretary", "passenger", "compass"],
    ...["key", "opinion", "Your favorite integer (do not give us your phone number, pin, or other sensitive info)"],
    ...["never enter a password here"],
  ])("%s does not", (text) => expect(looksSecret(text)).toBe(false));

  it("is not to be bidden by a message either, which may speak of one", () => {
    for (const text of ["Please enter your password", "To go on, paste the API key."])
      expect(bidsSecret(text)).toBe(true);
    for (const text of ["Your token has run out. Which account is it?", "Do not enter a password. Who are you?"])
      expect(bidsSecret(text)).toBe(false);
  });
});
