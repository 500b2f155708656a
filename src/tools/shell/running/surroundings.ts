import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { wrongEnvName } from "../../../core/env-names.ts";
import type { SandboxChoice } from "../../../core/sandbox-choice.ts";
import { isInside } from "../../../files/boundary.ts";
import { isReadAsHere } from "../reading/line-variables.ts";
import { type CommandFolders, foldersOf } from "./scratch.ts";

/** The things that a person lets a command have, and its surroundings. */
export interface ShellSettings {
  /** The agent's own environment, of which a command gets little. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the person lets pass beside those. */
  shellEnv: readonly string[];
  /** Folders, absolute, that come before the PATH; only these may lie in the workspace. */
  shellPath: readonly string[];
  /** A folder of ours that commands may write: their caches, and what they keep for a moment. Where there is none they use the person's. */
  scratch?: string;
  sandbox: SandboxChoice;
  /** The paths that a sandboxed command may write beside the workspace: absolute. */
  sandboxWrite: readonly string[];
  /** The paths of homes that it may read beside those that tool chains need: absolute. */
  sandboxRead: readonly string[];
  /** Our own places, absolute: a sandboxed command does not see what is in them. */
  hidden: readonly string[];
  /** True if a command may be given secrets of the person's: then its arguments are known in a session alone, which knows whether any are set. */
  secrets?: boolean;
}

type SurroundingsSettings = Pick<ShellSettings, "env" | "shellEnv" | "shellPath" | "scratch">;

/** The environment of a command, whole, and the entries of PATH that it does not get. */
export interface Surroundings {
  env: Record<string, string>;
  dropped: string[];
}

/**
 * Variables that pass by themselves: who and where one is, the language, where tool chains and certificates lie. None of them is
 * a secret, and none makes a program run another one.
 */
const passing = new Set(
  `HOME USER LOGNAME LANG LANGUAGE TZ NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME TMPDIR
   JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT RBENV_ROOT VOLTA_HOME DOTNET_ROOT ANDROID_HOME`.split(
    /\s+/,
  ),
);

/** They lead to the network, and pass with it; one with a password in it does not. */
const proxies = new Set(
  "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy".split(" "),
);

/** Nobody sits at the command: nothing pages, edits, asks or draws. */
const unattended: Readonly<Record<string, string>> = {
  AGENT: "holdfast",
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
};

/** The PATH by which a command finds programs if its own has no entry left. */
const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** Of the agent's variables those that a command gets, in the order of their names. */
export function passedNames({ env, shellEnv }: Pick<ShellSettings, "env" | "shellEnv">, network: boolean): string[] {
  const named = new Set(shellEnv.filter((name) => wrongEnvName(name) === undefined));
  const passes = (name: string, value: string): boolean =>
    named.has(name) ||
    passing.has(name) ||
    name.startsWith("LC_") ||
    (network && proxies.has(name) && !value.includes("@"));
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && passes(name, value) && isReadAsHere(name, value))
    .map(([name]) => name)
    .sort();
}

/** @param roots the workspace and the folders added to it: absolute, symlinks resolved */
export function surroundingsOf(
  settings: SurroundingsSettings,
  roots: readonly string[],
  { network, sandbox }: { network: boolean; sandbox: boolean },
): Surroundings {
  const { env, scratch } = settings;
  const passed = passedNames(settings, network).map((name) => [name, env[name] ?? ""]);
  const { path, dropped } = childPath(settings, roots);
  return {
    env: {
      ...Object.fromEntries(passed),
      ...unattended,
      PATH: path,
      // In the sandbox /tmp is one of the command's own.
      ...(scratch === undefined
        ? sandbox
          ? folderVariables({ tmp: "/tmp", cache: "/tmp/cache" })
          : {}
        : folderVariables(foldersOf(scratch, { sandbox }))),
    },
    dropped,
  };
}

const folderVariables = ({ tmp, cache }: CommandFolders): Record<string, string> => ({
  ...{ TMPDIR: tmp, XDG_CACHE_HOME: cache, npm_config_cache: join(cache, "npm") },
});

/**
 * PATH for a command: absolute entries that do not lie in the workspace, where the model writes, behind those the person named.
 * A relative or an empty entry would mean another folder in each place.
 */
export function childPath(
  { env, shellPath }: Pick<ShellSettings, "env" | "shellPath">,
  roots: readonly string[],
): { path: string; dropped: string[] } {
  const entries = (env["PATH"] ?? systemPath).split(delimiter);
  const isKept = (entry: string): boolean =>
    isAbsolute(entry) && !roots.some((root) => isInside(root, resolve(entry)) || isInside(root, realOrAsIs(entry)));
  const kept = [...new Set([...shellPath.filter(isAbsolute), ...entries.filter(isKept)])];
  const dropped = entries.filter((entry) => entry !== "" && !isKept(entry) && !shellPath.includes(entry));
  return { path: kept.length === 0 ? systemPath : kept.join(delimiter), dropped: [...new Set(dropped)] };
}

function realOrAsIs(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
