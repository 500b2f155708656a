// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { decide } from "../../../src/policy/decide.ts";
import { itInSandbox } from "../../support/needs.ts";
import { policyWith, rule } from "../support/build.ts";
import { shellProject } from "./place.ts";

const bwrap = "/usr/bin/bwrap";
const project = shellProject();
afterAll(() => project.remove());

/** The same lines in each run: mulberry32. */
function random(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
}

const seeds = [
  "evil",
  "'evil'",
  "e\\vil",
  '"ev"il',
  "$'evil'",
  "./bin/evil",
  "x=evil; $x",
  "echo evil",
  "'echo evil'",
  "# evil",
  "\\\nevil",
];
/** Ways to stand around a command, of which bash runs it in some and not in others. */
const frames = [
  "@",
  "(@)",
  "{ @; }",
  "! @",
  "true && @",
  "true; @",
  "false || @",
  "true | @",
  "true\n@",
  "@ &",
  "echo $(@)",
  "echo `@`",
  'echo "$(@)"',
  "echo '@'",
  'echo "@"',
  "echo $'@'",
  "cat <<E\n$(@)\nE",
  "cat <<'E'\n$(@)\nE",
  'cat <<"E"\n@\nE',
  "cat <<E\n@\nE",
  "cat <<< $(@)",
  "cat < <(@)",
  "echo x > >(@)",
  "if true; then @; fi",
  "for i in 1; do @; done",
  "case x in x) @;; esac",
  "f() { @; }; f",
  "x=$(@)",
  "x=1 @",
  "env @",
  "nice @",
  "timeout 2 @",
  "echo a | xargs @",
  "sh -c '@'",
  'bash -c "@"',
  "eval '@'",
  "eval @",
  "echo ${x:-$(@)}",
  "echo ${x//`@`/y}",
  "echo $((1 + $(@)))",
  "[[ -n $(@) ]]",
  "[[ @ ]]",
  "cat @",
  "echo @ # @",
  "# @",
  "# '\n@",
  "echo \\\n@",
  "coproc @",
  "while @; do break; done",
  "find . -maxdepth 0 -exec @ \\;",
  "command @",
  "exec @",
  "time @",
  "echo {a,$(@)}",
  "echo a#@",
  "cat <<E; @\nE\nE",
  "cat <<-E\n\t@\n\tE",
  "((1)) && @",
  "echo \\'@\\'",
  "echo '\\'@",
  "echo $'\\''@'",
  'echo "\\"@\\""',
  "a[$(@)]=1",
  "echo ${#x} @",
  "x=(@)",
  "echo !(@)",
  "test -f '@'",
  "printf '%s' @",
];
const noise = [
  "'",
  '"',
  "\\",
  "`",
  "$",
  "(",
  ")",
  "{",
  "}",
  ";",
  "&",
  "|",
  "\n",
  " ",
  "#",
  "<",
  ">",
  "$(",
  "<<E\n",
  "\nE\n",
  "$'",
  "=",
  "!",
  "*",
  "[",
  "]",
];

function makeLine(pick: <T>(from: readonly T[]) => T): string {
  let line = pick(seeds);
  for (let depth = pick([1, 1, 2, 2, 3, 4]); depth > 0; depth -= 1) line = pick(frames).replaceAll("@", () => line);
  for (let times = pick([0, 0, 1, 1, 2, 4]); times > 0; times -= 1) {
    const at = pick(Array.from({ length: line.length + 1 }, (_, index) => index));
    line = pick([true, false])
      ? line.slice(0, at) + pick(noise) + line.slice(at)
      : line.slice(0, at) + line.slice(at + 1);
  }
  return line;
}

/** Runs each line as the tool does, in an empty folder, where nothing is to be found but a fake program and what starts it. */
function ranOf(lines: readonly string[]): Set<number> {
  const scratch = join(project.root, "scratch");
  const bin = join(scratch, "bin");
  mkdirSync(bin, { recursive: true });
  for (const folder of ["work/bin", "marks", "lines"]) mkdirSync(join(scratch, folder), { recursive: true });
  for (const name of [
    "env",
    "nice",
    "timeout",
    "xargs",
    "sh",
    "bash",
    "cat",
    "find",
    "sleep",
    "true",
    "false",
    "mkdir",
    "rm",
  ])
    if (!existsSync(join(bin, name))) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  for (const place of [bin, join(scratch, "work/bin")]) {
    writeFileSync(join(place, "evil"), `#!/bin/bash\n: > ${scratch}/marks/$MARK\n`);
    chmodSync(join(place, "evil"), 0o755);
  }
  for (const mark of readdirSync(join(scratch, "marks"))) spawnSync("/bin/rm", [join(scratch, "marks", mark)]);
  for (const [index, line] of lines.entries()) writeFileSync(join(scratch, "lines", String(index)), line);
  const driver = `cd ${scratch}/work; ulimit -t 60 -f 2000
for ((n = 0; n < ${lines.length}; n += 1)); do
  MARK=$n PATH=${bin} timeout 5 bash --noprofile --norc -O extglob -c -- "$(<${scratch}/lines/$n)" </dev/null >/dev/null 2>&1
done; wait; sleep 0.3`;
  const mounts = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--bind",
    scratch,
    scratch,
  ];
  const apart = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--setenv",
    "PATH",
    `${bin}`,
    "--setenv",
    "HOME",
    "/nonexistent",
  ];
  const run = spawnSync(bwrap, [...mounts, ...apart, "/bin/bash", "--noprofile", "--norc", "-c", driver], {
    timeout: 600_000,
  });
  if (run.status !== 0) throw new Error(`the sandbox failed: ${run.error?.message ?? String(run.stderr)}`);
  return new Set(readdirSync(join(scratch, "marks")).map(Number));
}

/** Each of 1,500 lines; more by hand: HOLDFAST_FUZZ=14. */
const rounds = Array.from({ length: Number(process.env["HOLDFAST_FUZZ"] ?? 1) }, (_, round) => round);

describe("lines around a denied command", () => {
  itInSandbox.each(rounds)(
    "are never allowed and run it, in the freest mode, with bash's own eyes as the judge (needs bubblewrap): round %i",
    async (round) => {
      const policy = policyWith({ mode: "full-auto", rules: [rule("deny", { tool: "shell", command: "evil *" })] });
      const pick = random(20_261_122 + round);
      const lines = [...new Set(Array.from({ length: 1_500 }, () => makeLine(pick)))];
      const allowed: string[] = [];
      const denied: string[] = [];
      for (const line of lines) {
        const facts = await project.facts(line);
        // In the sandbox more is taken to only read.
        const decisions = [facts, { ...facts, sandbox: true }].map((one) => decide(one, policy).decision);
        if (decisions.includes("allow")) allowed.push(line);
        else if (decisions.includes("deny") && denied.length < 40) denied.push(line);
      }
      const ran = ranOf(allowed);
      expect(allowed.filter((_, index) => ran.has(index))).toEqual([]);
      // The instrument works: it was run by lines of the same kind that are not allowed, and many that hold its name are.
      expect([allowed.length > 100, ranOf(denied).size > 5]).toEqual([true, true]);
    },
  );
});
