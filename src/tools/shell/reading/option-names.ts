interface Row {
  /** Programs, and commands of programs: the options of `git` stand before its command, those of `git commit` behind that, of `gh *` behind any. */
  of: string;
  /**
   * The names of each option, of which it is compared by the last. `=` behind them says that it takes a value, in the next word or behind its name in
   * its own; `+` before those that its letter counts among others, too, as that of an option without a value does: what is in `-so` may write a file.
   */
  options: string;
}

/** Options and their names, by the manuals of the programs; of those that take no value only such as have more than one. */
const rows: readonly Row[] = [
  {
    of: "curl",
    options: `-O --remote-name | -k --insecure | -L --location | + -X --request= | + -d --data= | --data-raw= | --data-binary= | --data-urlencode=
      | --json= | + -F --form= | + -T --upload-file= | + -o --output= | + -K --config= | -H --header= | -u --user= | -x --proxy= | -A --user-agent=
      | -b --cookie= | -c --cookie-jar= | -e --referer= | -m --max-time= | -w --write-out= | -D --dump-header= | -E --cert= | -r --range=
      | -Q --quote= | -U --proxy-user= | -C --continue-at= | -y --speed-time= | -Y --speed-limit= | -z --time-cond= | -t --telnet-option=
      | -P --ftp-port= | --url= | --key= | --cacert= | --resolve= | --connect-to= | --interface= | --unix-socket= | --output-dir= | --retry=`,
  },
  {
    of: "wget",
    options: `-r --recursive | + -O --output-document= | -o --output-file= | -a --append-output= | + -P --directory-prefix= | + -i --input-file=
      | -e --execute= | -U --user-agent= | -B --base= | -t --tries= | -T --timeout= | -w --wait= | -Q --quota= | -l --level= | -A --accept=
      | -R --reject= | -D --domains= | -I --include-directories= | -X --exclude-directories= | --header= | --method= | --body-data=
      | --body-file= | --post-data= | --post-file= | --user= | --password= | --referer=`,
  },
  {
    of: "tar,gtar,bsdtar",
    options: `-f --file= | -C --directory= | -T --files-from= | -X --exclude-from= | -I --use-compress-program= | -g --listed-incremental=
      | -F --info-script= | -H --format= | -V --label= | -L --tape-length= | -K --starting-file= | -N --newer= | -b --blocking-factor=
      | --exclude= | --strip-components= | --transform= | --to-command= | --checkpoint-action= | --rsh-command=`,
  },
  {
    of: "ssh",
    options: `-B= | -b= | -c= | -D= | -E= | -e= | -F= | -I= | -i= | -J= | -L= | -l= | -m= | -O= | -o= | -P= | -p= | -Q= | -R= | -S= | -W= | -w=`,
  },
  { of: "scp", options: "-c= | -D= | -F= | -i= | -J= | -l= | -o= | -P= | -S= | -X=" },
  { of: "sftp", options: "-B= | -b= | -c= | -D= | -F= | -i= | -J= | -l= | -o= | -P= | -R= | -S= | -s= | -X=" },
  {
    of: "rsync",
    options: `-e --rsh= | -f --filter= | -T --temp-dir= | -M --remote-option= | -B --block-size= | --exclude= | --include= | --exclude-from=
      | --include-from= | --files-from= | --rsync-path= | --log-file= | --password-file= | --bwlimit= | --port=`,
  },
  { of: "git", options: "-C= | -c= | --git-dir= | --work-tree= | --namespace= | --config-env=" },
  // They stand behind its commands; of those no other short one means the same in all of them.
  { of: "git", options: "-f --force | -d --delete" },
  {
    of: "git commit,git tag,git merge,git notes",
    options: `-m --message= | -F --file= | -t --template= | --author= | --date= | --cleanup= | -u --local-user= | -s --strategy=
      | -X --strategy-option=`,
  },
  {
    of: "git commit",
    options: `-m --message= | -F --file= | -C --reuse-message= | -c --reedit-message= | -t --template= | --author= | --date= | --fixup=`,
  },
  {
    of: "git log,git show,git diff,git shortlog",
    options: `-n --max-count= | -S= | -G= | -L= | -O= | --since= | --until= | --after= | --before= | --author= | --committer= | --grep= | --output=
      | --skip=`,
  },
  { of: "git checkout", options: "-b= | -B= | --orphan= | --conflict=" },
  { of: "git switch", options: "-c --create= | -C --force-create= | --orphan= | --conflict=" },
  { of: "git branch", options: "-u --set-upstream-to= | --sort= | --format=" },
  { of: "git push", options: "-o --push-option= | --repo= | --receive-pack --exec=" },
  {
    of: "git fetch,git pull",
    options: `-o --server-option= | -j --jobs= | --depth= | --upload-pack= | -s --strategy= | -X --strategy-option=`,
  },
  {
    of: "git clone",
    options: `-b --branch= | -o --origin= | -c --config= | -u --upload-pack= | -j --jobs= | --depth= | --template= | --reference=
      | --separate-git-dir= | --server-option=`,
  },
  { of: "git rebase", options: "-x --exec= | -s --strategy= | -X --strategy-option= | --onto=" },
  { of: "git restore,git reset", options: "-s --source= | --pathspec-from-file=" },
  { of: "git config", options: "-f --file= | --blob= | --type= | --default=" },
  { of: "git archive", options: "-o --output= | --remote= | --exec= | --prefix= | --format=" },
  { of: "git worktree", options: "-b= | -B= | --reason=" },
  {
    of: "docker,podman",
    options: "-H --host= | -c --context= | -l --log-level= | --config= | --tlscacert= | --tlscert= | --tlskey=",
  },
  {
    of: "docker run,docker create,docker container,podman run,podman create,podman container",
    options: `-v --volume= | -p --publish= | -e --env= | -u --user= | -w --workdir= | -l --label= | -h --hostname= | -m --memory= | -a --attach=
      | -c --cpu-shares= | --mount= | --name= | --net --network= | --entrypoint= | --env-file= | --label-file= | --cap-add= | --cap-drop=
      | --device= | --pid= | --ipc= | --uts= | --userns= | --cgroupns= | --security-opt= | --volumes-from= | --add-host= | --dns=
      | --restart= | --platform= | --pull= | --runtime= | --ulimit= | --tmpfs= | --gpus= | --cpus=`,
  },
  { of: "docker exec,podman exec", options: "-e --env= | -u --user= | -w --workdir= | --env-file= | --detach-keys=" },
  {
    of: "docker build,docker buildx,docker builder,docker image,podman build,podman image",
    options: `-f --file= | -t --tag= | -o --output= | -m --memory= | --build-arg= | --build-context= | --target= | --secret= | --ssh= | --network=
      | --platform= | --cache-from= | --cache-to= | --iidfile= | --label=`,
  },
  {
    of: "docker compose,podman compose",
    options: "-f --file= | -p --project-name= | --profile= | --env-file= | --project-directory=",
  },
  {
    of: "docker-compose",
    options: `-f --file= | -p --project-name= | -c --context= | -H --host= | --profile= | --env-file= | --project-directory=`,
  },
  {
    of: "kubectl,kubectl *",
    options: `-n --namespace= | -s --server= | -l --selector= | -o --output= | --context= | --cluster= | --kubeconfig= | --user= | --token= | --as=
      | --as-group= | --as-uid= | --certificate-authority= | --client-certificate= | --client-key= | --request-timeout= | --field-selector=
      | --dry-run=`,
  },
  {
    of: "kubectl apply,kubectl create,kubectl delete,kubectl replace,kubectl get,kubectl describe,kubectl diff,kubectl edit,kubectl patch,kubectl scale",
    options: `-f --filename= | -k --kustomize= | -p --patch= | --type= | --replicas= | --grace-period= | --from-literal= | --from-file= | --image=`,
  },
  { of: "kubectl exec,kubectl logs,kubectl cp", options: "-c --container=" },
  { of: "gh,gh *", options: "-R --repo=" },
  {
    of: "gh api",
    options: `-X --method= | -f --raw-field= | -F --field= | -H --header= | -q --jq= | -t --template= | -p --preview= | --input= | --hostname=
      | --cache=`,
  },
  { of: "python,python2,python3", options: "-m= | -c= | -W= | -X= | -Q=" },
  { of: "node,nodejs", options: "-e --eval= | -p --print= | -r --require= | --import= | -C --conditions= | --loader=" },
  { of: "perl", options: "-e= | -E= | -I=" },
  { of: "ruby", options: "-e= | -r= | -I= | -C=" },
  {
    of: "php",
    options: `-r --run= | -f --file= | -d --define= | -c --php-ini= | -S --server= | -t --docroot= | -B= | -R= | -F= | -E=`,
  },
  {
    of: "make,gmake",
    options: `-f --file --makefile= | -C --directory= | -I --include-dir= | -o --old-file= | -W --what-if= | --eval=`,
  },
  {
    of: "npm,npm *",
    options: `-w --workspace= | -C --prefix= | --registry= | --script-shell= | --userconfig= | --tag= | --otp= | --cache=`,
  },
  {
    of: "pip,pip3,pip *,pip3 *",
    options: `-r --requirement= | -c --constraint= | -e --editable= | -t --target= | -i --index-url= | -f --find-links= | --extra-index-url=
      | --prefix= | --root= | --trusted-host= | --proxy= | --python=`,
  },
  {
    of: "sudo,doas",
    options: `-u --user= | -g --group= | -h --host= | -p --prompt= | -D --chdir= | -R --chroot= | -C --close-from= | -T --command-timeout=`,
  },
  {
    of: "sed,gsed",
    options: "-i --in-place | -n --silent --quiet | -E -r --regexp-extended | + -e --expression= | + -f --file=",
  },
  {
    of: "grep,egrep,fgrep",
    options: `-r --recursive | -R --dereference-recursive | -i -y --ignore-case | -v --invert-match | -l --files-with-matches
      | -L --files-without-match | -c --count | -n --line-number | -o --only-matching | -E --extended-regexp | -F --fixed-strings
      | -P --perl-regexp | -a --text | -w --word-regexp | -x --line-regexp | + -e --regexp= | + -f --file= | + -m --max-count=
      | -A --after-context= | -B --before-context= | --include= | --exclude=`,
  },
  {
    of: "sort",
    options: `+ -o --output= | + -T --temporary-directory= | -k --key= | -t --field-separator= | -S --buffer-size= | --compress-program=`,
  },
  { of: "cp,mv,ln,install", options: "+ -t --target-directory= | -S --suffix=" },
  { of: "head,tail", options: "-n --lines= | -c --bytes=" },
  {
    of: "psql",
    options: `-c --command= | -f --file= | -d --dbname= | -h --host= | -U --username= | -p --port= | -o --output= | -v --variable=`,
  },
  { of: "aws,aws *", options: "--profile= | --region= | --endpoint-url= | --output= | --query=" },
  { of: "systemctl", options: "-H --host= | -M --machine= | -t --type= | -p --property= | -s --signal=" },
  {
    of: "journalctl",
    options: `-u --unit= | -D --directory= | -M --machine= | -n --lines= | -o --output= | --vacuum-size= | --vacuum-time=`,
  },
  { of: "npm", options: "-g --global | -f --force" },
  { of: "rm", options: "-r -R --recursive | -f --force | -d --dir | -v --verbose" },
  { of: "cp", options: "-r -R --recursive | -f --force | -a --archive | -l --link | -s --symbolic-link" },
  { of: "mv", options: "-f --force | -n --no-clobber" },
  { of: "ln", options: "-f --force | -s --symbolic" },
  { of: "chmod,chown,chgrp", options: "-R --recursive" },
  { of: "mkdir", options: "-p --parents | + -m --mode=" },
  { of: "ls", options: "-R --recursive | -a --all" },
  { of: "diff", options: "-r --recursive" },
];

