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

describe("a list of choices", () => {
  const someOf = (values: string[], more: JsonObject = {}) =>
    fieldOf({ type: "array", items: { type: "string", enum: values }, ...more }, ["a"]);
  const oneOf = (values: string[], more: JsonObject = {}) => fieldOf({ type: "string", enum: values, ...more }, ["a"]);

  it("has its default read as just that, also where values look like numbers of the list", () => {
    const all = ["3", "2", "1"];
    for (const values of [all, ["10", "20", "30"], ["1", "2", "3"], ["a", "1"], ["2", "a"]])
      for (const value of values) {
        const [one, some] = [oneOf(values, { default: value }), someOf(values, { default: [value] })];
        expect([values, readField(one, typedDefault(one))]).toEqual([values, { ok: true, value }]);
        expect([values, readField(some, typedDefault(some))]).toEqual([values, { ok: true, value: [value] }]);
      }
    const both = someOf(all, { default: ["3", "1"] });
    expect(readField(both, typedDefault(both))).toEqual({ ok: true, value: ["3", "1"] });
  });

  it("takes no number for one of the list where that is the words of another, and says so", () => {
    expect(readField(oneOf(["b", "1"]), "1")).toEqual({ ok: true, value: "1" });
    expect(readField(oneOf(["b", "1", "c"]), "3")).toMatchObject({
      ok: false,
      message: "one of the list, by its words",
    });
    expect(readField(oneOf(["b", "c"]), "2")).toEqual({ ok: true, value: "c" });
    expect(readField(oneOf([" a", "a"]), " a")).toEqual({ ok: true, value: " a" });
  });

  it("has no default standing in it that would be read as another", () => {
    const clash = someOf(["2", "x, y", "2,1"], { default: ["x, y"] });
    expect(typedDefault(clash)).toBe("");
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

  it.each(["tokens", "dbPassword1", "githubtoken", "passkey", "session cookie id: jwt", "MASTER_KEY", "2FA code"])(
    "%s does, too",
    (text) => expect(looksSecret(text)).toBe(true),
  );

  it.each(["max_tokens", "maxOutputTokens", "the number of tokens", "token limit", "passwordless", "tokenizer"])(
    "%s, which is counted or a setting, does not",
    (text) => expect(looksSecret(text)).toBe(false),
  );

  it.each(["pass", "key", "keys", "tokens", "Wifi pass", "github_key", "deployKey", "pw"])(
    "the name %s does, of a field or its title, in small and in large",
    (name) => {
      for (const one of [name, name.toUpperCase()]) {
        expect(() => fieldsOf({ [one]: { type: "string" } })).toThrow(NotAsked);
        expect(() => fieldOf({ type: "string", title: one })).toThrow(NotAsked);
      }
    },
  );

  it.each(["issue key", "projectKey", "primary_key", "keyword", "bypass", "compass"])("the name %s does not", (name) =>
    expect(fieldsOf({ [name]: { type: "string" } })).toHaveLength(1),
  );

  it.each([
    ...["Please enter your password", "To go on, paste the API key.", "Your password?", "What is your GitHub token?"],
    ...["Password:", "GitHub token", "API key required", "An API key is needed to go on.", "Sign in\nPassword"],
    ...["The deployment needs your tokens", "May I have the PIN?", "Do you have an access token?", "Ihr Passwort?"],
    ...["Bitte das Passwort", "密码？", "Waiting for the one-time code", "your key?", "Ｐａｓｓｗｏｒｄ："],
  ])("the message %j bids one", (text) => expect(bidsSecret(text)).toBe(true));

  it.each([
    ...["Your token has run out. Which account is it?", "Do not enter a password. Who are you?", "Which issue key?"],
    ...["The secret was rotated. Go on?", "Token expired.", "No password is needed. Who are you?", "Which keyboard?"],
    ...["How many tokens per minute do you need?", "Your name?", "What is your favorite color?"],
  ])("the message %j bids none", (text) => expect(bidsSecret(text)).toBe(false));
});
