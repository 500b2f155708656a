import { type Sha, sha256 } from "../../core/json.ts";
import { packFolder } from "../../files/bytes/pack-file.ts";
import { contentsOf, dropKeptTree, type KeptTree, keptTrees } from "../../files/bytes/pack-room.ts";
import { unpack } from "../journal/packed-bytes.ts";
import type { KeptFigure } from "../types.ts";
import type { Database } from "./database.ts";
import { storeFailure } from "./failures.ts";

/** @throws StoreFailure corrupt where the bytes are no longer those that were kept. */
export function readKept(db: Database, thread: number, sha: Sha): Uint8Array | undefined {
  const sql = "SELECT form, bytes FROM kept_bytes WHERE thread = ? AND sha = ?";
  const row = db.get<{ form: number; bytes: Uint8Array }>(sql, thread, Buffer.from(sha, "hex"));
  if (row === undefined) return undefined;
  const content = unpack(row);
  if (content === undefined || sha256(content) !== sha) throw storeFailure("corrupt", db.file, `kept bytes ${sha}`);
  return content;
}

/** Of a job that runs, or of whose end the person was not told yet, the output stays. */
const isOver = `coalesce(job, '') <> 'running' AND NOT EXISTS (
  SELECT 1 FROM tool_call c JOIN job_end e ON e.thread = c.thread AND e.call = c.id WHERE c.key = call_output.call AND e.told = 0)`;

const figure = `count(*) AS versions, coalesce(sum(length(bytes)), 0) AS bytes FROM
  (SELECT at, bytes FROM kept_bytes UNION ALL SELECT at, bytes FROM call_output WHERE ${isOver})`;

/** @param before milliseconds since the epoch; all of them where it is not given. */
export function keptFigure(db: Database, before?: number): KeptFigure {
  const row = db.get<KeptFigure>(`SELECT ${figure} WHERE at < coalesce(?, at + 1)`, before ?? null);
  const packs = packsOf(db, before);
  return {
    versions: packs.reduce((sum, pack) => sum + contentsOf(pack), row?.versions ?? 0),
    bytes: packs.reduce((sum, pack) => sum + pack.bytes, row?.bytes ?? 0),
  };
}

/** Lists the packs kept before commands ran, which lie beside the store. A session's is dropped whole, when it was not used for so long. */
function packsOf(db: Database, before = Number.POSITIVE_INFINITY): KeptTree[] {
  const folder = packFolder(db.file);
  return folder === undefined ? [] : keptTrees(folder).filter(({ usedAt }) => usedAt < before);
}

/** Drops what was kept before that time, of all sessions. @returns what that was. */
export async function dropKept(db: Database, before: number): Promise<KeptFigure> {
  const packs = packsOf(db, before);
  const dropped = await dropRows(db, before);
  for (const { base } of packs) dropKeptTree(base);
  return dropped;
}

function dropRows(db: Database, before: number): Promise<KeptFigure> {
  return db.write("full", () => {
    const dropped = keptFigure(db, before);
    db.run("DELETE FROM kept_bytes WHERE at < ?", before);
    db.run(`DELETE FROM call_output WHERE at < ? AND ${isOver}`, before);
    return dropped;
  });
}
