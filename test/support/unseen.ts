const unseen = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Zl}\p{Zp}\p{Surrogate}\u2800]/u;

/** By Unicode's own tables, not by a list of ours. */
export const isUnseen = (character: string): boolean => unseen.test(character);

/** Each code point that Unicode has room for. */
export function* everyCharacter(): Generator<string> {
  for (let point = 0; point <= 0x10ffff; point += 1) yield String.fromCodePoint(point);
}
