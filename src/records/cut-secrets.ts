/** So many characters tell of a secret; of a short one half of it. */
const fewest = 6;
/** The fewest characters where nothing says that a text was cut: less may be a word or a name of the person's own. */
const fewestUnmarked = 12;
/** The fewest characters of a text between two marks: it was cut from the middle of a long line. */
const fewestInside = 24;

/** The parts of an address that anybody may write, and the frame of a key. */
const known = /^(?:[a-z][\w+.-]*(?::|%3a)(?:\\*\/|%2f){2}|-----BEGIN [A-Z ]*-----)/i;

/** A form of a secret, and the lengths of the least beginnings and of the least end that tell of it. */
interface Form {
  form: string;
  name: string;
  head: number;
  unmarked: number;
  tail: number;
}

interface Part {
  from: number;
  to: number;
  name: string;
}

type Hide = (text: string, hidden: (name: string) => string) => string;

/**
 * Replaces what a cut has left of secrets: a beginning before `…` or where a line ends, an end behind `…`, and what stands
 * between two. Whole ones are none of its business.
 * @param names the name of each form of a secret
 */
export function cutSecrets(names: ReadonlyMap<string, string>): Hide {
  const forms = [...names].map(measured);
  const long = forms.filter(({ form }) => form.length > fewestInside);
  const beginnings = hiding(
    forms.map(({ form, head }) => form.slice(0, head)),
    (text, at) => firstOf(forms, (form) => beginningOf(form, text, at)),
  );
  const ends = hiding(
    forms.map(({ form, tail }) => form.slice(-tail)),
    (text, at) => firstOf(forms, (form) => endOf(form, text, at)),
  );
  const middles: Hide = (text, hidden) =>
    text.replace(/(?<=…)[^…\n]+(?=…)/g, (part) => {
      const whose = part.length < fewestInside ? undefined : long.find(({ form }) => form.includes(part));
      return whose === undefined ? part : hidden(whose.name);
    });
  return (text, hidden) => {
    const begun = beginnings(text, hidden);
    return begun.includes("…") ? middles(ends(begun, hidden), hidden) : begun;
  };
}

function measured([form, name]: [string, string]): Form {
  const free = known.exec(form)?.[0].length ?? 0;
  const share = (length: number): number => Math.min(fewest, Math.ceil(length / 2));
  const head = free + share(form.length - free);
  return { form, name, head, unmarked: free + fewestUnmarked, tail: share(form.length) };
}

function beginningOf({ form, name, head, unmarked }: Form, text: string, from: number): Part | undefined {
  let length = 0;
  while (length < form.length && form[length] === text[from + length]) length += 1;
  const to = from + length;
  const least = text[to] === "…" ? head : /^[\r\n]?$/.test(text.charAt(to)) ? unmarked : form.length;
  return length >= least && length < form.length ? { from, to, name } : undefined;
}

/** @param at where the least end that tells of it would begin */
function endOf({ form, name, tail }: Form, text: string, at: number): Part | undefined {
  if (!text.startsWith(form.slice(-tail), at)) return undefined;
  let length = tail;
  while (length < form.length && form.at(-1 - length) === text[at + tail - 1 - length]) length += 1;
  const from = at + tail - length;
  return length < form.length && text[from - 1] === "…" ? { from, to: at + tail, name } : undefined;
}

function firstOf(forms: readonly Form[], partOf: (form: Form) => Part | undefined): Part | undefined {
  for (const form of forms) {
    const part = partOf(form);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Looks for parts wherever one of these signs of them stands. */
function hiding(signs: readonly string[], partAt: (text: string, at: number) => Part | undefined): Hide {
  const source = [...new Set(signs)].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const pattern = new RegExp(source === "" ? "(?!)" : source, "g");
  return (text, hidden) => {
    const made: string[] = [];
    let done = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const part = partAt(text, match.index);
      pattern.lastIndex = match.index + 1;
      if (part === undefined || part.from < done) continue;
      made.push(text.slice(done, part.from), hidden(part.name));
      done = part.to;
      pattern.lastIndex = done;
    }
    return made.join("") + text.slice(done);
  };
}
