/**
 * Returns a text that was meant to be JSON as JSON: one with strings in single quotes, a comma behind the last entry, or Python's `True`, `False` and
 * `None`. Each of these has one reading; nothing is closed, cut off or made up. Undefined where the text has none of them. Linear.
 */
export function strictFromLoose(text: string): string | undefined {
  const parts: string[] = [];
  let changed = false;
  for (let at = 0; at < text.length; ) {
    const [end, written] = tokenAt(text, at);
    const token = text.slice(at, end);
    changed ||= written !== token;
    parts.push(written);
    at = end;
  }
  return changed ? parts.join("") : undefined;
}

/** Returns the end of the token at `at`, and the token as JSON writes it. */
function tokenAt(text: string, at: number): [end: number, written: string] {
  const char = text.charAt(at);
  if (char === '"' || char === "'") {
    const end = stringEnd(text, at, char);
    const token = text.slice(at, end);
    return [end, char === '"' ? token : doubleQuoted(token)];
  }
  if (char === ",") {
    const next = nextSign(text, at + 1);
    return [at + 1, next === "}" || next === "]" ? "" : char];
  }
  if (!/[A-Za-z]/.test(char)) return [at + 1, char];
  let end = at + 1;
  while (end < text.length && /[\w]/.test(text.charAt(end))) end += 1;
  const word = text.slice(at, end);
  return [end, pythonWords.get(word) ?? word];
}

const pythonWords = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

function stringEnd(text: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** A string in single quotes; what is escaped in it without need (`\'`) is not any more. */
function doubleQuoted(token: string): string {
  const inside = token.slice(1, -1);
  return `"${inside.replace(/\\[\s\S]|"/g, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part))}"`;
}

function nextSign(text: string, from: number): string {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at);
}
