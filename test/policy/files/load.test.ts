import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCall, listRules } from "../../../src/policy/check.ts";
import { openGrantBook } from "../../../src/policy/files/grant-book.ts";
import { loadPolicy, type PolicySources } from "../../../src/policy/files/load.ts";
import { trust, trustState } from "../../../src/policy/files/trust.ts";
import { PolicyProblem } from "../../../src/policy/problem.ts";
import { grant, onPath } from "../support/build.ts";
import { put, temporaryFolder } from "../support/folder.ts";

const projectPolicy = `{ "rules": [
  { "tool": "edit_file", "paths": ["src/**"], "decision": "allow" },
  { "tool": "read_file", "paths": ["secrets/**"], "decision": "deny", "why": "keep out" },
  { "tool": "ls", "decision": "ask" }
] }`;
const userPolicy = `{ "rules": [
  { "tool": "write_file", "paths": ["docs/**"], "decision": "allow", "why": "docs are mine" } ] }`;

function sources(files: { user?: string; project?: string }, more: Partial<PolicySources> = {}): PolicySources {
  const home = temporaryFolder(files.user === undefined ? {} : { "policy.json": files.user });
  const workspace = temporaryFolder(files.project === undefined ? {} : { ".holdfast/policy.json": files.project });
  return {
    userPolicyFile: join(home, "policy.json"),
    workspace,
    grantBook: openGrantBook(join(home, "grants.json")),
    session: "brisk-otter-4f2a",
    mode: "ask",
    sealedRoots: [home],
    allow: [],
    trusted: false,
    ...more,
  };
}

const decisions = (rules: { decision: string; tool: string }[] = []) =>
  rules.map((rule) => `${rule.decision} ${rule.tool}`);

describe("the policy of a session", () => {
  it("is empty where nobody wrote one", async () => {
    const from = sources({}, { mode: "read-only" });
    expect(await loadPolicy(from)).toEqual({
      rules: [],
      inert: [],
      grants: [],
      mode: "read-only",
      sealed: { roots: from.sealedRoots },
    });
  });

  it("lets a project that is not trusted tighten, never loosen", async () => {
    const policy = await loadPolicy(sources({ user: userPolicy, project: projectPolicy }, { allow: ["edit_file(a)"] }));
    expect(decisions(policy.rules)).toEqual(["allow write_file", "allow edit_file", "deny read_file", "ask ls"]);
    expect(decisions(policy.inert)).toEqual(["allow edit_file"]);
  });

  it("takes the risk of tools from the user's file and from a project that is not trusted", async () => {
    const from = sources({ user: '{"risk": {"deploy": "low"}}', project: '{\n"risk": {"deploy": "high"}}' });
    const { risks } = await loadPolicy(from);
    expect(risks).toEqual({
      user: { deploy: { risk: "low", file: from.userPolicyFile, line: 1 } },
      project: { deploy: { risk: "high", file: join(from.workspace, ".holdfast/policy.json"), line: 2 } },
    });
  });

  it("lets a trusted project loosen", async () => {
    const policy = await loadPolicy(sources({ project: projectPolicy }, { trusted: true }));
    expect(decisions(policy.rules)).toEqual(["allow edit_file", "deny read_file", "ask ls"]);
    expect(policy.inert).toEqual([]);
  });

  it("applies what was trusted, not what the file became after it", async () => {
    const from = sources({ project: projectPolicy });
    const trustFile = join(from.sealedRoots[0] ?? "", "trust.json");
    const { digest } = await trustState(trustFile, from.workspace);
    const trusted = await trust(trustFile, from.workspace, digest, 5);
    expect(decisions((await loadPolicy({ ...from, trusted })).inert)).toEqual([]);
    put(from.workspace, ".holdfast/policy.json", projectPolicy.replace("src/**", "**"));
    expect(decisions((await loadPolicy({ ...from, trusted })).inert)).toEqual(["allow edit_file"]);
  });

  it("brings the grants of this session and workspace", async () => {
    const from = sources({});
    const mine = grant();
    const here = grant({ id: "g-2", scope: "project", key: from.workspace });
    for (const each of [mine, here, grant({ id: "g-3", key: "other" })]) await from.grantBook.add(each);
    expect((await loadPolicy(from)).grants).toEqual([mine, here]);
  });

  it("is refused with all problems of all its sources", async () => {
    const from = sources({ user: '{\n"rules": [{"tool": "ls"}]}', project: "{" }, { allow: ["ls", "shell"] });
    const problem = await loadPolicy(from).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(PolicyProblem);
    expect((problem as PolicyProblem).problems).toEqual([
      { file: from.userPolicyFile, line: 2, message: 'a rule needs a "decision": allow, ask or deny' },
      {
        file: "--allow",
        line: 2,
        message: 'this would allow every command of shell: restrict it by "command"',
      },
      { file: join(from.workspace, ".holdfast/policy.json"), line: 1, message: "the file ends too early" },
    ]);
  });

  it("is refused when a file of it cannot be read", async () => {
    const from = sources({ user: "{}" });
    const unreadable = { ...from, userPolicyFile: from.workspace };
    await expect(loadPolicy(unreadable)).rejects.toThrow(/cannot be read: .* is a folder/);
  });
});

describe("what policy says outside a session", () => {
  it("is one flat object for a call", async () => {
    const from = sources({ project: projectPolicy });
    const facts = { ...onPath("read_file", "secrets/k", join(from.workspace, "secrets/k")), workspace: from.workspace };
    const file = join(from.workspace, ".holdfast/policy.json");
    expect(checkCall(facts, await loadPolicy(from))).toEqual({
      tool: "read_file",
      decision: "deny",
      risk: "low",
      rule: { source: "project", file, line: 3 },
      why: `matches rule 'secrets/**' of ${file} line 3: keep out`,
    });
  });

  it("lists rules in the order they are asked, then grants, then what is not in force", async () => {
    const from = sources({ user: userPolicy, project: projectPolicy });
    await from.grantBook.add(grant({ paths: ["a"] }));
    const origin = { source: "project", file: join(from.workspace, ".holdfast/policy.json") };
    expect(listRules(await loadPolicy(from))).toEqual([
      {
        decision: "deny",
        tool: "read_file",
        paths: ["secrets/**"],
        why: "keep out",
        ...origin,
        line: 3,
        inForce: true,
      },
      { decision: "ask", tool: "ls", why: "", ...origin, line: 4, inForce: true },
      {
        decision: "allow",
        tool: "write_file",
        paths: ["docs/**"],
        why: "docs are mine",
        source: "user",
        file: from.userPolicyFile,
        line: 2,
        inForce: true,
      },
      {
        decision: "allow",
        tool: "edit_file",
        paths: ["a"],
        why: "",
        source: "grant",
        inForce: true,
        id: "g-1",
        scope: "session",
        session: "brisk-otter-4f2a",
        at: 0,
      },
      { decision: "allow", tool: "edit_file", paths: ["src/**"], why: "", ...origin, line: 2, inForce: false },
    ]);
  });
});
