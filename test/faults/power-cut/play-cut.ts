import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../../../src/files/bytes/file-lock.ts";
import { complaintsOf, lostFiles } from "../oracle.ts";
import { pictureOf } from "../picture.ts";
import type { Ended } from "../place.ts";
import { type Played, play, tellAll } from "../play-case.ts";
import type { Aftermath } from "./cuts.ts";
import { restore } from "./disk-on-disk.ts";
import type { Recording } from "./record.ts";

/** A lock that was given back comes again with a power cut, whole or torn. It is nobody's, and gone after its next use. */
async function takeLocks(home: string): Promise<void> {
  const locks = (await readdir(home)).filter((name) => name.endsWith(".lock"));
  for (const lock of locks)
    await withFileLock(join(home, lock.slice(0, -".lock".length)), { waitMs: 0 }, () => Promise.resolve());
}

/** Goes on with the session on the disk that the power cut left. @returns what is not as it was promised, and all that was said */
export async function playCut(
  { place, whole, requests }: Recording,
  { state, events, asked, settled, effects }: Aftermath,
): Promise<{ complaints: string[]; told: string }> {
  const lost = lostFiles(events, (name) => {
    const is = state.get(`work/${name}`);
    return is !== undefined && "bytes" in is ? is.bytes.toString() : undefined;
  });
  await restore(place.root, state);
  await writeFile(join(place.root, "effects.log"), effects);
  const { server } = place;
  server.violations.length = 0;
  server.requests.splice(0, Number.POSITIVE_INFINITY, ...requests.slice(0, asked));
  const cut: Ended = { code: null, signal: "SIGKILL", events, stderr: "", struck: true, hung: false };
  let played: Played | undefined;
  try {
    played = await play(place, [], cut);
    // What the model was asked for nothing that had to hold, it may be asked in another way.
    if (server.requests.length > asked) server.requests.splice(settled, asked - settled);
    await takeLocks(place.home);
    const now = await pictureOf(place, played.session);
    const complaints = [...lost, ...complaintsOf(place, played, now, whole)];
    return { complaints, told: complaints.length === 0 ? "" : tellAll(played.processes) };
  } catch (error) {
    return {
      complaints: [...lost, (error as Error).message],
      told: played === undefined ? "" : tellAll(played.processes),
    };
  }
}
