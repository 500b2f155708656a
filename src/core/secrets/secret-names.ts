import { wrongEnvName } from "../env-names.ts";

/** The variables that programs take for their settings: a command with a secret of that name would be another command. */
const settings = new Set(
  `HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ PWD OLDPWD TMPDIR TMP TEMP NO_COLOR CI DISPLAY COLUMNS LINES
   HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY
   PAGER EDITOR VISUAL BROWSER MANPAGER GH_PAGER SYSTEMD_PAGER DEBIAN_FRONTEND GCM_INTERACTIVE LESSOPEN LESSCLOSE
   PROMPT_COMMAND PS1 PS2 HISTFILE INPUTRC HOSTALIASES LOCALDOMAIN RES_OPTIONS TERMINFO TERMCAP SSLKEYLOGFILE OPENSSL_CONF OPENSSL_MODULES
   JAVA_HOME CLASSPATH GOPATH GOROOT GOFLAGS GOPROXY CARGO_HOME RUSTUP_HOME RUSTFLAGS NVM_DIR PYENV_ROOT RBENV_ROOT VOLTA_HOME ANDROID_HOME
   MAKEFLAGS CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CC CXX TAR_OPTIONS GREP_OPTIONS PIP_NO_INPUT PIP_INDEX_URL DOCKER_HOST KUBECONFIG`.split(
    /\s+/,
  ),
);

/** Whole families of settings. */
const always = /^(?:LD_|DYLD_|LC_|BASH_|HOLDFAST_|AGENT_|GIT_CONFIG|NPM_CONFIG_|_RLD)/;
/** Families in which a name may also be one of a secret, and then says so at its end. */
const mostly =
  /^(?:GIT_|NODE_|NPM_|YARN_|PIP_|PYTHON|PERL|RUBY|JAVA_|_JAVA|JDK_|DOTNET_|GO|CARGO_|RUST|SSH_|SSL_|CURL_|WGET|XDG_|GCONV_|MALLOC_|OPENSSL_|GNUPG|GPG_|DOCKER_|MAKE|LESS|ZDOTDIR|FPATH)/;
const isOfSecret = /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|AUTH|PAT|COOKIE|TOTP|CODE)$/;

const longestName = 64;

/** Returns the reason that a secret cannot have this name; undefined where it can. A command gets it as a variable of its environment. */
export function wrongSecretName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.length > longestName)
    return `a name has letters, digits and _, begins with no digit, and has at most ${longestName} characters`;
  const folded = name.toUpperCase();
  const isSetting = settings.has(folded) || always.test(folded) || (mostly.test(folded) && !isOfSecret.test(folded));
  if (isSetting || wrongEnvName(name) !== undefined || wrongEnvName(folded) !== undefined)
    return "programs take a variable of that name for one of their settings: a command that got it would be another command";
  return undefined;
}

/** A secret of such a name is the key of a second factor: what is used of it is the code of the moment. */
export const isTotpName = (name: string): boolean => /(?:_totp|_bu_2fa_code)$/i.test(name);
