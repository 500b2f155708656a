import type { PlannedCommand } from "../../../core/command.ts";
import { parseArgvPattern, touchesArgv } from "./argv-pattern.ts";
import { baseName } from "./wrappers.ts";

/** Commands that a keyring, or a store of passwords as one, gives its values to or takes them from. */
export interface KeyringRow {
  /** Patterns as in a deny rule. */
  patterns: readonly string[];
  /** Names of further programs, whatever their words. */
  programs?: RegExp;
  /** Only with such a word, or one that is known only when it runs. */
  word?: RegExp;
  /** A word, behind the program, by which it asks for what this program keeps there, whose entries say `holdfast`. */
  own?: RegExp;
  match: readonly string[];
  notMatch: readonly string[];
}

export const keyrings: readonly KeyringRow[] = [
  {
    patterns: ["secret-tool *"],
    own: /^(?!-).*holdfast/iu,
    match: [
      "secret-tool lookup application x",
      "/usr/bin/secret-tool search --all name x",
      "bash -c 'secret-tool lookup a b | rev'",
      "env A=b timeout 5 secret-tool lookup a b",
      "echo x | xargs secret-tool lookup a",
      "x=$(secret-tool lookup a b); echo $x",
    ],
    notMatch: ["man secret-tool", "echo secret-tool lookup", "grep -r secret-tool .", "which secret-tool"],
  },
  {
    patterns: ["lssecret *", "keyring *", "kwallet-query *", "kwalletcli *", "kwallet-secrets *"],
    match: ["keyring get service name", "kwallet-query -r x kdewallet", "lssecret"],
    notMatch: ["man keyring", "ls keyring"],
  },
  {
    patterns: [
      "security find-generic-password *",
      "security find-internet-password *",
      "security find-key *",
      "security dump-keychain *",
      "security export *",
      "security -i *",
      "security add-generic-password *",
      "security add-internet-password *",
      "security delete-generic-password *",
      "security delete-internet-password *",
      "security set-generic-password-partition-list *",
    ],
    own: /^(?:-[a-z])?holdfast/iu,
    match: [
      "security find-generic-password -s x -w",
      "security -v find-internet-password -g",
      "security dump-keychain -d",
      "security -i",
    ],
    notMatch: ["security find-identity -v -p codesigning", "security verify-cert -c x", "man security"],
  },
  {
    patterns: ["busctl *", "dbus-send *", "gdbus *", "qdbus *", "qdbus6 *", "qdbus-qt5 *"],
    word: /secrets|kwallet|gnome\.?keyring/iu,
    own: /holdfast/iu,
    match: [
      "busctl --user call org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service GetSecrets",
      "dbus-send --session --dest=org.freedesktop.secrets --print-reply /org/freedesktop/secrets x.y",
      "gdbus call --session -d org.freedesktop.secrets -o /org/freedesktop/secrets -m x",
      "qdbus org.kde.kwalletd5 /modules/kwalletd5 readPassword 1 a b c",
      "dbus-send --session $X",
    ],
    notMatch: ["busctl list", "gdbus introspect --session -d org.freedesktop.Notifications -o /x"],
  },
  {
    patterns: ["dbus-monitor *", "busctl monitor *", "busctl capture *", "gdbus monitor *"],
    match: ["dbus-monitor --session", "busctl --user monitor"],
    notMatch: ["busctl status"],
  },
  {
    patterns: [
      "keyctl print *",
      "keyctl read *",
      "keyctl pipe *",
      "pass *",
      "gopass *",
      "rbw *",
      "bw *",
      "op *",
      "git credential *",
      "git credential-libsecret *",
      "git credential-osxkeychain *",
      "git credential-manager get *",
      "git credential-manager-core get *",
      "git credential-store *",
      "git credential-gnome-keyring *",
      "git-credential-libsecret *",
      "git-credential-osxkeychain *",
      "git-credential-manager *",
      "git-credential-manager-core *",
      "git-credential-store *",
      "git-credential-gnome-keyring *",
      "gh auth token *",
      "gh auth status --show-token *",
      "gh auth status -t *",
    ],
    programs: /^docker-credential-/iu,
    match: [
      "keyctl print 12",
      "pass show a",
      "pass -c a",
      "op read op://a/b/c",
      "git credential fill",
      "gh auth token",
      "gh auth status --show-token",
      "gh auth status -t --hostname github.com",
      "git credential-manager get",
      "git-credential-manager get",
      "git -C x credential-store get",
      "docker-credential-desktop get",
      "echo https://index.docker.io/v1/ | /usr/bin/docker-credential-wincred get",
    ],
    notMatch: [
      "keyctl show",
      "gh auth status",
      "gh auth status --hostname x",
      "git credential-manager configure",
      "git commit -m pass",
      "echo pass",
      "echo docker-credential-pass",
    ],
  },
];

const rows = keyrings.map(({ word, own, programs, patterns }) => ({
  word,
  own,
  programs,
  patterns: patterns.map(parseArgvPattern).filter((pattern) => "words" in pattern),
}));

/** Tells whether a command speaks to a keyring, as far as its words are known: `own` where it asks for what this program keeps there. */
export function keyringUse({ argv }: Pick<PlannedCommand, "argv">): "own" | "some" | undefined {
  const [program] = argv;
  if (program === undefined || program === null) return undefined;
  const meant = rows.filter(
    ({ word, programs, patterns }) =>
      (programs?.test(baseName(program)) === true || patterns.some((one) => touchesArgv(one, argv) !== "no")) &&
      (word === undefined || argv.some((one) => one === null || word.test(one))),
  );
  if (meant.length === 0) return undefined;
  const isOwn = meant.some(({ own }) => argv.slice(1).some((word) => word !== null && own?.test(word) === true));
  return isOwn ? "own" : "some";
}
