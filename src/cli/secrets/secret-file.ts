import { isJsonObject } from "../../core/json.ts";
import { secretPlaces as words } from "../../words/en/secret-places.ts";
import { readPrivate, withPrivate, wrongFile } from "./private-file.ts";
import { secretsFile } from "./secret-place.ts";

/** One secret as it is kept: its value lies in the keyring where `value` is absent. */
export interface KeptSecret {
  domains: readonly string[];
  value?: string;
}

export type KeptSecrets = ReadonlyMap<string, KeptSecret>;

/**
 * Reads the secrets that are kept in the folder; none where there is no file.
 * @throws CliProblem of the configuration where folder or file is a link, another user's, or open to others, or is not as it was written.
 */
export async function readSecrets(folder: string): Promise<KeptSecrets> {
  const file = secretsFile(folder);
  const text = await readPrivate(file);
  return text === undefined ? new Map() : parsed(text, file);
}

function parsed(text: string, file: string): KeptSecrets {
  // What a parser says of a text quotes it.
  const bad = () => wrongFile(words().isOther({ path: file }));
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw bad();
  }
  const { v, secrets } = isJsonObject(data) ? data : {};
  if (v !== 1 || !isJsonObject(secrets)) throw bad();
  return new Map(
    Object.entries(secrets).map(([name, kept]) => {
      const { domains, value } = isJsonObject(kept) ? kept : {};
      if (!Array.isArray(domains) || !domains.every((one) => typeof one === "string")) throw bad();
      if (value !== undefined && typeof value !== "string") throw bad();
      return [name, { domains, ...(value === undefined ? {} : { value }) }];
    }),
  );
}

/** The kept secrets, under their lock. */
export interface LockedSecrets {
  kept: ReadonlyMap<string, KeptSecret>;
  /** Writes it anew, and leaves nothing of what was there before. */
  change(change: (kept: Map<string, KeptSecret>) => void): Promise<void>;
}

/** Works on what is kept while nobody else does, the keyring included. @throws as `readSecrets`, and CliProblem where others do for long */
export const withSecrets = <T>(folder: string, work: (secrets: LockedSecrets) => Promise<T>): Promise<T> =>
  withPrivate(secretsFile(folder), async (write) => {
    const kept = new Map(await readSecrets(folder));
    return work({
      kept,
      change: async (change) => {
        change(kept);
        await write(`${JSON.stringify({ v: 1, secrets: Object.fromEntries(kept) })}\n`);
      },
    });
  });
