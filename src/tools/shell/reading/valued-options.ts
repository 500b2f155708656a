import type { Argv } from "./argv-pattern.ts";
import { baseName } from "./wrappers.ts";

interface Row {
  /** Programs, and commands of programs: the options of `git` stand before its command, those of `git commit` behind that, of `gh *` behind any. */
  of: string;
  /** The names of each option, of which it is compared by the last. */
  options: string;
}

/** Options that take a value, in the next word or behind their name in their own; by the manuals of the programs. */
const rows: readonly Row[] = [
  {
    of: "curl",
    options: `-X --request | -d --data | --data-raw | --data-binary | --data-urlencode | --json | -F --form | -T --upload-file | -o --output | -K --config
      | -H --header | -u --user | -x --proxy | -A --user-agent | -b --cookie | -c --cookie-jar | -e --referer | -m --max-time | -w --write-out | -D --dump-header
      | -E --cert | -r --range | -Q --quote | -U --proxy-user | -C --continue-at | -y --speed-time | -Y --speed-limit | -z --time-cond | -t --telnet-option
      | -P --ftp-port | --url | --key | --cacert | --resolve | --connect-to | --interface | --unix-socket | --output-dir | --retry`,
  },
  {
    of: "wget",
    options: `-O --output-document | -o --output-file | -a --append-output | -P --directory-prefix | -i --input-file | -e --execute | -U --user-agent | -B --base
      | -t --tries | -T --timeout | -w --wait | -Q --quota | -l --level | -A --accept | -R --reject | -D --domains | -I --include-directories
      | -X --exclude-directories | --header | --method | --body-data | --body-file | --post-data | --post-file | --user | --password | --referer`,
  },
  {
    of: "tar,gtar,bsdtar",
    options: `-f --file | -C --directory | -T --files-from | -X --exclude-from | -I --use-compress-program | -g --listed-incremental | -F --info-script
      | -H --format | -V --label | -L --tape-length | -K --starting-file | -N --newer | -b --blocking-factor | --exclude | --strip-components | --transform
      | --to-command | --checkpoint-action | --rsh-command`,
  },
  { of: "ssh", options: "-B|-b|-c|-D|-E|-e|-F|-I|-i|-J|-L|-l|-m|-O|-o|-P|-p|-Q|-R|-S|-W|-w" },
  { of: "scp", options: "-c|-D|-F|-i|-J|-l|-o|-P|-S|-X" },
  { of: "sftp", options: "-B|-b|-c|-D|-F|-i|-J|-l|-o|-P|-R|-S|-s|-X" },
  {
    of: "rsync",
    options: `-e --rsh | -f --filter | -T --temp-dir | -M --remote-option | -B --block-size | --exclude | --include | --exclude-from | --include-from
      | --files-from | --rsync-path | --log-file | --password-file | --bwlimit | --port`,
  },
  { of: "git", options: "-C | -c | --git-dir | --work-tree | --namespace | --config-env" },
  {
    of: "git commit,git tag,git merge,git notes",
    options:
      "-m --message | -F --file | -t --template | --author | --date | --cleanup | -u --local-user | -s --strategy | -X --strategy-option",
  },
  {
    of: "git commit",
    options:
      "-m --message | -F --file | -C --reuse-message | -c --reedit-message | -t --template | --author | --date | --fixup",
  },
  {
    of: "git log,git show,git diff,git shortlog",
    options:
      "-n --max-count | -S | -G | -L | -O | --since | --until | --after | --before | --author | --committer | --grep | --output | --skip",
  },
  { of: "git checkout", options: "-b | -B | --orphan | --conflict" },
  { of: "git switch", options: "-c --create | -C --force-create | --orphan | --conflict" },
  { of: "git branch", options: "-u --set-upstream-to | --sort | --format" },
  { of: "git push", options: "-o --push-option | --repo | --receive-pack --exec" },
  {
    of: "git fetch,git pull",
    options: "-o --server-option | -j --jobs | --depth | --upload-pack | -s --strategy | -X --strategy-option",
  },
  {
    of: "git clone",
    options: `-b --branch | -o --origin | -c --config | -u --upload-pack | -j --jobs | --depth | --template | --reference | --separate-git-dir
      | --server-option`,
  },
  { of: "git rebase", options: "-x --exec | -s --strategy | -X --strategy-option | --onto" },
  { of: "git restore,git reset", options: "-s --source | --pathspec-from-file" },
  { of: "git config", options: "-f --file | --blob | --type | --default" },
  { of: "git archive", options: "-o --output | --remote | --exec | --prefix | --format" },
  { of: "git worktree", options: "-b | -B | --reason" },
  {
    of: "docker,podman",
    options: "-H --host | -c --context | -l --log-level | --config | --tlscacert | --tlscert | --tlskey",
  },
  {
    of: "docker run,docker create,docker container,podman run,podman create,podman container",
    options: `-v --volume | -p --publish | -e --env | -u --user | -w --workdir | -l --label | -h --hostname | -m --memory | -a --attach | -c --cpu-shares
      | --mount | --name | --net --network | --entrypoint | --env-file | --label-file | --cap-add | --cap-drop | --device | --pid | --ipc | --uts | --userns
      | --cgroupns | --security-opt | --volumes-from | --add-host | --dns | --restart | --platform | --pull | --runtime | --ulimit | --tmpfs | --gpus | --cpus`,
  },
  { of: "docker exec,podman exec", options: "-e --env | -u --user | -w --workdir | --env-file | --detach-keys" },
  {
    of: "docker build,docker buildx,docker builder,docker image,podman build,podman image",
    options: `-f --file | -t --tag | -o --output | -m --memory | --build-arg | --build-context | --target | --secret | --ssh | --network | --platform
      | --cache-from | --cache-to | --iidfile | --label`,
  },
  {
    of: "docker compose,podman compose",
    options: "-f --file | -p --project-name | --profile | --env-file | --project-directory",
  },
  {
    of: "docker-compose",
    options: "-f --file | -p --project-name | -c --context | -H --host | --profile | --env-file | --project-directory",
  },
  {
    of: "kubectl,kubectl *",
    options: `-n --namespace | -s --server | -l --selector | -o --output | --context | --cluster | --kubeconfig | --user | --token | --as | --as-group
      | --as-uid | --certificate-authority | --client-certificate | --client-key | --request-timeout | --field-selector | --dry-run`,
  },
  {
    of: "kubectl apply,kubectl create,kubectl delete,kubectl replace,kubectl get,kubectl describe,kubectl diff,kubectl edit,kubectl patch,kubectl scale",
    options:
      "-f --filename | -k --kustomize | -p --patch | --type | --replicas | --grace-period | --from-literal | --from-file | --image",
  },
  { of: "kubectl exec,kubectl logs,kubectl cp", options: "-c --container" },
  { of: "gh,gh *", options: "-R --repo" },
  {
    of: "gh api",
    options:
      "-X --method | -f --raw-field | -F --field | -H --header | -q --jq | -t --template | -p --preview | --input | --hostname | --cache",
  },
  { of: "python,python2,python3", options: "-m | -c | -W | -X | -Q" },
  { of: "node,nodejs", options: "-e --eval | -p --print | -r --require | --import | -C --conditions | --loader" },
  { of: "perl", options: "-e | -E | -I" },
  { of: "ruby", options: "-e | -r | -I | -C" },
  {
    of: "php",
    options: "-r --run | -f --file | -d --define | -c --php-ini | -S --server | -t --docroot | -B | -R | -F | -E",
  },
  {
    of: "make,gmake",
    options: "-f --file --makefile | -C --directory | -I --include-dir | -o --old-file | -W --what-if | --eval",
  },
  {
    of: "npm,npm *",
    options: "-w --workspace | -C --prefix | --registry | --script-shell | --userconfig | --tag | --otp | --cache",
  },
  {
    of: "pip,pip3,pip *,pip3 *",
    options: `-r --requirement | -c --constraint | -e --editable | -t --target | -i --index-url | -f --find-links | --extra-index-url | --prefix | --root
      | --trusted-host | --proxy | --python`,
  },
  {
    of: "sudo,doas",
    options:
      "-u --user | -g --group | -h --host | -p --prompt | -D --chdir | -R --chroot | -C --close-from | -T --command-timeout",
  },
  { of: "sed,gsed", options: "-e --expression | -f --file" },
  {
    of: "grep,egrep,fgrep",
    options:
      "-e --regexp | -f --file | -m --max-count | -A --after-context | -B --before-context | --include | --exclude",
  },
  {
    of: "sort",
    options:
      "-o --output | -T --temporary-directory | -k --key | -t --field-separator | -S --buffer-size | --compress-program",
  },
  { of: "cp,mv,ln,install", options: "-t --target-directory | -S --suffix" },
  { of: "head,tail", options: "-n --lines | -c --bytes" },
  {
    of: "psql",
    options:
      "-c --command | -f --file | -d --dbname | -h --host | -U --username | -p --port | -o --output | -v --variable",
  },
  { of: "aws,aws *", options: "--profile | --region | --endpoint-url | --output | --query" },
  { of: "systemctl", options: "-H --host | -M --machine | -t --type | -p --property | -s --signal" },
  {
    of: "journalctl",
    options: "-u --unit | -D --directory | -M --machine | -n --lines | -o --output | --vacuum-size | --vacuum-time",
  },
];

