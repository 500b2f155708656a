import { type KnownSecret, type KnownSecrets, knownSecrets } from "./known-secrets.ts";
import { wrongDomain } from "./secret-domains.ts";
import { wrongSecretName } from "./secret-names.ts";
import { wrongSecretValue } from "./secret-values.ts";

/** Secrets as a program has them, by name: the value, or with it the hosts that it is bound to (`*.example.org`). */
export type GivenSecrets = Readonly<Record<string, string | { value: string; domains?: readonly string[] }>>;

/** @throws TypeError for what cannot be a secret, as `agent secrets set` refuses it; no value is told. */
export function secretsGiven(given: GivenSecrets, clock: () => number): KnownSecrets {
  const all = Object.entries(given).map(([name, one]): KnownSecret => {
    const { value, domains = [] } = typeof one === "string" ? { value: one } : one;
    const wrong = wrongSecretName(name) ?? wrongSecretValue(name, value) ?? domains.map(wrongDomain).find(Boolean);
    if (wrong !== undefined) throw new TypeError(`secrets: ${name} cannot be one: ${wrong}`);
    return { name, domains, value };
  });
  return knownSecrets(all, clock);
}
