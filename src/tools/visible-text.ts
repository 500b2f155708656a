/** Controls, and signs that nobody sees, in which a page may hide words from a person. Line ends become plain ones. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?/gu, "\n")
    .replace(
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu,
      "",
    );
