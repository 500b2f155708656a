import { basename } from "node:path";
import { isThisMachine } from "../../net/addresses.ts";
import { fetchedPackageAt } from "../../tools/mcp/entry.ts";
import type { Scope } from "./found.ts";
import { isSecretName } from "./masked.ts";
import { isPlainLabel, isPlainName } from "./plain-names.ts";

/** Words by themselves that say how a server is to run. None of them is anybody's password. */
const vocabulary = new Set(
  (
    "all any api app auto bash beta both bridge build bun bunx call cat chrome chromium cli client cmd code compact compose connect core " +
    "create daemon data debug default deno desktop dev development disable disabled dist dlx docker docs edge enable enabled env error exec " +
    "false fetch file files filesystem firefox fs full gateway get git github gitlab global headless help host http https index info init input " +
    "inspect install internal io ipv json jsonl latest launch lib light list listen live local localhost log logs main manager mcp memory " +
    "minimal mode module mount net network no node none npm npx null off offline on once online only open output pipe pipx pnpm pnpx port " +
    "prod production proxy public python quiet read readonly release remote repl rest rm run runner rw ro script search serve server servers " +
    "service session sh silent simple single small socket source sqlite src sse stable start stdin stdio stdout stop stream streamable sync " +
    "table text tool tools trace transport true ts tsx tunnel ui uv uvx verbose version view volume warn warning watch web webkit work worker " +
    "workspace write x yaml yarn yes yml"
  ).split(" "),
);

/** Characters of a word that is looked at; longer ones people do not write by hand. */
const longestWord = 200;

/**
 * Which of the words that start a server can hold no secret by their form, in their place. All others are unknown.
 * @param words the program first. @param scope of a project's, what lies in the workspace is named from there
 */
export function plainWords(words: readonly string[], scope: Scope): boolean[] {
  const [command = "", ...args] = words;
  const spec = fetchedPackageAt({ command, args });
  const place: Place = { words, scope, program: basename(command), spec };
  const plain: boolean[] = [];
  words.forEach((word, at) => {
    plain.push(word.length <= longestWord && isPlainAt(word, at, place, plain[at - 1] ?? true));
  });
  return plain;
}

interface Place {
  words: readonly string[];
  scope: Scope;
  program: string;
  /** Where the package stands that is fetched. */
  spec: number | undefined;
}

function isPlainAt(word: string, at: number, place: Place, isPlainBefore: boolean): boolean {
  const { words, scope, spec } = place;
  const before = words[at - 1] ?? "";
  if (at === 0) return isProgram(word) || isPath(word, scope);
  if (isSecretPlace(before, isPlainBefore)) return isKnownFlag(word);
  if (word === "" || isFlag(word)) return true;
  const [, flag, value] = /^(--[a-z-]+)=(.*)$/su.exec(word) ?? [];
  if (flag !== undefined && value !== undefined)
    return isFlag(flag) && !isSecretName(flag) && isValue(value, flag, scope);
  if (at === spec) return isPackage(word);
  return isKnownThere(word, at, place) || isValue(word, before, scope);
}

/** Whether a secret is likely behind this word: its name says so, and it is an option, or itself unknown. What is set by `=` has its value. */
const isSecretPlace = (before: string, isPlain: boolean): boolean =>
  isSecretName(before) && (before.startsWith("-") || !(isPlain || /^[A-Za-z_]\w*=./su.test(before)));

/** What some programs are given in a place of theirs. */
function isKnownThere(word: string, at: number, { words, program, spec }: Place): boolean {
  const before = words[at - 1] ?? "";
  if (at - 1 === spec && behindPackage.has(words[at - 2] ?? "")) return isProgram(word);
  if (/^python[\d.]*$/u.test(program) && before === "-m") return isPlainName(word);
  if (!["docker", "podman", "nerdctl"].includes(program)) return false;
  return before === "-e" || before === "--env" ? isVariable(word) : isImage(word);
}

/** Behind these the package is named, and behind it the program in it. */
const behindPackage = new Set(["-p", "--package", "--from"]);

/** A variable's name alone, which a container is given as it is set. */
const isVariable = (word: string): boolean => /^[A-Z][A-Z\d_]*$/u.test(word) && isPlainLabel(word);

const isFlag = (word: string): boolean =>
  /^-(?:-|[A-Za-z]{1,2})?$/u.test(word) ||
  isKnownFlag(word) ||
  (/^--[a-z][a-z-]*$/u.test(word) && isPlainName(word.slice(2)));

const isKnownFlag = (word: string): boolean => /^--?[a-z]/u.test(word) && isOfVocabulary(word.replace(/^--?/u, ""));

/** What may stand behind an option, or by itself. */
function isValue(word: string, before: string, scope: Scope): boolean {
  if (word === "" || isOfVocabulary(word) || isPath(word, scope)) return true;
  if (/^\d{1,5}$/u.test(word)) return !/^-[A-Za-z]{1,2}$/u.test(before);
  return word.includes("://") && isPlainUrl(word);
}

