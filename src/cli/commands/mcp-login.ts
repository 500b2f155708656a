import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import { addressOf } from "../../tools/mcp/address.ts";
import { isReached, isScope, type ReachedEntry } from "../../tools/mcp/entry.ts";
import { findAuthorization } from "../../tools/mcp/sign-in/discovery.ts";
import { type Ask, checkPage, SignInProblem, signInDoor } from "../../tools/mcp/sign-in/door.ts";
import { type Begun, beginSignIn, finishSignIn, newState } from "../../tools/mcp/sign-in/grants.ts";
import { challengeIn, type SignedIn, serverOf, signInComplaint } from "../../tools/mcp/sign-in/sign-in.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { mcpSignIn } from "../../words/en/mcp-sign-in.ts";
import { mcpTrust } from "../../words/en/mcp-trust.ts";
import type { Composition } from "../composition.ts";
import { atTerminal } from "../io.ts";
import type { FoundServer } from "../mcp/find-servers.ts";
import { openAddress } from "../mcp/open-address.ts";
import type { ServerPlace } from "../mcp/open-servers.ts";
import { listenForRedirect, type RedirectListener } from "../mcp/redirect-listener.ts";
import { type HeldSignIn, keptSignIn, markOf, withSignIn } from "../mcp/sign-in-store.ts";
import { CliProblem } from "../problem.ts";
import { catchSignals } from "../signals.ts";
import { cleanLine } from "../ui/safe-text.ts";
import { findOne, placeIn } from "./mcp.ts";
import { doorOf, revoked, signOut, wordsOf } from "./mcp-sign-out.ts";
import { agreed, declined, shownAddress } from "./mcp-trust.ts";

export interface LoginOptions {
  /** Asked for in the place of those that entry and server name. */
  scopes: readonly string[];
  /** Asks without a question a server that is not trusted yet. */
  yes: boolean;
}

/** `agent mcp login NAME`: signs the person in at a server over HTTP, at a page in their browser. */
export async function loginMcp(at: Composition, name: string, options: LoginOptions): Promise<number> {
  const { io } = at;
  const found = await findOne(at, name, { toShow: name });
  const entry = entryOf(found);
  const wrong = options.scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw new CliProblem("usage", cellWords().scopeIsNone({ scope: JSON.stringify(wrong) }));
  if (found.why !== undefined) {
    io.stdout.write(shownAddress(found, entry));
    if (!(await agreed(at, options.yes, mcpSignIn().ask({ name }), "login")))
      return declined(at, mcpTrust().notSignedIn);
  }
  const stop = new AbortController();
  const signals = catchSignals(io.stdout, () => stop.abort(new SignInProblem(mcpSignIn().stopped)));
  try {
    await signIn(at, { found, entry, options }, stop.signal);
    return 0;
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error;
    const code = signals.came();
    const why =
      code !== undefined && error === stop.signal.reason ? mcpSignIn().nothingChanged : cleanLine(error.message);
    if (code === undefined) throw new CliProblem("failed", mcpSignIn().notSignedIn({ why }), { cause: error });
    io.stderr.write(`${mcpSignIn().notSignedIn({ why })}\n`);
    return code;
  } finally {
    signals.release();
  }
}

/** @throws CliProblem why nobody signs in at it */
function entryOf({ name, ready, why, waits }: FoundServer): ReachedEntry {
  if (ready === undefined || (why !== undefined && waits !== true))
    throw new CliProblem("failed", mcpSignIn().cannotSignIn({ name, why: cleanLine(why ?? mcpSignIn().unreachable) }));
  if (!isReached(ready)) throw new CliProblem("failed", mcpSignIn().isStarted({ name }));
  const wrong = signInComplaint(ready);
  if (wrong !== undefined) throw new CliProblem("failed", mcpSignIn().nobody({ name, why: wrong }));
  return ready;
}

interface Login {
  found: FoundServer;
  entry: ReachedEntry;
  options: LoginOptions;
}

