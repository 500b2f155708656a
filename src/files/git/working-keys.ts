/** Last words of settings with which git runs a program, or reads more settings, also where it is only asked what there is. */
const readingKeys = `fsmonitor clean smudge process textconv command external program path alternaterefscommand sshcommand gitproxy showsignature
  worktree attributesfile defaultkeycommand promisor partialclone partialclonefilter uploadpack vcs`;
/** And those with which it reads a file that they name, which may be any of the disk, or any that it keeps. */
const fileKeys = "excludesfile orderfile file blob";
/** And the one with which it writes down what such a program gave it. */
const keepingKey = "cachetextconv";
/** And those with which it does whatever it is told to: its manual's, by their last words. */
const workingKeys = `hookspath askpass pager editor driver cmd helper difffilter packobjectshook recentobjectshook receivepack uploadarchive
  allow update templatedir sendmailcmd smtpserver tocmd cccmd headercmd tunnel browser viewer httpd insteadof pushinsteadof tool guitool`;

const words = (text: string): string[] => text.trim().split(/\s+/u);

/** The signs that a line may begin with. No line ends: a file of nothing else would be walked to its end from each of them. */
const blanks = "[^\\S\\n\\r\\u2028\\u2029]*";
const keysOf = (names: string): RegExp => new RegExp(`^${blanks}(?:${words(names).join("|")})\\s*(?:=|$)`, "gimu");
const reading = keysOf(`${readingKeys} ${fileKeys} ${keepingKey} hookspath`);
const working = keysOf(`${readingKeys} ${workingKeys}`);
/** Any name in these is one that may run a program. */
const sections = new RegExp(`^${blanks}\\[\\s*(?:alias|pager|include|includeif)\\b`, "imu");

const obeyedWhenRead = new Set(words(`${readingKeys} ${fileKeys} ${keepingKey} hookspath`));

/** Tells whether a setting makes git run a program, take more settings, read a file, or write down what a program gave it, also where it is only asked what there is; by its key. */
export const isObeyedWhenRead = (key: string): boolean => obeyedWhenRead.has(key);

/**
 * Counts the lines of a file of settings that look like one of these, also where git would not take them so: where they are more than were read
 * as settings, the file was read in another way than git may.
 */
export const linesObeyedWhenRead = (text: string): number => lined(text).match(reading)?.length ?? 0;

/** Tells whether settings of git, as their file has them, may make it run a program. */
export const mayRunPrograms = (text: string): boolean => lined(text).search(working) >= 0 || sections.test(text);

const lined = (text: string): string => text.replaceAll("]", "]\n");
