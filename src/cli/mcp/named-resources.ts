import { ToolRefusal } from "../../core/codes.ts";
import { countText } from "../../core/count-text.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import type { GivenImage } from "../../core/tool.ts";
import { holdsUnseen } from "../../core/unseen.ts";
import type { Brought } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import { askServer } from "../../tools/mcp/ask-server.ts";
import type { Given } from "../../tools/mcp/given-prompt.ts";
import { givenResource, type ListedResource, listedOnce, listResources } from "../../tools/mcp/resources.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { mcpNamed as words } from "../../words/en/mcp-named.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";
import { type PersonAt, trustedNames, withServer } from "./for-person.ts";
import { keptPictures } from "./given-pictures.ts";
import { KeptAnswers } from "./kept-answers.ts";

/** Those that begin with the name of a server that the person trusts. */
export async function ofServers(
  composition: Composition,
  { workspace }: PersonAt,
  names: readonly string[],
): Promise<string[]> {
  const servers = await trustedNames(composition, workspace);
  return names.filter((name) => servers.has(serverOfName(name)));
}

const serverOfName = (name: string): string => name.slice(0, Math.max(0, name.indexOf(":")));

/**
 * Returns the text for which a message stands that names resources of servers: itself, and below it those that the servers give, marked as
 * theirs; none where it names none. A word that a server has nothing under, and that is no address, is told as a problem and sent.
 * @param names each as `server:resource`, of servers that are trusted
 * @throws CliProblem that says which cannot be had, and why; the signal's reason
 */
export async function withResources(
  composition: Composition,
  at: PersonAt,
  { text, names }: { text: string; names: readonly string[] },
  signal: AbortSignal,
): Promise<Pick<Brought, "stands" | "problems">> {
  const { most } = limits.mcpResourcesAtOnce;
  if (names.length > most) throw new CliProblem("usage", words().tooManyNames({ most, count: names.length }));
  const found = new Map(await takenOfAll(composition, at, names, signal));
  refuseLongInAll([...found.values()]);
  const problems: string[] = [];
  const said: string[] = [];
  const images: GivenImage[] = [];
  for (const name of names) {
    const taken = found.get(name);
    if (taken === undefined) continue;
    if ("missing" in taken) {
      problems.push(cellWords().notAttached({ why: saidAgain(taken.missing) }));
      continue;
    }
    const kept = await keptPictures(taken.images, signal);
    images.push(...kept.images);
    const pictures = kept.images.length === 0 ? [] : [mcp.attached({ images: kept.images.length })];
    const whole = [taken.text, ...pictures, ...kept.left].filter((one) => one !== "").join("\n");
    said.push(mcp.resource({ name, uri: taken.uri, server: serverOfName(name), text: whole }));
  }
  if (said.length === 0) return { problems };
  return {
    problems,
    stands: { text: [text, mcp.ofResources, ...said].join("\n\n"), calls: [], images, isServed: true },
  };
}

/** A server's answer to one name, or the reason for which it has nothing under it. */
type Taken = (Given & { uri: string }) | { missing: string };

/** Servers are started and asked side by side; once one of them fails none is asked any more. @throws the first failure */
async function takenOfAll(
  composition: Composition,
  at: PersonAt,
  names: readonly string[],
  signal: AbortSignal,
): Promise<[string, Taken][]> {
  const failed = new AbortController();
  const joined = joinSignals([signal, failed.signal]);
  const asked = [...new Set(names.map(serverOfName))].map(async (server) => {
    const ofIt = names.filter((name) => serverOfName(name) === server);
    try {
      return await takenOf(composition, at, { server, names: ofIt }, joined.signal);
    } catch (error) {
      // The others fail by this one's failure from here on.
      failed.abort(error);
      throw error;
    }
  });
  const ended = await Promise.allSettled(asked);
  joined.release();
  joined.signal.throwIfAborted();
  return ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** One after another, of one server: it is started once for all. */
const takenOf = (
  composition: Composition,
  at: PersonAt,
  { server, names }: { server: string; names: readonly string[] },
  signal: AbortSignal,
): Promise<[string, Taken][]> =>
  withServer(composition, at, { name: server, signal }, async (wish, _, judge) => {
    const found: [string, Taken][] = [];
    const list = listedOnce();
    for (const name of names)
      found.push([name, await givenOrMissing(wish, name.slice(server.length + 1), judge, list)]);
    return found;
  });

async function givenOrMissing(...asked: Parameters<typeof givenResource>): Promise<Taken> {
  try {
    return await givenResource(...asked);
  } catch (error) {
    if (error instanceof ToolRefusal && error.code === "NOT_FOUND") return { missing: error.message };
    throw error;
  }
}

/** @throws CliProblem where it is more than a message takes */
function refuseLongInAll(all: readonly Taken[]): void {
  const { most } = limits.mcpGiven;
  const bytes = all.reduce((sum, one) => sum + ("text" in one ? Buffer.byteLength(one.text) : 0), 0);
  if (bytes <= most) return;
  throw new CliProblem("failed", words().tooLong({ given: countText(bytes), taken: countText(most) }));
}

/** Resources that are offered at once. */
const mostOffered = 50;
/** The time for which a listing serves the letters of one word, in milliseconds. */
const keptMs = 60_000;

/** The last listings of servers, by session and server. */
const listings = new KeptAnswers<ListedResource[]>(keptMs);

/**
 * Resources that fit what was typed, each as `server:address`: none of a server that is off or does not list them, and in the modes that
 * run nothing none of one that does not run yet. Undefined where the letters begin with the name of no server that is trusted.
 */
export async function resourceOffers(
  composition: Composition,
  at: PersonAt & Pick<Session, "mode">,
  letters: string,
): Promise<string[] | undefined> {
  const server = serverOfName(letters);
  if (!(await trustedNames(composition, at.workspace)).has(server)) return undefined;
  const runsNothing = at.mode === "read-only" || at.mode === "plan";
  if (runsNothing && composition.serverOf(at.id, server)?.known === undefined) return [];
  const wanted = letters.slice(server.length + 1).toLowerCase();
  const listed = await listedLately(composition, at, server);
  const fitting = listed.filter(({ uri, name }) => `${uri} ${name}`.toLowerCase().includes(wanted));
  return fitting.slice(0, mostOffered).map(({ uri }) => `${server}:${uri}`);
}

/** Each key that is typed asks for it; where it failed there is none for as long. */
const listedLately = (composition: Composition, at: PersonAt, server: string): Promise<ListedResource[]> =>
  listings.answer(JSON.stringify([at.id, at.workspace, server]), () => listedBy(composition, at, server), []);

/**
 * Lists a server's resources. A failure to list is told where the message is sent; one that holds signs that nobody sees is named by its
 * listing alone.
 */
async function listedBy(composition: Composition, at: PersonAt, name: string): Promise<ListedResource[]> {
  const { signal } = new AbortController();
  const all = await withServer(composition, at, { name, signal }, (wish) =>
    askServer(wish, "its resources", listResources),
  );
  return all.filter(({ uri }) => !holdsUnseen(uri) && !/\p{Cc}/u.test(uri));
}
