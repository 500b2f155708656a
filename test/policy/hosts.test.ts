import { describe, expect, it, test } from "vitest";
import type { HostFact } from "../../src/core/host-fact.ts";
import { decide } from "../../src/policy/decide.ts";
import { offersFor } from "../../src/policy/grants.ts";
import type { CallFacts, Grant, PastFacts, Policy, Rule } from "../../src/policy/types.ts";
import { bareFacts, emptyPolicy, grant, inMode, policyWith, rule, running } from "./support/build.ts";

const to = (host: HostFact, past?: PastFacts): CallFacts =>
  bareFacts("web_fetch", "none", { hosts: [host], ...(past === undefined ? {} : { past }) });
const site: HostFact = { host: "example.com", port: 443 };
const local: HostFact = { host: "localhost", port: 3000, range: "loopback", addresses: ["127.0.0.1", "::1"] };
const intranet: HostFact = { host: "wiki.corp", port: 80, range: "private", addresses: ["10.1.2.3"] };
const metadata: HostFact = { host: "169.254.169.254", port: 80, range: "forbidden", addresses: ["169.254.169.254"] };
const rules = (decision: "allow" | "ask" | "deny", ...hosts: string[]): Policy =>
  policyWith({ rules: [rule(decision, { tool: "web_fetch", hosts })] });
const granted = (...hosts: string[]): Policy => policyWith({ grants: [grant({ tool: "web_fetch", hosts })] });
const whole = policyWith({ rules: [rule("allow", { tool: "web_fetch" })], mode: "full-auto" });

const said = (facts: CallFacts, policy: Policy): string => {
  const { decision, risk, rule } = decide(facts, policy);
  return `${decision} ${risk} ${rule.source}`;
};

test.each<[string, CallFacts, Policy, string]>([
  ["a page is asked about", to(site), emptyPolicy, "ask medium table"],
  ["in read-only mode too", to(site), inMode("read-only"), "ask medium table"],
  ["full-auto reads it", to(site), inMode("full-auto"), "allow medium mode"],
  ["a search is free", bareFacts("web_search", "none", { hosts: [site] }), emptyPolicy, "allow low table"],
  ["a host is allowed by its name", to(site), granted("example.com"), "allow medium grant"],
  ["on any port of it", to({ ...site, port: 8443 }), granted("example.com"), "allow medium grant"],
  ["but on one where it names one", to({ ...site, port: 8443 }), granted("example.com:443"), "ask medium table"],
  ["not a host below it", to({ host: "a.example.com", port: 443 }), granted("example.com"), "ask medium table"],
  [
    "a rule in other letters means their ASCII",
    to({ host: "xn--mnchen-3ya.de" }),
    granted("münchen.de"),
    "allow medium grant",
  ],
  ["a look-alike is another host", to({ host: "xn--pple-43d.com" }), granted("apple.com"), "ask medium table"],

  ["this machine is high and asked", to(local), emptyPolicy, "ask high watched"],
  ["in every mode", to(local), inMode("full-auto"), "ask high watched"],
  ["a rule for the tool does not reach it", to(local), whole, "ask high watched"],
  ["nor one for its name alone", to(local), granted("localhost"), "ask high watched"],
  ["nor one for another port", to(local), granted("localhost:3001"), "ask high watched"],
  ["its name and port do", to(local), granted("localhost:3000"), "allow high grant"],
  ["in a rule too", to(local), rules("allow", "localhost:3000"), "allow high user"],
  ["of IPv6 in brackets", to({ ...local, host: "::1" }), granted("[::1]:3000"), "allow high grant"],
  ["a private host is not meant by a wide pattern", to(intranet), rules("allow", "*.corp:80"), "ask high watched"],
  ["but by its own", to(intranet), rules("allow", "wiki.corp:80"), "allow high user"],
  ["a deny means the address that a name leads to", to(intranet), rules("deny", "10.1.2.3"), "deny high user"],
  ["and a name on any port", to(local), rules("deny", "localhost"), "deny high user"],
  ["link-local addresses are denied", to(metadata), whole, "deny high sealed"],
  ["whatever rule names them", to(metadata), rules("allow", "169.254.169.254:80"), "deny high sealed"],
  ["for every tool", { ...to(metadata), tool: "mcp_web" }, whole, "deny high sealed"],
])("%s", (_, facts, policy, expected) => {
  expect(said(facts, policy)).toBe(expected);
});

