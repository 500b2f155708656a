/** Words by which a text shows something and does not do it, in the languages that models answer in: beginnings of words. */
const stems = [
  ...[
    "exampl",
    "sampl",
    "instance",
    "illustrat",
    "demonstrat",
    "syntax",
    "format",
    "notation",
    "such as",
    "looks? like",
  ],
  ...[
    "like (?:this|so|that)",
    "as follows",
    "would",
    "could",
    "written",
    "writes",
    "wrote",
    "call",
    "invoc",
    "invok",
    "quot",
    "says",
  ],
  ...["beispiel", "etwa", "würd", "könnt", "sieht", "schreibt", "geschrieben", "aufruf", "zitat", "lautet"],
  ...[
    "exempl",
    "ressembl",
    "serai",
    "pourrai",
    "appel",
    "écri",
    "ejempl",
    "sintaxis",
    "sería",
    "podría",
    "llama",
    "escrib",
  ],
  ...[
    "esempi",
    "sintassi",
    "sarebbe",
    "chiama",
    "scriv",
    "sintaxe",
    "seria",
    "poderia",
    "chamad",
    "escrev",
    "voorbeeld",
  ],
  ...["przykład", "příklad", "örnek", "приклад", "пример", "синтаксис", "вызов", "вызыва", "выгляд", "пиш"],
];

const word = new RegExp(`(?<!\\p{L})(?:${stems.join("|")})`, "iu");

/** The same in scripts without blanks between words. */
const inner =
  /[例示]|语法|語法|格式|调用|呼び出|呼出|構文|形式|写成|書[きく]|예시|예를|구문|형식|호출|مثال|उदाहरण|ตัวอย่าง|דוגמה/u;

/** Whether a text ends in what goes on in what follows, or asks about it. */
export const goesOn = (text: string): boolean => unended.test(text.slice(-nearby).trimEnd());

const unended = /[:：︰﹕;；,，、(（[{"'“„«‘=→>?？؟-]$/u;

/** How a sentence ends that says something and is over. */
const ended = /(?<![.…])[.!。！।]$/u;

/** Lines of quotes, lists, headings and tables. */
const line = /^\s*(?:[>#|*+-]|\d+[.)])/;

/** So much of it is looked at, from its end. Characters. */
const nearby = 2_000;

/**
 * Whether the words before a call present it, so that it is an example, a quote or a part of an answer; it is better to take too many
 * for that than too few. @param names of the tools that are called
 */
export function presents(before: string, names: readonly string[]): boolean {
  const lead = before.slice(-nearby).trimEnd();
  if (lead === "") return false;
  if (!ended.test(lead) || line.test(lastLine(lead)) || lead.includes("`")) return true;
  const words = new Set(lead.match(/[\w-]+/g) ?? []);
  return word.test(lead) || inner.test(lead) || names.some((name) => words.has(name));
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);
