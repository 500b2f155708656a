import { describe, expect, it } from "vitest";
import { parseAllowFlags, parseRules } from "../../../src/policy/files/rules.ts";

const file = "/home/x/policy.json";
const problemsOf = async (text: string) => {
  const parsed = await parseRules(text, file, "user");
  return "problems" in parsed ? parsed.problems.map(({ line, message }) => `${line}: ${message}`) : [];
};
const one = (rule: Record<string, unknown>) => JSON.stringify({ rules: [{ decision: "allow", ...rule }] });

describe("a policy file", () => {
  it("gives rules with the lines they begin on", async () => {
    const text = `{
  "rules": [
    { "tool": "shell", "command": "npm test *", "decision": "allow", "why": "tests are safe here",
      "match": ["npm test -- a", "npm test"], "notMatch": ["npm test; rm -rf x", "npm testing"] },

    {
      "tool": "edit_file", "paths": ["src/**"], "decision": "allow",
      "match": ["src/a/b.ts"], "notMatch": ["lib/a.ts", "../src/a.ts"]
    },
    { "tool": "fetch", "hosts": ["*.example.com"], "decision": "ask", "match": ["a.example.com"] }
  ]
}`;
    expect(await parseRules(text, file, "project")).toEqual({
      rules: [
        {
          tool: "shell",
          command: "npm test *",
          decision: "allow",
          why: "tests are safe here",
          origin: { source: "project", file, line: 3 },
        },
        {
          tool: "edit_file",
          paths: ["src/**"],
          decision: "allow",
          why: "",
          origin: { source: "project", file, line: 6 },
        },
        {
          tool: "fetch",
          hosts: ["*.example.com"],
          decision: "ask",
          why: "",
          origin: { source: "project", file, line: 10 },
        },
      ],
    });
  });

  it("is refused at the line of the example that fails", async () => {
    const text = `{ "rules": [
  { "tool": "edit_file", "paths": ["src/*"], "decision": "allow",
    "match": [
      "src/a.ts",
      "src/deep/a.ts"
    ],
    "notMatch": ["src/b.ts"] } ] }`;
    expect(await problemsOf(text)).toEqual([
      `5: the example "src/deep/a.ts" of match is not matched by 'src/*' (allow)`,
      `7: the example "src/b.ts" of notMatch is matched by 'src/*' (allow)`,
    ]);
  });

  it("runs examples as the rule will be applied: a deny sees through case and other commands", async () => {
    const deny = { tool: "shell", decision: "deny" };
    expect(await problemsOf(one({ ...deny, command: "rm *", match: ["ls; rm -rf x", "sudo /bin/rm x"] }))).toEqual([]);
    expect(await problemsOf(one({ ...deny, tool: "ls", paths: ["a/**"], match: ["A/b"] }))).toEqual([]);
    expect(await problemsOf(one({ tool: "ls", paths: ["a/**"], notMatch: ["A/b"] }))).toEqual([]);
  });

  it("names all its problems at once", async () => {
    const text = `{
  "rules": [
    { "tool": "edit_file", "path": ["src/**"], "decision": "allow" },
    { "tool": "edit_file", "paths": [""], "decision": "permit" },
    "everything",
    { "decision": "deny" },
    { "tool": "ls", "paths": [], "decision": "deny", "why": " " }
  ],
  "mode": "full-auto"
}`;
    expect(await problemsOf(text)).toEqual([
      '9: unknown key "mode" in the policy (known: rules, risk)',
      '3: unknown key "path" in a rule (known: tool, paths, command, notFlags, redirect, network, sandbox, cwd, piped, scripts, hosts, methods, secrets, workspace, decision, why, match, notMatch)',
      '4: a rule needs a "decision": allow, ask or deny',
      '4: path pattern "": the pattern is empty',
      '5: a rule is an object: {"tool": ..., "decision": ...}',
      '6: the rule has no "tool"',
      '7: "why" is empty: leave it out or say why',
      '7: "paths" must be a list of at least one string',
    ]);
  });

  it.each([
    ["every command", { tool: "shell", command: "*" }, "'*' alone would mean every command"],
    ["every command, denied", { tool: "shell", command: "*", decision: "deny" }, "'*' alone would mean every command"],
    ["an empty command", { tool: "shell", command: "  " }, "the pattern is empty"],
    [
      "a star in the middle",
      { tool: "shell", command: "npm * test" },
      "'*' may only stand by itself, as the last word",
    ],
    ["a star at a word", { tool: "shell", command: "npm test:*" }, "'*' may only stand by itself, as the last word"],
    ["two commands", { tool: "shell", command: "a && b" }, "one simple command"],
    ["a shell", { tool: "shell", command: "bash *" }, "it starts another command"],
    ["a shell by its path with an option", { tool: "shell", command: "/bin/sh -c *" }, "it starts another command"],
    ["the shell without a restriction", { tool: "shell" }, "this would allow every command of shell"],
    ["all tools without a restriction", { tool: "*" }, "this would allow every command of shell"],
    ["two restrictions", { tool: "x", paths: ["a"], command: "b" }, "only one of paths, command, hosts"],
    [
      "a workspace that is no whole path",
      { tool: "x", paths: ["a"], workspace: "work" },
      '"workspace" is the absolute path',
    ],
    [
      "a workspace with a way up",
      { tool: "x", paths: ["a"], workspace: "/w/../v" },
      '"workspace" is the absolute path',
    ],
    ["a folder for files", { tool: "x", paths: ["a"], cwd: "sub" }, '"cwd" belongs to a rule that allows a command'],
    [
      "files that say what it does, of a deny",
      { tool: "shell", command: "a", decision: "deny", scripts: [] },
      '"scripts" belongs to',
    ],
    [
      "pipes for hosts",
      { tool: "x", hosts: ["a.org"], piped: false },
      '"piped" belongs to a rule that allows a command',
    ],
    ["pipes that are a word", { tool: "shell", command: "a", piped: "no" }, '"piped" must be true or false'],
    ["scripts that are no list", { tool: "shell", command: "a", scripts: "/a" }, '"scripts" is a list of files'],
    [
      "a script without its hash",
      { tool: "shell", command: "a", scripts: [{ path: "/a" }] },
      '"scripts" is a list of files',
    ],
    [
      "a script of a relative path",
      { tool: "shell", command: "a", scripts: [{ path: "a", sha: "0".repeat(64) }] },
      '"scripts" is a list of files',
    ],
    ["an upward path", { tool: "x", paths: ["../a"] }, "'..' is not allowed in a pattern"],
    ["a path turned round", { tool: "x", paths: ["!a"] }, "write a deny rule"],
    ["a home path", { tool: "x", paths: ["~/a"] }, "write the full path"],
    ["an open brace", { tool: "x", paths: ["a/{b,c"] }, "a '{' or '}' has no partner"],
    ["a closing brace", { tool: "x", paths: ["a}"] }, "a '{' or '}' has no partner"],
    ["too many braces", { tool: "x", paths: ["{a,b}".repeat(7)] }, "more than 64 patterns"],
    ["mixed braces", { tool: "x", paths: ["{/a,b}"] }, "absolute in one brace and relative in another"],
    ["a NUL", { tool: "x", paths: ["a\0"] }, "NUL"],
    ["a huge pattern", { tool: "x", paths: ["a".repeat(5_000)] }, "longer than 4096"],
    ["an address for a host", { tool: "x", hosts: ["https://a.org/"] }, "is not a host"],
    ["a star for a host", { tool: "x", hosts: ["*"] }, "is not a host"],
    ["a tool with blanks", { tool: "edit file" }, "is not a tool's name"],
    ["a tool that is no string", { tool: 7 }, '"tool" must be a string'],
    ["paths that are no list", { tool: "x", paths: "a" }, '"paths" must be a list of at least one string'],
    [
      "examples without a restriction",
      { tool: "x", match: ["a"] },
      "examples need a rule with paths, command or hosts",
    ],
    [
      "examples that are no list",
      { tool: "x", paths: ["a"], match: "a" },
      '"match" must be a list of at least one string',
    ],
  ])("refuses %s", async (_name, fields, message) => {
    const problems = await problemsOf(one(fields));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
  });

  it.each([
    ["nothing", "", "1: the file is empty"],
    ["blanks", " \n ", "1: the file is empty"],
    ["a cut end", '{\n"rules": [\n{ "tool": "ls"', "3: the file ends too early"],
    ["a cut text", '{\n"rules": [{ "tool": "l', "2: a string does not end on its line"],
    ["a comma too many", '{"rules": [\n{"tool": "ls", "decision": "deny"},\n,]}', "3: expected a value, found ,"],
    ["a comment without an end", '{ /* mine\n"rules": [] }', "1: a comment has no end"],
    ["a list", "[]", '1: a policy is an object: {"rules": [...]}'],
    ["no rules", "{}", '1: the policy has neither "rules" nor "risk"'],
    ["a risk that is none", '{\n"risk": {"deploy": "huge"}}', '2: the risk of "deploy" is low, medium or high'],
    ["a risk of no tool", '{"risk": {"de ploy": "high"}}', '1: "de ploy" is no name of a tool'],
    ["risks that are no object", '{"risk": []}', '1: "risk" is an object: {"deploy": "high"}'],
    ["rules that are no list", '{\n"rules": {}}', '2: "rules" must be a list'],
    ["a second end", '{"rules": []}\n}', "2: unexpected } after the end"],
    [
      "a key twice",
      '{"rules": [{"tool": "ls",\n"decision": "deny",\n"decision": "allow"}]}',
      '3: the key "decision" is given twice in one object',
    ],
    ["binary data", "\u0000\u0001", "1: a word without quotes is not JSON"],
    ["deep nesting", "[".repeat(100_000), "1: nested deeper than 64 levels"],
  ])("that holds %s is refused with its line", async (_name, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  it("may hold rules for one workspace, folder and state of files: their examples are tried wherever that is", async () => {
    const bound = { workspace: "/w", cwd: "sub", piped: false, scripts: [{ path: "/w/a.sh", sha: "0".repeat(64) }] };
    const rule = { tool: "shell", command: "frob a", ...bound };
    const parsed = await parseRules(
      one({ ...rule, match: ["frob a"], notMatch: ["frob", "ls | frob a"] }),
      file,
      "user",
    );
    expect(parsed).toMatchObject({ rules: [{ ...rule, decision: "allow" }] });
    expect(await problemsOf(one({ ...rule, match: ["ls | frob a"] }))).toHaveLength(1);
  });

  it("may begin with a byte order mark", async () => {
    expect(await parseRules('\ufeff{"rules": []}', file, "user")).toEqual({ rules: [] });
  });

  it("may have comments and trailing commas, which move no line", async () => {
    const text = `// mine
{
  /* two
     lines */ "rules": [ // the rules
    { "tool": "ls", "decision": "deny", },
  ],
}
// the end`;
    expect(await parseRules(text, file, "user")).toEqual({
      rules: [{ tool: "ls", decision: "deny", why: "", origin: { source: "user", file, line: 5 } }],
    });
    expect(await problemsOf('{ // a\n"rules": [], /* b\n */ "colour": 1, }')).toEqual([
      '3: unknown key "colour" in the policy (known: rules, risk)',
    ]);
  });
});

describe("the short form of --allow", () => {
  it("gives rules of the user", async () => {
    const origin = (line: number) => ({ source: "user", file: "--allow", line });
    expect(await parseAllowFlags(["save_note", "edit_file(src/{a,b}/**)", "shell(npm test *)"])).toEqual({
      rules: [
        { tool: "save_note", decision: "allow", why: "", origin: origin(1) },
        { tool: "edit_file", paths: ["src/{a,b}/**"], decision: "allow", why: "", origin: origin(2) },
        { tool: "shell", command: "npm test *", decision: "allow", why: "", origin: origin(3) },
      ],
    });
  });

  it.each([
    ["shell", "every command of shell"],
    ["shell()", "the pattern is empty"],
    ["shell(*)", "every command"],
    ["edit_file()", "the pattern is empty"],
    ["edit_file(a", "is not a rule"],
    ["", "is not a rule"],
    ["edit_file(a) or else", "is not a rule"],
  ])("refuses %j", async (flag, message) => {
    const parsed = await parseAllowFlags(["ls", flag]);
    expect("problems" in parsed && parsed.problems.map(({ file: name, line }) => `${name}:${line}`)).toEqual([
      "--allow:2",
    ]);
    expect("problems" in parsed && parsed.problems[0]?.message).toContain(message);
  });
});
