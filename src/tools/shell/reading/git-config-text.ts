/** The text that a setting must hold to be left out, in lower case: a header that is sent, a password, a token. */
const secretKey =
  /^\s*[\w.-]*(?:extraheader|token|passw|secret|apikey|api-key|oauth|cookiefile|sslkey)[\w.-]*\s*(?:=|$)/iu;
/** An address with who one is before its host. */
const access = /:\/\/[^/\s"@]+@/u;
const isHeader = (line: string): boolean => /^\s*\[/u.test(line);

/**
 * Git's settings without the lines that hold an access: addresses with a name or a password in them, headers, tokens. A section whose
 * name holds one goes whole.
 */
export function withoutAccess(text: string): string {
  const kept: string[] = [];
  let isOut = false;
  let goesOn = false;
  for (const line of text.split("\n")) {
    if (!goesOn && isHeader(line)) isOut = access.test(line.slice(0, line.indexOf("]") + 1 || undefined));
    const isLeft: boolean = isOut || (goesOn ? kept.at(-1) === left : isSecret(line));
    kept.push(isLeft ? left : line);
    goesOn = /(?<!\\)(?:\\\\)*\\$/u.test(line);
  }
  return kept.join("\n");
}

const left = "";

const isSecret = (line: string): boolean => {
  const setting = isHeader(line) ? line.slice(line.indexOf("]") + 1) : line;
  return secretKey.test(setting) || access.test(setting);
};

/** Paths of the files that are included, as they are written. */
export function includedFiles(text: string): string[] {
  let isInclude = false;
  const found: string[] = [];
  for (const line of text.split("\n")) {
    if (isHeader(line)) isInclude = /^\s*\[include(?:if\s|\])/iu.test(line);
    const path = /^\s*(?:\[[^\]]*\])?\s*path\s*=\s*"?([^"#;]+?)"?\s*$/iu.exec(line)?.[1];
    if (isInclude && path !== undefined) found.push(path);
  }
  return found;
}

/** Paths of the files that it names for git to read, as they are written: what is included, ignored or told of files and people. */
export const namedFiles = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const found =
      /^\s*(?:\[[^\]]*\])?\s*(?:path|file|excludesfile|attributesfile)\s*=\s*"?([^"#;]+?)"?\s*(?:[#;].*)?$/iu.exec(
        line,
      );
    return found?.[1] ?? [];
  });
