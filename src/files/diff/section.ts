/** Lines that are looked at above a change: finding its section must not cost more than the change itself. */
const mostLines = 3_000;
const longestLine = 200;
const longestSection = 120;

const headings = /\.(?:md|mdx|markdown|txt)$/i;
const tables = /\.(?:toml|ini|cfg|conf|service|editorconfig)$|(?:^|\/)\.(?:gitconfig|npmrc)$/i;

const modifiers =
  "(?:(?:export|default|declare|async|public|private|protected|internal|static|final|abstract|sealed|override|virtual|inline|extern|const|unsafe|open|data|pub(?:\\([\\w: ]+\\))?)\\s+)*";
const named =
  "(?:function\\b\\*?|class|interface|struct|enum|trait|impl|def|fn|fun|func|module|namespace|type|object|protocol|extension|record|message|describe|test|it)\\b";
/** `export async function send(`, `class A`, `def f(self):`, `func (s *S) f() {` */
const declaration = new RegExp(`^\\s*${modifiers}${named}`);
/** `const send = async (…`, `let x = function` */
const assigned =
  /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=]*)?\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/;
/** A method or a function of C: a name, its parameters and the brace that opens it, on one line. */
const method = /^\s*(?:[\w$<>[\],:*&~?.]+\s+)*[*&]?[#~\w$:]+\s*(?:<[^>]*>)?\([^;]*\)\s*(?:[\w\s:<>[\]|&,.?*-]*)\{\s*$/;
const control = /^\s*(?:\}\s*)?(?:if|else|for|foreach|while|switch|catch|try|do|return|with|match|when|using|lock)\b/;

/** The section of a hunk that begins at this line (index) of the old text. `lines`: its own, up to the first that changes. */
export type FindSection = (from: number, lines: readonly string[]) => string | undefined;

/**
 * Finds the line that begins the function, class or chapter in which a change stands: by the indentation of what encloses it, and in a
 * text with chapters the nearest heading. Where nothing encloses it there is none. Cut to 120 characters.
 * @param name of the file.
 */
export function sectionsOf(text: string, name: string): FindSection {
  const all = text.split("\n");
  const isChapter = headings.test(name) ? isHeading : tables.test(name) ? isTable : undefined;
  const shown = (at: number): string => (all[at] ?? "").trim().slice(0, longestSection);
  if (isChapter !== undefined) {
    const known = chapters(all, isChapter);
    return (from) => {
      const at = known[Math.min(from, all.length) - 1] ?? -1;
      return at < 0 ? undefined : shown(at);
    };
  }
  const indents = all.map(indentOf);
  return (from, lines) => {
    let inner = Math.min(...lines.map(indentOf));
    const start = Math.min(from, all.length) - 1;
    for (let at = start; at >= Math.max(0, start - mostLines) && inner > 0; at -= 1) {
      const indent = indents[at] ?? 0;
      if (indent >= inner) continue;
      const line = all[at] ?? "";
      if (line.length <= longestLine && begins(line)) return shown(at);
      // The end of a head of several lines: its beginning is indented as much.
      inner = /^\s*[)\]{]/.test(line) ? indent + 1 : indent;
    }
    return undefined;
  };
}

/** For each line the nearest chapter at or above it, -1 for none. */
function chapters(lines: readonly string[], isChapter: (line: string) => boolean): number[] {
  let last = -1;
  return lines.map((line, at) => {
    if (line.length <= longestLine && isChapter(line)) last = at;
    return last;
  });
}

const isHeading = (line: string): boolean => /^#{1,6}\s+\S/.test(line);
const isTable = (line: string): boolean => /^\s*\[.+\]\s*$/.test(line);

const begins = (line: string): boolean =>
  declaration.test(line) || assigned.test(line) || (/\{\s*$/.test(line) && method.test(line) && !control.test(line));

/** Tabs count as four blanks. What says nothing of the depth (blank lines, comments, directives) is as deep as can be. */
function indentOf(line: string): number {
  let [at, indent] = [0, 0];
  for (; line[at] === " " || line[at] === "\t"; at += 1) indent += line[at] === "\t" ? 4 : 1;
  const silent = at === line.length || line[at] === "\r" || line[at] === "#" || line.startsWith("//", at);
  return silent ? Number.POSITIVE_INFINITY : indent;
}
