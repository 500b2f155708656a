import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { optionSpec, readOptions, type Words } from "./options.ts";
import { sedStarts } from "./sed-script.ts";
import type { Started } from "./started.ts";

interface Wrapper {
  names: string;
  options: string;
  /** Words of its own before the program. */
  before?: number;
  /** `A=1` before the program. */
  sets?: true;
  /** Options with which it does something else than start a program. */
  other?: string;
}

const wrappers: readonly Wrapper[] = [
  { names: "command", options: "-p", other: "-v -V" },
  { names: "builtin nohup busybox toybox", options: "" },
  { names: "exec", options: "-c -l -a=" },
  { names: "nice", options: "-n= --adjustment=" },
  {
    names: "timeout gtimeout",
    options: "-k= --kill-after= -s= --signal= --preserve-status --foreground -v --verbose",
    before: 1,
  },
  { names: "time", options: "-p -v --verbose --portability" },
  { names: "stdbuf", options: "-i= -o= -e= --input= --output= --error=" },
  { names: "ionice", options: "-c= -n= -t --class= --classdata= --ignore" },
  { names: "setsid", options: "-c -f -w --ctty --fork --wait" },
  { names: "env", options: "-i --ignore-environment -0 --null -v --debug -u= --unset= -C= --chdir=", sets: true },
  {
    names: "sudo",
    options:
      "-A -b -E -H -k -n -P -S --askpass --background --preserve-env? --set-home --non-interactive --stdin -u= -g= -p= -h= -D= --user= --group= --prompt= --host= --chdir=",
    sets: true,
    other: "-l -v -K -V",
  },
  { names: "doas", options: "-n -u= -C=" },
  { names: "chronic unbuffer", options: "" },
  { names: "caffeinate", options: "-d -i -m -s -u -t=" },
  {
    names: "watch",
    options: "-n= -d? -t -e -g -c -b -x --interval= --differences? --no-title --errexit --chgexit --color --exec",
  },
];

/** Programs that start others in a surrounding of their own: behind these words, and where all options before what they start are known. */
interface Launcher {
  names: string;
  source: string;
  verbs?: string;
  options: string;
  /** Words of its own before the program. */
  before?: number;
  sets?: true;
}

const launchers: readonly Launcher[] = [
  {
    names: "uv",
    source: "uv run --help",
    verbs: "run",
    options: `--with= --with-editable= --with-requirements= --extra= --group= --no-group= --only-group= --package= --python= -p= --env-file= --index=
      --all-extras --all-groups --no-dev --only-dev --dev --active --isolated --no-project --frozen --locked --no-sync --exact --refresh --offline
      --no-env-file -s --script -q --quiet -v --verbose -n --no-cache`,
  },
  {
    names: "poetry pipenv pdm rye",
    source: "poetry run --help, pipenv run --help, pdm run --help, rye run --help",
    verbs: "run",
    options: "-q --quiet -v -vv -vvv --verbose -n --no-interaction --no-ansi --no-plugins --no-cache",
  },
  {
    names: "conda mamba micromamba",
    source: "conda run --help",
    verbs: "run",
    options: "-n= --name= -p= --prefix= -v --no-capture-output --live-stream",
  },
  {
    names: "bundle bundler",
    source: "bundle-exec(1)",
    verbs: "exec",
    options: "--keep-file-descriptors --no-color --verbose",
  },
  { names: "asdf rbenv pyenv nodenv goenv", source: "rbenv help exec", verbs: "exec", options: "" },
  { names: "direnv", source: "direnv(1)", verbs: "exec", options: "", before: 1 },
  {
    names: "volta",
    source: "volta run --help",
    verbs: "run",
    options: "--node= --npm= --yarn= --pnpm= --no-npm --no-yarn --no-pnpm",
  },
  {
    names: "doppler op",
    source: "doppler run --help, op run --help",
    verbs: "run",
    options: "--env-file= -p= --project= -c= --config= --no-masking",
  },
  {
    names: "c8 nyc",
    source: "c8 --help, nyc --help",
    options: "-r= --reporter= --all --check-coverage --silent --clean -s -a",
  },
  { names: "cross-env cross-env-shell", source: "cross-env, readme", options: "", sets: true },
  { names: "eatmydata torsocks proxychains proxychains4 catchsegv", source: "their manuals", options: "-q" },
];

