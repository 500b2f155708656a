interface FolderRow {
  names: string;
  source: string;
  /** Files in the folder that it runs in, and above, that say what it does. */
  files: string;
}

/** Programs of whose options nothing is known here, and the files of a project that they run or take their settings from. */
const rows: readonly FolderRow[] = [
  { names: "tox", source: "tox.wiki, Configuration", files: "tox.ini tox.toml setup.cfg pyproject.toml" },
  { names: "nox", source: "nox.thea.codes, Configuration", files: "noxfile.py" },
  {
    names: "pre-commit prek",
    source: "pre-commit.com",
    files: ".pre-commit-config.yaml .pre-commit-config.yml prek.toml",
  },
  {
    names: "lefthook",
    source: "lefthook.dev, Configuration",
    files: "lefthook.yml lefthook.yaml lefthook-local.yml .lefthook.yml",
  },
  { names: "invoke inv fab", source: "pyinvoke.org, fabfile.org", files: "tasks.py fabfile.py invoke.yaml" },
  { names: "doit", source: "pydoit.org", files: "dodo.py pyproject.toml doit.cfg" },
  { names: "scons", source: "scons(1)", files: "SConstruct Sconstruct sconstruct SConscript" },
  { names: "snakemake", source: "snakemake --help", files: "Snakefile snakefile workflow/Snakefile" },
  {
    names: "behave",
    source: "behave.readthedocs.io",
    files: "behave.ini .behaverc setup.cfg tox.ini pyproject.toml features/environment.py",
  },
  {
    names: "hatch pdm poetry pipenv rye uv uvx coverage",
    source: "their manuals",
    files: "pyproject.toml hatch.toml Pipfile uv.toml .coveragerc setup.cfg",
  },
  { names: "pip pip3", source: "pip.pypa.io", files: "setup.py setup.cfg pyproject.toml requirements.txt" },
  {
    names: "mypy ruff black flake8 pylint isort",
    source: "their manuals",
    files: "mypy.ini .mypy.ini ruff.toml .ruff.toml .flake8 .pylintrc pylintrc setup.cfg tox.ini pyproject.toml",
  },
  {
    names: "flask uvicorn gunicorn celery",
    source: "their manuals",
    files: ".flaskenv app.py wsgi.py asgi.py gunicorn.conf.py celeryconfig.py",
  },
  {
    names: "cmake ctest cpack",
    source: "cmake(1)",
    files: "CMakeLists.txt CMakePresets.json CMakeUserPresets.json CMakeCache.txt",
  },
  { names: "ninja samu", source: "ninja-build.org", files: "build.ninja" },
  { names: "meson", source: "meson(1)", files: "meson.build meson_options.txt meson.options" },
  { names: "bmake pmake nmake", source: "bmake(1)", files: "BSDmakefile makefile Makefile" },
  {
    names: "bazel bazelisk",
    source: "bazel.build",
    files: "MODULE.bazel WORKSPACE WORKSPACE.bazel BUILD BUILD.bazel .bazelrc",
  },
  { names: "ant", source: "ant.apache.org", files: "build.xml" },
  { names: "sbt", source: "scala-sbt.org", files: "build.sbt project/build.properties project/plugins.sbt" },
  {
    names: "mill lein clj clojure bb",
    source: "their manuals",
    files: "build.mill build.sc project.clj deps.edn bb.edn",
  },
  { names: "mix elixir iex", source: "hexdocs.pm/mix", files: "mix.exs .iex.exs" },
  { names: "rebar3", source: "rebar3.org", files: "rebar.config rebar.config.script" },
  { names: "dune", source: "dune.readthedocs.io", files: "dune-project dune dune-workspace" },
  { names: "stack cabal", source: "their manuals", files: "stack.yaml package.yaml cabal.project Setup.hs" },
  { names: "swift", source: "docs.swift.org", files: "Package.swift" },
  { names: "zig", source: "ziglang.org", files: "build.zig build.zig.zon" },
  { names: "nimble nim", source: "nim-lang.org", files: "config.nims nim.cfg" },
  { names: "dart flutter", source: "dart.dev", files: "pubspec.yaml analysis_options.yaml build.yaml" },
  {
    names: "dotnet msbuild",
    source: "learn.microsoft.com/dotnet",
    files: "global.json Directory.Build.props Directory.Build.targets nuget.config NuGet.Config",
  },
  { names: "mage", source: "magefile.org", files: "magefile.go" },
  {
    names: "bundle bundler rails thor cap guard",
    source: "their manuals",
    files: "Gemfile Rakefile Thorfile Capfile Guardfile config/application.rb",
  },
  { names: "rubocop", source: "docs.rubocop.org", files: ".rubocop.yml" },
  {
    names: "composer pest phpstan psalm",
    source: "their manuals",
    files: "composer.json phpunit.xml phpstan.neon phpstan.neon.dist psalm.xml",
  },
  { names: "prove", source: "prove(1)", files: ".proverc" },
  {
    names: "gulp grunt",
    source: "gulpjs.com, gruntjs.com",
    files: "gulpfile.js gulpfile.ts gulpfile.mjs gulpfile.cjs Gruntfile.js Gruntfile.ts package.json",
  },
  {
    names: "webpack",
    source: "webpack.js.org",
    files: "webpack.config.js webpack.config.cjs webpack.config.mjs webpack.config.ts package.json",
  },
  {
    names: "vite",
    source: "vite.dev",
    files: "vite.config.ts vite.config.js vite.config.mts vite.config.mjs vite.config.cjs package.json",
  },
  {
    names: "rollup",
    source: "rollupjs.org",
    files: "rollup.config.js rollup.config.mjs rollup.config.cjs rollup.config.ts",
  },
  {
    names: "next nuxt astro svelte-kit remix",
    source: "their manuals",
    files:
      "next.config.js next.config.mjs next.config.ts nuxt.config.ts astro.config.mjs astro.config.ts svelte.config.js package.json",
  },
  {
    names: "eslint",
    source: "eslint.org",
    files:
      "eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml .eslintrc package.json",
  },
  {
    names: "prettier",
    source: "prettier.io",
    files:
      "prettier.config.js prettier.config.mjs prettier.config.cjs prettier.config.ts .prettierrc .prettierrc.js .prettierrc.cjs .prettierrc.mjs .prettierrc.json .prettierrc.yaml package.json",
  },
  {
    names: "stylelint",
    source: "stylelint.io",
    files:
      "stylelint.config.js stylelint.config.mjs stylelint.config.cjs .stylelintrc .stylelintrc.js .stylelintrc.json package.json",
  },
  { names: "tsc tsgo", source: "typescriptlang.org", files: "tsconfig.json" },
  {
    names: "ava tap c8 nyc",
    source: "their manuals",
    files: "ava.config.js ava.config.mjs ava.config.cjs .taprc .c8rc.json .nycrc .nycrc.json package.json",
  },
  {
    names: "turbo nx lerna",
    source: "their manuals",
    files: "turbo.json nx.json project.json lerna.json package.json",
  },
  {
    names: "playwright cypress",
    source: "their manuals",
    files: "playwright.config.ts playwright.config.js cypress.config.ts cypress.config.js",
  },
  {
    names: "wrangler vercel netlify firebase serverless",
    source: "their manuals",
    files: "wrangler.toml wrangler.json wrangler.jsonc vercel.json netlify.toml firebase.json serverless.yml",
  },
  {
    names: "docker docker-compose podman podman-compose",
    source: "docs.docker.com",
    files:
      "compose.yaml compose.yml docker-compose.yml docker-compose.yaml compose.override.yaml docker-compose.override.yml Dockerfile Containerfile docker-bake.hcl",
  },
  {
    names: "skaffold tilt earthly dagger",
    source: "their manuals",
    files: "skaffold.yaml Tiltfile Earthfile dagger.json",
  },
  { names: "vagrant", source: "vagrantup.com", files: "Vagrantfile" },
  { names: "foreman honcho overmind hivemind", source: "their manuals", files: "Procfile .foreman" },
  { names: "direnv mise", source: "their manuals", files: ".envrc mise.toml .mise.toml .tool-versions" },
  {
    names: "nix nix-shell nix-build devbox",
    source: "nix.dev",
    files: "flake.nix flake.lock shell.nix default.nix devbox.json",
  },
  {
    names: "goreleaser golangci-lint",
    source: "their manuals",
    files: ".goreleaser.yaml .goreleaser.yml .golangci.yml .golangci.yaml",
  },
  { names: "jj hg svn", source: "their manuals", files: ".jjconfig.toml .hg/hgrc" },
];

const byName = new Map(
  rows.flatMap(({ names, files }) => names.split(" ").map((name) => [name, files.split(" ")] as const)),
);

/** Names of the files that say what it does, where it is one of these programs. */
export const folderFilesOf = (name: string): readonly string[] => byName.get(name) ?? [];
