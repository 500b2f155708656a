import { describe, expect, it } from "vitest";
import type { RiskLevel } from "../../src/core/tool.ts";
import { decide } from "../../src/policy/decide.ts";
import type { CallFacts, Policy } from "../../src/policy/types.ts";
import {
  bareFacts,
  commandsOf,
  emptyPolicy,
  grant,
  inMode,
  onPath,
  policyWith,
  rule,
  running,
} from "./support/build.ts";

type Vector = [name: string, facts: CallFacts, policy: Policy, expected: string];

const same = (path: string): CallFacts => ({ ...onPath("write_file", path), changesNothing: true });
const rules = (...list: ReturnType<typeof rule>[]) => policyWith({ rules: list });
const project = { source: "project", file: "/ws/.holdfast/policy.json", line: 2 } as const;
const state = "/home/x/.local/share/holdfast";

const riskPolicy = (source: "user" | "project", tool: string, risk: RiskLevel): Policy =>
  policyWith({ risks: { [source]: { [tool]: { risk, file: "policy.json", line: 1 } } } });

const presented: CallFacts = { ...bareFacts("present_plan", "store", { outlasts: false }), confirm: "so it is" };

const vectors: Vector[] = [
  // the risk table
  ["reading is free", onPath("read_file", "src/a.ts"), emptyPolicy, "allow low table"],
  ["listing is free", onPath("ls", "."), emptyPolicy, "allow low table"],
  ["globbing is free", onPath("glob", "src"), emptyPolicy, "allow low table"],
  ["searching is free", onPath("grep", "src"), emptyPolicy, "allow low table"],
  ["a memory is free", bareFacts("save_memory", "store"), emptyPolicy, "allow low table"],
  ["an edit is asked", onPath("edit_file", "src/a.ts"), emptyPolicy, "ask medium table"],
  ["a write is asked", onPath("write_file", "new.ts"), emptyPolicy, "ask medium table"],
  ["a write that changes nothing is free", same("src/a.ts"), emptyPolicy, "allow medium table"],
  ["a write that changes nothing of a watched file is free", same("package.json"), emptyPolicy, "allow medium table"],
  ["a write that changes nothing of a guarded file is asked", same(".envrc"), emptyPolicy, "ask high guarded"],
  ["a write that changes nothing is sealed as any", same(".git/config"), emptyPolicy, "deny high sealed"],
  [
    "a write that changes nothing is asked where a rule asks",
    same("src/a.ts"),
    rules(rule("ask", { tool: "write_file" })),
    "ask medium user",
  ],
  [
    "a write that changes nothing is denied in the mode read-only",
    same("src/a.ts"),
    inMode("read-only"),
    "deny medium mode",
  ],
  ["a command is asked", running("make"), emptyPolicy, "ask medium table"],
  ["a command that only reads is free", running("ls"), emptyPolicy, "allow low table"],
  ["a command that takes away is asked as high", running("rm x"), emptyPolicy, "ask high table"],
  ["an unknown tool is medium", bareFacts("mail", "once"), emptyPolicy, "ask medium table"],
  [
    "a tool that only took a row's name is judged as what it is",
    bareFacts("ls", "once"),
    emptyPolicy,
    "ask medium table",
  ],
  [
    "a tool of one's own that took a row's name and effect has no row",
    bareFacts("ls", "none", { own: true }),
    emptyPolicy,
    "ask medium table",
  ],
  [
    "a risk that is set for a name sets none down for a tool that took it",
    bareFacts("ls", "once", { own: true, risk: "high" }),
    riskPolicy("user", "ls", "low"),
    "ask high table",
  ],
  [
    "a rule that allows a name, or all, allows no tool that took it",
    bareFacts("ls", "none", { own: true }),
    rules(rule("allow", { tool: "ls" }), rule("allow", { tool: "l*" })),
    "ask medium table",
  ],
  [
    "a rule that denies a name denies a tool that took it",
    bareFacts("ls", "none", { own: true, risk: "low" }),
    rules(rule("deny", { tool: "ls" })),
    "deny low user",
  ],
  [
    "a rule allows a tool of one's own by its own name",
    bareFacts("deploy", "once", { own: true }),
    rules(rule("allow", { tool: "deploy" })),
    "allow medium user",
  ],
  [
    "the user sets a risk down",
    bareFacts("deploy", "once", { risk: "high" }),
    riskPolicy("user", "deploy", "low"),
    "allow low user",
  ],
  ["the user sets a risk up", onPath("ls", "."), riskPolicy("user", "ls", "high"), "ask high user"],
  ["a project sets a risk up", onPath("ls", "."), riskPolicy("project", "ls", "medium"), "ask medium project"],
  [
    "a project sets no risk down",
    bareFacts("deploy", "once", { risk: "high" }),
    riskPolicy("project", "deploy", "low"),
    "ask high table",
  ],
  [
    "a project raises what the user has lowered",
    bareFacts("deploy", "once"),
    policyWith({
      risks: { ...riskPolicy("user", "deploy", "low").risks, ...riskPolicy("project", "deploy", "high").risks },
    }),
    "ask high project",
  ],
  [
    "a command is judged by its words, whatever is set lower",
    running("rm x"),
    riskPolicy("user", "shell", "low"),
    "ask high table",
  ],
  ["a command is raised by what is set", running("ls"), riskPolicy("user", "shell", "high"), "ask high user"],
  ["a tool's own low counts", bareFacts("now", "none", { risk: "low" }), emptyPolicy, "allow low table"],
  ["a tool's own high counts", bareFacts("pay", "once", { risk: "high" }), emptyPolicy, "ask high table"],
  ["the table wins over the tool", bareFacts("shell", "once", { risk: "low" }), emptyPolicy, "ask medium table"],

  // sealed
  ["git's data is sealed", onPath("read_file", ".git/config"), emptyPolicy, "deny high sealed"],
  ["git's data is sealed for writes", onPath("write_file", ".git/hooks/pre-commit"), emptyPolicy, "deny high sealed"],
  ["git's folder itself is sealed", onPath("ls", ".git"), emptyPolicy, "deny high sealed"],
  ["a .git file of a worktree is sealed", onPath("write_file", "sub/.git"), emptyPolicy, "deny high sealed"],
  ["git's data below is sealed", onPath("edit_file", "vendor/lib/.git/config"), emptyPolicy, "deny high sealed"],
  ["another case is the same", onPath("write_file", ".Git/config"), emptyPolicy, "deny high sealed"],
  ["all capitals are the same", onPath("write_file", ".GIT/HOOKS/x"), emptyPolicy, "deny high sealed"],
  ["names with ignorable characters too", onPath("write_file", ".g\u200cit/config"), emptyPolicy, "deny high sealed"],
  ["names with a trailing dot too", onPath("write_file", ".git./config"), emptyPolicy, "deny high sealed"],
  ["short names of Windows too", onPath("write_file", "GIT~1/config"), emptyPolicy, "deny high sealed"],
  ["streams too", onPath("write_file", ".git::$INDEX_ALLOCATION/config"), emptyPolicy, "deny high sealed"],
  [".gitignore is not git's data", onPath("edit_file", ".gitignore"), emptyPolicy, "ask medium table"],
  [".github is not git's data", onPath("read_file", ".github/README.md"), emptyPolicy, "allow low table"],
  ["a folder named git is free", onPath("read_file", "git/config"), emptyPolicy, "allow low table"],
  ["the project's policy is sealed", onPath("edit_file", ".holdfast/policy.json"), emptyPolicy, "deny high sealed"],
  ["also for reading", onPath("read_file", ".holdfast/policy.json"), emptyPolicy, "deny high sealed"],
  ["also in another case", onPath("write_file", ".HoldFast/x"), emptyPolicy, "deny high sealed"],
  ["also with a long s", onPath("write_file", ".holdfa\u017ft/x"), emptyPolicy, "deny high sealed"],
  [".holdfast-notes is free", onPath("read_file", ".holdfast-notes"), emptyPolicy, "allow low table"],
  ["the state folder is sealed", onPath("read_file", `${state}/agent.db`), emptyPolicy, "deny high sealed"],
  ["the state folder itself too", onPath("ls", state), emptyPolicy, "deny high sealed"],
  [
    "in another case too",
    onPath("read_file", "/HOME/x/.local/share/Holdfast/agent.db"),
    emptyPolicy,
    "deny high sealed",
  ],
  [
    "the user's config is sealed",
    onPath("write_file", "/home/x/.config/holdfast/policy.json"),
    emptyPolicy,
    "deny high sealed",
  ],
  ["a sibling of it is not", onPath("read_file", "/home/x/.config/holdfast-evil/a"), emptyPolicy, "allow low table"],
  [
    "a link to sealed data is sealed",
    onPath("read_file", "notes", `${state}/agent.db`),
    emptyPolicy,
    "deny high sealed",
  ],
  [
    "a sealed name that leads elsewhere is sealed",
    onPath("write_file", ".git/x", "/ws/src/x"),
    emptyPolicy,
    "deny high sealed",
  ],
  [
    "dots in the way do not help",
    onPath("read_file", "src/../.git/config", "/ws/.git/config"),
    emptyPolicy,
    "deny high sealed",
  ],
  [
    "no rule loosens it",
    onPath("write_file", ".git/x"),
    rules(rule("allow", { tool: "write_file", paths: ["**"] })),
    "deny high sealed",
  ],
  ["no grant loosens it", onPath("edit_file", ".git/x"), policyWith({ grants: [grant()] }), "deny high sealed"],
  ["no mode loosens it", onPath("edit_file", ".git/x"), inMode("full-auto"), "deny high sealed"],

  // guarded
  ["instructions are guarded", onPath("edit_file", "AGENTS.md"), emptyPolicy, "ask high guarded"],
  ["in any case", onPath("edit_file", "AGENTS.MD"), emptyPolicy, "ask high guarded"],
  ["at any depth", onPath("write_file", "packages/a/claude.md"), emptyPolicy, "ask high guarded"],
  ["reading them is free", onPath("read_file", "AGENTS.md"), emptyPolicy, "allow low table"],
  ["CONTEXT.md too", onPath("write_file", "CONTEXT.md"), emptyPolicy, "ask high guarded"],
  ["GEMINI.md too", onPath("write_file", "GEMINI.md"), emptyPolicy, "ask high guarded"],
  [".cursorrules too", onPath("write_file", ".cursorrules"), emptyPolicy, "ask high guarded"],
  ["copilot's too", onPath("write_file", ".github/copilot-instructions.md"), emptyPolicy, "ask high guarded"],
  ["a name that only ends so is not", onPath("write_file", "MY-AGENTS.md"), emptyPolicy, "ask medium table"],
  ["servers are guarded", onPath("write_file", ".mcp.json"), emptyPolicy, "ask high guarded"],
  ["hooks are guarded", onPath("write_file", ".husky/pre-commit"), emptyPolicy, "ask high guarded"],
  ["githooks too", onPath("write_file", ".githooks/post-merge"), emptyPolicy, "ask high guarded"],
  ["lefthook too", onPath("edit_file", "lefthook.yml"), emptyPolicy, "ask high guarded"],
  ["pre-commit too", onPath("edit_file", ".pre-commit-config.yaml"), emptyPolicy, "ask high guarded"],
  ["workflows are guarded", onPath("write_file", ".github/workflows/ci.yml"), emptyPolicy, "ask high guarded"],
  ["in another case too", onPath("write_file", ".GitHub/Workflows/ci.yml"), emptyPolicy, "ask high guarded"],
  ["actions too", onPath("write_file", ".github/actions/a/action.yml"), emptyPolicy, "ask high guarded"],
  ["reading workflows is free", onPath("read_file", ".github/workflows/ci.yml"), emptyPolicy, "allow low table"],
  ["all of .github is", onPath("edit_file", ".github/CODEOWNERS"), emptyPolicy, "ask high guarded"],
  ["a folder named github is not", onPath("edit_file", "github/client.ts"), emptyPolicy, "ask medium table"],
  ["GitLab too", onPath("edit_file", ".gitlab-ci.yml"), emptyPolicy, "ask high guarded"],
  ["CircleCI too", onPath("edit_file", ".circleci/config.yml"), emptyPolicy, "ask high guarded"],
  ["Azure too", onPath("edit_file", "azure-pipelines.yml"), emptyPolicy, "ask high guarded"],
  ["Jenkins too", onPath("edit_file", "Jenkinsfile"), emptyPolicy, "ask high guarded"],
  [".ci too", onPath("edit_file", ".ci/run"), emptyPolicy, "ask high guarded"],
  ["secrets are guarded for reading", onPath("read_file", ".env"), emptyPolicy, "ask high guarded"],
  ["and for writing", onPath("write_file", "app/.env.local"), emptyPolicy, "ask high guarded"],
  ["in another case too", onPath("read_file", ".Env.Production"), emptyPolicy, "ask high guarded"],
  ["in folders of that name", onPath("read_file", ".envs/.production/.django"), emptyPolicy, "ask high guarded"],
  ["searching one file of them", onPath("grep", ".env"), emptyPolicy, "ask high guarded"],
  ["searching the folder is free", onPath("grep", "."), emptyPolicy, "allow low table"],
  ["listing their names is free", { ...onPath("ls", ".envs"), access: "names" }, emptyPolicy, "allow low table"],
  [
    "for what a tool declares, not for its name",
    { ...onPath("ls", ".envs"), access: "content" },
    emptyPolicy,
    "ask high guarded",
  ],
  ["examples are free", onPath("read_file", ".env.example"), emptyPolicy, "allow low table"],
  ["samples are free", onPath("read_file", "app/.env.sample"), emptyPolicy, "allow low table"],
  ["templates are asked as any file", onPath("write_file", ".env.template"), emptyPolicy, "ask medium table"],
  ["an example of another name is not", onPath("read_file", ".env.example.local"), emptyPolicy, "ask high guarded"],
  ["a link to a secret is guarded", onPath("read_file", "readme", "/ws/.env"), emptyPolicy, "ask high guarded"],
  [
    "a guarded name that leads elsewhere too",
    onPath("edit_file", "AGENTS.md", "/ws/docs/agents-real.txt"),
    emptyPolicy,
    "ask high guarded",
  ],
  ["no rule loosens it", onPath("edit_file", "AGENTS.md"), rules(rule("allow")), "ask high guarded"],
  ["no mode loosens it", onPath("edit_file", ".env"), inMode("full-auto"), "ask high guarded"],
  ["accept-edits does not loosen it", onPath("edit_file", "AGENTS.md"), inMode("accept-edits"), "ask high guarded"],
  [
    "what leads to the workspace does not count",
    { ...onPath("edit_file", "a.ts", "/x/.ci/ws/a.ts"), workspace: "/x/.ci/ws" },
    emptyPolicy,
    "ask medium table",
  ],

  // rules
  [
    "an allow rule allows",
    onPath("edit_file", "src/a.ts"),
    rules(rule("allow", { paths: ["src/**"] })),
    "allow medium user",
  ],
  ["not elsewhere", onPath("edit_file", "lib/a.ts"), rules(rule("allow", { paths: ["src/**"] })), "ask medium table"],
  [
    "not for another tool",
    onPath("write_file", "src/a.ts"),
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "not for another case",
    onPath("edit_file", "SRC/a.ts"),
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "not where the link leads out",
    onPath("edit_file", "src/a", "/ws/lib/a"),
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "not where the link leads in",
    onPath("edit_file", "lib/a", "/ws/src/a"),
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "not in a sibling of the workspace",
    onPath("edit_file", "/ws-evil/src/a"),
    rules(rule("allow", { paths: ["**"] })),
    "ask medium table",
  ],
  [
    "not above the workspace",
    onPath("edit_file", "../src/a", "/src/a"),
    rules(rule("allow", { paths: ["**"] })),
    "ask medium table",
  ],
  [
    "a deny rule denies",
    onPath("read_file", "secrets/k"),
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],
  [
    "in any case",
    onPath("read_file", "Secrets/K"),
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],
  [
    "the folder itself too",
    onPath("ls", "secrets"),
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],
  [
    "through a link too",
    onPath("read_file", "notes", "/ws/secrets/k"),
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],
  [
    "under the name of a link too",
    onPath("read_file", "secrets/k", "/ws/open"),
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],
  [
    "absolute patterns mean places",
    onPath("read_file", "/etc/passwd"),
    rules(rule("deny", { tool: "*", paths: ["/etc/**"] })),
    "deny low user",
  ],
  ["the project may deny", onPath("edit_file", "a"), rules(rule("deny", { origin: project })), "deny medium project"],
  [
    "the project may ask",
    onPath("read_file", "a"),
    rules(rule("ask", { tool: "read_file", origin: project })),
    "ask low project",
  ],
  [
    "a rule for some tools",
    bareFacts("mcp_git_push", "once"),
    rules(rule("deny", { tool: "mcp_git_*" })),
    "deny medium user",
  ],
  ["not for others", bareFacts("mcp_web", "once"), rules(rule("deny", { tool: "mcp_git_*" })), "ask medium table"],
  [
    "an allow by path does not cover a command",
    { ...running("rm x"), paths: [{ asked: "src/x", real: "/ws/src/x", access: "write" }] },
    rules(rule("allow", { tool: "*", paths: ["**"] })),
    "ask high table",
  ],
  [
    "an allow by path needs a path",
    bareFacts("edit_file", "file"),
    rules(rule("allow", { paths: ["**"] })),
    "ask medium table",
  ],
  [
    "an allow by command",
    running("npm test -- a"),
    rules(rule("allow", { tool: "shell", command: "npm test *" })),
    "allow medium user",
  ],
  [
    "not with a second command",
    running("npm test; rm -rf x"),
    rules(rule("allow", { tool: "shell", command: "npm test *" })),
    "ask high table",
  ],
  [
    "a deny by command in any part",
    running("cd a && sudo rm -rf x"),
    rules(rule("deny", { tool: "shell", command: "rm *" })),
    "deny high user",
  ],
  [
    "an allow by host",
    bareFacts("fetch", "none", { hosts: [{ host: "api.example.com" }] }),
    rules(rule("allow", { tool: "fetch", hosts: ["*.example.com"] })),
    "allow medium user",
  ],
  [
    "not for the bare domain",
    bareFacts("fetch", "none", { hosts: [{ host: "example.com" }] }),
    rules(rule("allow", { tool: "fetch", hosts: ["*.example.com"] })),
    "ask medium table",
  ],
  [
    "not for a look-alike",
    bareFacts("fetch", "none", { hosts: [{ host: "evilexample.com" }] }),
    rules(rule("allow", { tool: "fetch", hosts: ["*.example.com"] })),
    "ask medium table",
  ],
  [
    "not for one host of two",
    bareFacts("fetch", "none", { hosts: [{ host: "a.example.com" }, { host: "b.org" }] }),
    rules(rule("allow", { tool: "fetch", hosts: ["*.example.com"] })),
    "ask medium table",
  ],
  [
    "a deny by host, dotted and in capitals",
    bareFacts("fetch", "none", { hosts: [{ host: "EVIL.org." }] }),
    rules(rule("deny", { tool: "fetch", hosts: ["evil.org"] })),
    "deny medium user",
  ],
  [
    "all files of a call must be allowed",
    {
      ...onPath("edit_file", "src/a"),
      paths: ["src/a", "lib/b"].map((asked) => ({ asked, real: `/ws/${asked}`, access: "write" as const })),
    },
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "one denied file is enough",
    {
      ...onPath("edit_file", "src/a"),
      paths: ["src/a", "lib/b"].map((asked) => ({ asked, real: `/ws/${asked}`, access: "write" as const })),
    },
    rules(rule("deny", { paths: ["lib/**"] })),
    "deny medium user",
  ],
  [
    "a pattern that cannot be read allows nothing",
    onPath("edit_file", "a"),
    rules(rule("allow", { paths: ["{"] })),
    "ask medium table",
  ],
  ["and denies all", onPath("edit_file", "a"), rules(rule("deny", { paths: ["{"] })), "deny medium user"],
  [
    "a command pattern that cannot be read too",
    running("sudo ls"),
    rules(rule("deny", { tool: "shell", command: "*" })),
    "deny high user",
  ],

  [
    "what was asked from a folder below is judged from there",
    { ...onPath("read_file", "k", "/ws/open"), cwd: "/ws/secrets" },
    rules(rule("deny", { tool: "*", paths: ["secrets/**"] })),
    "deny low user",
  ],

  [
    "an allow by path does not cover a host",
    { ...onPath("edit_file", "src/a"), hosts: [{ host: "a.org" }] },
    rules(rule("allow", { paths: ["src/**"] })),
    "ask medium table",
  ],
  [
    "an allow by host does not cover a path",
    { ...onPath("edit_file", "src/a"), hosts: [{ host: "a.org" }] },
    rules(rule("allow", { hosts: ["a.org"] })),
    "ask medium table",
  ],

  // grants
  [
    "a grant allows",
    onPath("edit_file", "src/a"),
    policyWith({ grants: [grant({ paths: ["src/**"] })] }),
    "allow medium grant",
  ],
  [
    "not elsewhere",
    onPath("edit_file", "lib/a"),
    policyWith({ grants: [grant({ paths: ["src/**"] })] }),
    "ask medium table",
  ],

  // modes
  ["read-only denies edits", onPath("edit_file", "a"), inMode("read-only"), "deny medium mode"],
  ["and memories", bareFacts("save_memory", "store"), inMode("read-only"), "deny low mode"],
  ["and what outlasts", bareFacts("save_memory", "store", { outlasts: true }), inMode("read-only"), "deny low mode"],
  [
    "not what stays in the session",
    bareFacts("goal", "store", { outlasts: false }),
    inMode("read-only"),
    "allow low table",
  ],
  [
    "but where another tool says so",
    bareFacts("goal", "store", { outlasts: false, own: true, risk: "low" }),
    inMode("read-only"),
    "deny low mode",
  ],
  ["and commands", running("make"), inMode("read-only"), "deny medium mode"],
  ["not those that only read", running("ls | wc -l"), inMode("read-only"), "allow low table"],
  [
    "and sub-agents that another tool drives",
    bareFacts("run_agent", "child", { own: true }),
    inMode("read-only"),
    "deny medium mode",
  ],
  [
    "not the program's own, whose calls the mode judges",
    bareFacts("agent", "child"),
    inMode("read-only"),
    "allow low table",
  ],
  ["not reading", onPath("read_file", "a"), inMode("read-only"), "allow low table"],
  ["plan denies as read-only does", onPath("edit_file", "a"), inMode("plan"), "deny medium mode"],
  ["and memories", bareFacts("save_memory", "store"), inMode("plan"), "deny low mode"],
  ["and commands", running("make"), inMode("plan"), "deny medium mode"],
  ["not those that only read", running("ls | wc -l"), inMode("plan"), "allow low table"],
  ["not helpers, whose calls the mode judges", bareFacts("agent", "child"), inMode("plan"), "allow low table"],
  ["a plan is asked about in mode plan", presented, inMode("plan"), "ask medium confirm"],
  ["and in full-auto", presented, inMode("full-auto"), "ask medium confirm"],
  [
    "whatever is allowed",
    presented,
    policyWith({ rules: [rule("allow", { tool: "*" })], grants: [grant({ tool: "present_plan" })] }),
    "ask medium confirm",
  ],
  [
    "but where it is denied",
    presented,
    { ...inMode("plan"), rules: [rule("deny", { tool: "present_plan" })] },
    "deny low user",
  ],
  ["accept-edits accepts edits", onPath("edit_file", "a"), inMode("accept-edits"), "allow medium mode"],
  ["and new files", onPath("write_file", "deep/new/a"), inMode("accept-edits"), "allow medium mode"],
  ["not outside", onPath("write_file", "/tmp/a"), inMode("accept-edits"), "ask medium table"],
  ["not in a sibling", onPath("write_file", "/ws-evil/a"), inMode("accept-edits"), "ask medium table"],
  ["not through a link out", onPath("write_file", "a", "/etc/a"), inMode("accept-edits"), "ask medium table"],
  ["not commands", running("touch a"), inMode("accept-edits"), "ask medium table"],
  [
    "not an edit that runs a command",
    { ...onPath("edit_file", "a"), commands: commandsOf("x") },
    inMode("accept-edits"),
    "ask medium table",
  ],
  [
    "not an edit that asks a host",
    { ...onPath("edit_file", "a"), hosts: [{ host: "x" }] },
    inMode("accept-edits"),
    "ask medium table",
  ],
  ["not an edit of nowhere", bareFacts("edit_file", "file"), inMode("accept-edits"), "ask medium table"],
  ["full-auto asks nothing of the table", running("sudo ls"), inMode("full-auto"), "allow high mode"],
  ["but what nobody can understand", running("eval $x"), inMode("full-auto"), "ask medium table"],
  ["nor of unknown tools", bareFacts("mail", "once"), inMode("full-auto"), "allow medium mode"],
  [
    "but of a command without a sandbox",
    { ...running("sudo ls"), sandbox: false },
    inMode("full-auto"),
    "ask high table",
  ],
  [
    "not where the person wants it so",
    { ...running("sudo ls"), sandbox: false },
    { ...inMode("full-auto"), isSandboxOff: true },
    "allow high mode",
  ],
  ["what is low is the table's", onPath("read_file", "a"), inMode("full-auto"), "allow low table"],
];

