import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { giveAway, runBound } from "../support/bound-user.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { describeAsOther } from "../support/needs.ts";

/** A place with files in the person's home and in the project. */
async function placeWith(home: Record<string, string>, project: Record<string, string> = {}) {
  const place = await openPlace([], project);
  const folder = join(place.home, "person");
  for (const [path, text] of Object.entries({ ".keep": "", ...home })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const env = { HOME: folder };
  const take = (name: string, ...more: string[]) => place.run(["import", name, ...more], { env });
  return { place, folder, env, take };
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const rulesOf = async (file: string) => {
  const text = await readFile(file, "utf8");
  return (JSON.parse(text) as { rules: { why: string }[] }).rules.map(({ why: _, ...rule }) => rule);
};
const project = (place: Place, name = "policy.json") => join(place.workspace, ".holdfast", name);

/** Each rule of Claude's, as it would be written: the rules, or the reason why there is none. */
async function said(permissions: object): Promise<unknown[]> {
  const { take } = await placeWith({ ".claude/settings.json": JSON.stringify({ permissions }) });
  const ran = await take("claude", "--json");
  return lines(ran.stdout)
    .filter(({ kind }) => kind !== "change")
    .map(({ rule, why }) => rule ?? why);
}

describeAsOther("agent import of what may not be read or written (needs a checkout that others reach)", () => {
  const denies = '{"permissions":{"deny":["Read(./.env)"]}}';

  it("names the file that it may not read, and reads the others", async () => {
    const { place, folder } = await placeWith({ ".claude/settings.json": "{}" }, { ".claude/settings.json": denies });
    giveAway(place);
    await chmod(join(folder, ".claude", "settings.json"), 0);
    const ran = await runBound(place, ["import", "claude", "--yes"], { HOME: folder });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(project(place)) });
    expect(ran.stdout).toMatch(/~\/\.claude\/settings\.json\n {2}! not read: .*EACCES: permission denied/u);
    expect(await rulesOf(project(place))).toEqual([{ tool: "*", paths: [".env", ".env/**"], decision: "deny" }]);
  });

  it("says where it may not write, and leaves nothing half written", async () => {
    const { place, folder } = await placeWith({ ".claude/settings.json": denies });
    await mkdir(place.home, { recursive: true });
    giveAway(place);
    await chmod(place.home, 0o500);
    onTestFinished(() => chmod(place.home, 0o700));
    const ran = await runBound(place, ["import", "claude", "--yes"], { HOME: folder });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(join(place.home, "policy.json"));
    expect(ran.stderr).not.toMatch(/defect|\n {4}at /u);
    expect(await readdir(place.home)).not.toContain("policy.json");
  });
});