type Names = ReadonlyMap<string, string>;

const tables = new Map<string, Map<string, string>>();
for (const { of, options } of rows) {
  const groups = options.split("|").map((group) => group.trim().split(/\s+/u));
  for (const key of of.split(",")) {
    const table = tables.get(key) ?? new Map<string, string>();
    for (const names of groups) for (const name of names) table.set(name, (names.at(-1) ?? name).replace(/^-+/u, "--"));
    tables.set(key, table);
  }
}
/** Programs whose options are others behind the name of a command. */
const withCommands = new Set(
  [...tables.keys()].flatMap((key) => (key.includes(" ") ? key.split(" ").slice(0, 1) : [])),
);

/**
 * The same command with each option that is known to take a value joined to it by its long name: `-XPOST`, `-X POST`, `-sX POST` and `--request POST`
 * become `--request=POST`. For what denies and asks alone. Undefined where no table tells of the program.
 */
export function withJoinedValues(argv: Argv): Argv | undefined {
  const [program, ...words] = argv;
  if (typeof program !== "string") return undefined;
  const name = baseName(program);
  const own = tables.get(name);
  if (!withCommands.has(name)) return own && [program, ...joined(words, own)];
  const at = commandAt(words, own ?? none);
  const behind = [`${name} *`, `${name} ${words[at]}`].flatMap((key) => [...(tables.get(key) ?? [])]);
  return [program, ...joined(words.slice(0, at), own ?? none), ...joined(words.slice(at), new Map(behind))];
}

