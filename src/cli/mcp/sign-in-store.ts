import { lstatSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../core/errno.ts";
import { canonicalJson, isJsonObject, type Sha, sha256 } from "../../core/json.ts";
import { boundOf, type SignedIn } from "../../tools/mcp/sign-in/sign-in.ts";
import { mcpSignIn as words } from "../../words/en/mcp-sign-in.ts";
import { secretPlaces } from "../../words/en/secret-places.ts";
import { findKeyring } from "../secrets/keyring.ts";
import { isFolderThere, readPrivate, withPrivate, wrongFile } from "../secrets/private-file.ts";
import type { FoundServer } from "./find-servers.ts";

/** The place where sign-ins are kept, and the means to ask the keyring. */
export interface SignInPlace {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** The folder of the secrets. */
  secrets: string;
}

/** The facts of a sign-in that can be told without its tokens. */
export interface KeptSignIn {
  /** The server and client that it is bound to (`boundTo`). */
  bound: Sha;
  /** The host at which the person signed in. */
  host: string;
  /** It was refused for good: only another one helps. */
  isOver: boolean;
}

interface Row extends KeptSignIn {
  /** Its value, where no keyring took it. */
  value?: string | undefined;
}

export type Named = Pick<FoundServer, "name" | "origin">;

/** One for each name, and of a project's servers for each workspace. */
const keyOf = ({ name, origin }: Named, { workspace }: SignInPlace): string =>
  sha256(canonicalJson([name, origin === "user" ? null : workspace])).slice(0, 32);

const fileOf = (named: Named, place: SignInPlace): string =>
  join(place.secrets, "sign-ins", `${keyOf(named, place)}.json`);

/** Another one for each that was written; `none` where nothing is there. */
export function markOf(named: Named, place: SignInPlace): string {
  try {
    const { dev, ino, mtimeNs, size } = lstatSync(fileOf(named, place), { bigint: true });
    return [dev, ino, mtimeNs, size].join(" ");
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "none" : "unknown"; // why it cannot be looked at is told by who reads it
  }
}

/** @throws CliProblem where its place is not safe, or it is not as it was written */
export async function keptSignIn(named: Named, place: SignInPlace): Promise<KeptSignIn | undefined> {
  const row = await rowOf(named, place);
  return row === undefined ? undefined : { bound: row.bound, host: row.host, isOver: row.isOver };
}

async function rowOf(named: Named, place: SignInPlace): Promise<Row | undefined> {
  if (!isFolderThere(place.secrets)) return undefined;
  const file = fileOf(named, place);
  const text = await readPrivate(file);
  return text === undefined ? undefined : parsed(text, file);
}

function parsed(text: string, file: string): Row {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw wrongFile(secretPlaces().isOther({ path: file }), words().wrongHint);
  }
  const { v, bound, host, isOver, value } = isJsonObject(data) ? data : {};
  const isRow = v === 1 && typeof bound === "string" && typeof host === "string" && typeof isOver === "boolean";
  if (!isRow || (value !== undefined && typeof value !== "string"))
    throw wrongFile(secretPlaces().isOther({ path: file }), words().wrongHint);
  return { bound, host, isOver, value };
}

const keyringOf = ({ env, workspace, secrets }: SignInPlace) => findKeyring({ env, workspace, place: secrets });

/**
 * One with its tokens; undefined where there is none. Row and value are written one after the other: where a kill came between, the tokens are those of another
 * sign-in than the row tells of, and none.
 */
export async function readSignIn(
  named: Named,
  place: SignInPlace,
): Promise<(KeptSignIn & { tokens?: SignedIn; isHeldBack: boolean }) | undefined> {
  const row = await rowOf(named, place);
  if (row === undefined) return undefined;
  const { value: inFile, ...kept } = row;
  const value = inFile ?? (await (await keyringOf(place))?.get(keyringName(named, place)));
  const tokens = value === undefined ? undefined : tokensIn(value);
  const isOfRow = tokens?.origin === named.origin && boundOf(tokens) === row.bound && hostOfIssuer(tokens) === row.host;
  return { ...kept, isHeldBack: value === undefined, ...(isOfRow ? { tokens } : {}) };
}

