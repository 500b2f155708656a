import type { Words } from "./options.ts";

/** Each known word that begins with a dash is one of these; of an unknown one `startsByOption` tells. */
export const onlyWith =
  (pattern: RegExp) =>
  (words: Words): boolean =>
    words.every((word) => word?.startsWith("-") !== true || pattern.test(word));

/** No known word is one of these; an unknown one can do nothing else in the box either. */
export const without =
  (pattern: RegExp) =>
  (words: Words): boolean =>
    !words.some((word) => word !== null && pattern.test(word));

/** `+!id`, `+:e x`: what less and more do first is nothing but going to a line, or to a text, which a `$` ends: behind it less reads options (`+/x$+!id`). */
export const beginsPlainly = without(/^\+(?!\d+$|\/[^\r\n$]*$)/u);

/**
 * Options of less's manual that start nothing: none with a text, which a `$` ends and behind which others may follow. `-p` is a search in less, and what is done first
 * where it has the name of more; the files of keys and of tags (`-k`, `-t`, `-T`) may start something, and logs (`-o`) are written.
 */
export const showsInLess = onlyWith(
  /^(?:-[aABcCdeEfFgGhiIjJKLmMnNqQrRsSuUwWxXyz~\d]*|--(?:chop-long-lines|clear-screen|dumb|file-size|force|ignore-case|IGNORE-CASE|incsearch|line-numbers|LINE-NUMBERS|long-prompt|LONG-PROMPT|mouse|no-histdups|no-init|no-keypad|no-lessopen|quiet|QUIET|silent|SILENT|quit-at-eof|QUIT-AT-EOF|quit-if-one-screen|raw-control-chars|RAW-CONTROL-CHARS|save-marks|squeeze-blank-lines|status-column|tilde|use-color)?)$/u,
);

/** Options of `pip list`, `show` and `freeze` that start nothing: not those by which it asks an index, a keyring or another Python. */
export const listsInPip = onlyWith(
  /^(?:-[efluoqv]+|--(?:all|columns|debug|disable-pip-version-check|editable|(?:ex|in)clude-editable|exclude(?:=.*)?|files|format(?:=.*)?|isolated|local|no-cache-dir|no-color|no-input|no-python-version-warning|not-required|outdated|path(?:=.*)?|pre|quiet|uptodate|user|verbose)?)$/su,
);

/** Of find's manuals (GNU's and BSD's), without what writes (`-fprint`), takes away (`-delete`), starts another program (`-exec`) or reads a list (`-files0-from`). */
const tests = new Set(
  `-H -L -P -E -X -d -s -x -O0 -O1 -O2 -O3 -- -a -and -o -or -not -depth -xdev -mount -daystart -follow -noleaf -warn -nowarn -ignore_readdir_race
    -noignore_readdir_race -true -false -empty -executable -readable -writable -nouser -nogroup -print -print0 -ls -prune -quit`.split(
    /\s+/u,
  ),
);
const testsWithWord = new Set(
  `-f -maxdepth -mindepth -regextype -name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -type -xtype -size -perm -user -group
    -uid -gid -links -inum -samefile -fstype -flags -newer -anewer -cnewer -mnewer -amin -cmin -mmin -atime -ctime -mtime -Bmin -Btime -used -context
    -printf -depth`.split(/\s+/u),
);
const harms = without(/^-(?:exec(?:dir)?|ok(?:dir)?|delete|fprint[0f]?|fls|files0-from)$/u);

/** Tells whether find only finds with these words. */
export function onlyFinds(words: Words): boolean {
  const isTest = (word: string, before: string | null): boolean =>
    tests.has(word) || testsWithWord.has(word) || /^-newer[aBcm][aBcmt]$/u.test(word) || takesWord(before);
  return (
    harms(words) && words.every((word, at) => word?.startsWith("-") !== true || isTest(word, words[at - 1] ?? null))
  );
}

const takesWord = (word: string | null): boolean =>
  word !== null && (testsWithWord.has(word) || /^-newer[aBcm][aBcmt]$/u.test(word));

/** Tells whether `date` sets nothing and reads no file with these words. */
export function onlyTellsTime(words: Words): boolean {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-d" || word === "--date") {
      if (!isTime(rest.shift() ?? "")) return false;
    } else if (
      word === null ||
      !/^(?:\+.*|-u|--utc|-I\w*|-R|--rfc-3339=\w+|--iso-8601(?:=\w+)?|--date=.*)$/su.test(word)
    )
      return false;
    else if (!isTime(word)) return false;
  }
  return true;
}

/** In a time GNU's date takes a zone, and opens the file that it names: any at all, where that is more than a zone's plain name. */
const isTime = (text: string): boolean => !text.replaceAll(plainZone, " ").includes('TZ="');
const plainZone = /TZ="[A-Za-z][\w+-]*(?:\/[A-Za-z][\w+-]*)*"/gu;
