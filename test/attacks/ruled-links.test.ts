import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { leadLook, withLeads } from "../../src/policy/files/lead-look.ts";
import { withRulePlaces } from "../../src/policy/files/rule-places.ts";
import { rightsOf } from "../../src/policy/rights.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { calls, openStage, says } from "../support/play.ts";
import { run, shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const files = {
  "docs/secret.txt": "SECRET\n",
  "docs/deep/b.txt": "SECRET\n",
  "docs.md": "plain\n",
  "a.txt": "plain\n",
  "open/a.txt": "plain\n",
};

const rule = (paths: string[] | undefined, more: Partial<Rule> = {}): Rule => ({
  tool: "*",
  ...(paths && { paths }),
  decision: "deny",
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
  ...more,
});

function link(workspace: string, path: string, target: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  symlinkSync(target, join(workspace, path));
}

/** A workspace with such links, and the rules as a session would have them now. */
function place(links: Record<string, string>, rules: (workspace: string) => Rule[]) {
  const workspace = tempTree(files);
  for (const [path, target] of Object.entries(links)) link(workspace, path, target);
  const look = leadLook(workspace);
  const policy = (more: Partial<Policy> = {}): Policy =>
    withRulePlaces(
      { ...{ rules: rules(workspace), grants: [], mode: "full-auto", sealed: { roots: [] } }, leads: look(), ...more },
      [workspace],
    );
  const tools = createDefaultTools({ workspace });
  const prepare = async (name: string, args: object) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return prepareCall(tool, args as never, createToolContext({ workspace }), policy());
  };
  const read = async (file_path: string) => {
    const made = await prepare("read_file", { file_path });
    return made.kind === "refused" ? made.code : made.verdict.decision;
  };
  const output = async (name: string, args: object) => {
    const made = await prepare(name, args);
    if (made.kind !== "ready") return made.kind;
    return resultOf(await made.run(new AbortController().signal, { policy: policy() })).output;
  };
  return { workspace, policy, read, prepare, output };
}

