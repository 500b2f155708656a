/**
 * A program that runs what files hold. What it takes for code, and from where, is all said here: what is not said counts as unknown, and
 * then every word that is a file is bound and no grant lasts.
 */
export interface Runner {
  names: string;
  /** More names, such as those with a version. */
  like?: RegExp;
  /** The manual that the options are from. */
  source: string;
  /** As `optionSpec` reads them; those that are left out are not known. */
  options: string;
  /**
   * The meaning of its operands: `script` the first is a file that runs, the others are given to it · `text` the first is code, the others are data
   * · `files` each that is a file runs · `tasks` names of what a file defines.
   */
  operands: "script" | "text" | "files" | "tasks";
  /** The way in which a name becomes a file; default by its path. */
  find?: "shell" | "node" | "python" | "package" | "bin" | "make" | "go";
  /** First words that only say what it is to do. */
  verbs?: string;
  /** First words with which no code of the folder runs. */
  idle?: string;
  /** Options may stand behind operands. */
  permuted?: true;
  /** `+x` is an option as `-x` is. */
  plus?: true;
  /** `--x` is an option as `-x` is. */
  oneDash?: true;
  /** Options behind which all words are for the code. */
  ends?: string;
  /** Without code and operands it reads code from its input. */
  fed?: true;
  /** Files that it reads or loads by itself in the folder it goes to. */
  reads?: string;
  /** The same, in that folder and those above it, up to the top of the workspace. */
  readsAbove?: string;
  /** Of the last it needs one: without it the task is not known. */
  needs?: true;
  /** It goes through the folder for what it runs; an operand may be a pattern of names. */
  seeks?: true;
}

const nodeOptions = `-r=:f --require=:f --import=:f --loader=:f --experimental-loader=:f -e=:c --eval=:c -p=:c --print=:c -pe=:c -c --check
  --env-file=:f --env-file-if-exists=:f -C= --conditions= --input-type= --test:u --watch --watch-path= --inspect? --inspect-brk? --inspect-port=
  --max-old-space-size= --max-semi-space-size= --stack-size= --experimental-config-file=:f --experimental-default-config-file:u
  --snapshot-blob=:f --build-snapshot --build-snapshot-config=:f --experimental-sea-config=:f --icu-data-dir=:d --openssl-config=:f
  --test-reporter=:f --test-reporter-destination=:w --test-global-setup=:f --test-name-pattern= --test-only --test-timeout=
  --test-concurrency= --run=:u --redirect-warnings=:w --diagnostic-dir=:w --report-dir=:w --report-directory=:w --cpu-prof --cpu-prof-dir=:w
  --heap-prof --heap-prof-dir=:w --title= --unhandled-rejections= --stack-trace-limit= --max-http-header-size= --dns-result-order=
  --preserve-symlinks --preserve-symlinks-main --enable-source-maps --experimental-strip-types --no-experimental-strip-types
  --experimental-transform-types --no-warnings --disable-warning= --trace-warnings --trace-deprecation --throw-deprecation --no-deprecation
  --trace-uncaught --trace-exit --experimental-vm-modules --experimental-modules --expose-gc --abort-on-uncaught-exception --use-openssl-ca
  --use-system-ca --experimental-default-type= --experimental-specifier-resolution= --permission --allow-fs-read= --allow-fs-write=
  --allow-child-process --allow-worker --experimental-fetch --experimental-sqlite --no-experimental-require-module -i:i --interactive:i -:i
  --v8-options:v -v:v --version:v -h:v --help:v --completion-bash:v`;

const pythonOptions = `-b -bb -B -d -E -h:v -i -I -m=:m -O -OO -P -q -R -s -S -u -v -vv -V:v -VV:v -W= -x -X= -c=:c -?:v --version:v --help:v
  --help-all:v --help-env:v --help-xoptions:v --check-hash-based-pycs=`;

const shellOptions = `-a -b -c:k -e -f -h -i:u -k -l:u -m -n -p -r -s:i -t -u -v -x -B -C -D -E -H -P -T -o= -O= --debugger:u --dump-po-strings --dump-strings
  --init-file=:f --rcfile=:f --login:u --noediting --noprofile --norc --posix --pretty-print --restricted --verbose --version:v --help:v`;