const named = <T extends { names: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)));

const byName = named(wrappers.map((row) => ({ ...row, spec: optionSpec(row.options) })));

const launcherByName = named(launchers.map((row) => ({ ...row, spec: optionSpec(row.options) })));

/** Programs that start others in ways of their own, which are not read. */
const opaque = new Set(
  `su runuser parallel flock unshare chroot nsenter script entr strace ltrace gdb lldb perf systemd-run at batch expect fakeroot
  firejail bwrap start-stop-daemon screen tmux xterm dbus-run-session xvfb-run run-parts watchexec nodemon pkexec gosu tini dumb-init
  valgrind rlwrap setarch prlimit taskset chrt numactl cpulimit`.split(/\s+/u),
);

/** The shell's own words that take text for code, or change what later words mean. */
const reading = new Set(
  "source . trap alias unalias enable bind complete compgen compopt fc hash let shopt history mapfile readarray caller".split(
    " ",
  ),
);

const shells = new Set("bash sh dash ash ksh mksh zsh fish rbash csh tcsh yash pwsh elvish nu xonsh".split(" "));

/** Tells whether the commands that a program starts are judged by themselves, or are known not to be read. */
export const startsOthers = (name: string): boolean =>
  byName.has(name) || opaque.has(name) || reading.has(name) || name === "eval" || name === "xargs";

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

const assignment = /^([A-Za-z_]\w*)=(.*)$/su;

/** @returns what a command starts beside itself; none where it starts nothing, as far as this program is known. */
export function startedBy(argv: Words): Started[] {
  const [program, ...words] = argv;
  if (typeof program !== "string") return [];
  const name = baseName(program);
  if (reading.has(name)) return [unknown(shellDoubts.by_text({ word: name }))];
  if (opaque.has(name)) return [unknown(shellDoubts.own_way({ word: name }))];
  if (shells.has(name)) return shellCode(name, words);
  if (name === "eval") return [evalCode(words)];
  if (name === "xargs") return xargs(words);
  if (name === "find") return findExec(words);
  if (name === "git") return gitTrouble(words);
  if (name === "sed" || name === "gsed") return sedStarts(words);
  const launcher = launcherByName.get(name);
  if (launcher !== undefined) return launched(launcher, words);
  const wrapper = byName.get(name);
  return wrapper === undefined ? variableTrouble(name, words) : wrapped(name, wrapper, words);
}

const unknown = (why: string): Started => ({ kind: "unknown", why });

function wrapped(name: string, wrapper: Wrapper & { spec: ReturnType<typeof optionSpec> }, words: Words): Started[] {
  const [first] = words;
  if (wrapper.other?.split(" ").includes(first ?? "") === true || words.length === 0) return [];
  const { options, operands, isKnown } = readOptions(words, wrapper.spec, false);
  const before = wrapper.before ?? 0;
  if (!isKnown || operands.slice(0, before).includes(null)) return [unknown(shellDoubts.odd_option({ word: name }))];
  const rest = operands.slice(before);
  const split = wrapper.sets === true ? splitAssignments(rest) : { assignments: [], words: rest };
  const doubt = doubtOf(split.words[0], name, wrapper);
  if (doubt !== undefined) return [unknown(doubt)];
  if (split.words.length === 0) return [];
  if (name === "watch" && !options.some((option) => /^(-x|--exec)$/u.test(option.name)))
    return [joined(split.words, "sh", "watch")];
  const [to, another] = options.filter((option) => /^(-C|-D|--chdir)$/u.test(option.name));
  const started = { kind: "words", words: split.words, assignments: split.assignments } as const;
  if (to === undefined) return [started];
  const isOne = typeof to.value === "string" && another === undefined && name !== "doas";
  return [{ ...started, ...(isOne ? { folder: to.value ?? "" } : { isElsewhere: true }) }];
}

