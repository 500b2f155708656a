import { type Limit, limitText } from "../core/limit-text.ts";
import { limits } from "../core/limits.ts";
import { cutReply } from "./failures.ts";

type Counted = "replyText" | "replyThoughts" | "replyArguments";

/** @throws ModelFailure `cut` where `size` is past the limit. */
export function within(limit: Limit, size: number): void {
  if (size > limit.most) throw cutReply(`The reply was cut off: more than ${limitText(limit)} as ${limit.what}`);
}

/** The numbers of bytes, by kind, that one reply has brought. */
export class ReplySizes {
  readonly #sizes: Record<Counted, number> = { replyText: 0, replyThoughts: 0, replyArguments: 0 };
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** @returns the bytes of `said`. @throws ModelFailure `cut` past the limit. */
  count(what: Counted, said: string): number {
    const size = Buffer.byteLength(said);
    this.#sizes[what] += size;
    this.#total += size;
    within(limits[what], this.#sizes[what]);
    return size;
  }
}