async function signIn(at: Composition, login: Login, signal: AbortSignal): Promise<void> {
  const { found, entry, options } = login;
  const { io } = at;
  const place = await placeIn(at);
  // Where it cannot be kept nothing begins.
  await keptSignIn(found, place);
  const door = { ...doorOf(entry, found, place), signal };
  const ask = signInDoor(door);
  const challenge = await challengeOf(entry, ask);
  const there = await findAuthorization(addressOf(entry), challenge, ask);
  await checkPage(new URL(there.as.authorization_endpoint ?? ""), door);
  const named = [options.scopes, entry.oauth?.scopes ?? [], challenge?.scopes ?? [], there.scopes];
  const scopes = named.find((some) => some.length > 0) ?? [];
  const state = newState();
  const listener = await listenForRedirect(state, entry.oauth?.redirectPort ?? 0);
  try {
    const clientId = entry.oauth?.clientId;
    const begun = await beginSignIn(there, { redirectUri: listener.uri, state, scopes, clientId }, ask);
    signal.throwIfAborted();
    await show(at, found, begun);
    const answer = await answerAt(listener, signal);
    const server = { server: serverOf(entry), origin: found.origin, isPrivate: entry.isPrivate };
    signal.throwIfAborted();
    const ofTokens = signInDoor(doorOf(entry, found, place)); // without the signal: they are given once
    const tokens = await finishSignIn(begun, answer, { ...server, clientId: clientId ?? null }, ofTokens);
    const keep = async (held: HeldSignIn): Promise<string> => {
      signal.throwIfAborted();
      return held.keep(tokens);
    };
    const where = await withSignIn(found, place, keep, signal).catch((error: unknown) => unkept(error, tokens, place));
    io.stderr.write(`${mcpSignIn().signedIn({ name: found.name, where: cleanLine(where) })}\n`);
    if (found.why !== undefined) io.stderr.write(`${mcpSignIn().waitsForTrust({ name: found.name })}\n`);
  } finally {
    listener.close();
  }
}

/** Finds the server's challenge, by a request that has it do nothing; undefined where it gives none. */
async function challengeOf(entry: ReachedEntry, ask: Ask) {
  const headers = { ...lowered(entry.headers), accept: "application/json, text/event-stream" };
  const asked = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    tellsChallenge: true,
  };
  const answer = await ask(addressOf(entry).href, asked).catch(() => undefined); // who stopped it is told by what comes next
  return answer?.status === 401 ? challengeIn(answer.headers.get("www-authenticate") ?? undefined) : undefined;
}

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The whole address, and the host that it is of, before it is opened. */
async function show(
  { io, workspace }: Composition,
  { name }: FoundServer,
  { url, found, asked }: Begun,
): Promise<void> {
  const issuer = new URL(found.as.issuer).host;
  const rights = asked.length === 0 ? undefined : rightsIn(asked.map(cleanLine));
  io.stdout.write(
    [
      `${mcpSignIn().page({ name, host: url.host, issuer, goesTo: cleanLine(found.resource), rights })}\n`,
      `  ${url.href}\n`,
    ].join(""),
  );
  const opener = atTerminal(io) ? await openAddress(url, { env: io.env, workspace }) : undefined;
  const how = opener === undefined ? mcpSignIn().openIt : mcpSignIn().opens({ opener: cleanLine(opener) });
  io.stderr.write(`${mcpSignIn().waiting({ how, minutes: limits.signInWait.most / 60_000 })}\n`);
}

/** So many letters of them as can be read; all of them are in the address. */
function rightsIn(scopes: readonly string[]): string {
  let length = 0;
  const shown = scopes.filter((scope) => {
    length += scope.length + 1;
    return length <= mostShown;
  });
  return `${shown.join(" ")}${shown.length < scopes.length ? ` ${cellWords().more({ count: scopes.length - shown.length })}` : ""}`;
}

const mostShown = 600;

async function answerAt(listener: RedirectListener, signal: AbortSignal): Promise<URLSearchParams> {
  const limit = joinSignals([signal], limits.signInWait.most);
  try {
    return await listener.answer(limit.signal);
  } catch (error) {
    if (error instanceof SignInProblem) throw error;
    throw new SignInProblem(mcpSignIn().noneCame({ minutes: limits.signInWait.most / 60_000 }), { cause: error });
  } finally {
    limit.release();
  }
}

/** Of tokens that nobody could use any more nobody is to know: they end. @throws SignInProblem */
async function unkept(cause: unknown, tokens: SignedIn, place: ServerPlace): Promise<never> {
  throw new SignInProblem(mcpSignIn().unkept({ why: wordsOf(cause), told: await revoked(tokens, place) }), { cause });
}

/** `agent mcp logout NAME`: what is kept goes, of a server of the person and of the project's, and whoever gave it is told where they can be. */
export async function logoutMcp(at: Composition, name: string): Promise<number> {
  const place = await placeIn(at);
  const all = (["user", "project"] as const).map((origin) => ({ name, origin }));
  const there = all.filter((named) => markOf(named, place) !== "none");
  const problems: string[] = [];
  for (const named of there)
    await signOut(at.io, named, place).catch((error: unknown) => {
      if (!(error instanceof CliProblem)) throw error;
      problems.push(error.message);
    });
  if (problems.length > 0) throw new CliProblem("failed", problems.join("\n"));
  if (there.length > 0) return 0;
  throw new CliProblem("usage", mcpSignIn().nobodyThere({ name }), { hint: mcpSignIn().listHint });
}