const npmOptions = `--prefix=:C -C=:C -w=:W --workspace=:W -ws:u --workspaces:u -iwr --include-workspace-root --script-shell=:f --shell=:f
  --node-options=:x --userconfig=:f --globalconfig=:f --git=:x --editor=:x --viewer=:x --browser=:x --init-module=:f -c=:c --call=:c -p= --package=
  --loglevel= --registry= --cache= --tag= --otp= --omit= --include= --scope= --access= --cafile=:r --depth= --fetch-retries= --fetch-timeout=
  --proxy= --https-proxy= --noproxy= --install-strategy= --before= --location= --pack-destination=:w --only= --also= --if-present -s --silent
  -q --quiet -d -dd -ddd --verbose --ignore-scripts --foreground-scripts -g --global -D --save-dev -S --save -E --save-exact --no-save -O
  --save-optional --save-peer -y --yes -n --no --production --legacy-peer-deps --strict-peer-deps -f --force --json -l --long --offline
  --prefer-offline --prefer-online --audit --no-audit --fund --no-fund --progress --no-progress --no-color --color --dry-run -v:v --version:v -h:v
  --help:v --parseable --package-lock --no-package-lock --package-lock-only --no-update-notifier`;

/**
 * From the manuals and `--help` of bash 5.2, dash, zsh 5.9, node 24, CPython 3.13, perl 5.38, ruby 3.3, php 8.3, deno 2, bun 1.2, GNU make
 * 4.4, GNU sed 4.9, gawk 5.3, npm 11, pnpm 10, yarn 1 and 4, go 1.24, cargo 1.85, gradle 8, maven 3.9, pytest 8, jest 30, vitest 4, mocha 11.
 */
