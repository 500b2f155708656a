/*
 * Which words make git only read, by its manuals (git-COMMAND(1), 2.48); not `whatchanged`, before which an alias of that name comes from 2.52
 * on. Options that are not in here may do anything: they run a program (`--ext-diff`, `-O`, `--show-signature`), write (`--output`), read a file
 * (`--contents`) or another repository (`--git-dir`), or start git in one (`--show-superproject-working-tree`).
 */

/** The output of a git that only reads: names and messages; the addresses of other repositories; or the content of files. */
export type GitTells = "names" | "addresses" | "contents";

/** A git that only reads, by its words. */
export interface GitReading {
  verb: string;
  tells: GitTells;
  /** Each with its value, as they are written. */
  options: readonly (readonly string[])[];
  /** The words before `--`: revisions, and paths where they are no revision. */
  operands: readonly string[];
  /** The words behind `--`; undefined where there is none. */
  paths?: readonly string[];
}

type Parts = Omit<GitReading, "verb" | "tells">;

interface Verb {
  /** Options that stand alone. */
  flags: RegExp;
  /** Options that take the next word. */
  valued?: RegExp;
  /** Returns the kind of its output with these words; undefined where it does more than tell. */
  tells(parts: Parts): GitTells | undefined;
}

const none = /^(?!)/u;
/** One of these words; one that ends with `=` takes whatever stands behind it. */
const oneOf = (text: string, more?: RegExp): RegExp => {
  const known = text
    .trim()
    .split(/\s+/u)
    .map((word) => (word.endsWith("=") ? `${escaped(word)}.*` : escaped(word)));
  return new RegExp(`^(?:${[...known, ...(more === undefined ? [] : [more.source])].join("|")})$`, "su");
};
const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
const either = (...all: readonly RegExp[]): RegExp =>
  new RegExp(all.map(({ source }) => `(?:${source})`).join("|"), "su");

