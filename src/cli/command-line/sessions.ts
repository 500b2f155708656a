import type { Command } from "commander";
import { statOrders } from "../../core/tool-stats.ts";
import { helpSessions as words } from "../../words/en/help-sessions.ts";
import { CliProblem } from "../problem.ts";
import type { Add, Run } from "./program.ts";

const all = () => ["--all", words().all] as const;

/** `agent stats`. */
export function addStats(program: Command, add: Add, run: Run): void {
  add(program, { usage: "stats", says: words().stats, bears: ["json", "utc"] })
    .option("--tool <name>", words().stats.options.tool)
    .option("--top <n>", words().stats.options.top)
    .option("--by <figure>", words().stats.options.by({ orders: statOrders }))
    .option("--asc", words().stats.options.asc)
    .option("--since <when>", words().stats.options.since)
    .option("--cost", words().stats.options.cost)
    .action(run((_, options) => async (at) => (await import("../commands/stats.ts")).showStats(at, options)));
}

export function addSessions(program: Command, add: Add, run: Run): void {
  const sessions = add(program, { usage: "sessions", says: words().sessions, bears: ["cwd", "json", "utc"] });
  const list = run((_, options) => async (at) => {
    const { listSessions } = await import("../commands/session-list.ts");
    return listSessions(at, options["all"] === true);
  });
  sessions.option(...all()).action(list);
  add(sessions, { usage: "list", says: words().sessionsList, bears: ["cwd", "json", "utc"] })
    .option(...all())
    .action(list);
  addReading(sessions, add, run);
  addKeeping(sessions, add, run);
}

function addReading(sessions: Command, add: Add, run: Run): void {
  add(sessions, { usage: "search <words...>", says: words().sessionsSearch, bears: ["cwd", "json", "utc"] })
    .option(...all())
    .action(
      run((words, options) => async (at) => {
        const { searchSessions } = await import("../commands/session-search.ts");
        return searchSessions(at, words, options["all"] === true);
      }),
    );
  add(sessions, { usage: "show <id>", says: words().sessionsShow, bears: ["json", "utc"] })
    .option("--calls", words().sessionsShow.options.calls)
    .option("--diff", words().sessionsShow.options.diff)
    .action(
      run(([id = ""], { calls, diff }) => async (at) => {
        if (calls === true) return (await import("../commands/session-calls.ts")).showCalls(at, id);
        if (diff === true) return (await import("../commands/session-diff.ts")).showDiff(at, id);
        return (await import("../commands/session-show.ts")).showSession(at, id);
      }),
    );
  add(sessions, { usage: "verify [id...]", says: words().sessionsVerify, bears: ["json"] }).action(
    run((ids) => async (at) => (await import("../commands/session-verify.ts")).verifySessions(at, ids)),
  );
  add(sessions, { usage: "export <id>", says: words().sessionsExport, bears: ["utc"] })
    .option("-o, --output <file>", words().sessionsExport.options.output)
    .option("--html", words().sessionsExport.options.html)
    .option("--md", words().sessionsExport.options.md)
    .action(
      run(([id = ""], { output, html, md }) => {
        if (html === true && md === true) throw new CliProblem("usage", words().oneForm);
        const form = html === true ? "html" : md === true ? "markdown" : undefined;
        return async (at) => {
          const { exportSession } = await import("../commands/session-export.ts");
          return exportSession(at, id, output as string | undefined, form);
        };
      }),
    );
}

function addKeeping(sessions: Command, add: Add, run: Run): void {
  add(sessions, { usage: "fork <id>", says: words().sessionsFork, bears: ["json"] })
    .option("--at <call>", words().sessionsFork.options.at)
    .action(
      run(
        ([id = ""], { at: call }) =>
          async (at) =>
            (await import("../commands/session-fork.ts")).forkAt(at, id, call as string | undefined),
      ),
    );
  add(sessions, { usage: "rename <id> <title>", says: words().sessionsRename, bears: [] }).action(
    run(
      ([id = "", title = ""]) =>
        async (at) =>
          (await import("../commands/session-rename.ts")).renameSession(at, id, title),
    ),
  );
  add(sessions, { usage: "rm <id...>", says: words().sessionsRm, bears: [] })
    .option("--force", words().sessionsRm.options.force)
    .action(
      run(
        (ids, { force }) =>
          async (at) =>
            (await import("../commands/session-remove.ts")).removeSessions(at, ids, force === true),
      ),
    );
  addPrune(sessions, add, run);
}

function addPrune(sessions: Command, add: Add, run: Run): void {
  add(sessions, { usage: "prune", says: words().sessionsPrune, bears: ["json"] })
    .option("--days <n>", words().sessionsPrune.options.days)
    .option("--dry-run", words().sessionsPrune.options.dryRun)
    .action(
      run((_, { days, dryRun }) => async (at) => {
        const { pruneKept } = await import("../commands/session-prune.ts");
        return pruneKept(at, { days: days as string | undefined, dryRun: dryRun === true });
      }),
    );
}
