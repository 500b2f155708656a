import { lstat } from "node:fs/promises";
import { basename, isAbsolute, normalize } from "node:path";
import { findProgram } from "../../process/find-program.ts";
import { fetching } from "../../tools/mcp/entry.ts";
import { withoutSecrets } from "./masked.ts";
import { isPlainLabel, isPlainName } from "./plain-names.ts";

/** Options that every word behind them is made of these. */
const ofOptions = new Set(
  (
    "all allow auto base browser caps config debug dir directory disable dry enable experimental file format headless help host http input " +
    "isolated json list local level listen log mcp mode model name no offline only output path port print profile project quiet read " +
    "readonly region repo repository root safe sandbox schema server serve silent stdio stream streamable strict timeout toolsets tools " +
    "transport type url vision verbose version warn workspace write yaml"
  ).split(" "),
);

/** Words that mean the same to whoever reads them. */
const ofAll = new Set(
  (
    "all debug dev error false http info json local mcp mcp-server off on readonly read-only run serve server sse start stdio stdout stream " +
    "streamable-http text true v1 v2 v3 warn yaml"
  ).split(" "),
);

/** Names in the path of an address. */
const ofPaths = new Set("all api http mcp mcp-server messages rpc server servers sse stream v1 v2 v3".split(" "));

interface Starter {
  /** The words that it begins with. */
  start: readonly string[];
  /** The options that may stand before the name of the program that it starts. */
  options: readonly string[];
  /** An option whose next word names a variable of the entry's own. */
  naming: readonly string[];
  isName(word: string): boolean;
}

const quick = ["-y", "--yes", "-q", "--quiet"];
const fetcher = (start: readonly string[]): Starter => ({ start, options: quick, naming: [], isName: isPackage });
const container = (program: string): Starter => ({
  start: [program, "run"],
  options: ["-i", "-t", "-it", "--rm", "--init", "--interactive"],
  naming: ["-e", "--env"],
  isName: isImage,
});
const module = (program: string): Starter => ({ start: [program, "-m"], options: [], naming: [], isName: isPackage });

/** Programs that start what the word behind them names: what stands there is looked for by them under that name. */
const starters: readonly Starter[] = [
  ...fetching.map(fetcher),
  ...[container("docker"), container("podman"), module("python"), module("python3")],
];

/** Programs that look in the folder where they run for what they start, unless its whole path is named. */
const ofFolder = new Set(
  (
    "node nodejs deno bun tsx ts-node python python3 ruby perl php bash sh dash zsh npm pnpm yarn make just task cargo go dotnet uv poetry " +
    "pdm hatch rye"
  ).split(" "),
);

