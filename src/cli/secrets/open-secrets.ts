import { lstatSync } from "node:fs";
import type { KnownSecrets } from "../../core/secrets/known-secrets.ts";
import { secrets as words } from "../../words/en/secrets.ts";
import { maskDefects } from "../defects.ts";
import { lazily } from "../lazily.ts";
import { CliProblem } from "../problem.ts";
import { type SecretPlace, secretsFile } from "./secret-place.ts";

type Secrets = KnownSecrets | undefined;

/**
 * The person's secrets, as long as the program runs: read anew once they are others, which another terminal may have set meanwhile. Where
 * none was ever set nothing is loaded.
 * @param unmasked they let it be that a value is not masked
 * @returns what throws CliProblem where their place is not safe, and where a value that is to be masked could not be read
 */
export function openSecrets(place: SecretPlace, unmasked = false): () => Promise<Secrets> {
  let known: Secrets;
  let last: { mark: string; read: () => Promise<Secrets> } | undefined;
  return () => {
    const mark = markOf(place);
    if (last?.mark !== mark) {
      const read = lazily(async () => {
        const found = await readAll(place, unmasked, known);
        known = found ?? known;
        return found;
      });
      last = { mark, read };
    }
    return last.read();
  };
}

/** Another one for each file that was written. */
function markOf({ places }: SecretPlace): string {
  try {
    const { dev, ino, mtimeNs, size } = lstatSync(secretsFile(places.secrets), { bigint: true });
    return [dev, ino, mtimeNs, size].join(" ");
  } catch {
    return "none"; // why it cannot be looked at is told by who reads it
  }
}

async function readAll(place: SecretPlace, unmasked: boolean, before: Secrets): Promise<Secrets> {
  if (lstatSync(place.places.secrets, { throwIfNoEntry: false }) === undefined) return undefined;
  const known = await (await import("./secret-store.ts")).loadSecrets(place, before);
  if (known !== undefined) maskDefects(known.masking);
  if (known === undefined || known.unread.length === 0 || unmasked) return known;
  throw new CliProblem("configuration", unreadText(known.unread), {
    hint: words().notGivenHint,
  });
}

/** Returns the message about secrets that nobody can mask. */
export const unreadText = (names: readonly string[]): string => words().notGiven({ names });
