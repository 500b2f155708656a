import { Cursor } from "./cursor.ts";
import { type Offer, takesEnd } from "./offered-names.ts";
import { fencedIn } from "./read-doubtful.ts";
import { withoutSigns } from "./signs.ts";

/** Longer ones are no calls of that kind. Characters. */
const longest = 100_000;

/** For the model. */
export const inPairs = "a tool's name and pairs in text are no call";

/**
 * Tells whether a whole reply is an offered tool's name and what it is given in pairs, `read_file path="a.ts"`, once or more often: models write
 * so that were shown calls in words. It is no form of a call, and only told.
 */
export function isInPairs(reply: string, offer: Offer): boolean {
  if (reply.length > longest) return false;
  const bare = withoutSigns(reply);
  const at = new Cursor(fencedIn(bare) ?? bare);
  do {
    const name = at.match(/[\w.:/-]+/y)?.[0];
    if (name === undefined || !offer.names.has(offer.names.meant(name)) || !hasPairs(at)) return false;
    at.match(/[\s;]+/y);
  } while (!takesEnd(at));
  return true;
}

const pair = /[\s,]+[A-Za-z_]\w*\s*=\s*(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')(?=[\s,;]|$)/y;

function hasPairs(at: Cursor): boolean {
  let found = at.match(pair);
  const isOne = found !== undefined;
  while (found !== undefined) found = at.match(pair);
  return isOne;
}
