import type { PlannedCommand } from "../../../core/command.ts";
import { parseArgvPattern, touchesArgv } from "./argv-pattern.ts";

/** Commands that a keyring, or a store of passwords as one, gives its values to or takes them from. */
export interface KeyringRow {
  /** Patterns as in a deny rule. */
  patterns: readonly string[];
  /** Only with such a word, or one that is known only when it runs. */
  word?: RegExp;
  match: readonly string[];
  notMatch: readonly string[];
}

export const keyrings: readonly KeyringRow[] = [
  {
    patterns: ["secret-tool *", "lssecret *", "keyring *", "kwallet-query *", "kwalletcli *", "kwallet-secrets *"],
    match: [
      "secret-tool lookup application x",
      "/usr/bin/secret-tool search --all name x",
      "bash -c 'secret-tool lookup a b | rev'",
      "env A=b timeout 5 secret-tool lookup a b",
      "echo x | xargs secret-tool lookup a",
      "x=$(secret-tool lookup a b); echo $x",
      "keyring get service name",
      "kwallet-query -r x kdewallet",
    ],
    notMatch: ["man secret-tool", "echo secret-tool lookup", "grep -r secret-tool .", "which secret-tool"],
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
      "git-credential-libsecret *",
      "git-credential-osxkeychain *",
      "docker-credential-secretservice *",
      "docker-credential-osxkeychain *",
      "docker-credential-pass *",
      "gh auth token *",
    ],
    match: [
      "keyctl print 12",
      "pass show a",
      "pass -c a",
      "op read op://a/b/c",
      "git credential fill",
      "gh auth token",
    ],
    notMatch: ["keyctl show", "gh auth status", "git commit -m pass", "echo pass"],
  },
];

const rows = keyrings.map(({ word, patterns }) => ({
  word,
  patterns: patterns.map(parseArgvPattern).filter((pattern) => "words" in pattern),
}));

/** Whether it speaks to a keyring, as far as its words are known: `own` where it asks for what this program keeps there. */
export function keyringUse({ argv }: Pick<PlannedCommand, "argv">): "own" | "some" | undefined {
  const [program] = argv;
  if (program === undefined || program === null) return undefined;
  const isMeant = rows.some(
    ({ word, patterns }) =>
      patterns.some((pattern) => touchesArgv(pattern, argv) !== "no") &&
      (word === undefined || argv.some((one) => one === null || word.test(one))),
  );
  if (!isMeant) return undefined;
  return argv.some((word) => word !== null && /holdfast/iu.test(word)) ? "own" : "some";
}
