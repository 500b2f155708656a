/** The part of an element that is used, whoever's document it is in. */
export interface Styled {
  readonly parentElement: Styled | null;
  getAttribute(name: string): string | null;
  remove(): void;
}

interface Page {
  querySelectorAll(selector: string): Iterable<Styled>;
}

/** Takes out what the element itself says is not drawn for a person. What a style sheet hides stays: none is read. */
export function removeHidden(page: Page): void {
  for (const element of [...page.querySelectorAll("[hidden], [aria-hidden], [style]")])
    if (isHidden(element)) element.remove();
}

const isHidden = (element: Styled): boolean =>
  element.getAttribute("hidden") !== null ||
  element.getAttribute("aria-hidden") === "true" ||
  isUnseen(styleOf(element), element);

type Style = ReadonlyMap<string, string>;

/** A style attribute's declarations in lower case; the last of a name counts. */
const styleOf = (element: Styled): Style =>
  new Map(
    (element.getAttribute("style") ?? "")
      .slice(0, 10_000)
      .toLowerCase()
      .replace(/\/\*[^*]*\*\/|!important/gu, "")
      .split(";")
      .map((one): [string, string] => {
        const colon = one.indexOf(":");
        return [one.slice(0, Math.max(0, colon)).trim(), one.slice(colon + 1).trim()];
      }),
  );

/** More than this to the left or above is off every screen. Pixels, or the same in another unit. */
const offScreen = -500;

const zero = /^[+-]?0*\.?0*(?:[a-z]+|%)?$/u;
const isZero = (value: string | undefined): boolean => value !== undefined && /\d/u.test(value) && zero.test(value);
const isFarOut = (value: string | undefined): boolean => Number.parseFloat(value ?? "") <= offScreen;

function isUnseen(style: Style, element: Styled): boolean {
  const has = (name: string, value: RegExp): boolean => value.test(style.get(name) ?? "");
  const placed = has("position", /^(?:absolute|fixed)$/u);
  return (
    has("display", /^none$/u) ||
    has("visibility", /^(?:hidden|collapse)$/u) ||
    has("content-visibility", /^hidden$/u) ||
    isZero(style.get("opacity")) ||
    isZero(style.get("font-size")) ||
    has("font", /(?:^|\s)0(?:px|pt|em|rem|%)?(?:\/|\s)/u) ||
    (has("overflow", /hidden|clip/u) &&
      ["width", "height", "max-width", "max-height"].some((side) => isZero(style.get(side)))) ||
    (placed &&
      ["left", "right", "top", "bottom", "margin-left", "margin-top"].some((side) => isFarOut(style.get(side)))) ||
    isFarOut(style.get("text-indent")) ||
    (placed && has("clip", /^rect\(\s*0/u)) ||
    has("clip-path", /^(?:inset\(\s*(?:50|100)%|circle\(\s*0)/u) ||
    has("transform", /scale[xy]?\(\s*0\s*[,)]|translate[xy]?\(\s*-\d{4}/u) ||
    isPaintedOver(style, element)
  );
}

/** In the colour of what it stands on, where both are said by elements themselves. */
function isPaintedOver(style: Style, element: Styled): boolean {
  const ink = colourOf(style.get("color"));
  if (ink === undefined) return false;
  return ink === "none" || ink === groundOf(style, element);
}

/** The number of elements around one that are asked for their ground. */
const mostAround = 20;

function groundOf(style: Style, element: Styled): string | undefined {
  let [at, own]: [Styled | null, Style] = [element, style];
  for (let depth = 0; at !== null && depth < mostAround; depth += 1) {
    const ground = colourOf(
      own.get("background-color") ?? own.get("background") ?? at.getAttribute("bgcolor") ?? undefined,
    );
    if (ground !== undefined && ground !== "none") return ground;
    at = at.parentElement;
    if (at !== null) own = styleOf(at);
  }
  return undefined;
}

const names: Readonly<Record<string, string>> = { white: "ffffff", black: "000000", transparent: "none" };

/** Six hex digits, or "none" for what lets all through; undefined for what is not known. */
function colourOf(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  const named = names[text];
  if (named !== undefined) return named;
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/u.exec(text)?.[1];
  if (hex !== undefined) return hex.length === 6 ? hex : [...hex].map((one) => one + one).join("");
  const [, red, green, blue, alpha] =
    /^rgba?\(\s*(\d{1,3})[,\s]+(\d{1,3})[,\s]+(\d{1,3})(?:[,/\s]+([\d.]+%?))?\s*\)$/u.exec(text) ?? [];
  if (red === undefined) return undefined;
  if (isZero(alpha)) return "none";
  return [red, green, blue].map((one) => Math.min(255, Number(one)).toString(16).padStart(2, "0")).join("");
}
