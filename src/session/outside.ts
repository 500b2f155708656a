import type { CallRef } from "../core/call-ref.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { Journal, Lease, RequestEnd, RequestRow, Requests } from "../store/types.ts";
import { notices, refusals } from "../words/contract/session.ts";
import { openPhase, type Phase } from "./phase.ts";

/** The pause between two looks of a session for requests of other processes, in milliseconds: one look is a number that SQLite has in memory. */
const lookEveryMs = 100;

type AnswerRequest = Extract<RequestRow, { kind: "answer" }>;
type StopRequest = Extract<RequestRow, { kind: "stop" }>;

/** The open session, as far as it is asked something here. */
interface Hearing {
  readonly id: string;
  readonly lease: Lease;
  readonly journal: Journal;
  readonly requests: Requests;
  readonly meanwhile: { waits(ref: CallRef): boolean };
  of(session: string): { readonly journal: Journal } | undefined;
}

/** The one that carries out the requests: as the person of this process would have it done. */
interface Driver {
  phase(): Phase;
  answer(call: CallRef, decision: CallDecision, request: number): Promise<AnswerOutcome>;
  stop(): Promise<void>;
  stopChild(child: string): Promise<{ ok: boolean }>;
  emit(body: AgentEventBody): void;
}

// Keeps session 8.
/**
 * Hears what other processes ask of the session that is driven here, and of those that its calls drive: answers to its open question, and
 * stops. Each is heard once. A request that cannot be heard yet is left as it is.
 */
export class OutsideRequests {
  readonly #driver: Driver;
  #session: Hearing | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** The store's version when all there was had been looked at. */
  #seen = Number.NaN;
  /** The keys of those that are being heard. */
  readonly #under = new Set<number>();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  begin(session: Hearing): void {
    this.#session = session;
    this.#looking = setInterval(() => this.look(), lookEveryMs).unref();
    this.look();
  }

  end(): void {
    clearInterval(this.#looking);
    this.#session = undefined;
  }

  /** @param anew also where nothing was committed since: another question is asked now */
  look(anew = false): void {
    const session = this.#session;
    if (session === undefined || session.lease.lost.aborted) return;
    try {
      const version = session.requests.version();
      if (!anew && version === this.#seen) return;
      this.#seen = version;
      for (const request of inOrder(session.requests.unheard(session.id))) this.#hear(session, request);
    } catch {
      // A store that fails is told of by the next write, and looked at again.
      this.#seen = Number.NaN;
    }
  }

  #hear(session: Hearing, request: RequestRow): void {
    const { key } = request;
    if (this.#under.has(key)) return;
    const heard = request.kind === "stop" ? this.#stop(session, request) : this.#answer(session, request);
    if (heard === undefined) return;
    this.#under.add(key);
    // One that could not be heard stays, and is looked at again with the next commit.
    void heard.catch(() => undefined).finally(() => this.#under.delete(key));
  }

  /** A stop is for what its process saw: another process that drives the session by now goes on. */
  #stop({ id, lease, journal }: Hearing, { key, fence, by, session }: StopRequest): Promise<void> {
    if (fence !== lease.fence) return journal.noteHeard(key, { became: "late" });
    return session === id ? this.#stopNow(journal, key, by.pid) : this.#stopChild(journal, key, by.pid, session);
  }

  async #stopChild(journal: Journal, key: number, pid: number, child: string): Promise<void> {
    const { ok } = await this.#driver.stopChild(child);
    if (ok)
      this.#driver.emit({
        type: "notice",
        code: "stopped_elsewhere",
        text: notices.helperStopped({ pid, helper: child }),
      });
    await journal.noteHeard(key, { became: ok ? "stopped" : "idle" });
  }

  async #stopNow(journal: Journal, key: number, pid: number): Promise<void> {
    const at = (): string => openPhase(this.#driver.phase())?.at ?? "closed";
    const before = at();
    this.#driver.emit({ type: "notice", code: "stopped_elsewhere", text: notices.stopped({ pid }) });
    await this.#driver.stop();
    const now = at();
    const waits = now === "asking" || now === "recovering";
    const became = before === "idle" ? "idle" : waits && before === now ? "kept" : "stopped";
    await journal.noteHeard(key, { became });
  }

  /** Undefined where it is to wait: its question is not asked yet. */
  #answer(session: Hearing, request: AnswerRequest): Promise<void> | undefined {
    const { session: of, call } = request;
    if (session.of(of)?.journal.call(call)?.status === "awaiting_approval") {
      const isAsked = this.#driver.phase().at === "asking" || session.meanwhile.waits({ session: of, call });
      return isAsked ? this.#answerNow(session, request) : undefined;
    }
    const said = refusals.waitsNoMore({ call });
    return session.journal.noteHeard(request.key, { became: "not_waiting", said });
  }

  async #answerNow({ journal }: Hearing, { key, session, call, by, ...answer }: AnswerRequest): Promise<void> {
    const { decision, digest, reason } = answer;
    const told: CallDecision =
      decision === "approve" ? { decision, digest } : { decision, digest, ...(reason === undefined ? {} : { reason }) };
    const outcome = await this.#driver.answer({ session, call }, told, key);
    if (!outcome.ok)
      return journal.noteHeard(key, { became: outcome.code satisfies RequestEnd, said: outcome.message });
    const did = decision === "approve" ? notices.approved : notices.denied;
    this.#driver.emit({ type: "notice", code: "answered_elsewhere", text: did({ pid: by.pid, call }) });
  }
}

/** As they were written, but a denial before an approval: what was denied can be proposed again, what was done cannot be undone by a no. */
const inOrder = (requests: readonly RequestRow[]): RequestRow[] => {
  const denies = (request: RequestRow): boolean => request.kind === "answer" && request.decision === "deny";
  return [...requests.filter(denies), ...requests.filter((request) => !denies(request))];
};
