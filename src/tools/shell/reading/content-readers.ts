import { readGit } from "./git-words.ts";
import type { Words } from "./options.ts";
import { baseName } from "./wrappers.ts";

const split = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Programs that show, copy or send what is in the files that their words name. */
const ofFiles = split(`
  cat tac nl rev head tail wc sort uniq cut paste fold fmt column expand unexpand comm join cmp diff diff3 sdiff colordiff od hexdump hd
  xxd strings file grep egrep fgrep zgrep jq yq sed awk gawk mawk nawk less more most bat batcat zcat bzcat xzcat gzip bzip2 xz zstd lz4
  base64 base32 basenc openssl gpg dd cp mv ln install rsync scp sftp ssh curl wget http https nc ncat socat telnet ftp rclone split csplit
  shuf tsort iconv dos2unix pr look ed ex vim view nano md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum ar cpio pax
  mapfile readarray read xmllint pandoc enscript ptx mail mutt sendmail
`);

/** Of these it is known that they go through whole folders, whatever is named. */
const ofFolders = split("rg ag ack ugrep ug tar bsdtar gtar zip 7z 7za 7zz cpio pax rsync rclone");

/** Words of git that show or pack what is in files. */
const ofGit = split(
  "grep diff show log blame cat-file archive format-patch diff-files diff-index diff-tree whatchanged",
);

/** They start a program with names that nobody wrote. */
const feeders = split("xargs find fd fdfind parallel");

/** Tells whether a program shows, copies or sends the content of files that it is given. */
export const readsFiles = (name: string): boolean => ofFiles.has(baseName(name)) || ofFolders.has(baseName(name));

/** Tells whether a command goes through the folder that it runs in by itself. */
export function goesThroughFolders([name, ...words]: Words): boolean {
  const program = typeof name === "string" ? baseName(name) : "";
  if (program !== "git") return ofFolders.has(program);
  if (readGit(words)?.tells === "names") return false;
  const verb = words.find((word) => word === null || ofGit.has(word) || /^[a-z]/u.test(word));
  return verb === null || (verb !== undefined && ofGit.has(verb));
}

/** Tells whether a program gives the one that it starts names of files that no word of the line says. */
export const feedsNames = (name: string | null | undefined): boolean =>
  typeof name === "string" && feeders.has(baseName(name));
