import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleave, runToEnd, type Spread } from "./measure.ts";
import { type Row, times } from "./row.ts";
import { measureStart, startListener } from "./screen.ts";
import { agentPath, makeWorkspace, startModelServer, type World } from "./world.ts";

const count = 500;
const mostMs = 20;

const skill = (name: string, at: number): string => `---
name: ${name}
description: Does the thing number ${at} of this project. Use it when a thing like that is to be done.
license: MIT
metadata:
  version: "1"
---
${"Do it well, and say what you did.\n".repeat(60)}`;

function makeSkills(folder: string): void {
  for (let at = 0; at < count; at += 1) {
    const name = `skill-${at}`;
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "SKILL.md"), skill(name, at));
  }
}

/** The chat's start, and `agent run` to its end, with 500 skills of the person's beside none, and with 500 of a trusted project beside the same files as no skills. */
export async function benchSkills({ env, folder }: World): Promise<Row[]> {
  const at = (name: string): string => join(folder, "skills", name);
  const [plain, same, project] = ["plain", "same", "project"].map((name) => makeWorkspace(at(name), 3)) as [
    string,
    string,
    string,
  ];
  const [bare, users] = [at("bare-home"), at("users-home")];
  for (const home of [bare, users]) mkdirSync(home, { recursive: true });
  makeSkills(join(users, "skills"));
  makeSkills(join(project, ".claude/skills"));
  makeSkills(join(same, ".claude/notes"));
  const server = await startModelServer(1, 3);
  const run = (home: string, cwd: string, argv: readonly string[]) => async (): Promise<number> =>
    (await runToEnd(process.execPath, [agentPath, ...argv], { env: env(server.baseUrl, home), cwd })).ms;
  const listener = await startListener();
  const start = (home: string, cwd: string) => async (): Promise<number> =>
    (await measureStart(env(listener.baseUrl, home), cwd, listener.asked())).promptMs;
  const step = ["run", "-m", "openai:bench", "--json", "Read the file."];
  try {
    await run(bare, project, ["trust", "--yes"])();
    const spread = await interleave(
      {
        none: run(bare, plain, step),
        users: run(users, plain, step),
        same: run(bare, same, step),
        project: run(bare, project, step),
      },
      15,
    );
    const starts = await interleave(
      {
        none: start(bare, plain),
        users: start(users, plain),
        same: start(bare, same),
        project: start(bare, project),
      },
      9,
    );
    return [
      moreRow(`chat with ${count} skills of the person's: prompt on the screen`, starts.users, starts.none),
      moreRow(`chat with ${count} skills of a trusted project: prompt on the screen`, starts.project, starts.same),
      moreRow(`agent run with ${count} skills of the person's`, spread.users, spread.none),
      moreRow(`agent run with ${count} skills of a trusted project`, spread.project, spread.same),
    ];
  } finally {
    server.close();
    listener.close();
  }
}

function moreRow(what: string, mine: Spread, none: Spread): Row {
  return {
    what,
    figure: times(mine),
    beside: `without ${times(none)}`,
    ratio: mine.min / none.min,
    aim: `<= ${mostMs} ms more`,
    kept: mine.min - none.min <= mostMs,
  };
}