export const runners: readonly Runner[] = [
  {
    names: "bash sh dash ash zsh ksh mksh rbash yash",
    source: "bash(1), dash(1), zsh(1), ksh(1)",
    options: shellOptions,
    operands: "script",
    find: "shell",
    plus: true,
    fed: true,
  },
  { names: "source .", source: "bash(1), builtins", options: "-p=:d", operands: "script", find: "shell" },
  {
    names: "fish",
    source: "fish(1)",
    options: "-c=:c -C=:c -n -P -v:v --version:v -h:v",
    operands: "script",
    fed: true,
  },
  { names: "node nodejs", source: "node --help", options: nodeOptions, operands: "script", find: "node", fed: true },
  {
    names: "tsx ts-node ts-node-esm",
    source: "tsx --help, ts-node --help",
    options: `${nodeOptions} --tsconfig=:f -P=:f --project=:f --cwd=:C --dir=:C --no-cache -T --transpile-only --esm --files --swc --compiler=:f
      --transpiler=:f -O= --compiler-options= --skip-project --cwd-mode --script-mode`,
    operands: "script",
    verbs: "watch",
    find: "node",
    readsAbove: "tsconfig.json package.json",
    fed: true,
  },
  {
    names: "deno",
    source: "deno run --help",
    options: `-A --allow-all -R? -W? -N? -E? -S? --allow-read? --allow-write? --allow-net? --allow-env? --allow-run? --allow-sys? --allow-ffi?
      --allow-import? --deny-read? --deny-write? --deny-net? --deny-env? --deny-run? -c=:f --config=:f --import-map=:f --preload=:f --require=:f
      --env-file?:f --env?:f --cert=:r --lock?:f --no-lock --no-check --check --no-config --no-remote --no-npm --node-modules-dir? --reload? -r?
      --watch? --unstable --quiet -q --seed= --v8-flags= -V:v --version:v -h:v --help:v --cached-only --frozen? --location= --ext= --inspect?`,
    operands: "files",
    verbs: "run test bench serve check compile",
    idle: "fmt lint info doc types upgrade completions",
    readsAbove: "deno.json deno.jsonc package.json",
    permuted: true,
    fed: true,
  },
  {
    names: "python",
    like: /^(?:python|pypy)[\d.]*$/u,
    source: "python(1)",
    options: pythonOptions,
    operands: "script",
    find: "python",
    ends: "-c -m",
    fed: true,
  },
  {
    names: "perl",
    like: /^perl[\d.]+$/u,
    source: "perlrun(1)",
    options: `-0? -a -C? -c -d?:m -D? -e=:c -E=:c -f:u -F? -g -h:v -i? -I=:d -l -m?:m -M?:m -n -p -s -S:u -t -T -u -U -v:v -V?:v -w -W -x?:C -X`,
    operands: "script",
    fed: true,
  },
  {
    names: "ruby",
    like: /^ruby[\d.]+$/u,
    source: "ruby(1)",
    options: `-0? -a -c -C=:C -d -e=:c -E= -F= -h:v -i? -I=:d -l -n -p -r=:m -s -S:u -u -U -v -w -W? -x?:C -X=:C -y --encoding= --jit --yjit
      --version:v --copyright:v --help:v --disable= --enable= --debug --verbose`,
    operands: "script",
    fed: true,
  },
  {
    names: "php",
    like: /^php[\d.]+$/u,
    source: "php(1)",
    options: `-b= -C -c=:f -n -d=:u -e -f=:s -h:v -i:v -l -m:v -q -r=:c -B=:c -R=:c -F=:f -E=:c -H -S= -s -t=:d -v:v -w -z=:f -a:i --ini:v
      --version:v --help:v`,
    operands: "script",
    fed: true,
  },
  { names: "lua luajit", source: "lua(1)", options: "-e=:c -i -l=:m -v -E -W -:i", operands: "script", fed: true },
  {
    names: "Rscript",
    source: "Rscript --help",
    options: "-e=:c --vanilla --verbose --default-packages= --version:v --help:v",
    operands: "script",
    fed: true,
  },
  {
    names: "julia",
    source: "julia --help",
    options: "-e=:c -E=:c -L=:f -t= -p= -q -O= --project?:d -v:v -h:v",
    operands: "script",
    fed: true,
  },
  {
    names: "tclsh wish expect",
    source: "tclsh(1), expect(1)",
    options: "-c=:c -f=:f -b=:f -d -D -n -N",
    operands: "script",
    fed: true,
  },
  { names: "osascript", source: "osascript(1)", options: "-e=:c -l= -s= -i:i", operands: "script", fed: true },
  {
    names: "awk gawk mawk nawk",
    source: "gawk(1), mawk(1)",
    options: `-f=:f --file=:f -F= --field-separator= -v= --assign= -i=:f --include=:f -E=:f --exec=:f -l=:f --load=:f -e=:c --source=:c -b -c -C:v
      -h:v -n -N -O -P -r -s -S -t -V:v --version:v --help:v --posix --traditional --re-interval --sandbox --characters-as-bytes -o?:w -p?:w -d?:w -D?:x
      --pretty-print?:w --profile?:w --dump-variables?:w --debug?:x -W=:u`,
    operands: "text",
    permuted: true,
  },
  {
    names: "sed gsed",
    source: "sed(1)",
    options: `-n -E -r -s -u -z -i?:w -e=:c -f=:f -l= --quiet --silent --expression=:c --file=:f --line-length= --regexp-extended --in-place?:w
      --separate --unbuffered --null-data --posix --sandbox --debug --follow-symlinks --version:v --help:v`,
    operands: "text",
    permuted: true,
  },
  {
    names: "make gmake",
    source: "make(1)",
    options: `-b -m -B --always-make -C=:C --directory=:C -d --debug? -e --environment-overrides -E=:c --eval=:c -f=:f --file=:f --makefile=:f -h:v
      --help:v -i --ignore-errors -I=:d --include-dir=:d -j? --jobs? -k --keep-going -l? --load-average? --max-load? -L --check-symlink-times -n
      --just-print --dry-run --recon -o= --old-file= --assume-old= -O? --output-sync? -p --print-data-base -q --question -r --no-builtin-rules -R
      --no-builtin-variables -s --silent --quiet --no-silent -S --no-keep-going --stop -t --touch --trace -v:v --version:v -w --print-directory
      --no-print-directory -W= --what-if= --new-file= --assume-new= --warn-undefined-variables`,
    operands: "tasks",
    find: "make",
    permuted: true,
  },
  {
    names: "just",
    source: "just --help",
    options:
      "-f=:f --justfile=:f -d=:C --working-directory=:C --shell=:x --shell-arg=:x -c=:c --command=:c --dotenv-path=:f -l --list -n --dry-run -q --quiet -v --verbose --set=:u -s= --show= --summary -V:v --version:v -h:v",
    operands: "tasks",
    readsAbove: "justfile .justfile Justfile",
    needs: true,
  },
  {
    names: "task go-task",
    source: "task --help",
    options:
      "-t=:f --taskfile=:f -d=:C --dir=:C -e= --entrypoint=:f -f --force -g:u --global:u -l --list -a --list-all -n --dry -p --parallel -s --silent -v --verbose -w --watch -y --yes --version:v -h:v --help:v",
    operands: "tasks",
    readsAbove: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml",
    needs: true,
    permuted: true,
  },
  {
    names: "rake",
    source: "rake --help",
    options:
      "-f=:f --rakefile=:f -e=:c --execute=:c -p=:c --execute-print=:c -E=:c --execute-continue=:c -I=:d --libdir=:d -r=:m --require=:m -R=:d --rakelib=:d --rakelibdir=:d -T? --tasks? -P -n --dry-run -q --quiet -s --silent -t? --trace? -v --verbose -j? --jobs? -m --multitask -g:u -G -N -V:v --version:v -h:v",
    operands: "tasks",
    readsAbove: "rakefile Rakefile rakefile.rb Rakefile.rb Gemfile",
    needs: true,
    permuted: true,
  },
  {
    names: "npm",
    source: "npm help 7 config",
    options: npmOptions,
    operands: "tasks",
    find: "package",
    readsAbove: ".npmrc",
    permuted: true,
  },
  {
    names: "pnpm",
    source: "pnpm help",
    options: `${npmOptions} --dir=:C -F=:u --filter=:u --filter-prod=:u -r:u --recursive:u -w --workspace-root:u --config.script-shell=:f
      --frozen-lockfile --no-frozen-lockfile --lockfile-only --ignore-pnpmfile --pnpmfile=:f --global-pnpmfile=:f --reporter= --parallel --stream`,
    operands: "tasks",
    find: "package",
    readsAbove: ".npmrc .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml",
    permuted: true,
  },
  {
    names: "yarn yarnpkg",
    source: "yarn help",
    options: `--cwd=:C --use-yarnrc=:f --script-shell=:f --scripts-prepend-node-path? --modules-folder=:d --cache-folder=:w --mutex= --registry= -s --silent
      --verbose --json --frozen-lockfile --immutable --production? --prod? --ignore-scripts --ignore-engines --non-interactive --offline --force
      --check-files -D --dev -W --ignore-workspace-root-check -v:v --version:v -h:v --help:v -T --top-level -B --binaries-only --inspect?`,
    operands: "tasks",
    find: "package",
    readsAbove: ".npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs",
    permuted: true,
  },
  {
    names: "bun",
    source: "bun --help",
    options: `--cwd=:C -r=:f --preload=:f --require=:f --import=:f -c?:f --config?:f --env-file=:f -e=:c --eval=:c -p=:c --print=:c -F=:u --filter=:u
      --tsconfig-override=:f --watch --hot --silent --if-present -b --bun --smol --inspect? -i --install= -t= --test-name-pattern= --timeout= --bail?
      --coverage --shell= -v:v --version:v -h:v --help:v --production --frozen-lockfile --no-save --dev -d`,
    operands: "tasks",
    find: "package",
    readsAbove: "bunfig.toml .npmrc tsconfig.json .env .env.local",
    permuted: true,
  },
  {
    names: "npx bunx pnpx",
    source: "npm help exec",
    options: `${npmOptions} --bun`,
    operands: "script",
    find: "bin",
    readsAbove: ".npmrc package.json",
  },
  {
    names: "go",
    source: "go help build",
    options: `-C=:C -a -n -p= -race -v -x -work -tags= -ldflags=:x -gcflags= -asmflags= -mod= -modfile=:f -overlay=:f -toolexec=:x -exec=:x -pgo=:r
      -trimpath -o=:w -run= -count= -timeout= -bench= -short -cover -coverprofile=:w -cpuprofile=:w -memprofile=:w -blockprofile=:w -mutexprofile=:w -trace=:w -pkgdir=:w -vettool=:x -gccgoflags=:x -compiler= -fuzz= -json -failfast -vet= -parallel=
      -buildvcs= -msan -asan -outputdir=:w -c -i`,
    operands: "files",
    find: "go",
    verbs: "run test build vet generate install tool",
    idle: "version env fmt doc list mod get clean help bug telemetry work",
    oneDash: true,
    readsAbove: "go.mod go.work",
    permuted: true,
  },
  {
    names: "cargo",
    source: "cargo help",
    options: `-C=:C --manifest-path=:f --config=:u -Z=:u --target-dir=:w -p= --package= --bin= --example= --test= --bench= --lib --bins --tests --examples
      --all-targets --all --workspace --exclude= -F= --features= --all-features --no-default-features --release -r --profile= --target= -j= --jobs=
      --keep-going -v --verbose -vv -q --quiet --color= --locked --offline --frozen --no-run --no-fail-fast --doc --message-format= --fix --allow-dirty
      -V:v --version:v -h:v --help:v --list:v --check`,
    operands: "tasks",
    idle: "version search tree metadata fmt new init",
    readsAbove: "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain",
    needs: true,
    permuted: true,
  },
  {
    names: "gradle gradlew",
    source: "gradle --help",
    options: `-p=:C --project-dir=:C -b=:f --build-file=:f -c=:f --settings-file=:f -I=:f --init-script=:f -g=:d --gradle-user-home=:d --include-build=:d
      -D? -P? -q --quiet -i --info -d --debug -s --stacktrace -S --full-stacktrace --scan --no-scan --offline --daemon --no-daemon --parallel
      --no-parallel --continue --rerun-tasks --refresh-dependencies --build-cache --no-build-cache --console= -x= --exclude-task= --tests= -m
      --dry-run -t -v:v --version:v -h:v --help:v --warning-mode= --configuration-cache --no-configuration-cache --project-cache-dir=:w`,
    operands: "tasks",
    readsAbove: `build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradle/wrapper/gradle-wrapper.properties
      gradle/wrapper/gradle-wrapper.jar`,
    needs: true,
    permuted: true,
  },
  {
    names: "mvn mvnw",
    source: "mvn --help",
    options: `-f=:f --file=:f -s=:f --settings=:f -gs=:f --global-settings=:f -t=:f --toolchains=:f -gt=:f -l=:w --log-file=:w -D? -P= -pl= -rf= -T= -B -U -X
      -e -q -o -N -am -amd -fae -fn -ff -ntp --batch-mode --quiet --errors --offline --no-transfer-progress --also-make -v:v --version:v -h:v --help:v`,
    operands: "tasks",
    reads: "pom.xml",
    readsAbove:
      ".mvn/maven.config .mvn/jvm.config .mvn/extensions.xml .mvn/wrapper/maven-wrapper.properties .mvn/wrapper/maven-wrapper.jar",
    permuted: true,
  },
  {
    names: "pytest py.test",
    source: "pytest --help",
    options: `-c=:f --config-file=:f --rootdir=:C --confcutdir=:d -p=:m --pyargs:m -o=:u --override-ini=:u -k= -m= --maxfail= -x --exitfirst -v -vv -q -qq -s -l -rA
      -ra -rs -rf -r= --tb= --lf --ff --nf --sw --last-failed --failed-first --cov?:r --cov-config=:f --cov-report= -n= --dist= --timeout=
      --durations= --capture= --color= --junitxml=:w --junit-xml=:w --log-file=:w --basetemp=:w --debug?:w --ignore= --ignore-glob= --deselect=
      --import-mode= --no-header --no-summary --co --collect-only -W= --showlocals --disable-warnings --no-cov --pdb --setup-show -V:v
      --version:v -h:v --help:v --strict-markers --strict-config --verbose --quiet --asyncio-mode= --reruns=`,
    operands: "files",
    find: "python",
    permuted: true,
    readsAbove: "pytest.ini .pytest.ini pytest.toml pyproject.toml tox.ini setup.cfg conftest.py",
    seeks: true,
  },
  {
    names: "jest",
    source: "jest --help",
    options: `-c=:f --config=:f --rootDir=:C --roots=:d --setupFiles=:f --setupFilesAfterEnv=:f --globalSetup=:f --globalTeardown=:f --runner=:f
      --testRunner=:f --transform=:f --testEnvironment=:f --resolver=:f --reporters=:f --preset=:f --snapshotSerializers=:f --testSequencer=:f
      --testResultsProcessor=:f --watchPlugins=:f --prettierPath=:f --projects=:C --filter=:f --globals=:u --modulePaths=:d --env=:f -t=
      --testNamePattern= --testPathPattern= --testPathPatterns= -i --runInBand -w= --maxWorkers= --watch --watchAll --coverage --no-coverage
      --coverageDirectory=:w --outputFile=:w --cacheDirectory=:w --verbose --silent --ci -u --updateSnapshot --bail? --forceExit
      --detectOpenHandles --passWithNoTests --onlyChanged -o --json --no-cache --testTimeout= --colors -v:v --version:v -h:v --help:v`,
    operands: "files",
    permuted: true,
    readsAbove:
      "package.json jest.config.js jest.config.ts jest.config.mjs jest.config.cjs jest.config.json babel.config.js .babelrc",
    seeks: true,
  },
  {
    names: "vitest",
    source: "vitest --help",
    options: `-c=:f --config=:f -r=:C --root=:C --dir=:C --environment=:f --reporter=:f --globalSetup=:f --setupFiles=:f --pool= --project= -t=
      --testNamePattern= -u --update -w --watch --run --coverage --silent? --bail= --retry= --outputFile=:w --shard= --ui --open --no-color
      --passWithNoTests --testTimeout= --mode= --globals --isolate --no-isolate --changed? --logHeapUsage --workspace=:f -v:v --version:v -h:v --help:v`,
    operands: "files",
    verbs: "run watch dev bench related list",
    permuted: true,
    readsAbove: `vitest.config.ts vitest.config.js vitest.config.mts vitest.config.mjs vitest.config.cts vitest.config.cjs vitest.workspace.ts
      vitest.workspace.js vitest.workspace.json vite.config.ts vite.config.js vite.config.mts vite.config.mjs package.json`,
    seeks: true,
  },
  {
    names: "mocha",
    source: "mocha --help",
    options: `-r=:f --require=:f --import=:f --loader=:f --config=:f --package=:f --spec=:f --file=:f -R=:f --reporter=:f --ui=:f -u=:f --opts=:f -n=:u
      --node-option=:u -g= --grep= -f= --fgrep= -t= --timeout= -s= --slow= -b --bail -w --watch --recursive --exit --parallel -j= --jobs= -C
      --no-color -c --color --retries= --sort --invert -i --extension= --ignore= -V:v --version:v -h:v --help:v`,
    operands: "files",
    permuted: true,
    readsAbove:
      ".mocharc.js .mocharc.cjs .mocharc.mjs .mocharc.json .mocharc.jsonc .mocharc.yml .mocharc.yaml package.json",
    seeks: true,
  },
  {
    names: "rspec",
    source: "rspec --help",
    options:
      "-I=:d -r=:m --require=:m -O=:f --options=:f -f=:m --format=:m -o=:w --out=:w -P= --pattern= -e= --example= -t= --tag= --fail-fast? --seed= --order= -b --backtrace -c --color --no-color -w -p --profile? -v:v --version:v -h:v",
    operands: "files",
    permuted: true,
    readsAbove: ".rspec .rspec-local Gemfile spec/spec_helper.rb",
    seeks: true,
  },
  {
    names: "phpunit",
    source: "phpunit --help",
    options:
      "-c=:f --configuration=:f --bootstrap=:f --include-path=:d -d=:u --extension=:m --printer=:m --filter= --group= --testsuite= --colors? --testdox --stop-on-failure -v --verbose --version:v -h:v --help:v",
    operands: "files",
    permuted: true,
    readsAbove: "phpunit.xml phpunit.xml.dist phpunit.dist.xml composer.json",
    seeks: true,
  },
  {
    names: "ansible-playbook",
    source: "ansible-playbook --help",
    options:
      "-i=:f --inventory=:f -e=:f --extra-vars=:f -M=:d --module-path=:d -l= -t= --tags= -C --check -D --diff -v -vv -vvv -b --become -K -k -u= -c= --syntax-check --list-hosts --list-tasks",
    operands: "files",
    permuted: true,
    readsAbove: "ansible.cfg",
  },
  {
    names: "psql",
    source: "psql --help",
    options:
      "-c=:c --command=:c -f=:f --file=:f -d= -h= -p= -U= -w -W -q -t -A -X -1 -o=:w -L=:w -v= -x -V:v --version:v --help:v",
    operands: "tasks",
    fed: true,
  },
  {
    names: "sqlite3",
    source: "sqlite3 -help",
    options:
      "-init=:f -cmd=:c -batch -bail -csv -json -column -header -noheader -line -list -html -readonly -separator= -version:v -help:v",
    operands: "tasks",
    fed: true,
  },
];

/** Name -> row; names with a version by their pattern. */
const byName = new Map(runners.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)));

export const runnerOf = (name: string): Runner | undefined =>
  byName.get(name) ?? runners.find(({ like }) => like?.test(name) === true);
