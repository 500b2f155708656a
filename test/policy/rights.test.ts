import { describe, expect, it } from "vitest";
import { addedThen, noMoreThan, type Rights, rightsOf } from "../../src/policy/rights.ts";
import { type Mode, modes, type Policy, type RiskSetting, type Rule } from "../../src/policy/types.ts";

const policy = (more: Partial<Policy> = {}): Policy => ({
  rules: [],
  grants: [],
  mode: "ask",
  sealed: { roots: [] },
  ...more,
});
const rule = (more: Partial<Rule>): Rule => ({
  tool: "write_file",
  decision: "allow",
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
  ...more,
});
const risk = (level: RiskSetting["risk"]): RiskSetting => ({ risk: level, file: "policy.json", line: 1 });
/** As they are kept with a session. */
const stored = (of: Partial<Policy>): Rights => JSON.parse(JSON.stringify(rightsOf(policy(of), []))) as Rights;

describe("no more than was let be done then", () => {
  it("is the stricter of two modes, whichever came first", () => {
    const weakest: readonly Mode[] = ["plan", "read-only", "ask", "accept-edits", "full-auto"];
    for (const then of modes)
      for (const now of modes) {
        const { mode } = noMoreThan(policy({ mode: now }), stored({ mode: then }));
        const [a, b] = [weakest.indexOf(now), weakest.indexOf(then)];
        if (Math.max(a, b) > 1) expect(mode).toBe(weakest[Math.min(a, b)]);
        else expect(mode).toBe(now);
      }
  });

  it("has the sandbox left out, or what was made run unasked, only where both say so", () => {
    const loose = { autoSandbox: true, isSandboxOff: true } as const;
    expect(noMoreThan(policy(loose), stored(loose))).toMatchObject(loose);
    for (const [now, then] of [[loose, {}] as const, [{}, loose] as const])
      expect(Object.keys(noMoreThan(policy(now), stored(then)))).toEqual(Object.keys(policy({})));
  });

  it("takes a rule for the same by what it reaches, and not by its words, its place or its file", () => {
    const paths = ["a/**"];
    const moved = rule({ paths, why: "now", origin: { source: "user", file: "--allow", line: 7 } });
    const others = [
      rule({ paths: ["**"] }),
      rule({ paths, tool: "*" }),
      rule({ paths, origin: { source: "project", file: "policy.json", line: 1 } }),
    ];
    const least = noMoreThan(policy({ rules: [...others, moved] }), stored({ rules: [rule({ paths })] }));
    expect(least.rules).toEqual([moved]);
  });

  it("denies and asks what either says", () => {
    const [a, b, c] = ["a", "b", "c"].map((path) => rule({ paths: [path], decision: path === "b" ? "ask" : "deny" }));
    const least = noMoreThan(policy({ rules: [c, a] as Rule[] }), stored({ rules: [a, b] as Rule[] }));
    expect(least.rules).toEqual([c, a, b]);
  });

  it("sets the higher of two risks, and lowers none that was not lowered then", () => {
    const of = (user: Record<string, RiskSetting>, project: Record<string, RiskSetting> = {}) => ({
      risks: { user, project },
    });
    const then = of({ both: risk("low"), raised: risk("high"), gone: risk("high") }, { theirs: risk("high") });
    const now = of({ both: risk("low"), raised: risk("low"), added: risk("low") }, { theirs: risk("medium") });
    expect(noMoreThan(policy(now), stored(then)).risks).toEqual({
      user: { both: risk("low"), raised: risk("high") },
      project: { added: risk("low"), gone: risk("high"), theirs: risk("high") },
    });
    expect(noMoreThan(policy(now), stored({})).risks?.user).toEqual({});
  });

  it("leaves grants as they are now", () => {
    const grants = [{ id: "g-1", scope: "session", tool: "write_file", at: 1, why: "" }] as const;
    expect(noMoreThan(policy({ grants: [...grants] }), stored({})).grants).toEqual(grants);
  });

  it("has of the folders that are added now those that were, and all where that is not known", () => {
    const { addDirs: _, ...older } = rightsOf(policy(), []);
    const now = ["/a", "/a/below", "/ab", "/b"];
    expect(addedThen(now, rightsOf(policy(), ["/a", "/c"]))).toEqual(["/a", "/a/below"]);
    expect([addedThen(now, rightsOf(policy(), [])), addedThen(now, older), addedThen(now, undefined)]).toEqual([
      ...[[], now, now],
    ]);
  });
});
