import { type Json, sha256 } from "../../../core/json.ts";
import { fromText } from "../../plain-codec.ts";
import type { Database } from "../database.ts";
import { storeFailure } from "../failures.ts";

// Keeps store 13.
/** Keeps the rights of a child once for all of its parent's that have the same. Inside `write` only. @returns what names them */
export function keepRights(db: Database, parent: number, text: string): Buffer {
  const sha = Buffer.from(sha256(text), "hex");
  db.run("INSERT OR IGNORE INTO child_rights (parent, sha, text) VALUES (?, ?, ?)", parent, sha, text);
  return sha;
}

/** What children of this parent may do at most, by the hash that names it: each is read once. @throws StoreFailure corrupt, for without it a child would be bounded by nothing. */
export function keptRights(db: Database, parent: number): (sha: string) => Json {
  const known = new Map<string, Json>();
  return (sha) => {
    const before = known.get(sha);
    if (before !== undefined) return before;
    const sql = "SELECT text FROM child_rights WHERE parent = ? AND sha = ?";
    const row = db.get<{ text: string }>(sql, parent, Buffer.from(sha, "hex"));
    if (row === undefined)
      throw storeFailure("corrupt", db.file, `the rights ${sha.toLowerCase()} of a helper are gone`);
    const rights = fromText(row.text) as Json;
    known.set(sha, rights);
    return rights;
  };
}
