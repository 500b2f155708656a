import { join, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { isInside } from "../../../files/boundary.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { realOf } from "./closed-below.ts";

// Each is a mount of its own, and bubblewrap takes longer for each one the more there are: ten milliseconds a command for all of them.

const below = (top: string, names: string): string[] => names.split(/\s+/u).map((name) => join(top, name));

/**
 * The files and folders that every program starts by: they say where its libraries are, which program a name means, who users are, and the time of
 * the place.
 */
const ofEach = [
  ...below("/etc", "alternatives ld.so.cache passwd group nsswitch.conf localtime"),
  "/var/lib/sss/pipes/nss",
];

/** The files and folders that single programs need to start, to know names and to tell what they tell; none of them is a secret. */
const ofSome = [
  ...below(
    "/etc",
    `ld.so.conf ld.so.conf.d timezone locale.alias locale.conf mime.types magic magic.mime terminfo inputrc os-release lsb-release
    debian_version redhat-release hostname hosts host.conf services protocols shells DIR_COLORS fonts dpkg perl python3
    java-17-openjdk java-21-openjdk gai.conf ssl/certs ssl/openssl.cnf pki/tls/certs`,
  ),
  "/var/lib/dpkg", // what package listings read
];

/** Programs that read no settings of the machine but those of each, and the shell's own words; not `tree`, which counts what links lead to. */
const plain = new Set(
  `: [ awk b2sum base32 base64 basename cat cd cksum cmp comm command cut date diff dirname du echo egrep env expand export false fgrep find fmt
  fold gawk git grep head hexdump id join jq ls mawk md5sum nl nproc od paste pr printenv printf pwd readlink realpath rev rg sed seq set
  sha1sum sha224sum sha256sum sha384sum sha512sum sort stat sum tac tail test tr true tsort type uname unexpand uniq unset wc which
  whoami xxd`.split(/\s+/u),
);

/** Those of them that follow no link which they come upon in a folder, unless an option says so. */
const staying = new Set(["find", "grep", "rg"]);
/** Options by which a program may look at what a link leads to. */
const following =
  /^-(?:\w*[DFHLR]|-(?:follow|deref|classify|color|group-dir)|follow|xtype|readable|writable|executable|printf|fprintf)/u;
const followingInText = /^-(?:\w*[LR]|-(?:follow|deref))/u;

/** The files and folders of the machine's settings that are there in the reading box. */
export const settingsOf = (isSmall: boolean): readonly string[] => (isSmall ? ofEach : [...ofEach, ...ofSome]);

/**
 * Tells whether a line's own words say that it comes upon nothing of the machine's settings or a home, and none of its programs needs any but those
 * of each.
 */
export function needsLittle(commands: readonly PlannedCommand[], roots: readonly string[]): boolean {
  // The system's own programs and their data are there for each line.
  const places = [...roots, "/usr", "/dev"];
  return commands.every((command) => isSmall(command, places));
}

function isSmall(command: PlannedCommand, there: readonly string[]): boolean {
  const { argv, reaches = [], paths, redirects, cwd, program: file = "/usr/" } = command;
  const [program = ":", ...words] = argv.filter((word) => word !== null); // without one it is the shell, that sets and opens
  // One that lies elsewhere may need what is shown of homes.
  if (!/^\/(?:usr\/)?(?:s?bin\/|$)/u.test(file) || !plain.has(program)) return false;
  if (words.length + 1 < argv.length || reaches === "any" || cwd === undefined) return false;
  if (words.some((word) => (/^(?:[ef]?grep|rg)$/u.test(program) ? followingInText : following).test(word)))
    return false;
  if (reaches.length > 0 && !staying.has(program)) return false;
  const named = [...paths, ...redirects.filter((one) => one.asked !== undefined)];
  if (named.some(({ asked = "", real }) => resolve(cwd, asked) !== real)) return false;
  const places = [...named.map(({ real = "" }) => real), ...reaches, "."];
  // Of what is not looked at as files each word may be one, and each value of an option.
  const parts = command.isPathsKnown ? [] : words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  return (
    (command.isPathsKnown || (looked.has(program) && !words.some((word) => leading.test(word)))) &&
    [...places, ...parts].every((path) => isIn(there, resolve(cwd, path)))
  );
}

/** Programs whose words are told from each other by what they do, not by which of them are files. */
const looked = new Set(["awk", "find", "gawk", "git", "jq", "mawk", "rg"]);
/** The parts of a word that may lead elsewhere from within it. */
const leading = /(?:^|[=:,("'])(?:~|\/(?!usr\/|dev\/null))|(?:^|\W)\.\.(?:\/|$)/u;

/** No link leads to it or from it, and it lies in one of these. */
function isIn(folders: readonly string[], path: string): boolean {
  const real = realOf(path) ?? kernelPath("/", path);
  return real === path && folders.some((folder) => isInside(folder, path) && !isInside(folder, "/etc"));
}
