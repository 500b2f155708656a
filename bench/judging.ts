import { existsSync } from "node:fs";
import { join } from "node:path";
import { judgeOf } from "../test/policy/lines/judge.ts";
import { makeTree as makeProject } from "../test/policy/lines/tree.ts";
import { interleave, type Spread } from "./measure.ts";
import type { Row } from "./row.ts";
import { makeTree, type World } from "./world.ts";

/** Lines as agents write them, of which each is judged once in a round; a round counts as one line of them. */
const lines = {
  nothing: ["true"],
  named: [
    "cat README.md",
    "ls -la src",
    "head -20 src/app.ts",
    "grep -n listen src/app.ts",
    "sort data/log.txt | uniq -c",
  ],
  boxed: [
    "rg -n TODO",
    "grep -rn listen src",
    "find . -name '*.ts'",
    "awk '{print $1}' data/users.csv",
    "cat docs/*.md",
  ],
  lists: ["git status -sb", "git log --oneline -5", "git branch -a", "git diff --stat"],
  shows: ["git diff", "git show HEAD", "git log -p -2", "git blame README.md"],
  runs: ["npm test", "node main.ts", "make build"],
} as const;

type Kind = keyof typeof lines;

const told: Readonly<Record<Exclude<Kind, "nothing">, string>> = {
  named: "judging a line that reads files that it names",
  boxed: "judging a line that reads in the box",
  lists: "judging git that lists",
  shows: "judging git that shows what it keeps",
  runs: "judging a line that is asked about",
};

/** From a call's arguments to its verdict, in a process that has judged before; nothing is run but git where it is asked for names. */
export async function benchJudging({ folder }: World): Promise<Row[]> {
  const project = makeProject("plain");
  const { judge, dispose } = judgeOf(project, "required");
  try {
    if ((await judge("true")).is === "refuse") return [];
    const timed = (kind: Kind) => async (): Promise<number> => {
      const started = performance.now();
      for (const line of lines[kind]) await judge(line);
      return (performance.now() - started) / lines[kind].length;
    };
    const kinds = Object.keys(lines) as Kind[];
    const subjects = Object.fromEntries(kinds.map((kind) => [kind, timed(kind)])) as Record<
      Kind,
      () => Promise<number>
    >;
    const spread = await interleave(subjects, 25);
    const rows = kinds.flatMap((kind) => (kind === "nothing" ? [] : [rowOf(told[kind], spread[kind], spread.nothing)]));
    return [...rows, await manyNames(folder, project.home)];
  } finally {
    await dispose();
    project.remove();
  }
}

const fine = ({ min, median }: Spread): string => `${min.toFixed(1)} ms (${median.toFixed(1)} ms)`;

const rowOf = (what: string, mine: Spread, nothing: Spread): Row => ({
  what,
  figure: fine(mine),
  beside: `true ${fine(nothing)}`,
  ratio: mine.min / nothing.min,
  aim: "<= 3 ms more",
  kept: mine.min - nothing.min <= 3,
});

async function manyNames(folder: string, home: string): Promise<Row> {
  const at = join(folder, "tree");
  const workspace = existsSync(at) ? at : makeTree(at, 50_000);
  const { judge, dispose } = judgeOf({ workspace, home }, "required");
  const timed = (line: string) => async (): Promise<number> => {
    const started = performance.now();
    await judge(line);
    return performance.now() - started;
  };
  const { many, few } = await interleave({ many: timed("wc -l d*/e*/*.ts"), few: timed("wc -l d0/e0/f?.ts") }, 7);
  await dispose();
  const figure = fine(many);
  const what = "judging a pattern that stands for 50,000 names";
  return { what, figure, beside: `for ten ${fine(few)}`, aim: "<= 500 ms", kept: many.min <= 500 };
}