describe("a rule that denies a path through a link denies what it leads to, by each of its names", () => {
  test.each<[rule: string, links: Record<string, string>]>([
    ["link/secret.txt", { link: "docs" }],
    ["./link//secret.txt", { link: "docs" }],
    ["link/**", { link: "docs" }],
    ["link/", { link: "docs" }],
    ["link/*.txt", { link: "docs" }],
    ["{a,link}/secret.txt", { link: "docs" }],
    ["s.txt", { "s.txt": "docs/secret.txt" }],
    ["one/secret.txt", { one: "two", two: "three", three: "docs" }],
    ["sub/link/secret.txt", { "sub/link": "../docs" }],
    ["sub/link/secret.txt", { sub: "real", "real/link": "../docs" }],
    ["link/secret.txt", { link: "./sub/../docs/.", "sub/x": "y" }],
    // in other letters, and behind a wildcard
    ["LINK/secret.txt", { link: "docs" }],
    ["**/link/secret.txt", { "sub/link": "../docs" }],
    ["*/l*k/secret.txt", { "sub/link": "../docs" }],
    ["**/*.key", { "sub/one.key": "../docs/secret.txt" }],
    ["**/.private", { "a/b/.private": "../../docs/secret.txt" }],
    ["**/one/**/two", { one: "docs", "docs/deep/two": "../secret.txt" }],
  ])("%s, with %o", async (pattern, links) => {
    const { workspace, read, output } = place({ ...links, other: "docs" }, () => [rule([pattern])]);
    for (const name of [
      "docs/secret.txt",
      "other/secret.txt",
      "docs/../docs/secret.txt",
      join(workspace, "docs/secret.txt"),
    ])
      expect([name, await read(name)]).toEqual([name, "deny"]);
    for (const name of ["a.txt", "docs.md"]) expect([name, await read(name)]).toEqual([name, "allow"]);
    expect(await output("grep", { pattern: "SECRET", path: "docs/secret.txt" })).toBe("denied");
  });

  test("of whole paths, through links around the workspace and out of it", async () => {
    const outside = tempTree({ "secret.txt": "SECRET\n" });
    const { workspace, read } = place({ out: outside }, (ws) => [
      rule([`${outside}/way/docs/secret.txt`, `${ws}/out/secret.txt`]),
    ]);
    expect(await read("docs/secret.txt")).toBe("allow");
    symlinkSync(workspace, join(outside, "way"));
    expect(await read("docs/secret.txt")).toBe("deny");
    const { judge } = shellStage(workspace, place({}, () => []).policy({ rules: [] }), "off");
    expect(await judge(`cat ${outside}/secret.txt`)).not.toBe("denied");
  });

  test("where its target is not there yet, and where the link changes", async () => {
    const { workspace, read, prepare } = place({ link: "later" }, () => [rule(["link/secret.txt"])]);
    const writes = async (file_path: string) => {
      const made = await prepare("write_file", { file_path, content: "x\n" });
      return made.kind === "refused" ? made.code : made.verdict.decision;
    };
    expect([await writes("later/secret.txt"), await writes("later/other.txt")]).toEqual(["deny", "allow"]);
    expect(await read("docs/secret.txt")).toBe("allow");
    renameSync(join(workspace, "link"), join(workspace, "old"));
    expect(await writes("later/secret.txt")).toBe("allow");
    link(workspace, "link", "docs");
    expect([await writes("later/secret.txt"), await read("docs/secret.txt")]).toEqual(["allow", "deny"]);
    rmSync(join(workspace, "link"));
    expect(await read("docs/secret.txt")).toBe("allow");
  });

  test("and links in a circle, or below a file, lead nowhere", async () => {
    const { read } = place({ one: "two", two: "one", link: "docs" }, () => [
      rule(["one/secret.txt", "a.txt/b/c.txt", "link/gone/secret.txt"]),
    ]);
    expect(await read("docs/secret.txt")).toBe("allow");
    expect(await read("a.txt")).toBe("allow");
  });

  test("by a rule that asks too, and of an added folder within that; an allow means its own words alone", async () => {
    const asks = place({ link: "docs" }, () => [rule(["link/**"], { decision: "ask" })]);
    expect(await asks.read("docs/secret.txt")).toBe("ask");
    const added = place({ "sub/link": "../docs", "sub/in": "real", "sub/real/x": "y" }, (ws) => [
      rule(["link/**", "in/**"], { root: join(ws, "sub") }),
    ]);
    expect(await added.read("docs/secret.txt")).toBe("allow");
    link(added.workspace, "sub/real/here.txt", "../../a.txt");
    expect(await added.read("sub/real/here.txt")).toBe("deny");
    const allows = place({ link: "docs" }, () => [
      rule(["link/**"], { tool: "read_file", decision: "allow" }),
      rule(["**"], { decision: "ask" }),
    ]);
    expect(allows.policy().leads?.rules?.size).toBe(0);
    const wide = place({ link: "docs" }, () => [rule(["link/**"], { tool: "edit_file", decision: "allow" })]);
    const edit = { file_path: "docs/secret.txt", old_string: "S", new_string: "s" };
    const made = await wide.prepare("edit_file", edit);
    expect(made.kind === "ready" && made.verdict.rule.source).toBe("mode");
  });

  test("but not what a link below its folder leads to, whose name it does not spell", async () => {
    const { read } = place({ "packages/one": "../docs" }, () => [rule(["packages/**", "**/packages/*/x"])]);
    expect(await read("packages/one/secret.txt")).toBe("deny");
    expect(await read("docs/secret.txt")).toBe("allow");
  });

  test("in searches and lists", async () => {
    const { output } = place({ link: "docs" }, () => [rule(["link/secret.txt"])]);
    expect(await output("grep", { pattern: "SECRET|plain" })).not.toContain("secret.txt");
    expect(await output("glob", { pattern: "**/*.txt" })).not.toContain("docs/secret.txt");
  });
});

test("a rule that a child of a session was begun under denies what its link leads to, though it is gone by now", async () => {
  const workspace = tempTree(files);
  link(workspace, "link", "docs");
  const bare: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
  const rights = rightsOf({ ...bare, rules: [rule(["link/**"])] }, []);
  const read = createDefaultTools({ workspace }).find(({ name }) => name === "read_file");
  if (read === undefined) throw new Error("no read_file");
  for (const loaded of [bare, withRulePlaces(bare, [workspace])]) {
    const policy = await withLeads(async () => loaded, { workspace, rights })({});
    const made = await prepareCall(read, { file_path: "docs/secret.txt" }, createToolContext({ workspace }), policy);
    expect(made.kind).toBe("denied");
  }
});

describe("a rule of the real place", () => {
  test("denies it through any link", async () => {
    const { read } = place({ link: "docs", "s.txt": "link/secret.txt" }, () => [rule(["docs/**"])]);
    for (const name of ["link/secret.txt", "s.txt", "link/deep/b.txt"])
      expect([name, await read(name)]).toEqual([name, "deny"]);
  });
});

