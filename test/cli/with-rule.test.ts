import { describe, expect, it } from "vitest";
import { withRule } from "../../src/cli/with-rule.ts";
import { parseRules } from "../../src/policy/files/rules.ts";

const rule = { tool: "shell", command: "make all", decision: "allow" };
const old = '{"tool":"ls","decision":"deny"}';

describe("a rule that is added", () => {
  it.each([
    ["an empty list", '{ "rules": [] }\n', 0],
    ["an empty list with a comment", '{ "rules": [ // none yet\n  ] }', 0],
    ["a list on one line", `{"rules":[${old}]}`, 1],
    ["a list without an end comma", `{\n  "rules": [\n    ${old}\n  ]\n}\n`, 1],
    ["a trailing comma", `{\n  "rules": [\n    ${old},\n  ],\n}\n`, 1],
    ["a comment behind the last rule", `{ "rules": [\n\t${old} // , ] mine\n] }`, 1],
    ["a comment behind the comma", `{ "rules": [\n  ${old}, /* ], */ // mine\n  // more\n] }`, 1],
    ["a bracket in a text", `{ "rules": [ {"tool":"ls","decision":"deny","why":"], // \\" ,"} ], "risk": {} }`, 1],
    ["risks alone", '{ // mine\n  "risk": {"x": "high"} }', 0],
    ["a byte order mark and CRLF", `\ufeff{\r\n  "rules": [\r\n    ${old}\r\n  ]\r\n}\r\n`, 1],
  ] as const)("behind %s leaves all that is there, in its order, and is read as it is", async (_, text, count) => {
    const made = withRule(text, rule);
    const parsed = await parseRules(made, "f", "user");
    if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.rules).toHaveLength(count + 1);
    expect(parsed.rules.at(-1)).toMatchObject(rule);
    // What was written by hand is a part of the new text, letter for letter.
    let at = 0;
    for (const letter of made) if (letter === text[at]) at += 1;
    expect(at).toBe(text.length);
    expect(
      made.startsWith(text.slice(0, text.indexOf("[") > 0 && count > 0 ? text.indexOf(old.slice(0, 12)) : 1)),
    ).toBe(true);
  });

  it("keeps what stands behind the rule before with that rule", () => {
    expect(withRule(`{ "rules": [\n  ${old}, // for now\n] }`, { a: 1 })).toBe(
      `{ "rules": [\n  ${old}, // for now\n  {\n    "a": 1\n  },\n] }`,
    );
    expect(withRule(`{ "rules": [\n  ${old} // for now\n] }`, { a: 1 })).toBe(
      `{ "rules": [\n  ${old}, // for now\n  {\n    "a": 1\n  }\n] }`,
    );
  });
});