describe("decide", () => {
  it.each(vectors)("%s", (_name, facts, policy, expected) => {
    const { decision, risk, rule: source } = decide(facts, policy);
    expect(`${decision} ${risk} ${source.source}`).toBe(expected);
  });

  it("has at least eighty vectors", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(80);
  });
});

describe("the order of decide", () => {
  const everything: Policy = policyWith({
    mode: "read-only",
    rules: [rule("allow", { paths: ["**"] }), rule("ask", { paths: ["**"] }), rule("deny", { paths: ["**"] })],
    grants: [grant()],
  });
  const without = (policy: Policy, decision: string): Policy => ({
    ...policy,
    rules: policy.rules.filter((each) => each.decision !== decision),
  });
  const said = (facts: CallFacts, policy: Policy) => {
    const { decision, rule: source } = decide(facts, policy);
    return `${decision} ${source.source}`;
  };

  it("goes from sealed to the table, one step at a time", () => {
    const sealed = onPath("edit_file", ".git/AGENTS.md");
    const guarded = { ...onPath("edit_file", "AGENTS.md"), confirm: true };
    const confirmed = { ...onPath("edit_file", "a"), confirm: true };
    const plain = onPath("edit_file", "a");
    const fullAuto: Policy = { ...everything, mode: "full-auto" };
    const noDeny = without(fullAuto, "deny");
    const noAsk = without(noDeny, "ask");
    const onlyGrant = without(noAsk, "allow");
    const onlyMode = { ...onlyGrant, grants: [] };
    expect([
      said(sealed, everything),
      said(guarded, everything),
      said(guarded, fullAuto),
      said(guarded, noDeny),
      said(confirmed, noDeny),
      said(plain, noDeny),
      said(plain, noAsk),
      said(plain, onlyGrant),
      said(plain, onlyMode),
      said(plain, { ...onlyMode, mode: "ask" }),
    ]).toEqual([
      "deny sealed",
      "deny mode",
      "deny user",
      "ask guarded",
      "ask confirm",
      "ask user",
      "allow user",
      "allow grant",
      "allow mode",
      "ask table",
    ]);
  });

  it("asks by an ask rule although the rule before it allows", () => {
    const policy = rules(rule("allow"), rule("ask", { paths: ["src/**"] }));
    expect(said(onPath("edit_file", "src/a"), policy)).toBe("ask user");
  });

  it("lets a person decide what is to be confirmed, although a grant reaches over it", () => {
    const facts = { ...onPath("edit_file", "a"), confirm: true };
    expect(said(facts, policyWith({ grants: [grant()], mode: "full-auto" }))).toBe("ask confirm");
  });
});