describe("agent import claude", () => {
  it("writes what means the same, the person's to the person and the project's to the project, once", async () => {
    const { place, take } = await placeWith(
      {
        ".claude/settings.json":
          '{ "permissions": { "allow": ["Bash(npm run test:*)"], "deny": ["Read(./.env)"] } } // mine',
      },
      {
        ".claude/settings.json": '{"permissions":{"allow":["Edit(src/**)","WebFetch(domain:docs.python.org)"]}}',
        ".claude/settings.local.json": '{"permissions":{"ask":["Bash(git push:*)"]}}',
        ".mcp.json":
          '{"mcpServers":{"db":{"command":"db-server","args":["--key","s3cret"],"env":{"DB_KEY":"s3cret"}},"web":{"url":"https://u:s3cret@x.example/mcp?k=s3cret","headers":{"Authorization":"s3cret"}}}}',
        "CLAUDE.md": "Be brief.\n",
      },
    );
    const preview = await take("claude");
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining("agent import claude --yes") });
    expect(preview.stdout).toContain("+++ b");
    expect(preview.stdout).toContain("- servers: not written: this file is read here as it is");
    expect(await readdir(place.workspace)).not.toContain(".holdfast");

    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("agent trust") });
    expect(ran.stdout + ran.stderr).not.toContain("s3cret");
    const own = join(place.home, "policy.json");
    expect(await rulesOf(own)).toEqual([
      { tool: "*", paths: [".env", ".env/**"], decision: "deny" },
      { tool: "shell", command: "npm run test *", decision: "allow" },
    ]);
    expect(await rulesOf(project(place))).toEqual([
      { tool: "edit_file", paths: ["src/**"], decision: "allow" },
      { tool: "write_file", paths: ["src/**"], decision: "allow" },
      { tool: "web_fetch", hosts: ["docs.python.org"], decision: "allow" },
      { tool: "shell", command: "git push *", decision: "ask" },
    ]);
    const before = await readFile(own, "utf8");
    expect(await take("claude", "--yes")).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
    expect(await readFile(own, "utf8")).toBe(before);
    const judged = await place.run(["policy", "check", "read_file", '{"file_path":".env"}']);
    expect(JSON.parse(judged.stdout)).toMatchObject({ decision: "deny", rule: { source: "user" } });
    const check = await place.run([
      "policy",
      "check",
      "edit_file",
      '{"file_path":"src/a.ts","old_string":"a","new_string":"b"}',
    ]);
    expect(JSON.parse(check.stdout)).toMatchObject({ decision: "ask" });
  });

  it("copies the person's hooks that mean the same here, once, and a project's never", async () => {
    const hook = (command: string, more: object = {}) => ({ type: "command", command, ...more });
    const kept = { matcher: "Edit|Write", hooks: [hook("~/bin/look", { timeout: 5 })] };
    const { place, take } = await placeWith(
      {
        ".claude/settings.json": JSON.stringify({
          hooks: {
            PreToolUse: [
              {
                ...kept,
                hooks: [...kept.hooks, hook("$CLAUDE_PROJECT_DIR/x.sh"), hook("./own.sh"), hook("a", { if: "b" })],
              },
              { matcher: "NotebookEdit", hooks: [hook("~/bin/never")] },
              { matcher: "(Bash|Task|mcp__files__.*)", hooks: [hook("~/bin/partly")] },
              { hooks: [hook("API_TOKEN=s3cretvalue ~/bin/say")] },
              { hooks: [{ type: "prompt", prompt: "is it so?" }] },
            ],
            Stop: [{ hooks: [hook("true", { statusMessage: "looks" })] }],
            SessionStart: [{ hooks: [hook("true")] }],
          },
        }),
      },
      { ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook("~/bin/theirs")] }] } }) },
    );
    const own = join(place.home, "config.json");
    const mine = { matcher: "Bash", hooks: [hook("~/bin/mine")] };
    await writeFile(own, `// mine\n${JSON.stringify({ hooks: { PreToolUse: [mine] } })}\n`);
    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("is not written here: 8, marked with !") });
    expect(ran.stdout).toContain("+ hook PreToolUse of Edit|Write: ~/bin/look");
    expect(ran.stdout).toContain("+ hook PreToolUse of Bash|mcp__files__.*: ~/bin/partly");
    expect(ran.stdout).toContain("! PreToolUse of Task: ~/bin/partly: not written: it means no tool");
    expect(ran.stdout).toContain("! PreToolUse: ~/bin/theirs: not written: a project has no hooks here");
    expect(ran.stdout + ran.stderr).not.toContain("s3cretvalue");
    const text = await readFile(own, "utf8");
    expect(text).toContain("// mine\n");
    expect(JSON.parse(text.replace("// mine\n", ""))).toEqual({
      hooks: {
        PreToolUse: [mine, kept, { matcher: "Bash|mcp__files__.*", hooks: [hook("~/bin/partly")] }],
        Stop: [{ hooks: [hook("true")] }],
      },
    });
    expect(await take("claude", "--yes")).toMatchObject({ stderr: expect.stringContaining("nothing to write") });
    expect(await readFile(own, "utf8")).toBe(text);
    expect(await readdir(place.workspace)).not.toContain(".holdfast");
  });

  it("keeps the person's comments and rules, and adds behind them", async () => {
    const { place, take } = await placeWith({
      ".claude/settings.json": '{"permissions":{"allow":["Bash(git status)"]}}',
    });
    const mine =
      '// mine\n{ "rules": [\n  // why not\n  { "tool": "shell", "command": "ls *", "decision": "allow", "why": "reads" },\n], "risk": {} }\n';
    await writeFile(join(place.home, "policy.json"), mine, { mode: 0o600 });
    expect((await take("claude", "--yes")).code).toBe(0);
    const text = await readFile(join(place.home, "policy.json"), "utf8");
    expect(text).toContain("// mine\n");
    expect(text).toContain("// why not\n");
    expect(text.indexOf('"git status"')).toBeGreaterThan(text.indexOf('"ls *"'));
    expect((await place.run(["policy", "list"])).stdout).toContain("git status");
  });

  it("never writes a rule that allows more than it did there, and says why", async () => {
    const shell = [
      "Bash",
      "Bash(*)",
      "Bash(:*)",
      "Write(src/**)",
      "MultiEdit(src/**)",
      "Bash(sudo:*)",
      "Bash(bash -c:*)",
      "Bash(env:*)",
      "Bash(git * main)",
      "Bash(git:*;rm:*)",
      "Bash(echo $(id):*)",
      "Bash(A=1 npm:*)",
      'Bash(echo "a":*)',
      "Bash(npm run test*)",
    ];
    const other = [
      "WebFetch",
      "WebFetch(domain:*)",
      "WebFetch(https://x/)",
      "mcp__db__query",
      "Task",
      "Read",
      "Edit(../**)",
      "Edit(/etc/../**)",
      "Edit(~root/**)",
      "Edit(src/[ab])",
      "Edit(!src)",
      "Bash(ls)\u202e",
      "Bash(\u001b[31mls)",
      "nonsense(",
    ];
    const outcome = await said({ allow: [...shell, ...other] });
    expect(outcome).toHaveLength(shell.length + other.length);
    expect(outcome.filter((one) => typeof one !== "string" || one === "")).toEqual([]);
  });

  it("lets a deny reach at least as far as it did there", async () => {
    expect(
      await said({ deny: ["Read(secrets)", "Read(//etc/x)", "Bash(curl:*)", "Bash", "Edit(*.lock)", "WebFetch"] }),
    ).toEqual([
      { tool: "*", paths: ["secrets", "secrets/**", "**/secrets", "**/secrets/**"], decision: "deny" },
      { tool: "*", paths: ["/etc/x", "/etc/x/**"], decision: "deny" },
      { tool: "shell", command: "curl *", decision: "deny" },
      { tool: "shell", decision: "deny" },
      { tool: "edit_file", paths: ["*.lock", "*.lock/**", "**/*.lock", "**/*.lock/**"], decision: "deny" },
      { tool: "write_file", paths: ["*.lock", "*.lock/**", "**/*.lock", "**/*.lock/**"], decision: "deny" },
      { tool: "shell", paths: ["*.lock", "*.lock/**", "**/*.lock", "**/*.lock/**"], decision: "deny" },
      { tool: "web_fetch", decision: "deny" },
    ]);
  });

  it("reads no link out of the project, nothing huge, binary or broken, and goes on", async () => {
    const { place, folder, take } = await placeWith(
      {
        ".claude/settings.json": '{"permissions":{"allow":["Bash(git status)"]}}',
        "other.json": '{"permissions":{"allow":["Bash(git log)"]}}',
      },
      { ".mcp.json": '{"mcpServers": ', ".claude/settings.json": "x".repeat(1_100_000) },
    );
    await symlink(join(folder, "other.json"), join(place.workspace, ".claude", "settings.local.json"));
    await writeFile(join(place.workspace, "CLAUDE.md"), Buffer.from([0xff, 0xfe, 0x00]));
    const ran = await take("claude", "--json");
    expect(ran.code).toBe(1);
    const unread = lines(ran.stdout)
      .filter(({ kind }) => kind === "unread")
      .map(({ from }) => from);
    expect(unread.toSorted()).toEqual([
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".mcp.json",
      "CLAUDE.md",
    ]);
    expect(ran.stdout).not.toContain("git log");
    // What the broken file denied is not known: nothing that it might take back is written.
    expect(ran.stdout).not.toContain('"command":"git status"');
  });

  const denies = '{"permissions":{"deny":["Read(./.env)"]}}';

  it.each<[what: string, why: string, make: (file: string) => unknown]>([
    ["a FIFO", "is a named pipe (FIFO), not a regular file", (file) => execFileSync("mkfifo", [file])],
    ["a link to an endless device", "is a device, not a regular file", (file) => symlink("/dev/zero", file)],
    ["a link to standard input", "cannot be read", (file) => symlink("/proc/self/fd/0", file)],
    ["a link to itself", "ELOOP", (file) => symlink(basename(file), file)],
    ["a folder", "is a folder, not a file", (file) => mkdir(file)],
    [
      "6 GB",
      "has 6000.0 MB; the limit for this is 1.0 MB",
      (file) => writeFile(file, "").then(() => truncate(file, 6e9)),
    ],
    ["UTF-16", "not valid for encoding utf-8", (file) => writeFile(file, Buffer.from(`\ufeff${denies}`, "utf16le"))],
  ])(
    "says in one sentence why it does not read what is no plain text, and waits for nothing: %s",
    async (_, why, make) => {
      const { place, folder, take } = await placeWith({ ".claude/.keep": "" });
      await make(join(folder, ".claude", "settings.json"));
      const ran = await take("claude", "--yes", "--json");
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("there is nothing to write") });
      expect(lines(ran.stdout)).toEqual([
        expect.objectContaining({ from: "~/.claude/settings.json", why: expect.stringContaining(why) }),
      ]);
      // The files that would be written are as little waited for, and what is there stays.
      await make(join(place.home, "policy.json"));
      await rm(join(folder, ".claude", "settings.json"), { recursive: true });
      await writeFile(join(folder, ".claude", "settings.json"), denies);
      expect(await take("claude", "--yes")).toMatchObject({ code: 52, stderr: expect.stringContaining("policy.json") });
    },
  );

  it("reads a file that begins with a byte order mark, and keeps that of the person's own", async () => {
    const { place, take } = await placeWith({ ".claude/settings.json": `\ufeff${denies}` });
    const own = join(place.home, "policy.json");
    await mkdir(place.home, { recursive: true });
    await writeFile(own, '\ufeff{"rules":[]}');
    expect(await take("claude", "--yes")).toMatchObject({ code: 0 });
    expect(await readFile(own, "utf8")).toMatch(/^\ufeff\{/u);
    const judged = await place.run(["policy", "check", "read_file", '{"file_path":".env"}']);
    expect(JSON.parse(judged.stdout)).toMatchObject({ decision: "deny", rule: { source: "user" } });
    expect(await take("claude", "--yes")).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
  });

  it("writes through no link of the project, and no control character reaches the terminal", async () => {
    const rule = '{"permissions":{"deny":["Bash(\\u001b]0;x\\u0007rm:*)","Bash(rm:*)"]}}';
    const { place, folder, take } = await placeWith({}, { ".claude/settings.json": rule });
    await symlink(folder, join(place.workspace, ".holdfast"));
    const ran = await take("claude", "--yes");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing is written through it") });
    expect(await readdir(folder)).toEqual([".keep"]);
    expect((await place.run(["import", "claude"])).stdout).not.toContain("\u001b]0");
  });

  it("counts what lies in a home as the person's, and knows no other program", async () => {
    const { place, take } = await placeWith({});
    expect(await take("cursor")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("claude, codex, gemini, vscode, opencode"),
    });
    await mkdir(join(place.workspace, ".claude"));
    await writeFile(join(place.workspace, ".claude", "settings.json"), '{"permissions":{"allow":["Bash(git log)"]}}');
    await place.run(["import", "claude", "--yes"], { env: { HOME: place.workspace } });
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "git log", decision: "allow" },
    ]);
  });
});