describe("lines of commands", () => {
  test("are judged by where the rule's path leads, and so are the words of its command", async () => {
    const { workspace, policy } = place({ link: "docs", "s.txt": "docs/secret.txt" }, () => [
      rule(["link/**"], { tool: "read_file" }),
      rule(undefined, { tool: "shell", command: "frob link/secret.txt" }),
      rule(undefined, { tool: "shell", command: "grob s.txt *" }),
      rule(undefined, { tool: "shell", command: "frob ~/open.txt" }),
      rule(undefined, { tool: "shell", command: "frob docs/deep/b.txt" }),
    ]);
    const { judge } = shellStage(workspace, () => policy({ mode: "ask" }), "off");
    for (const line of [
      "frob docs/secret.txt",
      "cd docs && frob secret.txt",
      "grob -x docs/secret.txt",
      "grob link/secret.txt y",
      "frob ~/open.txt",
      "frob link/deep/b.txt",
    ])
      expect([line, await judge(line)]).toEqual([line, "deny"]);
    for (const line of [
      "cat docs/secret.txt",
      "head -1 < docs/secret.txt",
      "cat link/secret.txt",
      "cd docs && cat secret.txt",
    ])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    expect(await judge("frob docs/deep/c.txt")).toBe("ask");
    expect(await judge("cat a.txt docs.md")).toBe("allow");
  });
});

test("a word that two rules have means what its link leads to by both, and so does the value of an option", async () => {
  const home = tempTree({});
  const other = tempTree({ "a.txt": "SECRET\n" });
  link(home, "notes", other);
  const { workspace, policy } = place({ link: "docs" }, () => [
    rule(undefined, { tool: "shell", command: "frob ~/notes/a.txt" }),
    rule(undefined, { tool: "shell", command: "grob ~/notes/a.txt *" }),
    rule(undefined, { tool: "shell", command: "tar --file=link/secret.txt *" }),
    rule(undefined, { tool: "shell", command: "curl -olink/secret.txt *" }),
  ]);
  const { judge } = shellStage(workspace, () => policy({ mode: "ask", home }), "off");
  for (const line of [
    `frob ${other}/a.txt`,
    `grob ${other}/a.txt x`,
    "tar --file=docs/secret.txt -t",
    "tar -t -f docs/secret.txt",
    "curl -o docs/secret.txt http://127.0.0.1/",
  ])
    expect([line, await judge(line)]).toEqual([line, "deny"]);
});

test("rules of a project that a link could be meant by in ways without end are looked at no longer than those of a person are held by", async () => {
  const links = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`l/a${at}`, "../docs"]));
  const heavy = Array.from({ length: 24 }, (_, at) =>
    rule([`${"**/a*/".repeat(600)}x${at}`], { origin: { source: "project", file: "policy.json", line: at } }),
  );
  const { read } = place({ ...links, link: "docs" }, () => [...heavy, rule(["link/**"])]);
  expect(await read("docs/secret.txt")).toBe("deny");
}, 20_000);

describeInSandbox("in the sandbox (needs bubblewrap)", () => {
  test("what such a rule leads to is not there for a line that goes through folders, nor by a pattern", async () => {
    const { workspace, policy } = place({ other: "docs" }, () => [rule(["link/**"], { tool: "read_file" })]);
    const { tried, ready } = shellStage(workspace, () => policy({ mode: "ask" }));
    const lines = ["grep -rs . .", "cat */*.txt a.txt", "find . -type f | xargs cat", "cat $(ls)/* a.txt"];
    for (const line of lines)
      expect([line, (await tried(line)).output]).toEqual([line, expect.stringContaining("SECRET")]);
    // what is planned before the link is made is run by what holds then
    const early = await ready("grep -rs . .");
    link(workspace, "link", "docs");
    for (const line of lines) {
      const { decision, output } = await tried(line);
      expect([line, decision, output]).not.toEqual([line, decision, expect.stringContaining("SECRET")]);
      if (!line.startsWith("cat $")) expect([line, output]).toEqual([line, expect.stringContaining("plain")]);
    }
    expect((await tried("cat docs/secret.txt")).decision).toBe("ask");
    const late = resultOf(await early.run(AbortSignal.timeout(30_000), { policy: policy({ mode: "ask" }) }));
    expect(late.output).not.toContain("SECRET");
    expect((await run(await ready("cat a.txt"))).output).toContain("plain");
  });
});

test("a session heeds a link that came since its rules were read", async () => {
  const stage = await openStage({
    lines: [
      calls(["read_file", { file_path: "docs/secret.txt" }]),
      calls(["read_file", { file_path: "docs/secret.txt" }]),
      says("done"),
    ],
    files,
    rules: [rule(["link/**"], { tool: "read_file" })],
  });
  const life = await stage.begin("go");
  expect(stage.observation(1)).toContain("SECRET");
  await life.close();
  link(stage.workspace, "link", "docs");
  const again = await stage.begin("go");
  expect(stage.observation()).toContain("denied by policy");
  expect(stage.observation()).not.toContain("SECRET");
  await again.close();
});
