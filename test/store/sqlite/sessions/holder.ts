import { once } from "node:events";
import { writeSync } from "node:fs";
import { HumanMessage } from "@langchain/core/messages";
import { openStore } from "../../../../src/store/open-store.ts";
import { SessionBusy } from "../../../../src/store/types.ts";
import { putState } from "../../support-data.ts";

/**
 * Another process that drives a session of a store, with a checkpoint that waits for its next write. Told anything on stdin it writes to
 * the session in each way there is, says as JSON what came of each, closes its store and ends.
 */
const [file = "", session = ""] = process.argv.slice(2);

const store = await openStore({ file });
const lease = await store.acquire(session);
const journal = store.journal(lease);
await putState(store.saver, { thread: session }, { turn: 1, said: "words of a removed session" });
writeSync(1, "drives\n");
await once(process.stdin, "data");

const message = new HumanMessage({ id: "h", content: "of the old holder" });
const ways = {
  turn: () => journal.addTurn({ text: "of the old holder", message, queued: false }),
  state: () => journal.setState("running"),
  checkpoint: () => putState(store.saver, { thread: session }, { turn: 2 }),
};
const came: Record<string, unknown> = {};
for (const [way, write] of Object.entries(ways))
  came[way] = await write().then(
    () => "written",
    (error: unknown) => (error instanceof SessionBusy ? [error.why, error.message] : String(error)),
  );
store.close();
writeSync(1, `${JSON.stringify({ ...came, lost: lease.lost.aborted })}\n`);
process.exit(0);
