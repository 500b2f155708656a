/** Options of a program by which it writes, runs or reads a file beside its operands; as `optionSpec` reads them. */
interface FileOptionRow {
  names: string;
  source: string;
  options: string;
}

/** From the manuals of GNU coreutils 9.5, findutils 4.10, grep 3.11, diffutils 3.10, tar 1.35, file 5.45, curl 8.12, wget 1.24, tree 2.1, less 661, jq 1.7. */
export const fileOptionRows: readonly FileOptionRow[] = [
  {
    names: "sort",
    source: "sort(1)",
    options:
      "-T=:w --temporary-directory=:w --compress-program=:x --files0-from=:l --random-source=:l -S= --parallel= --debug",
  },
  { names: "wc", source: "wc(1)", options: "--files0-from=:l" },
  { names: "du", source: "du(1)", options: "--files0-from=:l -X=:l --exclude-from=:l --exclude=" },
  {
    // Some have ugrep by the name of grep.
    names: "grep egrep fgrep",
    source: "grep(1), ugrep(1)",
    options: "-f=:r --file=:r --exclude-from=:l --filter=:x --pager?:x --view?:x --config?:x --save-config?:w",
  },
  {
    names: "diff",
    source: "diff(1)",
    options: "--from-file=:l --to-file=:l -X=:l --exclude-from=:l -S= --starting-file= -l:x --paginate:x",
  },
  {
    names: "file",
    source: "file(1)",
    options:
      "-f=:l --files-from=:l -m=:l --magic-file=:l -C:w --compile:w -z:x --uncompress:x -Z:x --uncompress-noreport:x",
  },
  { names: "date", source: "date(1)", options: "-f=:r --file=:r -r=:r --reference=:r -s=:u --set=:u" },
  { names: "touch", source: "touch(1)", options: "-r=:r --reference=:r" },
  { names: "truncate", source: "truncate(1)", options: "-r=:r --reference=:r" },
  { names: "chmod chown chgrp", source: "chmod(1)", options: "--reference=:r" },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
    source: "md5sum(1)",
    options: "-c:l --check:l",
  },
  {
    names: "tree",
    source: "tree(1)",
    options: "-o=:w --fromfile:l --fromtabfile:l --infofile=:l --gitfile=:l -R:w -H=",
  },
  { names: "xargs", source: "xargs(1)", options: "-a=:r --arg-file=:r" },
  { names: "shred", source: "shred(1)", options: "--random-source=:r" },
  {
    names: "cp mv ln install",
    source: "cp(1), install(1)",
    options: "-S=:w --suffix=:w --backup?:w --strip-program=:x",
  },
  {
    names: "rsync",
    source: "rsync(1)",
    options: `-e=:x --rsh=:x --rsync-path=:x --files-from=:l --include-from=:r --exclude-from=:r --log-file=:w --password-file=:r --backup-dir=:w
      -T=:w --temp-dir=:w --partial-dir=:w --compare-dest=:r --copy-dest=:r --link-dest=:r --write-batch=:w --only-write-batch=:w
      --read-batch=:r -F:r --filter=:r -f=:r --daemon:x --config=:r --early-input=:r -M=:x --remote-option=:x`,
  },
  { names: "scp", source: "scp(1)", options: "-S=:x -o=:x -F=:r -i=:r -D=:x -J= -l= -c=" },
  { names: "jq", source: "jq(1)", options: "-f=:l --from-file=:l --slurpfile:l --rawfile:l --argfile:l -L=:d" },
  { names: "sed gsed", source: "sed(1)", options: "-i?:w --in-place?:w -f=:f --file=:f" },
];

