import { baseName } from "./wrappers.ts";

/** Programs that are given another command, or a text that is one: an allow for whatever they get would allow everything. */
const carriers = new Set(
  `sh bash dash zsh ksh fish env sudo doas xargs eval exec command builtin nohup time nice timeout source . su parallel watch busybox
  toybox setsid stdbuf ionice flock find ssh chroot unshare script`.split(/\s+/u),
);

/** Tells whether the program, by whatever path, runs what its words say. */
export const carriesCommands = (program: string): boolean => carriers.has(baseName(program));

/** Programs that run text which they are given as a word, and the options that bring it. */
const interpreters =
  /^(?:bash|sh|dash|ash|zsh|ksh|fish|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|awk|gawk|mawk|osascript|psql|mysql|sqlite3|expect|tclsh)$/u;
/** Programs that start others, or take settings that do. */
const starters =
  /^(?:env|sudo|doas|su|xargs|eval|exec|command|builtin|nohup|time|nice|timeout|source|\.|parallel|watch|busybox|toybox|setsid|stdbuf|ionice|flock|find|ssh|docker|podman|kubectl|chroot|unshare|npx|pnpx|bunx|uvx|uv|pipx|pipenv|poetry|pdm|rye|hatch|conda|mamba|bundle|coverage|c8|nyc|cross-env|dotenv|dotenvx|direnv|mise|asdf|rbenv|pyenv|nodenv|volta|fnm|corepack|doppler|op|concurrently|ssh-agent|ld\.so|ld-linux.*|catchsegv|hyperfine|sshpass|torsocks|proxychains4?|eatmydata)$/u;
const brings =
  /^(?:-[A-Za-z]*[ceErp]|--(?:eval|print|require|import|command|execute|loader|init-file|rcfile).*|eval|-m|-)$/u;

/**
 * Tells whether exactly these words mean one thing each time: never an interpreter with its code, a program that starts another command, or git with
 * settings of its own.
 */
export function meansOneThing(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  const name = baseName(program);
  if (name === "" || starters.test(name)) return false;
  if (name === "git") return !rest.some((word) => /^(?:-c|--config-env|--exec-path)/u.test(word));
  if (!interpreters.test(name)) return true;
  const operand = rest.find((word) => !word.startsWith("-"));
  return operand !== undefined && !rest.some((word) => brings.test(word)) && !/^(?:g|m)?awk$/u.test(name);
}
