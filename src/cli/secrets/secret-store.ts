import { type KnownSecret, type KnownSecrets, knownSecrets } from "../../core/secrets/known-secrets.ts";
import { isTotpName } from "../../core/secrets/secret-names.ts";
import { secretPlaces as words } from "../../words/en/secret-places.ts";
import { findKeyring, type Keyring } from "./keyring.ts";
import { type KeptSecret, readSecrets, withSecrets } from "./secret-file.ts";
import { type SecretPlace, secretsFile } from "./secret-place.ts";

/** A secret as it is listed: nothing of its value. */
export interface ListedSecret {
  name: string;
  domains: readonly string[];
  kept: "keyring" | "file";
  totp: boolean;
}

const listed = (name: string, { domains, value }: KeptSecret): ListedSecret => ({
  name,
  domains,
  kept: value === undefined ? "keyring" : "file",
  totp: isTotpName(name),
});

const keyringOf = ({ io: { env }, places, workspace }: SecretPlace): Promise<Keyring | undefined> =>
  findKeyring({ env, workspace, place: places.secrets });

/** By name. @throws CliProblem as `readSecrets` */
export async function listSecrets({ places }: Pick<SecretPlace, "places">): Promise<ListedSecret[]> {
  const kept = await readSecrets(places.secrets);
  return [...kept].map(([name, one]) => listed(name, one)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @returns where it is kept now, in words: in the keyring, or where that does not take it in the file */
export async function setSecret(
  around: SecretPlace,
  name: string,
  value: string,
  domains: readonly string[],
): Promise<string> {
  const folder = around.places.secrets;
  const keyring = await keyringOf(around);
  return withSecrets(folder, async ({ change }) => {
    const isInKeyring = (await keyring?.set(name, value)) === true;
    await change((kept) => kept.set(name, { domains, ...(isInKeyring ? {} : { value }) }));
    if (keyring !== undefined && isInKeyring) return words().inKeyring(keyring);
    // What it had of an older value would come back where the file is lost.
    await keyring?.remove(name);
    const file = secretsFile(folder);
    return keyring === undefined ? words().inFile({ file }) : words().inFileInstead({ file, program: keyring.program });
  });
}

/** @returns whether there was one */
export async function removeSecret(around: SecretPlace, name: string): Promise<"removed" | "none" | "left"> {
  const folder = around.places.secrets;
  if (!(await readSecrets(folder)).has(name)) return "none";
  const keyring = await keyringOf(around);
  return withSecrets(folder, async ({ kept, change }) => {
    const one = kept.get(name);
    if (one === undefined) return "none";
    const isGone = one.value !== undefined || (await keyring?.remove(name)) === true;
    if (!isGone) return "left";
    await change((all) => all.delete(name));
    return "removed";
  });
}

/** So long all of them are waited for, in milliseconds. */
const allMs = 5_000;

/**
 * All of them, for sessions of this process; undefined where there are none.
 * @param before as they were read last: codes that were given out since stay masked
 * @throws CliProblem as `readSecrets`
 */
export async function loadSecrets(around: SecretPlace, before?: KnownSecrets): Promise<KnownSecrets | undefined> {
  const kept = await readSecrets(around.places.secrets);
  if (kept.size === 0) return undefined;
  const inKeyring = [...kept.values()].some(({ value }) => value === undefined);
  const keyring = inKeyring ? await keyringOf(around) : undefined;
  const signal = AbortSignal.timeout(allMs);
  const all: KnownSecret[] = [];
  // One by one: a keyring may ask its person for a password.
  for (const [name, { domains, value }] of kept)
    all.push({
      name,
      domains,
      value: value ?? (await keyring?.get(name, signal)),
      why: words().notGivenInTime,
    });
  return knownSecrets(all, Date.now, before?.codes);
}
