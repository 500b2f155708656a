/** Most names: nothing in them is written in more than one way but for their case. */
const isPlain = /^[ -~]*$/u;

/**
 * A name as a file system that ignores case would compare it: NFC, full case folding (so `ſ` is `s`; a capital whose own capital form is
 * itself, as `ẞ`, is made small first). Folding too much only makes a deny or a guard catch more.
 */
export const foldCase = (name: string): string =>
  isPlain.test(name)
    ? name.toLowerCase()
    : name.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
