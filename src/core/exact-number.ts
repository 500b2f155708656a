/** `not exact: …`, where a number of this JSON text would be another one after it is read; undefined where each is kept as it is written. */
export function inexactWords(json: string): string | undefined {
  const number = inexactNumber(json);
  if (number === undefined) return undefined;
  const shown = number.length > 60 ? `${number.slice(0, 59)}…` : number;
  return `not exact: the number ${shown} would become ${Number(number)}; send it as a string`;
}

/** The first such number. @param json a text that JSON.parse takes */
function inexactNumber(json: string): string | undefined {
  for (let at = 0; at < json.length; ) {
    if (json[at] === '"') {
      at = stringEnd(json, at);
      continue;
    }
    const end = numberEnd(json, at);
    const number = json.slice(at, end);
    if (end > at && !keepsDigits(number)) return number;
    at = Math.max(end, at + 1);
  }
  return undefined;
}

/** Returns the offset behind the string that begins at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at;
  do {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
  } while (isEscaped(json, end));
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function numberEnd(json: string, at: number): number {
  if (!/[-0-9]/.test(json.charAt(at))) return at;
  let end = at;
  while (end < json.length && /[-+.eE0-9]/.test(json.charAt(end))) end += 1;
  return end;
}

/** Tells whether the number that this text is read as is written, in its shortest form, with the same digits. */
function keepsDigits(text: string): boolean {
  const read = Number(text);
  return Number.isFinite(read) && plainDigits(text) === plainDigits(String(read));
}

/** Significant digits and the power of ten of the last of them: `-1.50e3` is `-15e2`, zero is `0`. */
function plainDigits(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  let first = 0;
  while (first < all.length && all[first] === "0") first += 1;
  let end = all.length;
  while (end > first && all[end - 1] === "0") end -= 1;
  if (first === end) return "0";
  return `${sign}${all.slice(first, end)}e${Number(power) - fraction.length + (all.length - end)}`;
}
