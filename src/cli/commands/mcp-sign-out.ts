import { type DoorSpec, signInDoor } from "../../tools/mcp/sign-in/door.ts";
import { revokeSignIn } from "../../tools/mcp/sign-in/grants.ts";
import type { SignedIn } from "../../tools/mcp/sign-in/sign-in.ts";
import { mcpSignIn as words } from "../../words/en/mcp-sign-in.ts";
import type { Io } from "../io.ts";
import { type ServerPlace, wayOf } from "../mcp/open-servers.ts";
import { type HeldSignIn, type Named, withSignIn } from "../mcp/sign-in-store.ts";
import { CliProblem } from "../problem.ts";
import { cleanLine } from "../ui/safe-text.ts";

export const doorOf = (
  entry: DoorSpec["entry"],
  { origin }: Pick<Named, "origin">,
  { env, version }: ServerPlace,
): DoorSpec => ({
  entry,
  origin,
  way: wayOf(env),
  version,
});

/** Ends one that is kept: whoever gave it is told where they can be, then it goes, and so does one that cannot be read. @throws CliProblem where it stays */
export async function signOut(io: Pick<Io, "stderr">, named: Named, place: ServerPlace): Promise<void> {
  const whose = { name: cleanLine(named.name), isProjects: named.origin !== "user" };
  const end = async (held: HeldSignIn): Promise<{ isGone: boolean; told: string }> => {
    const kept = await held.read().catch((error: unknown) => ({ tokens: undefined, why: wordsOf(error) }));
    const { tokens } = kept ?? {};
    const why = kept !== undefined && "why" in kept ? kept.why : undefined;
    const unread = words().unread({ why });
    const told = cleanLine(tokens === undefined ? unread : await revoked(tokens, place));
    return { isGone: await held.remove(), told };
  };
  const { isGone, told } = await withSignIn(named, place, end).catch((cause: unknown) => {
    throw new CliProblem("failed", words().stays({ ...whose, why: cleanLine(wordsOf(cause)) }), { cause });
  });
  if (!isGone) throw new CliProblem("failed", words().staysInKeyring({ ...whose, told }));
  io.stderr.write(`${words().signedOut({ ...whose, told })}\n`);
}

/** In words, whether tokens are of no use to anybody any more. */
export async function revoked(tokens: SignedIn, place: ServerPlace): Promise<string> {
  const { server: url, isPrivate, origin, issuer } = tokens;
  const { host } = new URL(issuer);
  const ask = signInDoor(doorOf({ url, isPrivate }, { origin }, place));
  try {
    return (await revokeSignIn(tokens, ask)) ? words().revoked({ host }) : words().endAlone({ host });
  } catch (error) {
    return words().untold({ host, why: wordsOf(error) });
  }
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
