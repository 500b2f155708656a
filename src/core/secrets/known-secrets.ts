import { ToolRefusal } from "../codes.ts";
import { bothMaskings, type CodeMasking, createCodeMasking, createMasking, type Masking } from "./masking.ts";
import { isTotpName } from "./secret-names.ts";
import { readTotpKey, totpAt, totpKeyTexts } from "./totp.ts";

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
  /** Those whose value could not be read: it is not masked. */
  readonly unread: readonly string[];
  /** Masks all others, used or not, and the codes that were given out. */
  readonly masking: Masking;
  /** Of the codes alone, which are masked as long as the process lives. */
  readonly codes: CodeMasking;
  /** Returns its value now: of a second factor the code of the moment. @throws ToolRefusal FAILED where it could not be read */
  valueOf(name: string): string;
}

export interface KnownSecret {
  name: string;
  domains: readonly string[];
  /** Undefined where it could not be read, and then why. */
  value: string | undefined;
  why?: string;
}

export function knownSecrets(
  secrets: readonly KnownSecret[],
  clock: () => number,
  codes = createCodeMasking(),
): KnownSecrets {
  const byName = new Map(secrets.map((secret) => [secret.name, secret]));
  const given = new Set<string>();
  const fixed = createMasking(
    secrets.flatMap(({ name, value }) =>
      value === undefined
        ? []
        : [value, ...(isTotpName(name) ? totpKeyTexts(value) : [])].map((one) => ({ name, value: one })),
    ),
  );
  const codeOf = (name: string, key: string): string => {
    const read = readTotpKey(key);
    if (read === undefined) throw new ToolRefusal("FAILED", `the secret ${name} is no key of a second factor`);
    const code = totpAt(read, clock());
    if (!given.has(code)) codes.add({ name, value: code });
    given.add(code);
    return code;
  };
  return {
    names: new Map(secrets.map(({ name, domains }) => [name, domains])),
    unread: secrets.flatMap(({ name, value }) => (value === undefined ? [name] : [])),
    masking: bothMaskings(fixed, codes),
    codes,
    valueOf(name) {
      const secret = byName.get(name);
      if (secret?.value !== undefined) return isTotpName(name) ? codeOf(name, secret.value) : secret.value;
      const why = secret === undefined ? "there is none of that name" : (secret.why ?? "it could not be read");
      throw new ToolRefusal("FAILED", `the secret ${name} cannot be used: ${why}`);
    },
  };
}
