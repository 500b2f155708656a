import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/sessions.ts. */
export const helpSessions = room("helpSessions", {
  all: "include other folders",
  oneForm: "one of --html and --md",
  stats: {
    text: "how tools did over all sessions, and what sessions cost",
    note: "Each call counts once, also where a session was forked. Times are of runs alone,\nwithout waiting for you. ! marks what fails in more than 20 % of over 10 calls,\nand what takes over 5 s a call.",
    examples: [
      ["agent stats", "each tool, most calls first"],
      ["agent stats --top 5 --by p95Ms --since 30d", "the slowest of the last 30 days"],
      ["agent stats --cost --since 7d", "tokens and cost of each session"],
    ],
    options: {
      cost: "what the replies of each session took",
      since: "what was begun since: 12h, 30d, 4w, or a day like 2026-11-01",
      asc: "the other way round: fewest, worst, quickest, oldest first",
      by: ({ orders }: { orders: readonly string[] }) => `in the order of ${orders.join(", ")} (default: calls)`,
      top: "the first so many",
      tool: "this tool alone",
    },
  },
  sessions: {
    text: "list, search, show, rename, fork, export, verify or remove sessions",
    examples: [
      ["agent sessions --all", "those of every folder, newest first"],
      ["agent sessions search flaky test", "messages in which both words stand"],
      ["agent sessions show brisk-otter --diff", "all that it changed in files"],
    ],
  },
  sessionsList: {
    text: "those of this folder, newest first",
    examples: [
      ["agent sessions list --all", "those of every folder"],
      ["agent sessions list --json", "an object a line, times as ISO"],
    ],
  },
  sessionsSearch: {
    text: "titles and messages in which all of these words stand",
    examples: [
      ["agent sessions search flaky test", "both words, in any order"],
      ["agent sessions search --all retry --json", "in the sessions of every folder, an object a line"],
    ],
  },
  sessionsShow: {
    text: "what was said and done",
    examples: [
      ["agent sessions show brisk-otter", "the conversation"],
      ["agent sessions show brisk-otter --calls", "who decided about each call, and when"],
      ["agent sessions show brisk-otter --diff | git apply -R --stat", "what it changed, as a diff"],
    ],
    options: { diff: "all that it changed in files", calls: "the life of each call: who decided, by which rule, when" },
  },
  sessionsVerify: {
    text: "check these sessions, or all, for damage",
    examples: [
      ["agent sessions verify", "all, and the database"],
      ["agent sessions verify brisk-otter", "one, and the database; 74 where something is damaged"],
    ],
  },
  sessionsExport: {
    text: "a file that --model script:FILE plays again, or a page for people",
    examples: [
      ["agent sessions export brisk-otter -o talk.ndjson", "secrets of the environment are taken out"],
      ["agent run -m script:talk.ndjson --answers", "plays it again"],
      ["agent sessions export brisk-otter -o talk.html", "a page without scripts, to read and to give away"],
    ],
    options: {
      md: "the same as Markdown",
      html: "a page for people: who approved which change, diffs, helpers",
      output: "write here instead of to stdout: a page where its name ends in .html or .md",
    },
  },
  sessionsFork: {
    text: "a new session that begins as this one did",
    examples: [
      ["agent sessions fork brisk-otter", "from its last settled step"],
      ["agent sessions fork brisk-otter --at c4", "from the step of this call"],
    ],
    options: { at: "fork at this call (default: the last settled step)" },
  },
  sessionsRename: {
    text: "give it another title",
    examples: [
      ['agent sessions rename brisk-otter "the flaky test"', "as listings show it from now on"],
      ['agent sessions rename brisk "retry"', "by the beginning of its id"],
    ],
  },
  sessionsRm: {
    text: "remove permanently",
    examples: [
      ["agent sessions rm brisk-otter calm-heron", "two of them"],
      ["agent sessions rm brisk-otter --force", "even where a call waits for you"],
    ],
    options: { force: "also sessions that run or wait for you" },
  },
  sessionsPrune: {
    text: "drop old file contents that are kept for undo",
    examples: [
      ["agent sessions prune --dry-run", "only say what would go"],
      ["agent sessions prune --days 7", "all that is older than a week"],
    ],
    options: {
      dryRun: "only report what would be dropped",
      days: "older than this many days (default: retentionDays of config.json)",
    },
  },
} satisfies Record<string, CommandHelp | string>);