describe("after guarded content was read", () => {
  const past: PastFacts = { guarded: ".env", agreed: ["docs.org:443"], web: true };

  it.each<[string, Policy]>([
    ["a grant", granted("example.com")],
    ["a rule", rules("allow", "example.com")],
    ["full-auto", inMode("full-auto")],
  ])("%s does not reach a new host", (_, policy) => {
    const verdict = decide(to(site, past), policy);
    expect([verdict.decision, verdict.risk, verdict.rule.source]).toEqual(["ask", "high", "guarded"]);
    expect(verdict.why).toContain(".env was read in this session");
  });

  it("a search asks too, and nothing is offered but this once", () => {
    const search = bareFacts("web_search", "none", { hosts: [site], past });
    expect(said(search, emptyPolicy)).toBe("ask high guarded");
    expect(offersFor(to(site, past), emptyPolicy, { session: "s", workspace: "/ws", grantFile: "g" })).toEqual([]);
  });

  it("a command with the network asks each time, one without does not", () => {
    const command = (network: boolean) => bareFacts("shell", "once", { commands: [], network, past });
    expect(said(command(true), inMode("full-auto"))).toBe("ask high guarded");
    expect(said(command(false), inMode("full-auto"))).not.toContain("guarded");
  });

  it("a command without the sandbox asks each time, unless it only reads, and one in it does not", () => {
    const command = (sandbox: boolean, line = "make"): CallFacts => ({ ...running(line), sandbox, past });
    const anything = policyWith({
      rules: [rule("allow", { tool: "shell", command: "make" })],
      mode: "full-auto",
      isSandboxOff: true,
    });
    expect(said(command(false), anything)).toBe("ask high guarded");
    expect(decide(command(false), anything)).toMatchObject({ exposes: true, parts: [{ exposes: true }] });
    expect(said(command(true), anything)).toBe("allow medium user");
    expect(said(command(false, "pwd"), anything)).toBe("allow low table");
    expect(said(command(false, "pwd | make"), anything)).toBe("ask high guarded");
    expect(said({ ...command(false), past: { agreed: [] } }, anything)).toBe("allow medium user");
  });

  it("a host that the person agreed to since then is as before", () => {
    const docs = to({ host: "docs.org", port: 443 }, past);
    expect(said(docs, granted("docs.org"))).toBe("allow medium grant");
    expect(said(docs, emptyPolicy)).toBe("ask medium table");
    expect(said(to({ host: "docs.org", port: 80 }, past), granted("docs.org"))).toBe("ask high guarded");
  });
});

test("after text of the web a memory asks, whatever the rules and the mode", () => {
  const memory = (past: PastFacts) => bareFacts("save_memory", "store", { outlasts: true, past });
  const allowed: Rule = rule("allow", { tool: "save_memory" });
  const anything = policyWith({ rules: [allowed], mode: "full-auto" });
  expect(said(memory({ agreed: [], web: true }), anything)).toBe("ask medium confirm");
  expect(said(memory({ agreed: [] }), emptyPolicy)).toBe("allow low table");
});

test("a dialog offers a public host by name, any other by name and port, in ASCII", () => {
  const offered = (fact: HostFact): Grant["hosts"][] =>
    offersFor(to(fact), emptyPolicy, { session: "s", workspace: "/ws", grantFile: "g" }).map(
      ({ grant }) => grant.hosts,
    );
  expect(offered({ host: "xn--mnchen-3ya.de", port: 443 })).toEqual([["xn--mnchen-3ya.de"], ["xn--mnchen-3ya.de"]]);
  expect(offered(local)).toEqual([["localhost:3000"], ["localhost:3000"]]);
  expect(offered({ ...local, host: "::1" })).toEqual([["[::1]:3000"], ["[::1]:3000"]]);
  expect(offered(metadata)).toEqual([]);
});

describe("by a method that asks the host to do something", () => {
  const by = (method: string, host = site): CallFacts => bareFacts("web_fetch", "once", { hosts: [host], method });
  const head = bareFacts("web_fetch", "none", { hosts: [site], method: "HEAD" });
  const denying = (method: string): Policy =>
    policyWith({ rules: [rule("deny", { tool: "web_fetch", hosts: ["example.com"], methods: [method] })] });
  const allowing = (...methods: string[]): Policy =>
    policyWith({ rules: [rule("allow", { tool: "web_fetch", hosts: ["example.com", "localhost:3000"], methods })] });

  it.each<[string, CallFacts, Policy, string]>([
    ["it is asked about", by("POST"), emptyPolicy, "ask high table"],
    ["in full-auto too", by("POST"), inMode("full-auto"), "ask high table"],
    ["in read-only it is denied", by("DELETE"), inMode("read-only"), "deny high mode"],
    ["a rule for the tool does not reach it", by("POST"), whole, "ask high table"],
    ["nor one for the host", by("PUT"), rules("allow", "example.com"), "ask high table"],
    ["nor a grant", by("PATCH"), granted("example.com"), "ask high table"],
    ["nor one for another method", by("DELETE"), allowing("POST", "PUT"), "ask high table"],
    ["one for the host and the method does", by("POST"), allowing("POST"), "allow high user"],
    ["on this machine too", by("POST", local), allowing("POST"), "allow high user"],
    ["which lets nothing be read", to(site), allowing("POST"), "ask medium table"],
    ["a deny of the host means it", by("POST"), rules("deny", "example.com"), "deny high user"],
    ["what HEAD may does not mean GET", to(site), allowing("HEAD"), "ask medium table"],
    ["but HEAD", head, allowing("HEAD"), "allow medium user"],
    ["nor what GET may HEAD", head, allowing("GET"), "ask medium table"],
    ["what says no method means both", head, rules("allow", "example.com"), "allow medium user"],
    ["a grant too", head, granted("example.com"), "allow medium grant"],
    ["HEAD asks for nothing to be done", head, inMode("full-auto"), "allow medium mode"],
    ["a deny of HEAD means it", head, denying("HEAD"), "deny medium user"],
    ["and no GET", to(site), denying("HEAD"), "ask medium table"],
    ["a deny of GET means no HEAD", head, denying("GET"), "ask medium table"],
    ["but GET", to(site), denying("GET"), "deny medium user"],
  ])("%s", (_, facts, policy, expected) => {
    expect(said(facts, policy)).toBe(expected);
  });

  test("a dialog offers nothing for the next one", () => {
    const where = { session: "s", workspace: "/ws", grantFile: "g" };
    expect(offersFor(by("POST"), emptyPolicy, where)).toEqual([]);
  });
});
