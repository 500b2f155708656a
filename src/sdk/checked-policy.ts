import { z } from "zod";
import { type Grant, modes, type Policy, type Rule } from "../policy/types.ts";

const text = z.string();
const texts = z.array(text).min(1).exactOptional();
const isSet = z.boolean().exactOptional();
const scripts = z.array(z.strictObject({ path: text, sha: text })).exactOptional();

const ruleForm: z.ZodType<Rule> = z.strictObject({
  ...{ tool: text, paths: texts, command: text.exactOptional(), notFlags: z.array(text).exactOptional() },
  redirect: z.enum(["none", "workspace"]).exactOptional(),
  ...{ network: isSet, sandbox: isSet, hosts: texts, methods: texts, secrets: texts },
  ...{ workspace: text.exactOptional(), cwd: text.exactOptional(), piped: isSet, scripts },
  decision: z.enum(["allow", "ask", "deny"]),
  why: text,
  root: text.exactOptional(),
  origin: z.strictObject({ source: z.enum(["user", "project", "grant"]), file: text, line: z.number() }),
});

const grantForm: z.ZodType<Grant> = z.strictObject({
  id: text,
  scope: z.enum(["session", "project", "user"]),
  key: text.exactOptional(),
  ...{ tool: text, paths: texts, command: text.exactOptional(), scripts, hosts: texts },
  made: z.literal(true).exactOptional(),
  at: z.number(),
  why: text,
});

const policyForm = z.looseObject({
  rules: z.array(ruleForm),
  grants: z.array(grantForm),
  mode: z.enum(modes),
  sealed: z.looseObject({ roots: z.array(text) }),
});

// Keeps sdk 2.
/**
 * Returns the policy that a program's `policy` gave, as it is: a misspelt restriction must not turn into none, as in a file of rules.
 * @throws TypeError that names the place and what it may be
 */
export function checkedPolicy(policy: Policy): Policy {
  const { error } = policyForm.safeParse(policy);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return policy;
  throw new TypeError(`policy().${issue.path.join(".")}: ${issue.message}`);
}
