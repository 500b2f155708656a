/** The characters that a terminal could obey or a reader could not see: DEL, C1, bidirectional and invisible characters, tags, selectors. */
const unseen = new RegExp(
  [
    "[\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]",
    "[\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  ].join("|"),
  "gu",
);

const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** A value as one line of JSON, with its line end. What is not seen is written as `\uXXXX`: the value stays the same. */
export function jsonLine(value: unknown): string {
  const line = JSON.stringify(value);
  return `${isAscii.test(line) ? line : line.replace(unseen, escaped)}\n`;
}

/** Most lines are; JSON has escaped what is below a blank. */
const isAscii = /^[ -~]*$/;
