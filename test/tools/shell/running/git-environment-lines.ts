// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factsOf } from "../../../../src/graph/calls/call-facts.ts";
import { decide } from "../../../../src/policy/decide.ts";
import { gitOfLine } from "../../../../src/tools/shell/reading/git-line.ts";
import { readCommandLine } from "../../../../src/tools/shell/reading/read-command-line.ts";
import { policyWith, rule } from "../../../policy/support/build.ts";
import { tempTree } from "../../temp-tree.ts";

/** A repository whose settings say so. */
export function repository(config: string): string {
  const root = tempTree({ "a.txt": "a\n", "a.sh": "echo a\n", p: "#!/bin/sh\n" });
  for (const folder of ["objects", "refs/heads"]) mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), config);
  return root;
}

export const calm = "[core]\n\tbare = false\n";
export const hostile = "[core]\n\tfsmonitor = ./p\n";

/** How a line is judged where git is kept from running what the repository names, and whether it is given what keeps it. */
export async function judged(line: string, workspace: string) {
  const place = { workspace, cwd: workspace, path: ["/usr/bin", "/bin"] };
  const git = gitOfLine((await readCommandLine(line, place)).commands, { home: undefined });
  const plan = { summary: line, cwd: workspace, command: line, commands: git.commands };
  const facts = factsOf({ name: "shell", effect: "once" }, plan, { workspace });
  const words = rule("allow", { tool: "shell", command: "git status *" });
  const verdict = (more: Parameters<typeof policyWith>[0] = {}) => decide(facts, policyWith(more)).decision;
  return {
    verdicts: [verdict(), verdict({ mode: "read-only" }), verdict({ rules: [words] })],
    isKept: git.env !== undefined,
  };
}

const assigned = [
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./p",
  "GIT_CONFIG_PARAMETERS=\"'core.fsmonitor=./p'\"",
  "GIT_CONFIG_KEY_0=core.bare",
  "GIT_CONFIG_VALUE_0=./p",
  "GIT_DIR=sub",
  "GIT_COMMON_DIR=sub",
  "GIT_WORK_TREE=..",
  "GIT_INDEX_FILE=a.txt",
  "GIT_OBJECT_DIRECTORY=sub",
  "GIT_EXTERNAL_DIFF=./p",
  "GIT_PAGER=./p",
  "PAGER=./p",
  "GIT_SSH=./p",
  "GIT_SSH_COMMAND=./p",
  "GIT_CONFIG=a.txt",
  "GIT_CONFIG_GLOBAL=a.txt",
  "GIT_CONFIG_SYSTEM=a.txt",
  "GIT_CONFIG_NOSYSTEM=",
  "GIT_EXEC_PATH=.",
  "GIT_ATTR_SOURCE=HEAD",
  "GIT_OPTIONAL_LOCKS=1",
  "GIT_TRACE=/tmp/x",
  "GIT_ASKPASS=./p",
  "HOME=.",
  "XDG_CONFIG_HOME=.",
  "PATH=.",
];
const names = assigned.map((one) => one.split("=", 1)[0] ?? "");

/** What sets or takes away a variable on the way to a git that only tells. */
export const lines = [
  ...assigned.flatMap((one) => [
    `${one} git status`,
    `env ${one} git status`,
    `/usr/bin/env ${one} git status`,
    `export ${one}; git status`,
    `declare -x ${one}; git status`,
    `typeset -x ${one} && git status`,
    `readonly ${one}; git status`,
    `${one}; git status`,
    `command env ${one} git status`,
    `(export ${one}; git status)`,
    `env ${one} bash -c 'git status'`,
  ]),
  ...names.flatMap((name) => [
    `unset ${name}; git status`,
    `unset -v ${name} && git status`,
    `env -u ${name} git status`,
    `env --unset=${name} git status`,
    `export -n ${name}; git status`,
    `declare +x ${name}; git status`,
    `printf -v ${name} 0; git status`,
    `read ${name} < a.txt; git status`,
    `for ${name} in 0 1; do git status; done`,
    `: $((${name}=0)); git status`,
    `echo $((${name}++)) && git status`,
    `(( ${name}=0 )); git status`,
    `[[ ${name}=0 -eq 0 ]]; git status`,
    `x=abc; echo "\${x:${name}=0}"; git status`,
    `echo \${x[${name}=0]}; git status`,
    `echo \${${name}:=1}; git status`,
    `cat a.txt {${name}}< a.txt; git status`,
    `exec {${name}}< a.txt; git status`,
    `mapfile ${name} < a.txt; git status`,
    `let ${name}=0; git status`,
    `getopts a ${name}; git status`,
    `test -v '${name}[0]'; git status`,
  ]),
  "env -i git status",
  "env - git status",
  "env --ignore-environment git status",
  "exec -c git status",
  "env -i bash -c 'git status'",
  "set -a; GIT_DIR=x; git status",
  "set -k; git status GIT_DIR=x",
  "eval 'unset GIT_CONFIG_COUNT'; git status",
  "source a.sh; git status",
  ". ./a.sh; git status",
  "sudo git status",
  "cd() { unset GIT_CONFIG_COUNT; }; cd; git status",
  "trap 'unset GIT_CONFIG_COUNT' DEBUG; git status",
  "git() { env -i git status; }; git status",
];

/** Those of the lines that are allowed, or for which git is kept from something. */
export async function wronglyJudged(some: readonly string[], root: string): Promise<string[]> {
  const found = await Promise.all(some.map(async (line) => ({ line, ...(await judged(line, root)) })));
  return found
    .filter(({ verdicts: [asked, read], isKept }) => asked === "allow" || read === "allow" || isKept)
    .map(({ line }) => line);
}
