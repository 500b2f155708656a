import { ToolRefusal } from "../codes.ts";
import { createMasking, type Masking, type NamedValue } from "./masking.ts";
import { isTotpName } from "./secret-names.ts";
import { readTotpKey, totpAt } from "./totp.ts";

/** Names of secrets, each with the hosts that it is bound to; with none it may go anywhere. */
export type SecretNames = ReadonlyMap<string, readonly string[]>;

/** One secret of a plan, and what it is put into: an argument, or `variable` of a command's environment. */
export interface SecretUse {
  name: string;
  as: string;
}

/** The person's secrets, as sessions of one process use them. */
export interface KnownSecrets {
  readonly names: SecretNames;
  /** Masks all of them, used or not, and the codes that were given out. */
  readonly masking: Masking;
  /** What it is now: of a second factor the code of the moment. @throws ToolRefusal FAILED where it could not be read */
  valueOf(name: string): string;
}

export interface KnownSecret {
  name: string;
  domains: readonly string[];
  /** Undefined where it could not be read, and then why. */
  value: string | undefined;
  why?: string;
}

/** Of as many codes as this nobody is shown any that was given out. */
const codesKept = 16;

export function knownSecrets(secrets: readonly KnownSecret[], clock: () => number): KnownSecrets {
  const byName = new Map(secrets.map((secret) => [secret.name, secret]));
  const fixed: NamedValue[] = secrets.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  const codes: NamedValue[] = [];
  let made: Masking | undefined;
  const masking = (): Masking => {
    made ??= createMasking([...fixed, ...codes]);
    return made;
  };
  const codeOf = (name: string, key: string): string => {
    const read = readTotpKey(key);
    if (read === undefined) throw new ToolRefusal("FAILED", `the secret ${name} is no key of a second factor`);
    const code = totpAt(read, clock());
    if (codes.every(({ value }) => value !== code)) {
      codes.push({ name, value: code });
      codes.splice(0, codes.length - codesKept);
      made = undefined;
    }
    return code;
  };
  return {
    names: new Map(secrets.map(({ name, domains }) => [name, domains])),
    masking: {
      text: (text) => masking().text(text),
      bytes: (bytes) => masking().bytes(bytes),
      stream: () => masking().stream(),
    },
    valueOf(name) {
      const secret = byName.get(name);
      if (secret?.value !== undefined) return isTotpName(name) ? codeOf(name, secret.value) : secret.value;
      const why = secret === undefined ? "there is none of that name" : (secret.why ?? "it could not be read");
      throw new ToolRefusal("FAILED", `the secret ${name} cannot be used: ${why}`);
    },
  };
}
