/** The names in a home that a sandboxed command sees, and the reason. All else of the home is not there. */
export interface HomeRow {
  /** Below the home; a folder means all in it, but for what is guarded. */
  names: readonly string[];
  /** In words that can follow "because". */
  why: string;
}

const split = (names: string): string[] => names.trim().split(/,?\s+/u);

/**
 * The places that tool chains need to run and to build without the network: programs, libraries, and packages that were fetched. Named as narrow as
 * it goes: beside them lie the tokens of the same tool chains.
 */
export const homeRows: readonly HomeRow[] = [
  {
    names: split(`.local/bin, .local/lib, .local/libexec, .local/include, bin, .bin`),
    why: "the person's own programs and the libraries of them lie there",
  },
  {
    names: split(`
      .nvm .fnm .local/share/fnm .local/state/fnm_multishells .volta .nodenv .n .asdf .proto .local/share/mise .local/share/rtx
      .sdkman .jenv .jabba .jdks .goenv .gvm .rbenv .rvm .pyenv .plenv .phpenv .swiftly .ghcup .elan .juliaup .julia/juliaup
      .opam .linuxbrew .nix-profile .local/state/nix/profiles .rustup .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/packs
      .dotnet/templates .dotnet/sdk-manifests .dotnet/tools .dotnet/dotnet .dotnet/store .bun/bin .bun/install .deno/bin .foundry/bin
      .krew/bin .krew/store .arkade/bin .cabal/bin .mix .conda/envs .conda/pkgs miniconda3 anaconda3 miniforge3 mambaforge micromamba
    `),
    why: "versions of a language are installed there, and chosen between",
  },
  {
    names: split(`
      .local/share/pnpm .local/share/uv .local/share/pipx .local/pipx .local/share/virtualenvs .local/share/hatch .virtualenvs
      .config/yarn/global .yarn/bin .composer/vendor .config/composer/vendor .gem/ruby .gem/bin .pub-cache/bin go/bin .cargo/bin
      .cargo/env .nimble .luarocks perl5 .julia/packages .julia/artifacts .julia/compiled .julia/environments R
    `),
    why: "a package manager has installed programs and libraries there for all projects",
  },
  {
    names: split(`
      .npm/_cacache .npm/_npx .pnpm-store .yarn/berry .cargo/registry .cargo/git go/pkg .m2/repository .m2/wrapper .gradle/caches
      .gradle/wrapper .gradle/jdks .ivy2/cache .ivy2/local .sbt/boot .sbt/launchers .nuget/packages .pub-cache/hosted .pub-cache/git
      .cabal/packages .cabal/store .stack/programs .stack/snapshots .hex/packages .cocoapods .konan
      .cache/pip .cache/uv .cache/pypoetry .cache/go-build .cache/coursier .cache/pre-commit .cache/ms-playwright .cache/puppeteer
      .cache/Cypress .cache/electron .cache/electron-builder .cache/node .cache/node-gyp .cache/yarn .cache/pnpm .cache/deno .cache/zig
      .cache/bazel .cache/bazelisk .cache/ccache .cache/sccache .cache/composer .cache/rebar3 .cache/torch
    `),
    why: "packages that were fetched before lie there, so that a build without the network finds them",
  },
  {
    names: split(`
      .cargo/config.toml .cargo/config .config/git .gitignore .gitignore_global .gitattributes .gitmessage .tool-versions .node-version
      .nvmrc .python-version .ruby-version .java-version .editorconfig .config/rustfmt .config/nvm .terminfo
    `),
    why: "it says how a tool works in each project, without any access",
  },
  { names: split("Android/Sdk .android/avd"), why: "the tools that build for phones are installed there" },
];

/** The names that say to git, and to others that follow its rules, how it works everywhere. */
export const gitNames: readonly string[] = [".config/git", ".gitignore", ".gitignore_global", ".gitattributes"];

/** Git's settings of the person: shown without the lines that hold an access. They say in whose name commits are made. */
export const gitConfigs: readonly string[] = [".gitconfig", ".config/git/config"];

/** The variables that commands get, each with the parts that they see of the folder that it names: "" is all of it. */
export const variableRows: Readonly<Record<string, readonly string[]>> = {
  JAVA_HOME: [""],
  GOROOT: [""],
  GOPATH: ["bin", "pkg"],
  CARGO_HOME: split("bin env registry git config.toml config"),
  RUSTUP_HOME: [""],
  NVM_DIR: [""],
  PYENV_ROOT: [""],
  RBENV_ROOT: [""],
  VOLTA_HOME: [""],
  DOTNET_ROOT: [""],
  ANDROID_HOME: [""],
  XDG_CONFIG_HOME: ["git"],
  XDG_DATA_HOME: split("fnm mise rtx pnpm uv pipx virtualenvs hatch"),
};

/** Variables that name certificates, which are no secrets; a private key among them is not shown. */
export const certificateVariables: readonly string[] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Homes that no person's files lie in, but programs of the whole machine. */
export const machineFolders: readonly string[] = ["/home/linuxbrew/.linuxbrew"];

/** The names that hold access where the workspace is the home itself, though folders of these names in a project are honest. */
export const heldOfHome: readonly string[] = split(
  ".claude .codex .gemini .yarnrc .yarnrc.yml .terraform.d .netlify .config/Code .config/VSCodium",
);
