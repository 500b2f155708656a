import { describe, expect, it } from "vitest";
import { readOtherAgent } from "../../../src/cli/settings/other-agent-file.ts";
import { isNamed } from "../../../src/core/tool-names.ts";

const file = (head: string, body = "Look."): string => `---\ndescription: d\n${head}\n---\n${body}\n`;
const claude = (head: string) => readOtherAgent(".claude/agents/a.md", file(head));
const opencode = (head: string) => readOtherAgent(".opencode/agents/a.md", file(head));
const gemini = (head: string) => readOtherAgent(".gemini/agents/a.md", file(head));
const codex = (text: string) => readOtherAgent(".codex/agents/a.toml", text);

const all = "read_file write_file edit_file ls glob grep save_memory shell shell_output web_fetch agent own".split(" ");

/** Which of these tools an agent has. */
function has(read: Awaited<ReturnType<typeof readOtherAgent>>): string {
  if ("wrong" in read) return read.wrong;
  const patterns = (read.agent.toolkit ?? []) as string[];
  return all.filter((name) => isNamed(patterns, name)).join(" ");
}

describe("a file of another program's agent", () => {
  it("of Claude Code has its words, steps and tools as ours, and what is not heeded by name", async () => {
    const read = await readOtherAgent(
      ".claude/agents/x.md",
      file(
        'name: reviewer\ntools: Read, MultiEdit, Bash, Bash(git diff:*, git log:*), Task, mcp__a__b\ndisallowedTools: [Bash]\nmodel: sonnet\nmaxTurns: 7\ncolor: red\nhooks: {PreToolUse: []}\npermissionMode: bypassPermissions\n"a\\eb": 1',
      ),
    );
    expect(read).toEqual({
      name: "reviewer",
      agent: { description: "d", prompt: "Look.", toolkit: ["read_file", "edit_file"], maxSteps: 7 },
      unused: [
        "tools Bash(git diff:*, git log:*), mcp__a__b",
        "model sonnet",
        "hooks",
        "permissionMode bypassPermissions",
        "a b",
      ],
    });
  });

  it("is read where its words are no YAML, as these programs do, and keeps what is beside them", async () => {
    const text =
      '---\nname: a\ndescription: Use it: <example>Context: user: "hi" #1</example>\ntools: Read\n---\nLook.\n';
    expect(await readOtherAgent(".claude/agents/a.md", text)).toMatchObject({
      agent: { description: 'Use it: <example>Context: user: "hi" #1</example>', toolkit: ["read_file"] },
    });
    expect(await claude("tools: Read\ntools: Bash")).toEqual({ wrong: expect.stringContaining("no YAML") });
  });

  it.each([
    ["", all.join(" ")],
    ["tools: '*'", all.join(" ")],
    ["tools: Task, TodoWrite", ""],
    ["tools:", ""],
    ["tools: []", ""],
    ["tools: agent, save_memory, '!Read'", ""],
    ["tools: [LS, Grep]\npermissionMode: plan", "ls grep"],
    ["permissionMode: plan", "read_file ls glob grep web_fetch"],
    ["permissionMode: acceptEdits", all.join(" ")],
    ["disallowedTools: Write, Edit, Bash(rm:*)", "read_file ls glob grep save_memory web_fetch agent own"],
    ["disallowedTools: '*'", ""],
    ["tools: 5", "tools: it is no list of tools"],
    ["disallowedTools: {Bash: true}", "disallowedTools: it is no list of tools"],
    ["permissionMode: [plan]", "permissionMode: it is no mode"],
    ["maxTurns: few", "maxTurns: it is no number of steps"],
  ])("of Claude Code that says %j has %j", async (head, expected) => expect(has(await claude(head))).toBe(expected));

  it.each([
    ["tools: {write: false, bash: false}", "read_file ls glob grep save_memory web_fetch agent own"],
    ["tools: {'*': false, read: true, list: true, webfetch: false}", "read_file ls"],
    ["tools: {read: true, '*': false}", ""],
    ["tools: {edit: false, write: true}", "read_file ls glob grep save_memory shell shell_output web_fetch agent own"],
    [
      "permission: {bash: {'*': allow, 'rm *': deny}, edit: deny}",
      "read_file ls glob grep save_memory web_fetch agent own",
    ],
    ["permission: deny", ""],
    ["permission: {'*': deny, grep: allow}", "grep"],
    [
      "permission: {'web?etch': deny, 'ba*': deny}",
      "read_file write_file edit_file ls glob grep save_memory agent own",
    ],
    [
      "permissions: [{action: '*', resource: '*', effect: deny}, {action: read, resource: '*', effect: allow}]",
      "read_file",
    ],
    ["permissions: bash", "permissions: it is none of allow, ask and deny"],
    ["permission: {bash: never}", "permission: it is none of allow, ask and deny"],
    ["tools: {bash: 'no'}", "tools: a tool is true or false"],
    ["mode: primary", "mode: it is for no helper"],
    ["disable: true", "disable: it is switched off"],
  ])("of opencode that says %j has %j", async (head, expected) => expect(has(await opencode(head))).toBe(expected));

  it.each([
    ["tools: [read_file, replace, run_shell_command, save_memory]", "read_file edit_file shell shell_output"],
    ["tools: ['*']", all.join(" ")],
    ["kind: remote", "kind: it works elsewhere"],
  ])("of Gemini CLI that says %j has %j", async (head, expected) => expect(has(await gemini(head))).toBe(expected));

  it("of Codex is TOML, whose sandbox only reads where it says so", async () => {
    const text = 'name = "explorer"\ndescription = "d"\nmodel = "gpt-5"\ndeveloper_instructions = """\nLook.\n"""\n';
    expect(await codex(`${text}sandbox_mode = "read-only"\n[mcp_servers.a]\nurl = "x"\n`)).toEqual({
      name: "explorer",
      agent: {
        description: "d",
        prompt: "Look.",
        toolkit: ["read_file", "grep", "glob", "ls", "web_fetch", "web_search"],
      },
      unused: ["model gpt-5", "mcp_servers"],
    });
    expect(has(await codex(`${text}sandbox_mode = "danger-full-access"`))).toBe(all.join(" "));
    expect(await codex(`${text}sandbox_mode =`)).toEqual({ wrong: expect.stringContaining("it is no TOML") });
    expect(await codex('description = "d"')).toEqual({ wrong: "it does not say what the agent is told" });
  });

  it("that is made to be hard to read is none", async () => {
    const bomb = `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ntools: *c`;
    expect(await claude(bomb)).toEqual({ wrong: expect.stringContaining("no YAML") });
    expect(await claude(`x: ${"[".repeat(50_000)}`)).toEqual({ wrong: expect.stringContaining("no YAML") });
    expect(await claude(`tools: "${"(".repeat(50_000)}"`)).toEqual({ wrong: "tools: it is no list of tools" });
    expect(await codex(`x = ${"[".repeat(50_000)}`)).toEqual({ wrong: expect.stringContaining("it is no TOML") });
    expect(await claude(`x: ${"a".repeat(70_000)}`)).toEqual({ wrong: "it is larger than 64 kB" });
    expect(await readOtherAgent(".claude/agents/a.md", "---\n- a\n---\nx\n")).toEqual({ wrong: "it has no keys" });
    expect(await claude("__proto__: {tools: x}\nconstructor: 1")).toMatchObject({
      unused: ["__proto__", "constructor"],
    });
  });
});
