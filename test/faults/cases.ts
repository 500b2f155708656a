import type { FaultyAgent } from "./bundle.ts";
import { complaintsOf } from "./oracle.ts";
import { type Picture, pictureOf } from "./picture.ts";
import { openFaultPlace } from "./place.ts";
import { type Played, play, type Trouble, tellAll } from "./play-case.ts";

/** One session with its troubles: what came of it. */
export interface CaseResult {
  /** Faults that came to pass. */
  struck: number;
  /** Empty where all was as promised. */
  complaints: string[];
  /** All that the processes said; for a case that failed. */
  told: string;
  /** What is left; undefined where the session was never done. */
  picture?: Picture;
}

/** The run without a fault: what all others are compared with. @param watched how it is watched, without changing it */
export async function playWhole(agent: FaultyAgent, watched: Trouble): Promise<Picture> {
  const place = await openFaultPlace(agent.program);
  try {
    const played = await play(place, [watched]);
    const picture = await pictureOf(place, played.session);
    const complaints = complaintsOf(place, played, picture, picture);
    if (complaints.length > 0 || played.processes.length !== 1)
      throw new Error(`without a fault: ${complaints.join("\n")}\n${tellAll(played.processes)}`);
    return picture;
  } finally {
    await place.remove();
  }
}

/** Plays the session with these troubles until it is done, and looks at what is left. */
export async function playCase(agent: FaultyAgent, whole: Picture, troubles: readonly Trouble[]): Promise<CaseResult> {
  const place = await openFaultPlace(agent.program);
  let played: Played | undefined;
  try {
    played = await play(place, troubles);
    const now = await pictureOf(place, played.session);
    const complaints = complaintsOf(place, played, now, whole);
    const told = complaints.length === 0 ? "" : tellAll(played.processes);
    return { struck: played.struck, complaints, told, picture: now };
  } catch (error) {
    const told = played === undefined ? "" : tellAll(played.processes);
    return { struck: 0, complaints: [String((error as Error).message)], told };
  } finally {
    await place.remove();
  }
}

/** Runs `work` for each item, so many at a time; results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as Item;
      results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}
