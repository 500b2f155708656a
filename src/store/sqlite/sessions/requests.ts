import { faultPoint } from "../../../core/fault-point.ts";
import { thisProcess } from "../../../process/process-identity.ts";
import { packDigest, unpackDigest } from "../../journal/call-row.ts";
import { wellFormed } from "../../plain-codec.ts";
import type { RequestColumns } from "../../tables.ts";
import type { NewRequest, RequestRow, Requests, RequestWritten } from "../../types.ts";
import type { Database } from "../database.ts";
import type { Leases } from "./leases.ts";

type Row = RequestColumns & { session: string };
type Place = { thread: number; root: number };

const select = "SELECT r.*, t.id AS session FROM request r JOIN thread t ON t.key = r.thread";

// Keeps store 12.
/** Rows by which processes without a lease reach the one that has it. */
export class RequestTable implements Requests {
  readonly #db: Database;
  readonly #leases: Leases;
  readonly #clock: () => number;
  readonly #here = thisProcess();

  constructor(db: Database, leases: Leases, clock: () => number) {
    this.#db = db;
    this.#leases = leases;
    this.#clock = clock;
  }

  async add(request: NewRequest): Promise<RequestWritten> {
    faultPoint("before outside request written");
    const written = await this.#db.write("full", () => this.#add(request));
    faultPoint("after outside request written");
    return written;
  }

  get(key: number): RequestRow | undefined {
    const row = this.#db.get<Row>(`${select} WHERE r.key = ?`, key);
    return row === undefined ? undefined : present(row);
  }

  unheard(root: string): RequestRow[] {
    const rows = this.#db.all<Row>(
      `${select} JOIN session s ON s.thread = r.thread JOIN thread o ON o.key = s.root
       WHERE r.heard IS NULL AND o.id = ? ORDER BY r.key`,
      root,
    );
    return rows.map(present);
  }

  version(): number {
    return this.#db.version();
  }

  isDriven(session: string): boolean {
    const place = this.#placeOf(session);
    return place !== undefined && this.#leases.drivenUnder(place.root) !== undefined;
  }

  #add(request: NewRequest): RequestWritten {
    const place = this.#placeOf(request.session);
    if (place === undefined) throw new Error(`there is no session ${request.session}`);
    const fence = this.#leases.drivenUnder(place.root);
    if (request.kind === "stop") {
      const said = `nobody drives session ${request.session}: nothing of it runs`;
      if (fence === undefined) return { written: false, became: "not_driven", said };
      return { written: true, key: this.#insert(place.thread, { kind: "stop", fence }), driven: true };
    }
    const { call, decision, digest, reason = null } = request;
    const refusal = this.#refusalOf(place.thread, call, digest);
    if (refusal !== undefined) return { written: false, ...refusal };
    const told = reason === null ? null : wellFormed(reason);
    const columns = { kind: "answer" as const, call, decision, digest: packDigest(digest), reason: told };
    return { written: true, key: this.#insert(place.thread, columns), driven: fence !== undefined };
  }

  /** Finds the reason to refuse a request: it must be about a question that waits now; whoever hears it looks again. */
  #refusalOf(thread: number, call: string, digest: string) {
    const sql = "SELECT status, digest FROM tool_call WHERE thread = ? AND id = ?";
    const row = this.#db.get<{ status: string; digest: RequestColumns["digest"] }>(sql, thread, call);
    if (row === undefined) return { became: "not_waiting", said: `there is no call ${call}` } as const;
    if (row.status !== "awaiting_approval")
      return { became: "not_waiting", said: `call ${call} does not wait: it is ${row.status}` } as const;
    const now = row.digest === null ? undefined : unpackDigest(row.digest);
    if (now === digest) return undefined;
    return { became: "stale", said: `call ${call} has another digest now: read what would be done` } as const;
  }

  #insert(thread: number, columns: Pick<RequestColumns, "kind"> & Partial<RequestColumns>): number {
    const { kind, call = null, digest = null, decision = null, reason = null, fence = null } = columns;
    const { pid, host } = this.#here;
    return this.#db.run(
      `INSERT INTO request (thread, kind, call, digest, decision, reason, fence, pid, host, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[thread, kind, call, digest, decision, reason, fence, pid, host, this.#clock()],
    ).key;
  }

  #placeOf(session: string): Place | undefined {
    return this.#db.get(
      "SELECT s.thread, s.root FROM session s JOIN thread t ON t.key = s.thread WHERE t.id = ?",
      session,
    );
  }
}

function present({ key, session, pid, host, at, fence, heard, became, said, ...row }: Row): RequestRow {
  const end =
    heard === null || became === null ? {} : { end: { at: heard, became, ...(said === null ? {} : { said }) } };
  const written = { key, by: { pid, host }, at, ...end };
  if (row.kind === "stop") return { kind: "stop", session, ...written, ...(fence === null ? {} : { fence }) };
  const { call, digest, decision, reason } = row;
  return {
    ...{ kind: "answer", session, call: call ?? "", digest: digest === null ? "" : unpackDigest(digest) },
    ...{ decision: decision ?? "deny", ...(reason === null ? {} : { reason }), ...written },
  };
}
