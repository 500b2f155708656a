import { room } from "../room.ts";

/** Of what a file's keys are. */
const owners = {
  policy: "the policy",
  rule: "a rule",
  grants: "the grants",
  grant: "a grant",
  script: "a script",
};

/** The faults of a file of rules or of grants, at a line of it. */
export const policyFiles = room("policyFiles", {
  unknownKey: ({ key, of, known }: { key: string; of: keyof typeof owners; known: readonly string[] }) =>
    `unknown key "${key}" in ${owners[of]} (known: ${known.join(", ")})`,
  notText: ({ key }: { key: string }) => `"${key}" must be a string`,
  notTexts: ({ key }: { key: string }) => `"${key}" must be a list of at least one string`,
  notTruth: ({ key }: { key: string }) => `"${key}" must be true or false`,
  policyShape: 'a policy is an object: {"rules": [...]}',
  emptyPolicy: 'the policy has neither "rules" nor "risk"',
  rulesShape: '"rules" must be a list',
  riskShape: '"risk" is an object: {"deploy": "high"}',
  riskTool: ({ tool }: { tool: string }) => `"${tool}" is no name of a tool`,
  riskLevel: ({ tool }: { tool: string }) => `the risk of "${tool}" is low, medium or high`,
  ruleShape: 'a rule is an object: {"tool": ..., "decision": ...}',
  flagShape: ({ flag }: { flag: string }) =>
    `"${flag}" is not a rule: write tool or tool(pattern), as in edit_file(src/**)`,
  emptyWhy: '"why" is empty: leave it out or say why',
  decision: 'a rule needs a "decision": allow, ask or deny',
  noTool: 'the rule has no "tool"',
  notTool: ({ tool }: { tool: string }) => `"${tool}" is not a tool's name`,
  oneKind: ({ kinds }: { kinds: readonly string[] }) =>
    `a rule may have only one of paths, command, hosts; this one has ${kinds.join(" and ")}`,
  path: ({ pattern, wrong }: { pattern: string; wrong: string }) => `path pattern "${pattern}": ${wrong}`,
  command: ({ pattern, wrong }: { pattern: string; wrong: string }) => `command pattern "${pattern}": ${wrong}`,
  /** Of a pattern. */
  startsAnother: "it starts another command, so it would allow every command",
  host: ({ host }: { host: string }) =>
    `"${host}" is not a host (a name, or '*.' before one, and ':port' after it; no scheme or path)`,
  method: ({ method }: { method: string }) => `"${method}" is no method: GET, HEAD, POST, PUT, PATCH, DELETE`,
  methodsPlace: '"methods" belong to a rule with "hosts"',
  secret: ({ name, wrong }: { name: string; wrong: string }) => `"${name}" is no name of a secret: ${wrong}`,
  secretsPlace: '"secrets" are allowed with the "hosts" or the "command" that they go to',
  workspace: '"workspace" is the absolute path of a folder, written without . and ..',
  ofCommand: ({ key }: { key: string }) => `"${key}" belongs to a rule that allows a command`,
  redirect: '"redirect" is none or workspace',
  scripts: '"scripts" is a list of files as they must be: {"path": an absolute path, "sha": its sha256, 64 hex digits}',
  everyCommand: ({ tool }: { tool: string }) => `this would allow every command of ${tool}: restrict it by "command"`,
  everything: ({ tool }: { tool: string }) =>
    `this would allow everything that ${tool} can do (high risk): restrict it by paths, command or hosts`,
  notMatched: ({ example, key, rule }: { example: string; key: string; rule: string }) =>
    `the example "${example}" of ${key} is not matched by ${rule}`,
  matched: ({ example, key, rule }: { example: string; key: string; rule: string }) =>
    `the example "${example}" of ${key} is matched by ${rule}`,
  examplesPlace: "examples need a rule with paths, command or hosts",
  patternsLimit: ({ most }: { most: string }) => `the patterns up to here come to more than ${most}: fewer are needed`,
  examplesLimit: "the examples up to here are too many to be tried",
  grantsShape: 'grants are kept as {"v": 1, "grants": [...]}',
  grantShape: "a grant is an object",
  grantId: 'the grant has no "id"',
  grantAt: 'the grant has no "at" (milliseconds since 1970)',
  grantMade: 'a grant with "made" says true, is of one session, and has nothing else that it reaches',
  grantScripts: 'a grant\'s "scripts" is a list',
  grantScript: 'a file of a grant has its "path" and its "sha"',
  grantScope: 'a grant has the "scope" session or project and its "key" (session id, workspace), or user without one',
});