/** No word of a format asks a program for a signature. */
const plainFormat =
  /--(?:format|pretty)=(?:oneline|short|medium|full|fuller|raw|reference|(?:t?format:)?(?=[\s\S]*%)(?![\s\S]*%[ +-]?G)(?![\s\S]*%\(?(?:signature|describe))[\s\S]*)/u;

/** Options that say how a difference is drawn, of any file in it. */
export const diffFormat = oneOf(
  `-p -u --patch -s --no-patch --raw --stat --stat= --shortstat --numstat --dirstat --dirstat= --summary --compact-summary --name-only
   --name-status --unified= --patch-with-stat --patch-with-raw --color --color= --no-color --color-words --color-words= --word-diff
   --word-diff= --word-diff-regex= --color-moved --color-moved= --no-color-moved --minimal --patience --histogram --diff-algorithm=
   --anchored= --indent-heuristic --no-indent-heuristic --abbrev --abbrev= --no-abbrev --full-index --binary -a --text -W --function-context
   --inter-hunk-context= --no-prefix --src-prefix= --dst-prefix= --default-prefix --line-prefix= --no-ext-diff --no-textconv -z
   --exit-code --quiet --check --no-relative --ws-error-highlight= --ita-invisible-in-index`,
  /-U\d+/u,
);
/** Of these it is known that they show no line of a file, if nothing else is asked for. */
const namesAlone =
  /^(?:-s|--no-patch|--raw|--(?:short|num)?stat(?:=.*)?|--dirstat(?:=.*)?|--summary|--compact-summary|--name-only|--name-status|--quiet)$/su;
const showsLines =
  /^(?:-p|-u|--patch(?:-with.*)?|-U.*|--unified=.*|--color-words.*|--word-diff.*|-W|--function-context|--binary|--check|-c|--cc|-m|-S.*|-G.*|-L.*|--pickaxe.*)$/su;

/** Options that say which files are in a difference. */
const diffScope = oneOf(
  `-w --ignore-all-space -b --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines -M --find-renames --find-renames=
   -C --find-copies --find-copies= -B --break-rewrites --no-renames -D --irreversible-delete -R --diff-filter= --ignore-submodules
   --ignore-submodules= --pickaxe-all --pickaxe-regex`,
  /-[MC]\d+%?|-l\d+|-[SG].+/u,
);
const pickaxe = /^-[SG]$/u;

/** Options that say which commits are told of. */
const commitScope = oneOf(
  `--all --branches --branches= --tags --tags= --remotes --remotes= --glob= --exclude= --max-count= --skip= --since= --after= --until= --before=
   --since-as-filter= --author= --committer= --grep= --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F
   --fixed-strings -P --perl-regexp --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent
   --cherry-pick --cherry-mark --cherry --left-right --left-only --right-only --boundary --simplify-by-decoration --full-history --sparse
   --simplify-merges --ancestry-path --date-order --author-date-order --topo-order --reverse --follow --not --full-diff --no-walk --do-walk`,
  /-\d+|-n\d+/u,
);
const commitValued =
  /^(?:-n|--max-count|--skip|--since|--after|--until|--before|--author|--committer|--grep|--glob|--exclude)$/u;

/** Options that say how a commit is drawn. */
export const commitFormat = oneOf(
  `--oneline --decorate --decorate= --no-decorate --abbrev-commit --no-abbrev-commit --relative-date --source --mailmap --use-mailmap
   --no-mailmap --no-notes --date= --encoding= --expand-tabs --no-expand-tabs --decorate-refs= --decorate-refs-exclude=
   --clear-decorations --no-show-signature`,
  new RegExp(`${plainFormat.source}`, "u"),
);
/** It changes which commits and merges are told of beside how they are drawn. */
const graph = oneOf("--graph --parents --children -g --walk-reflogs --show-pulls --log-size --no-graph");
/** Those beside which git is asked for more names than it shows (`git-names.ts`). */
const drawnLines = /^--(?:no-)?graph$/u;
const dateValue = /^--date$/u;

/** With one of these whether a file differs is found by its lines, and for these `textconv` is run, and may write down what it gave. */
export const byLines = /^(?:-w|--ignore-all-space|-b|--ignore-space-.*|--ignore-cr-at-eol|--ignore-blank-lines)$/u;
const saysWhether = /^(?:-s|--no-patch|--quiet|--exit-code|--name-only|--name-status|--raw)$/u;

const lines = ({ options }: Parts): boolean => {
  const has = (some: RegExp): boolean => options.some(([option = ""]) => some.test(option));
  return has(showsLines) || (has(byLines) && has(saysWhether));
};
const isDrawn = ({ options }: Parts): boolean =>
  options.some(([option = ""]) => graph.test(option) && !drawnLines.test(option));
const areNames = (parts: Parts): boolean =>
  parts.options.some(([option = ""]) => namesAlone.test(option)) && !lines(parts);

const logTells = (parts: Parts): GitTells | undefined => {
  if (!lines(parts)) return "names";
  return isDrawn(parts) ? undefined : "contents";
};
const namesOnly = (): GitTells => "names";
const noLines = (parts: Parts): GitTells | undefined => (lines(parts) ? undefined : "names");

const logVerb: Verb = {
  flags: either(diffFormat, diffScope, commitScope, commitFormat, graph, oneOf("-m", /-L.+/u)),
  valued: either(pickaxe, commitValued, dateValue, /^-[UL]$/u),
  tells: logTells,
};

/** Settings of which it is known that none holds a password or a token. */
const plainSetting =
  /^(?:user\.(?:name|email|signingkey)|init\.defaultbranch|core\.(?:autocrlf|eol|safecrlf|editor|pager|filemode|ignorecase|symlinks|bare|worktree|hookspath|excludesfile|attributesfile|fsmonitor|untrackedcache|longpaths|quotepath|repositoryformatversion|logallrefupdates|precomposeunicode|abbrev)|branch\..+\.(?:remote|merge|rebase|pushremote)|remote\..+\.fetch|remote\.pushdefault|(?:pull|push|merge|rebase|commit|fetch|color|status|tag)\.[a-z]+)$/iu;
const addressSetting = /^remote\..+\.(?:push)?url$/iu;

/** The one setting that is asked for. */
export const settingAsked = ({ operands }: Pick<Parts, "operands">): string | undefined => {
  const [key, ...more] = operands[0] === "get" ? operands.slice(1) : operands;
  return more.length === 0 ? key : undefined;
};

/** Only commits are named, so nothing that could be a file. */
const ofHead = /^(?:HEAD|@)(?:[~^]\d*)*$/u;

/** References are listed: a format may name fields that are known to run nothing. */
const refFields =
  /--format=(?:[^%]|%%|%[0-9a-f]{2}|%\((?:\*?(?:refname|objectname|objecttype|objectsize|upstream|push|HEAD|subject|author|committer|tagger|creator|worktreepath|symref|contents:subject)[\w:=,.-]*|color:[\w ]+|align:[\w,=]+|if|then|else|end|if:\w+=[\w/]*)\))*/u;
const refScope = oneOf(
  `--sort= --contains --no-contains --merged --no-merged --points-at --contains= --no-contains= --merged= --no-merged= --points-at= --ignore-case -i
   --column --no-column --color --color= --no-color --omit-empty --abbrev= --no-abbrev`,
  refFields,
);
/** With one of these a word that follows is a pattern or a commit, and nothing is made. */
const listsRefs = /^(?:-l|--list|--(?:no-)?(?:contains|merged)(?:=.*)?|--points-at(?:=.*)?)$/u;
const refList = ({ options, operands, paths }: Parts): GitTells | undefined =>
  (operands.length === 0 && paths === undefined) || options.some(([option = ""]) => listsRefs.test(option))
    ? "names"
    : undefined;

const verbs: Readonly<Record<string, Verb>> = {
  status: {
    flags: oneOf(
      `-s --short -b --branch -sb -bs --show-stash --porcelain --porcelain=v1 --porcelain=v2 --long -u --untracked-files --untracked-files= --ignored
       --ignored= -z --ahead-behind --no-ahead-behind --renames --no-renames --find-renames --find-renames= --column --no-column
       --ignore-submodules --ignore-submodules=`,
      /-u(?:no|normal|all)/u,
    ),
    tells: namesOnly,
  },
  log: logVerb,
  diff: {
    flags: either(
      diffFormat,
      diffScope,
      oneOf("--cached --staged --merge-base --relative --relative= --no-relative -0 -1 -2 -3 --base --ours --theirs"),
    ),
    valued: either(pickaxe, /^-U$/u),
    tells: (parts) => (areNames(parts) ? "names" : "contents"),
  },
  "diff-tree": {
    flags: either(diffFormat, diffScope, oneOf("-r -t --root --no-commit-id --always --merge-base")),
    tells: noLines,
  },
  show: {
    flags: either(diffFormat, diffScope, commitFormat, oneOf("-m -c --cc --first-parent")),
    valued: either(dateValue, /^-U$/u),
    tells: (parts) => (areNames(parts) && parts.operands.every((word) => ofHead.test(word)) ? "names" : "contents"),
  },
  blame: {
    flags: oneOf(
      `-l -t -s -e -w -f -n -c -M -C -CC -CCC -b --root --show-stats --score-debug --show-name --show-number --show-email -p --porcelain
       --line-porcelain --first-parent --date= --since= --abbrev= --color-lines --color-by-age --minimal`,
      /-[LMC].+/u,
    ),
    valued: /^(?:-L|--date|--since)$/u,
    tells: ({ operands, paths = [] }) => (operands.length + paths.length > 0 ? "contents" : undefined),
  },
  grep: {
    flags: oneOf(
      `--cached --untracked --no-exclude-standard --exclude-standard -a --text -i --ignore-case -I -r --recursive --no-recursive -w --word-regexp
       -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number
       --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color --color=
       --no-color --break --heading -p --show-function --context= --after-context= --before-context= -W --function-context
       --max-depth= --max-count= --and --or --not ( ) --all-match -q --quiet`,
      /-[ABC]?\d+|-m\d+|-[niwvEPFHhlLoczapWIGq]{2,}/u,
    ),
    valued: /^(?:-e|--max-depth|-m|--max-count|-[ABC]|--context|--after-context|--before-context)$/u,
    tells: ({ options, operands }) =>
      operands.length > 0 || options.some(([option]) => option === "-e") ? "contents" : undefined,
  },
  stash: {
    flags: either(diffFormat, commitFormat, commitScope, oneOf("-u --include-untracked --only-untracked")),
    valued: commitValued,
    tells: (parts) => {
      const [verb, ...more] = parts.operands;
      if (verb === "list") return more.length === 0 ? noLines(parts) : undefined;
      const isPlain = parts.options.every(
        ([option = ""]) => diffFormat.test(option) || /untracked$|^-u$/u.test(option),
      );
      if (verb !== "show" || !isPlain || more.length > 1 || !more.every(isStash)) return undefined;
      return areNames(parts) ? "names" : "contents";
    },
  },
  "cat-file": {
    flags: oneOf("-t -s -e -p"),
    tells: ({ options, operands }) => {
      if (operands.length !== 1 || options.length !== 1) return undefined;
      return options[0]?.[0] === "-p" ? "contents" : "names";
    },
  },
  remote: {
    flags: oneOf("-v --verbose"),
    tells: ({ operands: [verb, ...more], options }) => {
      if (verb === undefined) return options.length === 0 ? "names" : "addresses";
      return verb === "get-url" && options.length === 0 && more.length === 1 ? "addresses" : undefined;
    },
  },
  branch: {
    flags: either(oneOf("-a -r -v -vv -av -avv -rv --list --all --remotes --show-current --verbose"), refScope),
    tells: refList,
  },
  tag: { flags: either(oneOf("-l --list -n", /-n\d+/u), refScope), tells: refList },
  "for-each-ref": { flags: either(refScope, oneOf("--count=", /--count=\d+/u)), tells: namesOnly },
  "show-ref": {
    flags: oneOf(
      "--head --heads --branches --tags -d --dereference -s --hash --hash= --verify --abbrev --abbrev= -q --quiet",
    ),
    tells: namesOnly,
  },
  reflog: {
    ...logVerb,
    tells: (parts) =>
      /^(?:expire|delete|exists|drop|write)$/u.test(parts.operands[0] ?? "") ? undefined : noLines(parts),
  },
  shortlog: {
    flags: either(
      commitScope,
      oneOf(
        "-s -n -e -c --summary --numbered --email",
        /-[snec]{2,4}|-w[\d,]*|--group=(?:author|committer|trailer:[\w-]+)/u,
      ),
    ),
    valued: commitValued,
    tells: namesOnly,
  },
  "rev-list": {
    flags: either(
      commitScope,
      oneOf(
        "--count --objects --left-right --timestamp --abbrev-commit --oneline --header --quiet --parents --children --bisect",
      ),
      plainFormat,
    ),
    valued: commitValued,
    tells: (parts) => noLines(parts),
  },
  "ls-files": {
    flags: oneOf(
      `-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed -t -v -z --exclude-standard --full-name
       --error-unmatch --directory --no-empty-directory --eol --abbrev --abbrev= --deduplicate --recurse-submodules`,
    ),
    // How the lines of a file end is in what it holds.
    tells: ({ options }) => (options.some(([option]) => option === "--eol") ? "contents" : "names"),
  },
  "ls-tree": {
    flags: oneOf(
      "-r -d -t -l --long -z --name-only --name-status --object-only --full-name --full-tree --abbrev --abbrev=",
    ),
    tells: namesOnly,
  },
  describe: {
    flags: oneOf(
      `--all --tags --contains --long --always --dirty --dirty= --broken --abbrev= --candidates= --exact-match --match= --exclude= --first-parent`,
    ),
    valued: /^--(?:match|exclude)$/u,
    tells: namesOnly,
  },
  "rev-parse": {
    flags: oneOf(
      `--verify -q --quiet --short --short= --abbrev-ref --abbrev-ref=strict --abbrev-ref=loose --symbolic --symbolic-full-name --all --branches --tags --remotes
       --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree
       --is-bare-repository --is-shallow-repository --revs-only --no-revs --flags --no-flags --sq --default
       --end-of-options --git-path --since= --until= --show-object-format`,
    ),
    tells: namesOnly,
  },
  "merge-base": { flags: oneOf("-a --all --octopus --independent --is-ancestor --fork-point"), tells: namesOnly },
  "name-rev": { flags: oneOf("--tags --refs= --exclude= --all --name-only --no-undefined --always"), tells: namesOnly },
  cherry: { flags: oneOf("-v --abbrev --abbrev="), tells: namesOnly },
  "count-objects": { flags: oneOf("-v --verbose -H -vH -Hv --human-readable"), tells: namesOnly },
  "check-attr": { flags: oneOf("-a --all -z --cached"), tells: namesOnly },
  config: {
    flags: oneOf(
      "--get --get-all --global --local --system --worktree --show-origin --show-scope -z --null --bool --int --path --type=",
    ),
    tells: (parts) => {
      const key = settingAsked(parts) ?? "";
      return plainSetting.test(key) ? "names" : addressSetting.test(key) ? "addresses" : undefined;
    },
  },
  submodule: {
    flags: oneOf("-q --quiet --cached --recursive"),
    tells: ({ operands: [verb = "status"] }) => (verb === "status" ? "names" : undefined),
  },
  "check-ignore": { flags: oneOf("-q --quiet --no-index -z"), tells: namesOnly },
  worktree: {
    flags: oneOf("--porcelain -v --verbose -z"),
    tells: ({ operands: [verb, ...more] }) => (verb === "list" && more.length === 0 ? "names" : undefined),
  },
  version: { flags: oneOf("--build-options"), tells: ({ operands }) => (operands.length === 0 ? "names" : undefined) },
  "--help": { flags: none, tells: ({ operands }) => (operands.length === 0 ? "names" : undefined) },
  "--version": { flags: none, tells: ({ operands }) => (operands.length === 0 ? "names" : undefined) },
};

/** @returns a commit of the stash, as git names it there */
const isStash = (word: string): boolean => /^(?:stash(?:@\{\d+\})?|\d+)$/u.test(word);

/** The words of git itself before its command that change nothing but where it is and whether it pages. */
export function verbOfGit(given: readonly (string | null)[]): { verb: string; rest: (string | null)[] } | undefined {
  let at = 0;
  for (; ; at += 1) {
    const word = given[at];
    if (word === "-C") at += 1;
    else if (word !== "--no-pager" && word !== "-P" && word !== "--no-optional-locks") break;
  }
  const verb = given[at];
  return typeof verb === "string" ? { verb, rest: given.slice(at + 1) } : undefined;
}

/**
 * Tells whether git writes down in its index what it found of the files' times, by `builtin/` of its source: `always` where nothing keeps it from
 * that, `unless kept` where its environment does (`GIT_OPTIONAL_LOCKS`, `diff.autoRefreshIndex`).
 */
export function refreshesIndex({ verb, options }: GitReading): "always" | "unless kept" | undefined {
  if (verb === "describe" && options.some(([option = ""]) => /^--(?:dirty|broken)/u.test(option))) return "always";
  return verb === "status" || verb === "diff" ? "unless kept" : undefined;
}

/** Tells whether the output of git counts a file as changed of which the time alone is another one, where the index is not refreshed. */
export const countsTouched = ({ verb, options }: GitReading): boolean =>
  verb === "diff" &&
  options.some(([option = ""]) => /^--(?:name-|raw|quiet|exit-code|patch-with-raw|check)/u.test(option)) &&
  !options.some(([option = ""]) => /^--(?:cached|staged)$/u.test(option));

const keepsToObjects = new Set(
  `log show branch tag reflog shortlog rev-list rev-parse merge-base name-rev cherry count-objects show-ref for-each-ref stash ls-tree
   cat-file remote config version --version --help worktree diff-tree blame`.split(/\s+/u),
);
/** Of these the ones that read it all the same: what they tell of the working tree is what they name. */
const readsIndex = new Set(["blame", "diff-tree"]);
/** A revision that names what the index has (`:a.txt`, `^:0:a.txt`, `HEAD..:a.txt`, `--contains=:a.txt`); `:/text` is one of a message. */
const ofIndex = /(?:^|[=^]|\.\.):(?!\/)/u;
/** Tells whether git reads its index, as far as it is known that it does not. */
export const mayReadIndex = ({ verb, options, operands }: GitReading): boolean =>
  !keepsToObjects.has(verb) ||
  readsIndex.has(verb) ||
  [...options.flat(), ...operands].some((word) => ofIndex.test(word));

/** With these it tells how files of the working tree are. */
const looksAtTree =
  /^(?:-[mdoikt]|--(?:modified|deleted|others|ignored|killed|eol|directory|recurse-submodules|dirty.*|broken))$/u;

/** Tells whether git looks at no file of the working tree but one that it names: no answer of it changes by what is kept from others there. */
export function leavesTree({ verb, options }: GitReading): boolean {
  if (verb === "diff") return options.some(([option = ""]) => /^--(?:cached|staged)$/u.test(option));
  if (verb === "ls-files" || verb === "describe") return !options.some(([option = ""]) => looksAtTree.test(option));
  return keepsToObjects.has(verb);
}

const copies = /^(?:-C|--find-copies)/u;

/**
 * @param given the words behind `git`; one that is not known may be any option.
 * @returns undefined where it is not known that git only reads with them
 */
export function readGit(given: readonly (string | null)[]): GitReading | undefined {
  const found = verbOfGit(given);
  if (found === undefined || !Object.hasOwn(verbs, found.verb)) return undefined;
  const { verb } = found;
  // With an option before it, it is no command of the stash.
  if (verb === "stash" && found.rest[0]?.startsWith("-") !== false) return undefined;
  const row = verbs[verb];
  const parts = row === undefined ? undefined : partsOf(found.rest, row);
  // Twice, copies are looked for in files that did not change, and what is in those is shown.
  if (verb !== "blame" && (parts?.options.filter(([option = ""]) => copies.test(option)).length ?? 0) > 1)
    return undefined;
  const tells = parts === undefined ? undefined : row?.tells(parts);
  return parts === undefined || tells === undefined ? undefined : { verb, tells, ...parts };
}

function partsOf(rest: readonly (string | null)[], row: Verb): Parts | undefined {
  const end = rest.indexOf("--");
  const before = known(end < 0 ? rest : rest.slice(0, end));
  const paths = end < 0 ? undefined : known(rest.slice(end + 1));
  const parts = before === undefined ? undefined : sorted(before, row);
  if (parts === undefined || (end >= 0 && paths === undefined)) return undefined;
  return paths === undefined ? parts : { ...parts, paths };
}

const known = (some: readonly (string | null)[]): string[] | undefined =>
  some.every((word) => word !== null) ? [...some] : undefined;

/** Options, each with its value, and what is none; undefined where one is not known. */
function sorted(given: readonly string[], { flags, valued = none }: Verb): Parts | undefined {
  const options: string[][] = [];
  const operands: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? "";
    if (valued.test(word)) {
      at += 1;
      const value = given[at];
      // What git did not take for a value would be an option of its own.
      if (value === undefined || (value.startsWith("-") && word !== "-e")) return undefined;
      options.push([word, value]);
    } else if (flags.test(word)) options.push([word]);
    else if (word.startsWith("-")) return undefined;
    else operands.push(word);
  }
  return { options, operands };
}
