/** Names whose value is a secret, in options and headers. */
const secretName = String.raw`[\w-]*(?:key|token|secret|passw|pwd|auth(?!or)|cred|cookie|session)[\w-]*`;
const value = String.raw`(?:"[^"]*"|'[^']*'|[^\s"']+)`;

/** What may be a secret, by its place or its form; `$1` stays. */
const forms: readonly RegExp[] = [
  // A variable that is set for a command.
  new RegExp(String.raw`((?:^|[\s;&|(])[A-Za-z_]\w*=)${value}`, "gu"),
  new RegExp(String.raw`((?:^|[\s"'?&])${secretName}=)${value}`, "giu"),
  new RegExp(String.raw`(\s--?${secretName}\s+)(?!\*)${value}`, "giu"),
  new RegExp(String.raw`(${secretName}\s*:\s+)[^"'\n]+`, "giu"),
  /((?:^|\s)(?:bearer|basic)\s+)[\w.~+/=-]{6,}/giu,
  /(\s(?:-u|--user)\s*)[^\s:]+:[^\s*][^\s]*/gu,
  // What an address carries beside its host and path.
  /(\w:\/\/)[^\s/@"']+(?=@)/gu,
  /(\w:\/\/[^\s?#"']*[?#])[^\s"')]+/gu,
  // Tokens by their form, and what is too long and mixed to be a word.
  /()\b(?:sk|pk|rk)[-_][\w-]{12,}|\b(?:gh[pousr]|glpat|github_pat|xox[a-z])[-_][\w-]{12,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w.-]+/gu,
  /()(?<![\w/.-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}(?![\w/.-])/gu,
];

/** A text of settings with an ellipsis in the place of each thing that may be a secret. */
export const withoutSecrets = (text: string): string =>
  forms.reduce((made, form) => made.replace(form, (_, kept: string | undefined) => `${kept ?? ""}…`), text);