describe("what agent import must not widen", () => {
  it("writes no allow that a deny takes back which cannot be said here, and tells the deny loudly", async () => {
    const { place, take } = await placeWith(
      {
        ".claude/settings.json": JSON.stringify({
          permissions: {
            allow: ["Bash(git:*)", "Bash(ls:*)", "Edit(src/**)"],
            deny: ["Bash(git push*)", "Edit(src/[ab].ts)"],
          },
        }),
      },
      { ".claude/settings.json": '{"permissions":{"allow":["Edit(~/**)","Edit(//etc/**)"],"deny":["Read(~/x/y)"]}}' },
    );
    const ran = await take("claude", "--yes");
    expect(ran.stderr).toContain("is not written here: 3, marked with !");
    expect(ran.stdout).toContain("! deny Bash(git push*): not written");
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "ls *", decision: "allow" },
    ]);
    expect(place.has(".holdfast")).toBe(false);
  });

  it("writes no allow of a project for a place outside of it, where no deny stands either", async () => {
    const { place, take } = await placeWith(
      {},
      { ".claude/settings.json": '{"permissions":{"allow":["Edit(//etc/**)","Edit(src/**)"]}}' },
    );
    const ran = await take("claude", "--yes");
    expect(ran.stdout).toContain("allow Edit(//etc/**): not written");
    expect(await rulesOf(project(place))).toEqual(
      ["edit_file", "write_file"].map((tool) => ({ tool, paths: ["src/**"], decision: "allow" })),
    );
  });

  it("takes a list of the wrong type for one that may deny anything", async () => {
    const { take } = await placeWith({
      ".claude/settings.json": '{"permissions":{"deny":"Bash(git push:*)","allow":["Bash(git:*)"]}}',
    });
    const ran = await take("claude", "--yes");
    expect(ran.stdout).toContain("! deny: not written");
    expect(ran.stderr).toContain("there is nothing to write");
  });

  it("copies no secret that a rule holds, nor shows it", async () => {
    const { take } = await placeWith({
      ".claude/settings.json": JSON.stringify({
        permissions: {
          allow: [
            "Bash(API=s3cret1 npm publish:*)",
            "Bash(curl https://u:s3cret1@x.example:*)",
            "Bash(deploy --token s3cret1)",
            "Bash(deploy --password=s3cret1:*)",
            'Bash(curl -H "Authorization: Bearer s3cret1" x)',
          ],
        },
      }),
    });
    const ran = await take("claude", "--yes", "--json");
    expect(ran.stdout + ran.stderr).not.toContain("s3cret1");
    expect(ran.stderr).toContain("there is nothing to write");
  });

  it("loses nothing where two import at once", async () => {
    const { place, env, take } = await placeWith({
      ".claude/settings.json": '{"permissions":{"allow":["Bash(git status)"]}}',
      ".gemini/settings.json": '{"tools":{"exclude":["run_shell_command(rm)"]}}',
    });
    const ran = await Promise.all(
      ["claude", "gemini"].map((name) => place.spawn(["import", name, "--yes"], { env }).done),
    );
    for (const { code, stderr } of ran)
      expect([code, code === 0 || stderr.includes("import again")]).toEqual([code, true]);
    for (const name of ["claude", "gemini"]) expect((await take(name, "--yes")).code).toBe(0);
    expect(
      (await rulesOf(join(place.home, "policy.json"))).toSorted((a, b) =>
        JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
      ),
    ).toEqual([
      { tool: "shell", command: "git status", decision: "allow" },
      { tool: "shell", command: "rm *", decision: "deny" },
    ]);
  });
});

