/**
 * Reads the words that were typed behind `agent` as a command and its own words. Flags may stand before the command; without one they begin
 * a chat, or by -p and -r what people know these for: `-p PROMPT` is run, `-r [ID]` is resume, both together run in that session. A first
 * word with a blank in it is a prompt. Loaded before anything else: imports nothing.
 */
export function asCommand(argv: readonly string[], atTerminal: boolean): string[] {
  const [first] = argv;
  if (first === undefined) return atTerminal ? ["chat"] : [];
  if (/\s/.test(first)) return ["chat", ...argv];
  if (!first.startsWith("-") || alone.has(first)) return [...argv];
  const groups = groupsOf(argv);
  const at = groups.findIndex(([word = ""]) => !word.startsWith("-"));
  if (!commands.has(groups[at]?.[0] ?? "")) return byFlags(groups);
  // The flags go behind, but not behind a `--`.
  const [flags, rest] = [groups.slice(0, at), groups.slice(at)];
  const end = rest.findIndex(([word]) => word === "--");
  return (end < 0 ? [...rest, ...flags] : [...rest.slice(0, end), ...flags, ...rest.slice(end)]).flat();
}

/** They end there, whatever comes behind them. */
const alone: ReadonlySet<string> = new Set(["-h", "--help", "-V", "--version"]);

export const commands: ReadonlySet<string> = new Set([
  ...[
    "chat",
    "run",
    "resume",
    "answer",
    "stop",
    "undo",
    "sessions",
    "stats",
    "blame",
    "log",
    "attest",
    "import",
    "models",
    "tools",
    "mcp",
    "agents",
    "artifacts",
    "skills",
    "policy",
    "trust",
    "memories",
    "secrets",
    "doctor",
    "completion",
    "help",
  ],
]);

/** Flags with a value behind them, of those that every command takes. */
export const valued: ReadonlySet<string> = new Set([
  ...[
    "-C",
    "--cwd",
    "--add-dir",
    "-i",
    "--image",
    "-m",
    "--model",
    "--mode",
    "--max-steps",
    "--max-cost",
    "--session",
    "--allow",
  ],
  ...["--tool-choice", "--tool-format", "--output-schema", "--lang", "--sandbox"],
]);

const prints: ReadonlySet<string> = new Set(["-p", "--print"]);
const resumes: ReadonlySet<string> = new Set(["-r", "--resume"]);

/** Each word with the value that belongs to it; all from a `--` on is one. */
function groupsOf(argv: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < argv.length; ) {
    const word = argv[at] ?? "";
    const next = argv[at + 1];
    const takes = valued.has(word) || (resumes.has(word) && next?.startsWith("-") === false);
    const size = word === "--" ? argv.length - at : takes ? 2 : 1;
    groups.push(argv.slice(at, at + size));
    at += size;
  }
  return groups;
}

function byFlags(groups: readonly string[][]): string[] {
  const isIn =
    (words: ReadonlySet<string>) =>
    ([word = ""]: readonly string[]) =>
      words.has(word);
  const resumed = groups.find(isIn(resumes));
  const left = groups.filter((group) => !isIn(prints)(group) && !isIn(resumes)(group)).flat();
  const [, id] = resumed ?? [];
  if (groups.some(isIn(prints))) {
    const session = resumed === undefined ? [] : id === undefined ? ["--continue"] : ["--session", id];
    return ["run", ...session, ...left];
  }
  if (resumed !== undefined) return ["resume", ...(id === undefined ? [] : [id]), ...left];
  return ["chat", ...left];
}