/** `env =1 ls`, `env a-b=1 ls`: env takes whatever has an equals sign for a setting, and starts what follows. */
const oddSetting = shellDoubts.odd_setting;

function doubtOf(started: string | null | undefined, name: string, { sets }: Wrapper): string | undefined {
  if (started === null) return shellDoubts.starts({ word: name });
  return sets === true && started?.includes("=") === true ? oddSetting : undefined;
}

/** Nothing where it is not known what it starts: then it is a program like any other. */
function launched(launcher: Launcher & { spec: ReturnType<typeof optionSpec> }, words: Words): Started[] {
  const outer = readOptions(words, launcher.spec, false);
  const [verb, ...behind] = outer.operands;
  if (launcher.verbs !== undefined && verb !== launcher.verbs) return [];
  const inner = launcher.verbs === undefined ? outer : readOptions(behind, launcher.spec, false);
  const rest = inner.operands.slice(launcher.before ?? 0);
  const split = launcher.sets === true ? splitAssignments(rest) : { assignments: [], words: rest };
  const [first] = split.words;
  if (!outer.isKnown || !inner.isKnown || typeof first !== "string") return [];
  if (launcher.sets === true && first.includes("=")) return [unknown(oddSetting)];
  // `uv run a.py`
  const started = launcher.names === "uv" && first.endsWith(".py") ? ["python3", ...split.words] : split.words;
  return [{ kind: "words", words: started, assignments: split.assignments }];
}

function splitAssignments(words: Words): { assignments: { name: string; value?: string }[]; words: Words } {
  const assignments: { name: string; value?: string }[] = [];
  for (const [at, word] of words.entries()) {
    const [, name, value = ""] = assignment.exec(word ?? "") ?? [];
    if (name === undefined) return { assignments, words: words.slice(at) };
    assignments.push({ name, value });
  }
  return { assignments, words: [] };
}

function joined(words: Words, reader: string, name: string): Started {
  if (words.includes(null)) return unknown(shellDoubts.runs({ word: name }));
  return { kind: "code", code: words.join(" "), reader };
}

const evalCode = (words: Words): Started => joined(words[0] === "--" ? words.slice(1) : words, "bash", "eval");

/** Options of a shell that change nothing of how it reads what follows `-c`. */
const shellFlag = /^(?:-[euxflipv]+|--norc|--noprofile|--login)$/u;
const codeFlag = /^-[euxflipv]*c[euxflipv]*$/u;

/** `sh -c code`. A file of commands is not seen through: it is a script like any other. */
function shellCode(name: string, words: Words): Started[] {
  if (words.length === 1 && words[0] === "--version") return [];
  const at = words.findIndex((word) => word === null || !shellFlag.test(word));
  const word = words[at];
  if (word === null) return [unknown(shellDoubts.runs({ word: name }))];
  if (word === undefined || /^(?:-|-s|\/dev\/.*|\/proc\/.*)$/u.test(word))
    return [unknown(shellDoubts.by_input({ word: name }))];
  if (!word.startsWith("-")) return [];
  if (!codeFlag.test(word)) return [unknown(shellDoubts.odd_option({ word: name }))];
  const code = words[at + 1];
  return [typeof code === "string" ? { kind: "code", code, reader: name } : unknown(shellDoubts.code({ word: name }))];
}

const xargsSpec = optionSpec(
  "-0 --null -r --no-run-if-empty -t --verbose -x --exit -o --open-tty -p --interactive -I= -L= -n= -P= -d= -E= -s= -a= --arg-file= --delimiter= --max-args= --max-procs= --max-chars= --replace? --max-lines?",
);

/** Further words come from its input, and may stand for any of the command's. */
function xargs(words: Words): Started[] {
  const { options, operands, isKnown } = readOptions(words, xargsSpec, false);
  if (!isKnown) return [unknown(shellDoubts.xargs_option)];
  if (operands.length === 0) return [{ kind: "words", words: ["echo", null] }];
  const place = options.find(({ name }) => name === "-I" || name === "--replace");
  if (place === undefined) return [{ kind: "words", words: [...operands, null] }];
  return placed(operands, place.value ?? "{}");
}

