import type { SessionRow, Store } from "../store/types.ts";

/** No session, or more than one, is named so. */
export class UnknownSession extends Error {
  override readonly name = "UnknownSession";
  /** The ids that begin so; none where no session does. */
  readonly matches: readonly string[];
  constructor(message: string, matches: readonly string[] = []) {
    super(message);
    this.matches = matches;
  }
}

const mostNamed = 8;

/** The one session that an id or a prefix of one names. @param workspace those of others are not meant @throws UnknownSession */
export function sessionNamed(store: Pick<Store, "sessions">, idOrPrefix: string, workspace?: string): SessionRow {
  const all = store.sessions.match(idOrPrefix);
  const found = all.filter((row) => workspace === undefined || row.workspace === workspace);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first === undefined) throw new UnknownSession(noneSaid(idOrPrefix, all[0], workspace));
  const ids = found.map(({ id }) => id);
  const some = ids.slice(0, mostNamed).join(", ");
  throw new UnknownSession(`${JSON.stringify(idOrPrefix)} matches ${found.length} sessions: ${some}`, ids);
}

function noneSaid(asked: string, other: SessionRow | undefined, workspace: string | undefined): string {
  return other?.id === asked
    ? `session ${asked} belongs to the workspace ${other.workspace}, not to ${workspace}`
    : `there is no session ${JSON.stringify(asked)}${workspace === undefined ? "" : ` of ${workspace}`}`;
}
