import { lstatSync } from "node:fs";
import type { KnownSecrets } from "../../core/secrets/known-secrets.ts";
import type { SecretPlace } from "./secret-place.ts";

/** The person's secrets; where none was ever set nothing is loaded. @throws CliProblem where their place is not safe */
export async function openSecrets(place: SecretPlace): Promise<KnownSecrets | undefined> {
  if (lstatSync(place.places.secrets, { throwIfNoEntry: false }) === undefined) return undefined;
  return (await import("./secret-store.ts")).loadSecrets(place);
}