describe("a file that runs when the person builds", () => {
  const manifest = onPath("edit_file", "package.json");
  const verdictOf = (facts: CallFacts, policy: Policy): string => {
    const { decision, risk, rule: by } = decide(facts, policy);
    return [decision, risk, by.source].join(" ");
  };

  it.each<Vector>([
    [
      "is asked with one key, also where files are edited unasked",
      manifest,
      inMode("accept-edits"),
      "ask medium watched",
    ],
    ["is asked in full-auto", manifest, inMode("full-auto"), "ask medium watched"],
    [
      "is asked as high by a tool that is",
      { ...manifest, tool: "deploy", risk: "high" },
      emptyPolicy,
      "ask high watched",
    ],
    ["is asked where a rule for the tool allows", manifest, rules(rule("allow")), "ask medium watched"],
    ["is asked where a grant for all allows", manifest, policyWith({ grants: [grant()] }), "ask medium watched"],
    [
      "is allowed by a rule that names it",
      manifest,
      rules(rule("allow", { paths: ["package.json"] })),
      "allow medium user",
    ],
    ["is read freely", onPath("read_file", "package.json"), emptyPolicy, "allow low table"],
    [
      "is read by a rule for the tool",
      onPath("read_file", "package.json"),
      rules(rule("allow", { tool: "read_file" })),
      "allow low user",
    ],
  ])("%s", (_, facts, policy, expected) => {
    expect(verdictOf(facts, policy)).toBe(expected);
  });

  it("is named with what it does", () => {
    expect(decide(manifest, emptyPolicy).why).toMatch(/^package\.json is watched: \S/);
  });
});