const hostOfIssuer = ({ issuer }: SignedIn): string | undefined =>
  URL.canParse(issuer) ? new URL(issuer).host : undefined;

/** Reads the tokens of a kept value. A parser's message quotes its text: of a text that is no such value nothing is told. */
function tokensIn(value: string): SignedIn | undefined {
  try {
    const said: unknown = JSON.parse(value);
    if (!isJsonObject(said) || !isJsonObject(said["client"])) return undefined;
    const texts = [said["server"], said["issuer"], said["tokenEndpoint"], said["resource"], said["access"]];
    const isWhole = [...texts, said["client"]["client_id"]].every((text) => typeof text === "string");
    return isWhole ? (said as unknown as SignedIn) : undefined;
  } catch {
    return undefined;
  }
}

/** No name of a secret has a blank in it. */
const keyringName = (named: Named, place: SignInPlace): string => `sign-in ${keyOf(named, place)}`;

/** A refresh of another process may take as long as a request to a slow server, or several. */
const waitMs = 120_000;

/** One sign-in, while no other process of this machine writes it. */
export interface HeldSignIn {
  read(): ReturnType<typeof readSignIn>;
  /** In the place of the one before, which is there until it is. @returns where it is kept, in words */
  keep(tokens: SignedIn): Promise<string>;
  /** Writes once more the sign-in that is there. @throws where it cannot be */
  rewrite(): Promise<void>;
  /** It was refused for good. */
  over(): Promise<void>;
  /** Removes one that cannot be read, too. @returns false where the keyring did not remove it @throws CliProblem where its place is not safe */
  remove(): Promise<boolean>;
}

/** @param signal ends the wait for another process, and nothing that has begun. @throws CliProblem as `keptSignIn`, and where another process holds it for long */
export function withSignIn<T>(
  named: Named,
  place: SignInPlace,
  work: (held: HeldSignIn) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const file = fileOf(named, place);
  const key = keyringName(named, place);
  return withPrivate(
    file,
    (write) => {
      const put = (row: Row): Promise<void> => write(`${JSON.stringify({ v: 1, ...row })}\n`);
      return work({
        read: () => readSignIn(named, place),
        async keep(tokens) {
          const row = { bound: boundOf(tokens), host: new URL(tokens.issuer).host, isOver: false };
          const value = JSON.stringify(tokens);
          const before = await rowOf(named, place);
          const keyring = before?.value === undefined ? await keyringOf(place) : undefined;
          const isSame = before?.bound === row.bound && before.host === row.host;
          // What the keyring has goes with the first byte of the new one; and where a kill follows, a row is there by which the new one is found.
          if (!isSame && keyring !== undefined) await put({ ...(before ?? row), isOver: true });
          if (keyring !== undefined && (await keyring.set(key, value))) {
            await put(row);
            return words().inKeyring(keyring);
          }
          await put({ ...row, value });
          await keyring?.remove(key);
          return words().inFile({ file });
        },
        async rewrite() {
          const row = await rowOf(named, place);
          if (row !== undefined) await put(row);
        },
        async over() {
          const row = await rowOf(named, place);
          if (row !== undefined) await put({ ...row, isOver: true });
        },
        async remove() {
          isFolderThere(place.secrets);
          const row = await rowOf(named, place).catch(() => "unread" as const);
          if (row === undefined) return true;
          // One that was kept before, when there was a keyring, goes as well.
          const keyring = await keyringOf(place);
          const isGone = await keyring?.remove(key);
          // Of one that cannot be read nobody knows whether a keyring has it.
          const isInKeyring = row === "unread" ? keyring !== undefined : row.value === undefined;
          if (isInKeyring && isGone !== true) return false;
          await unlink(file);
          return true;
        },
      });
    },
    { waitMs, ...(signal && { signal }) },
  );
}
