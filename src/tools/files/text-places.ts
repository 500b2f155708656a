/** Up to here the search of the language is quick whatever it is given. */
const shortText = 100;

// Keeps files 2.
/**
 * Where a text stands in another, in about as many steps as both have characters (Knuth, Morris, Pratt): the language's own search takes
 * the product of both where texts repeat themselves, which is hours.
 * @param overlapping places that begin within another count too.
 */
export function* placesIn(text: string, wanted: string, overlapping: boolean): Generator<number> {
  if (wanted.length <= shortText) {
    const step = overlapping ? 1 : wanted.length;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) yield at;
    return;
  }
  const borders = new Int32Array(wanted.length);
  for (let at = 1; at < wanted.length; at += 1) borders[at] = grown(wanted, borders, borders[at - 1] ?? 0, wanted, at);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = grown(wanted, borders, matched, text, at);
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
  }
}

/**
 * How many of the wanted text's first characters end at this place of a text, when so many ended before it.
 * @param borders of each beginning of the wanted text, how many of its first characters are its last ones too
 */
function grown(wanted: string, borders: Int32Array, matched: number, text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return wanted.charCodeAt(length) === unit ? length + 1 : length;
}