/** Programs that are in no table of meanings: what their operands are is not known, but these options are. */
export const openRows: readonly FileOptionRow[] = [
  {
    names: "curl",
    source: "curl(1)",
    options: `-0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -n:r -N -p -q -R -s -S -v -V -Z -# -: -J -A= -C= -e= -m= -P= -Q= -r= -t= -u= -U= -x= -X= -y= -Y=
      -z= -b=:a -c=:w -d=:a -D=:w -E=:r -F=:a -H=:a -K=:l -o=:w -O:w -T=:r -w=:a --output=:w --output-dir=:w --remote-name:w --remote-name-all:w
      --dump-header=:w --cookie=:a --cookie-jar=:w --config=:l --data=:a --data-binary=:a --data-ascii=:a --data-urlencode=:a --data-raw= --json=:a
      --form=:a --form-string= --upload-file=:r --header=:a --proxy-header=:a --trace=:w --trace-ascii=:w --stderr=:w --libcurl=:w
      --netrc-file=:r --netrc:r --netrc-optional:r --cert=:r --key=:r --cacert=:r --capath=:r --crlfile=:r --proxy-cert=:r --proxy-key=:r --proxy-cacert=:r --proxy-capath=:r
      --unix-socket=:u --abstract-unix-socket=:u --write-out=:a --etag-save=:w --etag-compare=:r --hsts=:w --alt-svc=:w --random-file=:r
      --egd-file=:r --pubkey=:r --variable=:a --url=:a --ssl-sessions=:w --engine=:x --preproxy= --request= --user= --user-agent= --max-time=
      --retry= --proxy= --referer= --location --silent --show-error --fail --insecure --head --include --compressed --verbose`,
  },
  {
    names: "wget",
    source: "wget(1)",
    options: `-O=:w --output-document=:w -o=:w --output-file=:w -a=:w --append-output=:w -P=:w --directory-prefix=:w -i=:l --input-file=:l -e=:x
      --execute=:x --post-file=:r --body-file=:r --load-cookies=:r --save-cookies=:w --config=:x --use-askpass=:x --warc-file=:w
      --rejected-log=:w --input-metalink=:r --warc-dedup=:r --warc-tempdir=:w --pinnedpubkey=:r --ca-certificate=:r --ca-directory=:r --certificate=:r --private-key=:r --crl-file=:r --hsts-file=:w -nc -N -c -r -l= -k
      -p -m -np -nd -nH -A= -R= -D= -t= -T= -w= -Q= -U= -q -v -nv -S -4 -6 -b -E -H -L -K -B= -x -I= -X= -F -V -h -d`,
  },
  {
    names: "tar gtar bsdtar",
    source: "tar(1)",
    options: `-A -c -d -r -t -u -x -G -n -S -k -U -W -O -m -p -s -a -j -J -z -Z -B -i -M -o -v -w -R -h -P -f=:r -C=:C -T=:l -X=:r -g=:w -I=:x -F=:x
      -H= -V= -L= -K= -N= -b= --file=:r --directory=:C --files-from=:l --exclude-from=:r --listed-incremental=:w --use-compress-program=:x
      --to-command=:x --info-script=:x --new-volume-script=:x --checkpoint-action=:x --rmt-command=:x --rsh-command=:x --index-file=:w
      --volno-file=:w --add-file=:r --one-top-level?:w --exclude= --strip-components= --transform=:x --xform=:x --wildcards --create --extract
      --get --list --verbose --gzip --bzip2 --xz --zstd --to-stdout --keep-old-files --remove-files:w`,
  },
  {
    names: "find gfind",
    source: "find(1)",
    options: "-fprintf=:w -fprint=:w -fprint0=:w -fls=:w -files0-from=:l -exec:x -execdir:x -ok:x -okdir:x -delete:w",
  },
  {
    names: "less more most",
    source: "less(1)",
    options: `-o=:w -O=:w --log-file=:w --LOG-FILE=:w -k=:r --lesskey-file=:r --lesskey-src=:r --lesskey-content=:u -t=:r --tag=:r -T=:r --tag-file=:r
      -N -n -S -R -F -X -i -I -M -m -e -E -s -g -q -r`,
  },
  {
    names: "rg",
    source: "rg(1)",
    options: `-f=:r --file=:r --pre=:x --pre-glob= --ignore-file=:r --hostname-bin=:x -z:x --search-zip:x -n -i -l -c -v -w -x -o -H -I -S -s -u -uu -uuu -U
      -a -b -p -P -F -L -q -N -0 -. -A= -B= -C= -e= -g= -t= -T= -m= -M= -j= -r= -d= -E= --regexp= --glob= --iglob= --type= --type-not= --type-add=
      --type-clear= --type-list --after-context= --before-context= --context= --max-count= --max-columns= --max-depth= --maxdepth= --max-filesize=
      --threads= --replace= --encoding= --engine= --sort= --sortr= --color= --colors= --context-separator= --field-context-separator=
      --field-match-separator= --path-separator= --hyperlink-format= --dfa-size-limit= --regex-size-limit= --generate= --files --files-with-matches
      --files-without-match --count --count-matches --line-number --no-line-number --column --no-column --byte-offset --no-byte-offset
      --with-filename --no-filename --heading --no-heading --only-matching --passthru --passthrough --vimgrep --json --no-json --pretty --quiet
      --stats --no-stats --trim --no-trim --null --null-data --include-zero --no-include-zero --max-columns-preview --no-max-columns-preview
      --no-context-separator --ignore-case --case-sensitive --smart-case --fixed-strings --no-fixed-strings --word-regexp --line-regexp
      --invert-match --no-invert-match --multiline --no-multiline --multiline-dotall --no-multiline-dotall --pcre2 --no-pcre2 --pcre2-version
      --unicode --no-unicode --pcre2-unicode --no-pcre2-unicode --crlf --no-crlf --auto-hybrid-regex --no-auto-hybrid-regex --stop-on-nonmatch
      --no-encoding --text --no-text --binary --no-binary --follow --no-follow --hidden --no-hidden --unrestricted --one-file-system
      --no-one-file-system --glob-case-insensitive --no-glob-case-insensitive --ignore-file-case-insensitive --no-ignore-file-case-insensitive
      --ignore --no-ignore --ignore-dot --no-ignore-dot --ignore-exclude --no-ignore-exclude --ignore-files --no-ignore-files --ignore-global
      --no-ignore-global --ignore-messages --no-ignore-messages --ignore-parent --no-ignore-parent --ignore-vcs --no-ignore-vcs --require-git
      --no-require-git --messages --no-messages --mmap --no-mmap --sort-files --no-sort-files --block-buffered --no-block-buffered
      --line-buffered --no-line-buffered --no-config --no-pre --no-search-zip --debug --trace --version --help`,
  },
  {
    names: "ag",
    source: "ag(1)",
    options: "--pager=:x -p=:r --path-to-ignore=:r -a -c -f -i -l -L -n -o -s -S -u -U -v -w",
  },
  {
    names: "ack",
    source: "ack(1)",
    options: "--pager?:x --ackrc=:r --files-from=:l -x:l --output= -c -f -g -h -H -i -k -l -L -n -o -p -Q -r -s -v -w",
  },
  { names: "nm", source: "nm(1)", options: "--plugin=:x -A -a -B -C -D -g -n -o -P -p -r -S -u -v -l" },
  { names: "diff3", source: "diff3(1)", options: "--diff-program=:x -A -e -E -3 -x -X -i -m -T -a" },
  {
    names: "patch",
    source: "patch(1)",
    options:
      "-i=:r --input=:r -o=:w --output=:w -r=:w --reject-file=:w -d=:C --directory=:C -B=:w -Y=:w -z=:w -p= -D= -F= -g= -V= -R -N -E -b -c -e -f -l -n -s -t -u -v -T -Z",
  },
  {
    names: "fd fdfind",
    source: "fd(1)",
    options: `-x:x -X:x --exec:x --exec-batch:x --base-directory=:C --search-path=:C --ignore-file=:r -C=:C -H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -d= -t= -e=
      -E= -S= -c= -j= -o=`,
  },
  {
    names: "ssh sftp",
    source: "ssh(1)",
    options:
      "-o=:x -F=:r -i=:r -E=:w -I=:x -S= -b= -c= -e= -J= -l= -m= -O= -p= -Q= -D= -L= -R= -W= -w= -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
  },
  {
    names: "split",
    source: "split(1)",
    options:
      "--filter=:x -a= -b= -C= -l= -n= -t= -d -e -u -x --additional-suffix=:w --bytes= --lines= --number= --verbose",
  },
  { names: "csplit", source: "csplit(1)", options: "-f=:w --prefix=:w -b=:w --suffix-format=:w -n= -k -q -s -z" },
  { names: "shuf", source: "shuf(1)", options: "-o=:w --output=:w --random-source=:r -e -i= -n= -r -z" },
  { names: "iconv", source: "iconv(1)", options: "-o=:w --output=:w -f= -t= -c -s -l" },
  {
    names: "yq",
    source: "yq --help",
    options: `-i:w --inplace:w --in-place:w -s=:w --split-exp=:w --from-file=:l -f= -o= -p= -I= -P -r -e -n -N -j -y -M -C -v --front-matter=
      --output-format= --input-format= --null-input --prettyPrint --raw-output`,
  },
  {
    names: "man",
    source: "man(1)",
    options:
      "-P=:x --pager=:x -H?:x --html?:x -C=:r --config-file=:r -M=:C --manpath=:C -l:r --local-file:r -p=:x --preprocessor=:x -k -f -a -w -s= -S= -L= -e= -E= -K -I -i -t -T? -X? -Z",
  },
  {
    names: "xmllint",
    source: "xmllint(1)",
    options:
      "-o=:w --output=:w --noent:r --loaddtd:r --dtdvalid=:r --schema=:r --relaxng=:r --path=:r --xinclude:r --catalogs:r",
  },
  {
    names: "pandoc",
    source: "pandoc(1)",
    options: `-o=:w --output=:w -F=:x --filter=:x -L=:x --lua-filter=:x --pdf-engine=:x --pdf-engine-opt=:x -d=:x --defaults=:x --template=:r --data-dir=:C
      --extract-media=:w --log=:w -H=:r -B=:r -A=:r --include-in-header=:r --include-before-body=:r --include-after-body=:r --metadata-file=:r
      --bibliography=:r --csl=:r --reference-doc=:r --resource-path=:C -f= -r= -t= -w= -M= -V= -s -p -i -N -S -C --from= --to= --standalone --toc`,
  },
  {
    names: "openssl",
    source: "openssl(1)",
    options:
      "-out=:w -keyout=:w -writerand=:w -engine=:x -provider=:x -provider-path=:x -config=:x -in=:r -inkey=:r -key=:r -passin=:r -kfile=:r -rand=:r -CAfile=:r -cert=:r",
  },
  {
    names: "tsc tsgo",
    source: "tsc --all",
    options: `--outDir=:w --outFile=:w --out=:w --declarationDir=:w --tsBuildInfoFile=:w --generateTrace=:w --generateCpuProfile=:w -p= --project= -P= -b
      --build --rootDir=:r --init:w --baseUrl=:r --typeRoots=:r --noEmit --watch --strict --pretty -w -v -h`,
  },
  {
    names: "eslint",
    source: "eslint --help",
    options: `-c=:x --config=:x --rulesdir=:x --plugin=:x --parser=:x -f=:x --format=:x --resolve-plugins-relative-to=:x --fix:w --fix-type= --fix-dry-run
      -o=:w --output-file=:w --cache-location=:w --cache-file=:w --ignore-path=:r --init:x --stdin --stdin-filename= --cache --quiet --max-warnings=
      --ext= --no-color --color --debug --rule= --env= --global= --ignore-pattern= --no-ignore -h -v`,
  },
  {
    names: "prettier",
    source: "prettier --help",
    options:
      "--plugin=:x --config=:x --write:w -w:w --ignore-path=:r --cache-location=:w --config-path=:x --find-config-path= --stdin-filepath= -c --check -l --list-different -u --no-config --log-level= --parser=",
  },
  {
    names: "ruff black mypy",
    source: "ruff check --help, black --help, mypy --help",
    options: `--config=:r --config-file=:r -o=:w --output-file=:w --cache-dir=:w --fix:w --add-noqa:w --python-executable=:x --html-report=:w --xml-report=:w
      --txt-report=:w --any-exprs-report=:w --linecount-report=:w --linecoverage-report=:w --lineprecision-report=:w --cobertura-xml-report=:w
      --junit-xml=:w --install-types:x --custom-typeshed-dir=:C --shadow-file=:r --extend-exclude= --exclude= --select= --ignore= --check --diff --strict -q -v -l= -t= -S -C`,
  },
  {
    names: "rustc",
    source: "rustc --help",
    options: "-o=:w --out-dir=:w -C=:x --codegen=:x --emit=:w --sysroot=:C -L=:r --extern=:r -Z=:x",
  },
  { names: "gofmt", source: "gofmt -help", options: "-w:w -cpuprofile=:w -l -d -s -e -r=" },
  {
    names: "pip pip3",
    source: "pip help install",
    options: `-t=:w --target=:w --prefix=:w --root=:w -d=:w --dest=:w -w=:w --wheel-dir=:w --log=:w --python=:x --src=:w --report=:w -r=:l --requirement=:l -c=:l
      --constraint=:l -e=:x --editable=:x --cache-dir=:w --cert=:r --client-cert=:r --config-settings=:x --global-option=:x --build-option=:x
      -i= --index-url= --extra-index-url= -f= --find-links=:r -U -I -q -v -y --upgrade --user --no-deps --pre`,
  },
  {
    names: "zip unzip",
    source: "zip(1), unzip(1)",
    options:
      "-d=:w -TT=:x --unzip-command=:x -b=:w --temp-path=:w -O=:w --output-file=:w -lf=:w -i= -x= -n= -r -q -v -l -o -9 -u -j -p -t",
  },
];

