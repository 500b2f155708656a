import type { SessionRow, Store, Verified } from "../store/types.ts";

/** The damage that a look found. A rewrite by the same user, hashes and all, is not found. */
export interface StoreCheck {
  /** Nothing is damaged. */
  ok: boolean;
  /** Of the whole file; `problem` in words, where there is one. */
  database: { file: string; problem?: string };
  /** Each that was looked at, in their order. */
  sessions: Verified[];
}

export function verifyStore(
  store: Pick<Store, "file" | "damage" | "verify">,
  rows: readonly Pick<SessionRow, "id">[],
): StoreCheck {
  const damage = store.damage();
  const sessions = rows.map(({ id }) => store.verify(id));
  return {
    ok: damage === undefined && sessions.every(({ problem }) => problem === undefined),
    database: { file: store.file, ...(damage === undefined ? {} : { problem: damage }) },
    sessions,
  };
}