/** The name that each name of an option is compared by. */
export type Names = ReadonlyMap<string, string>;

const keys = rows.flatMap(({ of }) => of.split(","));

/** Programs whose options are others behind the name of a command. */
export const withCommands: ReadonlySet<string> = new Set(
  keys.flatMap((key) => (key.includes(" ") ? key.split(" ").slice(0, 1) : [])),
);

interface Tables {
  valued: Map<string, Map<string, string>>;
  alike: Map<string, Map<string, string>>;
}

let made: Tables | undefined;

/** Made when the first option is looked for: a start needs none. */
function tables(): Tables {
  if (made !== undefined) return made;
  made = { valued: new Map(), alike: new Map() };
  for (const { of, options } of rows)
    for (const key of of.split(",")) for (const group of options.split("|")) addOption(made, key, group.trim());
  return made;
}

function addOption({ valued, alike }: Tables, key: string, group: string): void {
  const takesValue = group.endsWith("=");
  const names = group.replace(/^\+ |=$/gu, "").split(/\s+/u);
  const last = names.at(-1) ?? "";
  if (takesValue) put(valued, key, names, last.replace(/^-+/u, "--"));
  if (!takesValue || group.startsWith("+")) put(alike, key, names, last);
}

function put(all: Map<string, Map<string, string>>, key: string, names: readonly string[], last: string): void {
  const table = all.get(key) ?? new Map<string, string>();
  for (const name of names) table.set(name, last);
  all.set(key, table);
}

/**
 * The options that take a value, of a program, or of one of its commands. Undefined where no row tells of any.
 * @param key as in `of` of a row: `curl`, `git commit`, `gh *`
 */
export const valuedOptions = (key: string): Names | undefined => tables().valued.get(key);

/** The options of a program of which each letter of a word may be one. Undefined where no row tells of any. */
export const alikeOptions = (program: string): Names | undefined => tables().alike.get(program);
