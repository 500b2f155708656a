import type { AgentEvent } from "../graph/events.ts";
import { endings } from "../words/contract/session.ts";

/**
 * The number of events that a session keeps for whoever asks for them again, and of characters of their text at the most; as long as
 * nobody has asked, the first holds alone.
 */
export const keptEvents = { count: 10_000, characters: 32_000_000 } as const;

/** The failure of events that are not kept any more, or are not of this session as it was opened last. */
export class EventsGone extends Error {
  override readonly name = "EventsGone";
  /** The first event that can be had; with `after: first - 1` a reader has all from there on. */
  readonly first: number;
  constructor(message: string, first: number) {
    super(message);
    this.first = first;
  }
}

export interface KeptEvent {
  readonly event: AgentEvent;
  /** To be called when it was heard; once. */
  heard: (() => void) | undefined;
  readonly size: number;
  next: KeptEvent | undefined;
}

/**
 * The newest events, a chain: whoever reads holds the place where it is, and so what it has not read yet; what is dropped here is gone
 * once nobody is there any more.
 */
export class KeptEvents {
  readonly #session: string;
  readonly #most: { readonly count: number; readonly characters: number };
  /** Behind an event that is none, so that there always is a last one. */
  #first: KeptEvent;
  #last: KeptEvent;
  #dropped = 0;
  #count = 0;
  #characters = 0;
  #asked = false;

  constructor(session: string, most: { readonly count: number; readonly characters: number } = keptEvents) {
    this.#session = session;
    this.#most = most;
    this.#first = { event: undefined as never, heard: undefined, size: 0, next: undefined };
    this.#last = this.#first;
  }

  /** The number of the newest event. */
  get seq(): number {
    return this.#dropped + this.#count;
  }

  add(event: AgentEvent, heard: (() => void) | undefined): void {
    const size = sizeOf(event, this.#most.characters);
    this.#last.next = { event, heard, size, next: undefined };
    this.#last = this.#last.next;
    this.#count += 1;
    this.#characters += size;
    while (this.#count > 1 && this.#isFull()) this.#drop();
  }

  #isFull(): boolean {
    return this.#count > this.#most.count || (this.#asked && this.#characters > this.#most.characters);
  }

  #drop(): void {
    const next = this.#first.next as KeptEvent;
    this.#first = next;
    this.#dropped += 1;
    this.#count -= 1;
    this.#characters -= next.size;
  }

  /** The place behind the event of that number. @throws EventsGone, TypeError */
  behind(after: number): KeptEvent {
    if (!Number.isSafeInteger(after) || after < 0)
      throw new TypeError(`after must be the number of an event, or 0 for all, not ${after}`);
    if (after > this.seq) {
      const about = { session: this.#session, had: this.seq, asked: after, from: this.#dropped };
      throw new EventsGone(endings.eventsAhead(about), this.#dropped + 1);
    }
    this.check(after);
    this.#asked = true;
    let place = this.#first;
    for (let at = this.#dropped; at < after; at++) place = place.next as KeptEvent;
    return place;
  }

  /** For one that has read so far. @throws EventsGone where the next event is not kept any more. */
  check(after: number): void {
    if (after >= this.#dropped) return;
    const gone = endings.eventsGone({ session: this.#session, first: after + 1, last: this.#dropped });
    throw new EventsGone(gone, this.#dropped + 1);
  }
}

/** The characters of its texts, names left out, and one for all else; no more is looked at than makes up `most`. */
function sizeOf(value: unknown, most: number): number {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && size < most) {
    const one = open.pop();
    size += typeof one === "string" ? one.length : 1;
    if (typeof one === "object" && one !== null) for (const part of Object.values(one)) open.push(part);
  }
  return size;
}