describe("agent import of others", () => {
  it("takes gemini's lists, and names its instructions in the project's settings", async () => {
    const { place, take } = await placeWith(
      {
        ".gemini/settings.json":
          '{"tools":{"allowed":["run_shell_command(git status)","run_shell_command","read_file","web_fetch"],"exclude":["run_shell_command(rm)","google_web_search"]}}',
      },
      { "GEMINI.md": "Be brief.\n" },
    );
    const ran = await take("gemini", "--yes", "--json");
    expect(ran.code).toBe(0);
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "rm *", decision: "deny" },
      { tool: "web_search", decision: "deny" },
      { tool: "shell", command: "git status *", decision: "allow" },
    ]);
    expect(JSON.parse(await readFile(project(place, "config.json"), "utf8"))).toEqual({ instructions: ["GEMINI.md"] });
    expect((await take("gemini", "--yes")).stderr).toBe("there is nothing to write\n");
  });

  it("lists gemini's hooks, and marks those that may keep a tool from being used", async () => {
    const of = (command: string) => [{ matcher: "write_file", hooks: [{ type: "command", command, timeout: 5000 }] }];
    const hooks = {
      enabled: true,
      BeforeTool: of("API_TOKEN=s3cretvalue ~/bin/look"),
      AfterAgent: of("~/bin/done"),
      SessionStart: of("~/bin/begin"),
    };
    const { take } = await placeWith(
      { ".gemini/settings.json": JSON.stringify({ hooks }) },
      { ".gemini/settings.json": JSON.stringify({ hooks: { BeforeToolSelection: of("~/bin/theirs") } }) },
    );
    const ran = await take("gemini");
    expect(ran.stderr).toContain("is not written here: 2, marked with !");
    expect(ran.stdout).toMatch(
      /! BeforeTool: .*~\/bin\/look: not written: it is told and answers in a form of its own/,
    );
    expect(ran.stdout).toContain("- AfterAgent: ~/bin/done: not written");
    expect(ran.stdout).toContain("- SessionStart: ~/bin/begin: not written");
    expect(ran.stdout).toContain("! BeforeToolSelection: ~/bin/theirs: not written: a project has no hooks here");
    expect(ran.stdout).not.toMatch(/s3cretvalue|enabled/);
  });

  it("takes opencode's permissions in their order: an allow that may be taken back is none", async () => {
    const permission = {
      bash: {
        "git push *": "allow",
        "git *": "ask",
        "ls *": "allow",
        "git status*": "allow",
        "npm test": "allow",
        "*": "ask",
      },
      edit: "deny",
      webfetch: "allow",
    };
    const last = { bash: { "*": "ask", "git *": "allow", "git push *": "deny", "npm test": "allow" } };
    const { place, take } = await placeWith(
      { ".config/opencode/opencode.jsonc": `{ "permission": ${JSON.stringify(permission)}, }` },
      { "opencode.json": JSON.stringify({ permission: last }) },
    );
    expect((await take("opencode", "--yes")).code).toBe(0);
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "git *", decision: "ask" },
      { tool: "edit_file", decision: "deny" },
      { tool: "write_file", decision: "deny" },
    ]);
    expect(await rulesOf(project(place))).toEqual([
      { tool: "shell", command: "git *", decision: "allow" },
      { tool: "shell", command: "git push *", decision: "deny" },
      { tool: "shell", command: "npm test", decision: "allow" },
    ]);
  });

  it("lists what codex has, and writes nothing of it", async () => {
    const { take } = await placeWith({
      ".codex/config.toml":
        'approval_policy = "never"\n[mcp_servers.db]\ncommand = "db"\nenv = { KEY = "s3cret" }\n[projects."/x"]\ntrust_level = "trusted"\n',
      ".codex/prompts/a.md": "x",
    });
    const ran = await take("codex", "--json");
    expect(ran).toMatchObject({ code: 0, stderr: "there is nothing to write\n" });
    expect(lines(ran.stdout)).toEqual([
      {
        ...{ kind: "server", scope: "user", from: "~/.codex/config.toml", name: "db" },
        needs: ["MCP_DB_KEY"],
        why: "its program may hold a secret, or mean something else here",
        add: `agent mcp add db --env 'KEY=$${"{MCP_DB_KEY}"}' -- '<program>'`,
      },
      expect.objectContaining({ kind: "left_out", what: "approval_policy" }),
      expect.objectContaining({ kind: "left_out", what: "projects" }),
      expect.objectContaining({ kind: "left_out", from: "~/.codex/prompts", what: "1 entry" }),
    ]);
  });

  it("takes codex's rules of commands, and nothing of a file that is more than a list of them", async () => {
    const rules = `# mine
prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow", match = ["git status"])
prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden", justification = 'no "never"')
prefix_rule(pattern=["bash", "-lc"])
prefix_rule(pattern=["npm", "test"],)
`;
    const { place, take } = await placeWith({ ".codex/rules/default.rules": rules });
    expect((await take("codex", "--yes")).code).toBe(0);
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "git status *", decision: "allow" },
      { tool: "shell", command: "git log *", decision: "allow" },
      { tool: "shell", command: "rm -rf *", decision: "deny" },
      { tool: "shell", command: "npm test *", decision: "allow" },
    ]);
    const other = await placeWith({
      ".codex/rules/a.rules": `${rules}\nfor x in ["a"]:\n  prefix_rule(pattern=[x])\n`,
    });
    const ran = await other.take("codex", "--yes");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("there is nothing to write") });
    expect(ran.stdout).toContain("line 7: it is more than a list of rules");
  });

  it("takes gemini's policies where no condition is lost", async () => {
    const { place, take } = await placeWith({
      ".gemini/policies/a.toml":
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["git status", "ls"]\ndecision = "allow"\npriority = 1\n[[rule]]\ntoolName = "replace"\nmodes = ["yolo"]\ndecision = "allow"\n',
    });
    expect((await take("gemini", "--yes")).code).toBe(0);
    expect(await rulesOf(join(place.home, "policy.json"))).toEqual([
      { tool: "shell", command: "git status *", decision: "allow" },
      { tool: "shell", command: "ls *", decision: "allow" },
    ]);
  });

  it("lets what stands last in opencode's settings take back what stands before, of every kind and form", async () => {
    const first = await placeWith({}, { "opencode.json": '{"permission":{"edit":"allow","*":"ask"}}' });
    expect((await first.take("opencode", "--yes")).code).toBe(0);
    expect(await rulesOf(project(first.place))).toContainEqual({ tool: "*", decision: "ask" });
    const second = await placeWith(
      {},
      {
        "opencode.json":
          '{"permissions":[{"action":"shell","resource":"git *","effect":"allow"},{"action":"shell","resource":"* --force","effect":"deny"},{"action":"read","resource":"*.env","effect":"deny"}]}',
      },
    );
    expect((await second.take("opencode", "--yes")).stdout).toContain("may take it back");
    expect(await rulesOf(project(second.place))).toEqual([
      { tool: "*", paths: ["*.env", "*.env/**", "*/**/*.env", "*/**/*.env/**"], decision: "deny" },
    ]);
  });
});
