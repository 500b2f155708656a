import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/json.ts";
import { bidsSecret, looksSecret } from "../../../../src/tools/mcp/asking/asks-for-secret.ts";
import { NotAsked, readForm } from "../../../../src/tools/mcp/asking/read-form.ts";

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
