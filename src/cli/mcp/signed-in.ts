import { joinSignals } from "../../core/join-signals.ts";
import type { NamedValue } from "../../core/secrets/masking.ts";
import { until } from "../../net/until.ts";
import type { Way } from "../../tools/mcp/address.ts";
import { isReached, type ReachedEntry } from "../../tools/mcp/entry.ts";
import { boundTo, type Renewed, type SignedIn, type SignIn, signInComplaint } from "../../tools/mcp/sign-in/sign-in.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { CliProblem } from "../problem.ts";
import type { FoundServer } from "./find-servers.ts";
import {
  type HeldSignIn,
  keptSignIn,
  markOf,
  type Named,
  readSignIn,
  type SignInPlace,
  withSignIn,
} from "./sign-in-store.ts";

/** The state of the person's sign-in, as it is listed; `unknown`: the kept one cannot be read. */
export type SignInRow = { state: "in" | "needed"; host?: string } | { state: "unknown"; why: string };

/** As far as is known without asking: of a server that never was signed in at nothing is, unless its entry says how. */
export async function signInStateOf(
  found: Pick<FoundServer, "name" | "origin" | "ready">,
  place: SignInPlace,
): Promise<SignInRow | undefined> {
  const { ready } = found;
  if (ready === undefined || !isReached(ready) || signInComplaint(ready) !== undefined) return undefined;
  try {
    const kept = await keptSignIn(found, place);
    if (kept === undefined) return ready.oauth === undefined ? undefined : { state: "needed" };
    const isIn = !kept.isOver && kept.bound === boundTo(ready);
    return isIn ? { state: "in", host: kept.host } : { state: "needed" };
  } catch (error) {
    const hint = error instanceof CliProblem && error.hint !== undefined ? `: ${error.hint}` : "";
    return { state: "unknown", why: `${wordsOf(error)}${hint}` };
  }
}

/** Returns the sign-in with which a session speaks to a server, where its person may sign in; undefined where the entry says what is sent. */
export function signInOf(
  named: Named,
  entry: ReachedEntry,
  place: SignInPlace & { way: Way; version: string },
): SignIn | undefined {
  return signInComplaint(entry) === undefined ? new StoredSignIn(named, entry, place) : undefined;
}

/** The sign-in of the store: read anew once it is another one, and made anew by one process at a time. */
class StoredSignIn implements SignIn {
  readonly command: string;
  readonly #named: Named;
  readonly #entry: ReachedEntry;
  readonly #place: SignInPlace & { way: Way; version: string };
  readonly #keys = new Map<string, NamedValue>();
  #read: { mark: string; token: Promise<string | undefined> } | undefined;
  #refusedAnew: string | undefined;
  /** Made anew, and not written: of use to this process alone. */
  #unkept: SignedIn | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(named: Named, entry: ReachedEntry, place: SignInPlace & { way: Way; version: string }) {
    this.command = mcp.login(named);
    this.#named = named;
    this.#entry = entry;
    this.#place = place;
  }

  keys(): NamedValue[] {
    return [...this.#keys.values()];
  }

  async settled(): Promise<void> {
    await this.#underWay;
  }

  async token(): Promise<string | undefined> {
    const mark = markOf(this.#named, this.#place);
    if (this.#read?.mark !== mark) {
      const token = mark === "none" ? Promise.resolve(undefined) : this.#now();
      this.#read = { mark, token };
      token.catch(() => {
        this.#read = undefined;
      });
    }
    return this.#read.token;
  }

  async #now(): Promise<string | undefined> {
    const kept = await readSignIn(this.#named, this.#place);
    if (kept === undefined || kept.bound !== boundTo(this.#entry)) return undefined;
    if (kept.isHeldBack && !kept.isOver) throw new Error(this.#heldBack());
    const token = kept.tokens === undefined ? undefined : this.#known(kept.tokens);
    return kept.isOver ? undefined : token;
  }

  #heldBack(): string {
    return mcp.heldBack({ command: this.command });
  }

  #known({ access, refresh, client }: SignedIn): string {
    for (const value of [access, refresh, client.client_secret])
      if (value !== undefined && value.length >= 8) this.#keys.set(value, { name: "sign-in", value });
    return access;
  }

  refusedAnew(token: string): void {
    this.#refusedAnew = token;
  }

  taken(token: string): void {
    if (this.#refusedAnew === token) this.#refusedAnew = undefined;
  }

  async renewed(refused: string, signal: AbortSignal): Promise<Renewed> {
    if (refused === this.#refusedAnew) return { why: mcp.notTaken };
    const stopped = joinSignals([signal]);
    const made = this.#renew(refused, stopped.signal).catch((error: unknown) => ({
      why: mcp.notRenewed({ why: wordsOf(error) }),
    }));
    this.#underWay = Promise.all([this.#underWay, made]);
    try {
      return await until(stopped.signal, made);
    } finally {
      stopped.release();
    }
  }

  // Keeps cli 9.
  /** By one process at a time, for who uses a token of refresh twice is signed out by many servers. The old one is kept until the new one is. */
  #renew(refused: string, signal: AbortSignal): Promise<Renewed> {
    const renew = async (held: HeldSignIn): Promise<Renewed> => {
      const kept = await held.read();
      if (kept === undefined || kept.bound !== boundTo(this.#entry) || kept.isOver) return { why: mcp.over };
      const now = this.#unkept?.access === refused ? this.#unkept : kept.tokens;
      if (now === undefined) return { why: kept.isHeldBack ? this.#heldBack() : mcp.over };
      const token = this.#known(now);
      // Another process was quicker, or the person signed in again.
      if (token !== refused) return { token };
      return this.#asked(now, held);
    };
    return withSignIn(this.#named, this.#place, renew, signal);
  }

  async #asked(now: SignedIn, held: HeldSignIn): Promise<Renewed> {
    const { origin } = this.#named;
    const { way, version } = this.#place;
    const [{ refreshSignIn, SignInOver }, { signInDoor }] = await Promise.all([
      import("../../tools/mcp/sign-in/grants.ts"),
      import("../../tools/mcp/sign-in/door.ts"),
    ]);
    // Where nothing can be written that is found before the old one is of no use any more.
    await held.rewrite();
    try {
      const made = await refreshSignIn(now, signInDoor({ entry: this.#entry, origin, way, version }));
      return { token: this.#known(made), ...(await this.#keep(made, held)) };
    } catch (error) {
      if (!(error instanceof SignInOver)) throw error;
      await held.over();
      return { why: `${mcp.over} (${error.message})` };
    }
  }

  async #keep(made: SignedIn, held: HeldSignIn): Promise<{ note?: string }> {
    try {
      await held.keep(made);
      this.#unkept = undefined;
      return {};
    } catch (error) {
      this.#unkept = made;
      this.#read = { mark: markOf(this.#named, this.#place), token: Promise.resolve(made.access) };
      return {
        note: mcp.unkept({ command: this.command, why: wordsOf(error) }),
      };
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