/** The word that names what would be looked for in that folder, which is another one here; 0 where there is none. */
function ofFolderAt([program = "", ...args]: readonly string[]): number {
  const behind = args.findIndex((word) => word !== "run" && !word.startsWith("-"));
  // With nothing behind it, that word is the name itself.
  const at = behind < 0 ? args.indexOf("run") : behind;
  return ofFolder.has(basename(program)) && !/^(?:\/|\$\{)/u.test(args[at] ?? "/") ? at + 1 : 0;
}

/** A package, by the name under which it is fetched, and its version. */
function isPackage(word: string): boolean {
  const [, scope = "", name = "", version = "latest"] = /^(?:@([^/@]+)\/)?([^/@]+)(?:@([^/@]+))?$/u.exec(word) ?? [];
  return (scope === "" || isLowName(scope)) && isLowName(name) && isVersion(version);
}

function isImage(word: string): boolean {
  const [, path = "", version = "latest"] = /^([^:@]+)(?::([^:@]+))?$/u.exec(word) ?? [];
  return path.split("/").length <= 4 && path.split("/").every(isLowName) && isVersion(version);
}

const isVersion = (text: string): boolean => /^(?:latest|next|main|v?\d{1,4}(?:\.\d{1,4}){0,2})$/u.test(text);

const isLowName = (text: string): boolean => !/[A-Z]/u.test(text) && isPlainName(text) && withoutSecrets(text) === text;

const isOption = (word: string): boolean =>
  /^--[a-z]+(?:-[a-z]+){0,4}$/u.test(word) &&
  word
    .slice(2)
    .split("-")
    .every((part) => ofOptions.has(part));

/** Longer words are not looked at. */
const longest = 1_000;

/** A whole path of what is there: whoever reads it can read it on the disk, too. */
async function isThere(word: string): Promise<boolean> {
  if (!isAbsolute(word) || normalize(word) !== word || /[\p{C}$\\]/u.test(word)) return false;
  return (await lstat(word).catch(() => undefined)) !== undefined;
}

const isProgram = async (word: string, path: string | undefined): Promise<boolean> =>
  (/^[\w.+-]+$/u.test(word) || (await isThere(word))) && (await findProgram(word, "/", path)) !== undefined;

export interface WordsOf {
  words: readonly string[];
  /** Names of its variables. */
  env: readonly string[];
  /** The PATH in which programs are looked for. */
  path: string | undefined;
}

// Keeps cli 8.
/**
 * Tells which of the words that start a server hold no secret: each stands in a table here, is the path of a thing that is there, names a
 * variable of the entry, or stands where a program is told what to fetch, and is made of words. All others may hold one.
 */
export async function harmless({ words, env, path }: WordsOf): Promise<boolean[]> {
  const starter = starters.find(({ start }) => start.every((word, at) => words[at] === word));
  const known = starter === undefined ? [await isProgram(words[0] ?? "", path)] : headOf(starter, words, new Set(env));
  const unknown = starter === undefined ? ofFolderAt(words) : 0;
  for (const word of words.slice(known.length))
    known.push(word.length <= longest && (ofAll.has(word) || isOption(word) || (await isThere(word))));
  if (unknown > 0) known[unknown] = false;
  return known;
}

function headOf({ start, options, naming, isName }: Starter, words: readonly string[], env: ReadonlySet<string>) {
  const known = start.map(() => true);
  for (let word = words[known.length]; word !== undefined; word = words[known.length]) {
    if (options.includes(word)) known.push(true);
    else if (naming.includes(word) && env.has(words[known.length + 1] ?? "")) known.push(true, true);
    else return [...known, word.length <= longest && isName(word)];
  }
  return known;
}

/** Variables that say to programs, and to what loads them, which files are run and where they come from: whole names, beginnings and ends. */
const deciding = {
  whole: (
    "path pathext home userprofile appdata localappdata comspec systemroot env shell bash_env zdotdir ifs tmpdir tmp temp classpath " +
    "virtual_env gopath goproxy goflags gobin goroot gconv_path requests_ca_bundle ssh_askpass ssh_auth_sock editor visual pager"
  ).split(" "),
  begin: (
    "ld_ dyld_ node_ npm_ nvm_ pnpm_ yarn_ bun_ deno_ corepack_ volta_ asdf_ mise_ uv_ pip_ pipx_ python pyenv_ conda_ poetry_ docker_ " +
    "podman_ container_ containers_ compose_ java_ _java_ jdk_ maven_ gradle_ perl ruby gem_ bundle_ cargo_ rustup_ dotnet_ coreclr_ nuget_ " +
    "xdg_ ssl_ curl_ git_ssh git_exec git_config git_askpass git_editor git_pager"
  ).split(" "),
  end: ["_proxy", "_registry", "_index_url"],
};

/** Tells whether a variable of a server's environment may decide which program is started: with another value it would be something else. */
export function decidesStart(label: string): boolean {
  const name = label.toLowerCase();
  const { whole, begin, end } = deciding;
  return (
    whole.includes(name) || begin.some((start) => name.startsWith(start)) || end.some((rest) => name.endsWith(rest))
  );
}

/** Tells whether a name in an entry holds nothing but words: a variable's, a header's, a server's. */
export const isHarmlessName = (text: string): boolean => {
  const name = text.slice(0, longest).replace(/(?<=[A-Za-z]{2})\d(?=$|[-_.])/gu, "");
  return text.length <= longest && isPlainLabel(name) && withoutSecrets(text) === text;
};

/** An address without anything in it but a host and a path of words; undefined for any other. */
export function harmlessUrl(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(text);
  const plain = `${protocol}//${host}${pathname}`;
  const isPlain = text === plain || `${text}/` === plain;
  const names = pathname.split("/").filter(Boolean);
  const isPath = names.every((name) => ofPaths.has(name));
  return isPlain && /^https?:$/u.test(protocol) && isHost(hostname) && isPath ? text : undefined;
}

const isHost = (host: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|\[::1\])$/u.test(host) ||
  (host.split(".").length <= 5 && isLowName(host));
