import { lstatSync } from "node:fs";
import type { KnownSecrets } from "../../core/secrets/known-secrets.ts";
import { CliProblem } from "../problem.ts";
import type { SecretPlace } from "./secret-place.ts";

/**
 * The person's secrets; where none was ever set nothing is loaded.
 * @param unmasked they let it be that a value is not masked
 * @throws CliProblem where their place is not safe, and where a value that is to be masked could not be read
 */
export async function openSecrets(place: SecretPlace, unmasked = false): Promise<KnownSecrets | undefined> {
  if (lstatSync(place.places.secrets, { throwIfNoEntry: false }) === undefined) return undefined;
  const known = await (await import("./secret-store.ts")).loadSecrets(place);
  if (known === undefined || known.unread.length === 0 || unmasked) return known;
  throw new CliProblem("configuration", unreadText(known.unread), {
    hint: "unlock the system's keyring, or keep it anew: agent secrets set NAME; --unmasked-secrets goes on without",
  });
}

/** What is said of secrets that nobody can mask. */
export const unreadText = (names: readonly string[]): string =>
  `the system's keyring did not give the ${names.length === 1 ? "value" : "values"} of ${names.join(", ")}: where it comes up it is not masked`;
