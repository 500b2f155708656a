/** Ranks a path by its fit to letters that were typed of it: lower is better; undefined where they are not in it in their order. */
export function fuzzyRank(path: string, word: string): number | undefined {
  if (word === "") return path.endsWith("/") ? 1 : 0;
  const [text, letters] = [path.toLowerCase(), word.toLowerCase()];
  const name = text.slice(text.lastIndexOf("/", text.length - 2) + 1);
  if (text.startsWith(letters)) return 0;
  if (name.startsWith(letters)) return 1;
  if (name.includes(letters)) return 2;
  if (text.includes(letters)) return 3;
  if (inOrder(name, letters)) return 4;
  return inOrder(text, letters) ? 5 : undefined;
}

function inOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
