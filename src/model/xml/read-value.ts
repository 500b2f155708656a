import { createMatcher, isBlank } from "./match.ts";

/** Reads one value up to the tag that closes it. */
export interface ValueReader {
  /** The whole value, as the closing tag ends with this character. */
  take(char: string): string | undefined;
  /** Returns the text that came since this was last asked and is surely of the value: of one in CDATA only. */
  grown(): string;
  /** As it was written, where it stands without CDATA. */
  bare(): string | undefined;
}

const cdataOpening = "<![CDATA[";
const cdataClosing = "]]>";

/**
 * A value is what stands in CDATA, in one part or several. A `]]>` ends a part only where another part or the closing tag
 * comes next: anywhere else the model forgot to split it, and it belongs to the value. Without CDATA the value is the text
 * itself up to the closing tag, `&` and `<` in it or not.
 * @param name of the tag that was opened.
 */
export function readValue(name: string): ValueReader {
  const closing = `</${name}`;
  const bareEnd = createMatcher(closing);
  const value = new Growing();
  let told = 0;
  let state: "before" | "bare" | "cdata" | "behind" = "before";
  /** Before and behind CDATA: what was seen and is not yet known to be of the value. */
  let [blanks, tag] = ["", ""];
  /** In CDATA: how many `]` came just now. */
  let brackets = 0;

  const enter = (next: "bare" | "cdata" | "behind"): string => {
    const seen = blanks + tag;
    [state, blanks, tag, brackets] = [next, "", "", 0];
    return seen;
  };

  const takeBare = (char: string): string | undefined => {
    const matched = bareEnd.take(char);
    if (matched === "whole") return bareText(value.whole());
    if (matched !== "more") value.add(matched);
    return undefined;
  };

  const takeCdata = (char: string): undefined => {
    if (char === "]") brackets += 1;
    else if (char === ">" && brackets >= 2) {
      value.add("]".repeat(brackets - 2));
      enter("behind");
    } else {
      value.add("]".repeat(brackets) + char);
      brackets = 0;
    }
  };

  /** Tells whether the closing tag may still come of the text seen behind CDATA. */
  const mayClose = (char: string): boolean =>
    state === "behind" && (tag.length <= closing.length ? closing.startsWith(tag) : isBlank(char));

  /** Takes a character of the beginning of CDATA, or of the closing tag behind it; text that is neither is read again as what it then is. */
  const takeAround = (char: string): string | undefined => {
    if (tag === "" && isBlank(char)) {
      blanks += char;
      return undefined;
    }
    tag += char;
    if (tag === cdataOpening) {
      if (state === "behind") value.add(blanks);
      enter("cdata");
      return undefined;
    }
    if ((tag.length < cdataOpening.length && cdataOpening.startsWith(tag)) || mayClose(char)) return undefined;
    return state === "before" ? again(enter("bare"), takeBare) : endOrGoOn(char);
  };

  const endOrGoOn = (char: string): string | undefined => {
    if (char === ">" && tag.length > closing.length) return value.whole();
    value.add(cdataClosing);
    return again(enter("cdata"), takeCdata);
  };

  return {
    take(char) {
      if (state === "bare") return takeBare(char);
      return state === "cdata" ? takeCdata(char) : takeAround(char);
    },
    grown() {
      const grown = state === "cdata" ? value.from(told) : "";
      told += grown.length;
      return grown;
    },
    bare: () => (state === "bare" ? value.whole() : undefined),
  };
}

function again(seen: string, take: (char: string) => string | undefined): string | undefined {
  for (const char of seen.split("")) {
    const whole = take(char);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

const entity = /&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi;
const bareAmpersand = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;

/**
 * A value without CDATA. Where it stands on lines of its own, the line breaks around it are layout. Entities are read only
 * where nothing was left unescaped: whoever writes a bare `&` or `<` means `&lt;` as it stands.
 */
function bareText(written: string): string {
  const text = /^[ \t]*\r?\n/.test(written) ? written.replace(/^[ \t]*\r?\n/, "").replace(/\r?\n[ \t]*$/, "") : written;
  return text.includes("<") || bareAmpersand.test(text) ? text : text.replace(entity, decoded);
}

const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decoded(written: string): string {
  const name = written.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return named[name] ?? written;
  const point = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point > 0x10ffff ? written : String.fromCodePoint(point);
}

/** Text that grows by single characters, and is asked for its end now and then. */
class Growing {
  #parts: string[] = [];
  #open = "";
  #length = 0;

  add(text: string): void {
    this.#open += text;
    this.#length += text.length;
    if (this.#open.length < 4096) return;
    this.#parts.push(this.#open);
    this.#open = "";
  }

  whole(): string {
    return this.#parts.join("") + this.#open;
  }

  /** The end of it, from this offset on. */
  from(offset: number): string {
    let missing = this.#length - offset;
    const end: string[] = [];
    for (let at = this.#parts.length; at >= 0 && missing > 0; at -= 1) {
      const part = this.#parts[at] ?? this.#open;
      end.unshift(part.slice(-missing));
      missing -= part.length;
    }
    return end.join("");
  }
}