const diffOptions = "--output=:w --ext-diff:x --textconv:x -O=:r --no-index:r";
const pathsFrom = "--pathspec-from-file=:l";
const remoteOptions = "--upload-pack=:x --exec=:x";

/** Of git by its commands (git-COMMAND(1), 2.48); `words` stand in the place of an option. */
export const gitOptions: Readonly<Record<string, { options: string; words?: string }>> = {
  "": { options: "-c=:x --config-env=:x --exec-path=:x --git-dir=:C --work-tree=:C" },
  diff: { options: diffOptions },
  log: { options: diffOptions },
  show: { options: diffOptions },
  whatchanged: { options: diffOptions },
  reflog: { options: diffOptions },
  "diff-tree": { options: diffOptions },
  "diff-files": { options: diffOptions },
  "diff-index": { options: diffOptions },
  "range-diff": { options: diffOptions },
  "rev-list": { options: "--output=:w" },
  shortlog: { options: "--output=:w" },
  stash: { options: `${diffOptions} ${pathsFrom}` },
  "format-patch": { options: `${diffOptions} -o=:w --output-directory=:w --signature-file=:r --description-file=:r` },
  grep: { options: "-O?:x --open-files-in-pager?:x -f=:r --no-index:r --textconv:x" },
  push: { options: "--receive-pack=:x --exec=:x -o= --push-option= --repo=" },
  fetch: { options: remoteOptions },
  pull: { options: `${remoteOptions} --strategy=:x` },
  "ls-remote": { options: remoteOptions },
  clone: {
    options: `${remoteOptions} -u=:x -c=:x --config=:x --template=:x --separate-git-dir=:w --reference=:r --reference-if-able=:r -b= -o=`,
  },
  init: { options: "--template=:x --separate-git-dir=:w" },
  archive: { options: "-o=:w --output=:w --remote=:x --exec=:x --add-file=:r" },
  commit: {
    options: `-F=:r --file=:r -t=:r --template=:r ${pathsFrom} -m= -c= -C= -a -v -s -n -q -p -e -i -o -u -z -S? --author= --date= --amend`,
  },
  tag: { options: "-F=:r --file=:r -m= -u= -a -d -f -l -n? -s -v" },
  merge: { options: "-F=:r --file=:r -m= -s=:x --strategy=:x -X= -e -n -q -v -S?" },
  notes: { options: "-F=:r --file=:r -m= -c= -C=" },
  rebase: { options: "-x=:x --exec=:x -s=:x --strategy=:x -X= -i -f -q -v -m -n -r?" },
  bisect: { options: "", words: "run visualize view" },
  submodule: { options: "--reference=:r", words: "foreach" },
  difftool: { options: `${diffOptions} -x=:x --extcmd=:x -t=:x --tool=:x` },
  mergetool: { options: "-t=:x --tool=:x -O=:r" },
  blame: { options: "--contents=:r -S=:r --ignore-revs-file=:r -L= -C? -M? -w -e -l -s -t -f -n -p" },
  annotate: { options: "--contents=:r -S=:r --ignore-revs-file=:r -L=" },
  apply: { options: "--build-fake-ancestor=:w --unsafe-paths:w --directory=:C" },
  am: { options: "--directory=:C" },
  maintenance: { options: "--config-file=:w --scheduler=:x", words: "start register" },
  add: { options: pathsFrom },
  checkout: { options: pathsFrom },
  reset: { options: pathsFrom },
  restore: { options: pathsFrom },
  rm: { options: pathsFrom },
  "ls-files": { options: "-X=:r --exclude-from=:r --exclude-per-directory=:r -x=" },
  "cat-file": { options: "--textconv:x --filters:x" },
  "hash-object": { options: "--stdin-paths:l" },
  config: { options: "-f=:w --file=:w" },
  "fast-export": { options: "--export-marks=:w --import-marks=:r --import-marks-if-exists=:r" },
  "fast-import": { options: "--export-marks=:w --import-marks=:r --export-pack-edges=:w --rewrite-submodules-from=:r" },
  "filter-branch": {
    options:
      "--env-filter=:x --tree-filter=:x --index-filter=:x --parent-filter=:x --msg-filter=:x --commit-filter=:x --tag-name-filter=:x --setup=:x -d=:w",
  },
  "interpret-trailers": { options: "--in-place:w" },
  "checkout-index": { options: "--prefix=:w" },
  "read-tree": { options: "--index-output=:w" },
  "send-email": {
    options: "--smtp-server=:x --to-cmd=:x --cc-cmd=:x --header-cmd=:x --sendmail-cmd=:x --smtp-ssl-cert-path=:r",
  },
};
