import { room } from "../room.ts";

/** The person's secrets where their place does not give them. */
export const secrets = room("secrets", {
  notGiven: ({ names }: { names: readonly string[] }) =>
    `the system's keyring did not give the ${names.length === 1 ? "value" : "values"} of ${names.join(", ")}: where it comes up it is not masked`,
  notGivenHint:
    "unlock the system's keyring, or keep it anew: agent secrets set NAME; --unmasked-secrets goes on without",
});
