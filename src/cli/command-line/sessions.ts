import type { Command } from "commander";
import { statOrders } from "../../core/tool-stats.ts";
import { CliProblem } from "../problem.ts";
import type { Add, Run } from "./program.ts";

const all = ["--all", "include other folders"] as const;

/** `agent stats`. */
export function addStats(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "stats",
    text: "how tools did over all sessions, and what sessions cost",
    bears: ["json", "utc"],
    note: "Each call counts once, also where a session was forked. Times are of runs alone,\nwithout waiting for you. ! marks what fails in more than 20 % of over 10 calls,\nand what takes over 5 s a call.",
    examples: [
      ["agent stats", "each tool, most calls first"],
      ["agent stats --top 5 --by p95Ms --since 30d", "the slowest of the last 30 days"],
      ["agent stats --cost --since 7d", "tokens and cost of each session"],
    ],
  })
    .option("--tool <name>", "this tool alone")
    .option("--top <n>", "the first so many")
    .option("--by <figure>", `in the order of ${statOrders.join(", ")} (default: calls)`)
    .option("--asc", "the other way round: fewest, worst, quickest, oldest first")
    .option("--since <when>", "what was begun since: 12h, 30d, 4w, or a day like 2026-11-01")
    .option("--cost", "what the replies of each session took")
    .action(run((_, options) => async (at) => (await import("../commands/stats.ts")).showStats(at, options)));
}

export function addSessions(program: Command, add: Add, run: Run): void {
  const sessions = add(program, {
    usage: "sessions",
    text: "list, search, show, rename, fork, export, verify or remove sessions",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent sessions --all", "those of every folder, newest first"],
      ["agent sessions search flaky test", "messages in which both words stand"],
      ["agent sessions show brisk-otter --diff", "all that it changed in files"],
    ],
  });
  const list = run((_, options) => async (at) => {
    const { listSessions } = await import("../commands/session-list.ts");
    return listSessions(at, options["all"] === true);
  });
  sessions.option(...all).action(list);
  add(sessions, {
    usage: "list",
    text: "those of this folder, newest first",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent sessions list --all", "those of every folder"],
      ["agent sessions list --json", "an object a line, times as ISO"],
    ],
  })
    .option(...all)
    .action(list);
  addReading(sessions, add, run);
  addKeeping(sessions, add, run);
}

function addReading(sessions: Command, add: Add, run: Run): void {
  add(sessions, {
    usage: "search <words...>",
    text: "titles and messages in which all of these words stand",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent sessions search flaky test", "both words, in any order"],
      ["agent sessions search --all retry --json", "in the sessions of every folder, an object a line"],
    ],
  })
    .option(...all)
    .action(
      run((words, options) => async (at) => {
        const { searchSessions } = await import("../commands/session-search.ts");
        return searchSessions(at, words, options["all"] === true);
      }),
    );
  add(sessions, {
    usage: "show <id>",
    text: "what was said and done",
    bears: ["json", "utc"],
    examples: [
      ["agent sessions show brisk-otter", "the conversation"],
      ["agent sessions show brisk-otter --calls", "who decided about each call, and when"],
      ["agent sessions show brisk-otter --diff | git apply -R --stat", "what it changed, as a diff"],
    ],
  })
    .option("--calls", "the life of each call: who decided, by which rule, when")
    .option("--diff", "all that it changed in files")
    .action(
      run(([id = ""], { calls, diff }) => async (at) => {
        if (calls === true) return (await import("../commands/session-calls.ts")).showCalls(at, id);
        if (diff === true) return (await import("../commands/session-diff.ts")).showDiff(at, id);
        return (await import("../commands/session-show.ts")).showSession(at, id);
      }),
    );
  add(sessions, {
    usage: "verify [id...]",
    text: "check these sessions, or all, for damage",
    bears: ["json"],
    examples: [
      ["agent sessions verify", "all, and the database"],
      ["agent sessions verify brisk-otter", "one, and the database; 74 where something is damaged"],
    ],
  }).action(run((ids) => async (at) => (await import("../commands/session-verify.ts")).verifySessions(at, ids)));
  add(sessions, {
    usage: "export <id>",
    text: "a file that --model script:FILE plays again, or a page for people",
    bears: ["utc"],
    examples: [
      ["agent sessions export brisk-otter -o talk.ndjson", "secrets of the environment are taken out"],
      ["agent run -m script:talk.ndjson --answers", "plays it again"],
      ["agent sessions export brisk-otter -o talk.html", "a page without scripts, to read and to give away"],
    ],
  })
    .option("-o, --output <file>", "write here instead of to stdout: a page where its name ends in .html or .md")
    .option("--html", "a page for people: who approved which change, diffs, helpers")
    .option("--md", "the same as Markdown")
    .action(
      run(([id = ""], { output, html, md }) => {
        if (html === true && md === true) throw new CliProblem("usage", "one of --html and --md");
        const form = html === true ? "html" : md === true ? "markdown" : undefined;
        return async (at) => {
          const { exportSession } = await import("../commands/session-export.ts");
          return exportSession(at, id, output as string | undefined, form);
        };
      }),
    );
}

function addKeeping(sessions: Command, add: Add, run: Run): void {
  add(sessions, {
    usage: "fork <id>",
    text: "a new session that begins as this one did",
    bears: ["json"],
    examples: [
      ["agent sessions fork brisk-otter", "from its last settled step"],
      ["agent sessions fork brisk-otter --at c4", "from the step of this call"],
    ],
  })
    .option("--at <call>", "fork at this call (default: the last settled step)")
    .action(
      run(
        ([id = ""], { at: call }) =>
          async (at) =>
            (await import("../commands/session-fork.ts")).forkAt(at, id, call as string | undefined),
      ),
    );
  add(sessions, {
    usage: "rename <id> <title>",
    text: "give it another title",
    bears: [],
    examples: [
      ['agent sessions rename brisk-otter "the flaky test"', "as listings show it from now on"],
      ['agent sessions rename brisk "retry"', "by the beginning of its id"],
    ],
  }).action(
    run(
      ([id = "", title = ""]) =>
        async (at) =>
          (await import("../commands/session-rename.ts")).renameSession(at, id, title),
    ),
  );
  add(sessions, {
    usage: "rm <id...>",
    text: "remove permanently",
    bears: [],
    examples: [
      ["agent sessions rm brisk-otter calm-heron", "two of them"],
      ["agent sessions rm brisk-otter --force", "even where a call waits for you"],
    ],
  })
    .option("--force", "also sessions that run or wait for you")
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
  add(sessions, {
    usage: "prune",
    text: "drop old file contents that are kept for undo",
    bears: ["json"],
    examples: [
      ["agent sessions prune --dry-run", "only say what would go"],
      ["agent sessions prune --days 7", "all that is older than a week"],
    ],
  })
    .option("--days <n>", "older than this many days (default: retentionDays of config.json)")
    .option("--dry-run", "only report what would be dropped")
    .action(
      run((_, { days, dryRun }) => async (at) => {
        const { pruneKept } = await import("../commands/session-prune.ts");
        return pruneKept(at, { days: days as string | undefined, dryRun: dryRun === true });
      }),
    );
}