const isOfVocabulary = (word: string): boolean => word.split("-").every((part) => vocabulary.has(part));

const isProgram = (word: string): boolean => isPlainName(word) || isVersionedProgram(word);

const isVersionedProgram = (word: string): boolean =>
  /^(?:python|pip|node|ruby|php|lua|java)\d{1,2}(?:\.\d{1,2})?$/u.test(word);

const version = /^v?\d{1,4}(?:\.\d{1,4}){0,2}(?:-(?:alpha|beta|canary|dev|next|pre|preview|rc)(?:\.\d{1,3})?)?$/u;
const isVersion = (text: string): boolean =>
  version.test(text) || ["alpha", "beta", "canary", "latest", "next", "nightly", "stable"].includes(text);

/** `name`, `@scope/name`, with `@1.2.3` or `==1.2.3` behind it. */
function isPackage(word: string): boolean {
  const [, scope, name = "", at] = /^(?:@([^/@]+)\/)?([^/@=]+)(?:(?:@|==)([^@=]+))?$/u.exec(word) ?? [];
  const isNamed = [name, ...(scope === undefined ? [] : [scope])].every((part) => isPlainName(part));
  return isNamed && (at === undefined || isVersion(at));
}

/** `host/name:1.2`, as registries of containers have them; a bare name is none, for an option's value may look like it. */
function isImage(word: string): boolean {
  const [, names = "", tag] = /^([^:@]+)(?::([^:@]+))?$/u.exec(word) ?? [];
  const segments = names.split("/");
  const isNamed = segments.length >= 2 && segments.length <= 5 && segments.every((one) => isPlainName(one));
  return isNamed && (tag === undefined || isVersion(tag));
}

/** What is named from the workspace: with `./` before it, or in small letters alone. */
const belowWorkspace = /^(?:\.\/|[^A-Z]*(?:\/[^A-Z]*|\.(?:[cm]?[jt]s|jar|json|py|rb|sh|toml|ya?ml))$)/u;

/** A path of plain names. What a person's server is given from the folder that is worked in, it would look for in another one. */
function isPath(word: string, scope: Scope): boolean {
  if (word === "." || word === "./") return scope === "project";
  const isWhole = word.startsWith("/");
  if (!isWhole && (scope === "user" || !belowWorkspace.test(word))) return false;
  const segments = word
    .replace(/^\.?\//u, "")
    .replace(/\/$/u, "")
    .split("/");
  return word.length <= 120 && segments.length <= 12 && segments.every(isSegment);
}

const isSegment = (segment: string): boolean =>
  isPlainName(segment.replace(/^[.@]/u, "")) ||
  isVersionedProgram(segment) ||
  /^v?\d{1,3}(?:\.\d{1,3}){1,2}$/u.test(segment);

/** One that is no more than its plain parts: a fragment, too, is none of them. */
const isPlainUrl = (word: string): boolean => {
  const read = readUrl(word);
  return typeof read !== "string" && (read.start === word || read.start === `${word}/`);
};

/** Of an address what can hold no secret. `rest`: what of its path stands behind that. */
export interface PlainUrl {
  /** With scheme, host and port. */
  start: string;
  rest: string;
  hasQuery: boolean;
}

/** An address part by part, or why nothing of it can be said. */
export function readUrl(given: string): PlainUrl | string {
  if (given.length > 2_000 || !/^[\x21-\x7e]+$/u.test(given) || !URL.canParse(given))
    return "its url is no whole address";
  const url = new URL(given);
  if (url.username !== "" || url.password !== "") return "its url has a name or a password in it";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "its url is neither https nor http";
  if (url.protocol === "http:" && !isThisMachine(url.hostname))
    return "its url is plain http to another machine: whoever is on the way reads along";
  if (!isPlainHost(url.hostname)) return "its host may hold a secret, and no variable can stand for a host";
  // `origin` has no user; what a segment holds is decided by itself.
  const segments = url.pathname.split("/").slice(1);
  const odd = segments.findIndex((one, at) => !isUrlSegment(one, at === segments.length - 1));
  const plain = odd < 0 ? segments : segments.slice(0, odd);
  return {
    start: [url.origin, ...plain].join("/"),
    rest: odd < 0 ? "" : segments.slice(odd).join("/"),
    hasQuery: url.search !== "",
  };
}

const isPlainHost = (host: string): boolean =>
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[::1\])$/u.test(host) || (host.length <= 100 && host.split(".").every(isPlainName));

const isUrlSegment = (segment: string, isLast: boolean): boolean =>
  (segment === "" && isLast) || isPlainName(segment.replace(/^[.@]/u, ""));

/** Its host, where that can hold no secret. */
export const plainHost = (given: unknown): string => {
  const read = typeof given === "string" ? readUrl(given) : "";
  return typeof read === "string" ? "" : new URL(read.start).origin;
};
