const PRINTABLE_ASCII = /^[ -~]*$/;
/** Characters before which a grapheme always ends. */
const STARTS_GRAPHEME =
  /^[\n -~\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Segments carry a copy of the whole text they come from, so only short pieces are given to the segmenter. UTF-16 units. */
const PIECE = 64;
const LONGEST_PIECE = 256;

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into the characters that a person sees as single ones. Linear in the length. A cluster of more than 192 units may come in parts. */
export function graphemes(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return text.split("");
  const found: string[] = [];
  for (const piece of pieces(text)) {
    if (PRINTABLE_ASCII.test(piece)) found.push(...piece);
    else for (const part of segment(piece)) found.push(part.segment);
  }
  return found;
}

/** Bounds of the grapheme around `index`, in UTF-16 units; a line end is one by itself. */
export function graphemeAround(text: string, index: number): { start: number; end: number } {
  if (index >= text.length) return { start: text.length, end: text.length };
  let from = index;
  while (from > 0 && index - from < LONGEST_PIECE && !startsGrapheme(text, from)) from -= 1;
  let to = index + 1;
  while (to < text.length && to - index < LONGEST_PIECE && !startsGrapheme(text, to)) to += 1;
  const part = segment(text.slice(from, to)).containing(index - from);
  if (part === undefined) return { start: index, end: index + 1 };
  return { start: from + part.index, end: from + part.index + part.segment.length };
}

/** The text in pieces of bounded length, parted between graphemes. */
export function pieces(text: string): string[] {
  if (text.length <= PIECE) return [text];
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + PIECE;
    while (to < text.length && to - from < LONGEST_PIECE && !startsGrapheme(text, to)) to += 1;
    if (/^[\udc00-\udfff]$/.test(text.charAt(to))) to += 1;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

function segment(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

function startsGrapheme(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 0x80) return (code === 0x0a && text[index - 1] !== "\r") || (code >= 0x20 && code < 0x7f);
  if (code >= 0xdc00 && code <= 0xdfff) return false;
  return STARTS_GRAPHEME.test(text.slice(index, index + 2));
}