const isOption = (word: string | null | undefined): word is string =>
  word?.startsWith("-") === true && word.length > 1 && word !== "--";

/** The place of the first word that is no option, nor the value of one. */
function commandAt(words: Argv, names: Names): number {
  let at = 0;
  for (let word = words[at]; isOption(word); word = words[at])
    at += readOption(word, words[at + 1], names).takesNext ? 2 : 1;
  return at;
}

function joined(words: Argv, names: Names): Argv {
  const found: (string | null)[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? null;
    if (word === "--") return [...found, ...words.slice(at)];
    const read = isOption(word) ? readOption(word, words[at + 1], names) : { words: [word], takesNext: false };
    found.push(...read.words);
    if (read.takesNext) at += 1;
  }
  return found;
}

const none: Names = new Map();

/** An option with its value, from its own word or the next one; `takesNext`: the next one is in it. */
function readOption(
  word: string,
  next: string | null | undefined,
  names: Names,
): { words: string[]; takesNext: boolean } {
  const given = (name: string, before: string[]): { words: string[]; takesNext: boolean } =>
    typeof next === "string"
      ? { words: [...before, `${name}=${next}`], takesNext: true }
      : { words: [...before, name], takesNext: false };
  if (word.startsWith("--")) {
    const [, name = "", value] = /^(--[^=]*)(?:=(.*))?$/su.exec(word) ?? [];
    const long = longName(name, names);
    if (long === undefined) return { words: [word], takesNext: false };
    return value === undefined ? given(long, []) : { words: [`${long}=${value}`], takesNext: false };
  }
  for (let at = 1; at < word.length; at += 1) {
    const long = names.get(`-${word[at]}`);
    if (long === undefined) continue;
    const before = at === 1 ? [] : [word.slice(0, at)];
    const value = word.slice(at + 1);
    return value === "" ? given(long, before) : { words: [...before, `${long}=${value}`], takesNext: false };
  }
  return { words: [word], takesNext: false };
}

/** Long names may be shortened, as long as they could be no other one of those that take a value. */
function longName(name: string, names: Names): string | undefined {
  const known = names.get(name);
  if (known !== undefined || name.length < 4) return known;
  const meant = new Set([...names].flatMap(([one, long]) => (one.startsWith(name) ? [long] : [])));
  return meant.size === 1 ? [...meant][0] : undefined;
}

/**
 * The same command with the values of those long options apart from their names behind which a word stands in the pattern: `--opt=value` becomes
 * `--opt value` for `foo --opt value *`, whatever the program is.
 */
export function withValuesApart(argv: Argv, pattern: readonly string[]): Argv {
  const names = pattern.filter((word, at) => /^--[^=]+$/u.test(word) && pattern[at + 1]?.startsWith("-") === false);
  if (names.length === 0) return argv;
  return argv.flatMap((word) => {
    const [, name = "", value] = /^(--[^=]{2,})=(.*)$/su.exec(word ?? "") ?? [];
    return value !== undefined && names.some((one) => one.startsWith(name)) ? [name, value] : [word];
  });
}
