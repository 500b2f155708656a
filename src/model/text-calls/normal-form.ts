/** Signs that HTML has a name for, as far as calls have them. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", Tab: "\t", NewLine: "\n" },
  ...{ lpar: "(", rpar: ")", lbrack: "[", lsqb: "[", rbrack: "]", rsqb: "]", lbrace: "{", lcub: "{", rbrace: "}" },
  ...{ rcub: "}", equals: "=", comma: ",", colon: ":", period: ".", sol: "/", bsol: "\\", lowbar: "_", verbar: "|" },
  ...{ ldquo: "“", rdquo: "”", lsquo: "‘", rsquo: "’" },
};

const breaks: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** A character as HTML, JSON, code or an address writes it: by a name, or by its number. */
const escapes =
  /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));|\\(?:u([\da-fA-F]{4})|[uU]\{?([\da-fA-F]{6,8})\}?|x([\da-fA-F]{2})|([nrt]))|((?:%[\da-fA-F]{2})+)/g;

function unescaped(all: string, ...groups: (string | undefined)[]): string {
  const [decimal, inHtml, name, four, eight, two, ending, inAddress] = groups;
  if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? all) : all;
  if (ending !== undefined) return breaks[ending] ?? all;
  if (inAddress !== undefined) return Buffer.from(inAddress.replaceAll("%", ""), "hex").toString("utf8");
  const hex = inHtml ?? four ?? eight ?? two ?? "";
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

/** So often a text is looked through for escapes of escapes. */
const mostRounds = 5;

/** Each is a sentence in one character, which would be written out. */
const phrases = /[\ufdfa\ufdfb]+/g;

/** The signs that colour a terminal. */
const colours = /(?!\s)\p{Cc}\[[\d;]*[a-zA-Z]/gu;

/** The text, and what it is with its escapes read once, twice and so on. Linear. */
function unescapings(text: string): [string, ...string[]] {
  const all: [string, ...string[]] = [text];
  let now = text;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = now;
    now = before.replace(escapes, unescaped);
    if (now === before) break;
    all.unshift(now);
  }
  return all;
}

/** The marks that stand on a letter, and the characters that nobody sees. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]+/gu;

/** A text without escapes, colours, accents and characters that nobody sees. Linear: a long row of marks is never put in its order. */
const plain = (text: string): string =>
  unescapings(text)[0]
    .replace(phrases, "")
    .replace(unseen, "")
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(colours, "")
    .replace(/\p{Cf}+/gu, "");

/** Tags in which HTML has code, and colours its words. */
const tags = /<\/?[a-zA-Z][^<>]*>/g;

/** The signs that may stand before a line that is quoted: a number, and signs of mails, lists and diffs. */
const prefix = /^[ \t]*(?:(?:\d+[:.)|-]?(?=\s)|\/\/|[>+|*#-])[ \t]*){1,20}/gm;

const ofAnyCall: ReadonlySet<string> = new Set(["name", "arguments", "parameters", "function", "action", "input"]);

/** A text as it is compared. */
export class NormalForm {
  /** Its letters, digits and opening brackets, in their order: what stands around a quote, line numbers and other signs say nothing. */
  readonly all: string;
  readonly #plain: string;
  #signs: readonly string[] | undefined;

  constructor(text: string) {
    this.#plain = plain(text);
    this.all = lettersOf(this.#plain);
  }

  /** The number of its letters, but for the words that calls in JSON have all. */
  get letters(): number {
    const words = this.#plain.match(/\p{L}+/gu) ?? [];
    return words.reduce((sum, word) => (ofAnyCall.has(word.toLowerCase()) ? sum : sum + word.length), 0);
  }

  /** The same by its lines that say something. */
  get lines(): readonly string[] {
    const lines = this.#plain.split("\n").map(lettersOf);
    return lines.filter((line) => /\D/.test(line));
  }

  /**
   * Words, numbers and signs but for quotes and escapes, each between blanks, so that one stands in another by whole words alone: with
   * the breaks of lines as blanks, and as nothing, for words that are broken.
   */
  get signs(): readonly string[] {
    this.#signs ??= signsOf(this.#plain);
    return this.#signs;
  }
}

/** A text that was read: as it stands, and without the tags that it has before and behind each reading of its escapes. */
export function normalForms(text: string): NormalForm[] {
  const bare = unescapings(text).flatMap((one) => {
    const without = one.replace(tags, "");
    return without === one ? [] : [without];
  });
  return [text, ...new Set(bare)].map((one) => new NormalForm(one));
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\d(]+/gu, "");

function signsOf(text: string): string[] {
  const lines = text.replace(/[\\"'`“”„‘’‚«»]+/g, "").replace(prefix, "");
  return [lines, lines.replace(/[\r\n]+/g, "")].map(
    (one) => ` ${(one.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? []).join(" ")} `,
  );
}