describe("what must be confirmed", () => {
  const once = (confirm: true | string): string => {
    const { risk, why } = decide(bareFacts("now", "none", { risk: "low", confirm }), emptyPolicy);
    return `${risk}: ${why}`;
  };

  it("is said in the tool's own words, which make it medium at least", () => {
    expect(once(true)).toBe("low: it must be confirmed each time");
    expect(once("it rings a bell")).toBe("medium: it rings a bell");
    expect(decide({ ...running("sudo ls"), confirm: "it rings a bell" }, emptyPolicy)).toMatchObject({ risk: "high" });
  });

  it("is a memory after text of the web, and nothing else after it", () => {
    const past: CallFacts["past"] = { agreed: [], web: true };
    expect(decide(bareFacts("save_memory", "store", { outlasts: true, past }), emptyPolicy)).toMatchObject({
      decision: "ask",
      risk: "medium",
      why: expect.stringContaining("read text of the web"),
    });
    expect(
      decide(bareFacts("save_memory", "store", { outlasts: true, past: { agreed: [] } }), emptyPolicy).decision,
    ).toBe("allow");
    expect(decide(bareFacts("now", "none", { risk: "low", past }), emptyPolicy).decision).toBe("allow");
  });
});

describe("the reason of a verdict", () => {
  it.each<[string, CallFacts, Policy, string]>([
    ["the risk", onPath("edit_file", "a"), emptyPolicy, "medium risk: "],
    [
      "the workspace itself",
      onPath("ls", ".", "/ws"),
      policyWith({ sealed: { roots: ["/ws"] } }),
      "the workspace folder is sealed: ",
    ],
    [
      "what is guarded",
      onPath("edit_file", "AGENTS.md"),
      emptyPolicy,
      "AGENTS.md is guarded, a person decides each time: ",
    ],
    [
      "git's folder under another name",
      {
        ...onPath("read_file", "x/HEAD"),
        paths: [{ asked: "x/HEAD", real: "/ws/x/HEAD", access: "read", gitDir: true }],
      },
      emptyPolicy,
      "x/HEAD is sealed: it is git's own data, or would be taken for it",
    ],
    [
      "the mode that refuses",
      onPath("edit_file", "a"),
      inMode("read-only"),
      "the mode is read-only: nothing may be changed",
    ],
    [
      "the mode that accepts edits",
      onPath("edit_file", "a"),
      inMode("accept-edits"),
      "the mode accepts edits of files in the workspace",
    ],
    [
      "the mode that asks little",
      onPath("edit_file", "a"),
      inMode("full-auto"),
      "the mode is full-auto: only rules and guarded files ask",
    ],
    [
      "a rule of two patterns that says no reason",
      onPath("edit_file", "a"),
      rules(rule("allow", { paths: ["a", "b"], why: "" })),
      "matches rule 'a, b' of /home/x/.config/holdfast/policy.json line 4",
    ],
    [
      "a rule of two hosts",
      bareFacts("fetch", "none", { hosts: [{ host: "b.org" }] }),
      rules(rule("allow", { tool: "fetch", hosts: ["a.org", "b.org"], why: "" })),
      "matches rule 'a.org, b.org' of /home/x/.config/holdfast/policy.json line 4",
    ],
    [
      "a grant for all",
      onPath("edit_file", "a"),
      policyWith({ grants: [grant()] }),
      "you allowed edit_file for this session (g-1)",
    ],
  ])("tells %s", (_, facts, policy, expected) => {
    expect(decide(facts, policy).why.slice(0, expected.length)).toBe(expected);
  });

  it("names the rule's pattern, file, line and why", () => {
    const policy = rules(rule("allow", { paths: ["src/**"], why: "edits here are fine" }));
    expect(decide(onPath("edit_file", "src/a.ts"), policy)).toEqual({
      decision: "allow",
      risk: "medium",
      rule: { source: "user", file: "/home/x/.config/holdfast/policy.json", line: 4 },
      why: "matches rule 'src/**' of /home/x/.config/holdfast/policy.json line 4: edits here are fine",
    });
  });

  it("ends with the rule's own, where it has one", () => {
    const policy = rules(rule("allow", { paths: ["a"], why: "" }));
    expect(decide(onPath("edit_file", "a"), policy).why).toBe(
      "matches rule 'a' of /home/x/.config/holdfast/policy.json line 4",
    );
  });

  it("is no mode's for what is no edit, though it writes in the workspace", () => {
    const made = { ...onPath("make_image", "a.png"), effect: "once" } as const;
    expect(decide(made, inMode("accept-edits"))).toMatchObject({ decision: "ask", rule: { source: "table" } });
  });

  it("warns where the risk is high", () => {
    expect(decide(running("sudo ls"), emptyPolicy).why).toBe(
      "sudo ls: careful, high risk: it runs with another person's rights",
    );
  });

  it("names the path that is sealed", () => {
    expect(decide(onPath("read_file", "a", "/ws/.git/config"), emptyPolicy).why).toBe(
      ".git/config is sealed: git's own data can hold hooks and settings that run commands",
    );
  });

  it("names the grant", () => {
    expect(decide(onPath("edit_file", "src/a"), policyWith({ grants: [grant({ paths: ["src/**"] })] })).why).toBe(
      "you allowed edit_file(src/**) for this session (g-1)",
    );
  });
});
