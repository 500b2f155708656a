import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { run } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

/*
 * Variables that the person lets pass to commands, and by which a program that only reads writes, runs another one, reads another place or is
 * kept from what it is given.
 */

const policy = (...rules: Rule[]): Policy => ({ rules, grants: [], mode: "ask", sealed: { roots: [] } });
const rule = (decision: Rule["decision"], command: string): Rule => ({
  ...{ tool: "shell", command, decision, why: "" },
  origin: { source: "user", file: "policy.json", line: 1 },
});
const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A repository with a filter that tells that it ran, and one beside it. */
function place(lent: (root: string) => Record<string, string>, sandbox: "required" | "off") {
  const root = tempTree({ "work/a.txt": "a\n", "other/secret.txt": "SECRET\n" });
  const top = join(root, "work");
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: top,
      env: { PATH: process.env["PATH"], HOME: root, ...identity },
      stdio: "pipe",
    });
  for (const at of ["../other", "."]) {
    git("-C", at, "init", "-q", "-b", "main");
    git("-C", at, "add", ".");
    git("-C", at, "commit", "-qm", at === "." ? "first" : "SECRET of another");
  }
  writeFileSync(join(root, "evil"), `#!/bin/sh\necho EVIL >&2\necho > ${join(root, "ran")}\ncat\n`, { mode: 0o755 });
  git("config", "filter.f.clean", "echo EVIL >&2; cat; true");
  writeFileSync(join(top, ".git/info/attributes"), "* filter=f\n");
  writeFileSync(join(top, "a.txt"), "b\n");
  const env = { PATH: process.env["PATH"], HOME: root, ...lent(root) };
  const tools = createDefaultTools({
    workspace: top,
    shell: { sandbox, env, shellEnv: Object.keys(lent(root)) },
  });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(top);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  /** Its decision, and what it says; where a person is asked, they say yes. */
  const answered = async (command: string, ...rules: Rule[]): Promise<[string, string]> => {
    const context = createToolContext({ workspace: top, pins, cwd: top, callId: "c1" });
    const prepared = await prepareCall(tool, { command }, context, policy(...rules));
    if (prepared.kind !== "ready") return [prepared.kind, ""];
    const { output = "", error = "" } = await run(prepared);
    return [prepared.verdict.decision, output + error];
  };
  const tried = async (command: string): Promise<string> => {
    const [decision, said] = await answered(command);
    return decision === "allow" ? said : "asked";
  };
  return { tried, answered, made: () => [existsSync(join(root, "ran")), readdirSync(root).includes("log")] };
}

const lines = [
  "git status --short",
  "git log --oneline",
  "git diff --stat",
  "git rev-parse --show-toplevel",
  "cat a.txt",
];

const cases: [string, (root: string) => Record<string, string>][] = [
  ["a log", (root) => ({ GIT_TRACE: join(root, "log"), GIT_TRACE2_EVENT: join(root, "log") })],
  ["another repository", (root) => ({ GIT_DIR: join(root, "other/.git"), GIT_WORK_TREE: join(root, "other") })],
  ["settings by count", () => ({ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" })],
  ["settings in both ways", () => ({ GIT_CONFIG_COUNT: "0", GIT_CONFIG_PARAMETERS: "'a.b=c'" })],
  [
    "programs",
    (root) => ({
      ...{
        GIT_EXTERNAL_DIFF: join(root, "evil"),
        GIT_SSH_COMMAND: join(root, "evil"),
        LESSOPEN: `|${join(root, "evil")} %s`,
      },
      ...{ GIT_ALLOW_PROTOCOL: "ext", GIT_OPTIONAL_LOCKS: "1" },
    }),
  ],
  ["the home", (root) => ({ HOME: root, LANG: "C.UTF-8" })],
];

describeInSandbox("variables that a person lets pass (needs bubblewrap)", () => {
  test.each(
    cases.flatMap(([name, lent]) => (["required", "off"] as const).map((sandbox) => [name, sandbox, lent] as const)),
  )("are not for a line that only reads: %s, sandbox %s", async (_, sandbox, lent) => {
    const { tried, made } = place(lent, sandbox);
    const said = [];
    for (const line of lines) said.push(await tried(line));
    expect(said).toEqual([
      expect.stringContaining(" M a.txt\n"),
      expect.stringMatching(/^[\da-f]+ first\n/u),
      expect.stringContaining("a.txt | 2 +-"),
      expect.stringContaining("/work\n"),
      expect.stringMatching(/^b\n/u),
    ]);
    expect(said.join("")).not.toMatch(/EVIL|SECRET|fatal/u);
    expect(made()).toEqual([false, false]);
  });

  test.each(["required", "off"] as const)(
    "are for one that does more, by an answer or a rule: sandbox %s",
    async (sandbox) => {
      const { answered } = place(() => ({ MY_NAME: "lent" }), sandbox);
      const line = "node -p process.env.MY_NAME";
      expect(await answered(line)).toEqual(["ask", expect.stringMatching(/^lent\n/u)]);
      expect(await answered(line, rule("allow", "node -p *"))).toEqual(["allow", expect.stringMatching(/^lent\n/u)]);
    },
  );

  test.each(["required", "off"] as const)(
    "are not for one that only reads, though a person is asked: sandbox %s",
    async (sandbox) => {
      const { answered } = place((root) => ({ GIT_DIR: join(root, "other/.git") }), sandbox);
      const said = await answered("git log --oneline", rule("ask", "git log *"));
      expect(said).toEqual(["ask", expect.stringMatching(/^[\da-f]+ first\n/u)]);
    },
  );
});
