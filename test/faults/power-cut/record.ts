import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FaultyAgent } from "../bundle.ts";
import { complaintsOf } from "../oracle.ts";
import { type Picture, pictureOf } from "../picture.ts";
import { type FaultPlace, openFaultPlace } from "../place.ts";
import { play, tellAll } from "../play-case.ts";
import type { DiskState } from "./disk.ts";
import { lookAt } from "./disk-on-disk.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { readTrace, recordedIn } from "./traced-calls.ts";

/** One whole session, and all that it did to its disk. Its cases are played in the same place, one after another: paths are in the store. */
export interface Recording {
  place: FaultPlace;
  before: DiskState;
  operations: Operation[];
  whole: Picture;
  /** What the model was asked. */
  requests: FaultPlace["server"]["requests"];
}

/** Plays the session under strace. The agent makes its own folder, as it does at a person's first start. */
export async function record(agent: FaultyAgent): Promise<Recording> {
  const place = await openFaultPlace(agent.program);
  await rm(place.home, { recursive: true });
  const before = await lookAt(place.root);
  const trace = join(place.root, "calls");
  const played = await play(place, [{ wrapper: () => recordedIn(trace) }]);
  const whole = await pictureOf(place, played.session);
  const complaints = complaintsOf(place, played, whole, whole);
  if (complaints.length > 0 || played.processes.length !== 1)
    throw new Error(`without a power cut: ${complaints.join("\n")}\n${tellAll(played.processes)}`);
  const operations = operationsOf(await readTrace(trace), place.root, place.workspace);
  await rm(trace);
  return { place, before, operations, whole, requests: [...place.server.requests] };
}
