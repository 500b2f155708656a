import { expect, test } from "vitest";
import type { HostFact } from "../../src/core/host-fact.ts";
import { trafficVerdict } from "../../src/policy/traffic.ts";
import type { Grant, Policy, Rule } from "../../src/policy/types.ts";

const goes = "mcp__browser__browser_navigate";

const rule = (decision: Rule["decision"], tool: string, ...hosts: string[]): Rule => ({
  ...{ tool, decision, why: "", origin: { source: "user", file: "policy.json", line: 1 } },
  ...(hosts.length === 0 ? {} : { hosts }),
});

const judged = (host: HostFact, rules: Rule[] = [], more: Partial<Policy> = {}): string => {
  const policy: Policy = { rules, grants: [], mode: "full-auto", sealed: { roots: [] }, ...more };
  return trafficVerdict(host, { tool: goes, workspace: "/w" }, policy).decision;
};

const far: HostFact = { host: "example.com", port: 443 };
const here: HostFact = { host: "localhost", port: 3000, range: "loopback", addresses: ["127.0.0.1", "::1"] };
const cloud: HostFact = { host: "169.254.169.254", port: 80, range: "forbidden", addresses: ["169.254.169.254"] };

test("the internet is let, this machine is for a call, and where clouds keep credentials is closed, whatever the mode", () => {
  expect([far, here, cloud].map((host) => judged(host))).toEqual(["allow", "ask", "deny"]);
  expect(judged(cloud, [rule("allow", goes, "169.254.169.254:80")])).toBe("deny");
});

test("a rule or a grant lets what is not of the internet by its own name and port", () => {
  expect(judged(here, [rule("allow", goes, "localhost:3000")])).toBe("allow");
  expect(judged(here, [rule("allow", "mcp__browser__*", "localhost:3000")])).toBe("allow");
  expect(judged(here, [rule("allow", goes, "localhost:3001")])).toBe("ask");
  expect(judged(here, [rule("allow", goes)])).toBe("ask");
  const grant: Grant = { id: "g", scope: "session", tool: goes, hosts: ["localhost:3000"], at: 0, why: "" };
  expect(judged(here, [], { grants: [grant] })).toBe("allow");
});

test("what web_fetch was let a page was not: it sends, too; what that may not, a page may not", () => {
  expect(judged(here, [rule("allow", "web_fetch", "localhost:3000")])).toBe("ask");
  for (const tool of ["web_fetch", goes, "mcp__*"])
    expect([tool, judged(far, [rule("deny", tool, "*.com", "example.com")])]).toEqual([tool, "deny"]);
  expect(judged(far, [rule("deny", "web_fetch", "example.com"), rule("allow", goes, "example.com")])).toBe("deny");
  expect(judged(far, [rule("ask", "web_fetch", "example.com"), rule("allow", goes, "example.com")])).toBe("ask");
  expect(judged(far, [rule("ask", goes, "example.com")])).toBe("ask");
  expect(judged(far, [rule("ask", goes, "example.org")])).toBe("allow");
});

test("a risk that is set for the tool asks about its calls, and not about each part of a page", () => {
  const set = { risk: "high", file: "policy.json", line: 1 } as const;
  expect(judged(far, [], { risks: { user: { [goes]: set, web_fetch: set } } })).toBe("allow");
});