/** A command in whose words something is put. The text that a shell is given is read as it stands, and known to be more than that. */
function placed(words: Words, holder: string, isElsewhere = false): Started[] {
  const holds = (word: string | null): boolean => word?.includes(holder) === true;
  if (!shells.has(baseName(words[0] ?? "")))
    return [{ kind: "words", words: words.map((word) => (holds(word) ? null : word)), isElsewhere }];
  const more = words.some(holds) ? [unknown(shellDoubts.into_code)] : [];
  return [{ kind: "words", words, isElsewhere }, ...more];
}

/** Each `-exec … ;` of a search, `{}` standing for what it finds. */
function findExec(words: Words): Started[] {
  const started: Started[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === null) started.push(unknown(shellDoubts.find));
    if (!/^-(?:exec|execdir|ok|okdir)$/u.test(word ?? "")) continue;
    const from = at + 1;
    while (at < words.length && words[at] !== ";" && !(words[at] === "+" && words[at - 1] === "{}")) at += 1;
    started.push(...placed(words.slice(from, at), "{}", word?.endsWith("dir") === true));
  }
  return started;
}

const gitVerbs = new Set(
  `add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout
  checkout-index cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects describe diff diff-files diff-index
  diff-tree difftool fast-export fast-import fetch filter-branch for-each-ref format-patch fsck gc grep gui hash-object help init
  interpret-trailers lfs log ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mergetool mktag mktree mv
  name-rev notes pack-objects pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere reset
  restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule
  subtree switch symbolic-ref tag unpack-objects update-index update-ref var verify-commit verify-tag version worktree
  write-tree`.split(/\s+/u),
);
const gitFlags = new Set(
  "--no-pager --no-optional-locks --bare --literal-pathspecs --no-replace-objects -P --version --help".split(" "),
);

/** Settings that are given with the call name programs to run, and so may an alias. */
function gitTrouble(words: Words): Started[] {
  let at = 0;
  while (gitFlags.has(words[at] ?? "") || words[at] === "-C") at += words[at] === "-C" ? 2 : 1;
  const verb = words[at];
  if (verb === undefined || (typeof verb === "string" && gitVerbs.has(verb))) return [];
  if (typeof verb !== "string") return [unknown(shellDoubts.git_verb)];
  return [unknown(verb.startsWith("-") ? shellDoubts.git_settings : shellDoubts.git_alias({ word: verb }))];
}

/** Tells whether the command that a program starts runs in the shell itself, and may take it to another folder. */
export const isTransparent = (program: string | null | undefined): boolean =>
  program === "command" || program === "builtin" || program === "eval";

/** Text that every shell reads as bash does: words, quotes, pipes and lists. */
export const isPlainCode = (code: string): boolean =>
  /^[\w \t\n.,:=@%+/'"|;&-]*$/u.test(code) && !/\|&|&\|/u.test(code);

/** Words of the shell that take the name of a variable, whose index bash works out: `read 'a[$(id)]'`. */
const nameTakers = new Set("read unset wait getopts declare typeset local export readonly".split(" "));

/** Finds the format of printf: behind a word that ends its options, for it knows no other. */
const formatIn = ([first, second]: Words): string | null | undefined => (first === "--" ? second : first);

/** `%n` of a format: how much was written so far goes into a variable. */
const storesCount = /%[-+ #0'*\d.]*[hjlLqtz]*n/u;

function variableTrouble(name: string, words: Words): Started[] {
  const isTrouble =
    nameTakers.has(name) && words.some((word) => word === null || word.includes("[") || /^-\w*[inf]/u.test(word));
  const isTest = (name === "test" || name === "[") && words.some((word) => word === null || /^-[vR]$/u.test(word));
  if (name === "printf" && words.some((word) => word !== null && storesCount.test(word)))
    return [unknown(shellDoubts.printf_count)];
  const isPrint = name === "printf" && (words[0]?.startsWith("-v") === true || formatIn(words) === null);
  return isTrouble || isTest || isPrint ? [unknown(shellDoubts.index_by({ word: name }))] : [];
}
