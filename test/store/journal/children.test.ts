import { describe, expect, test } from "vitest";
import type { ChildNote } from "../../../src/core/child.ts";
import { StaleMove } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, open, pendingCall, tempFile } from "../support.ts";

const child = (pid: number): ChildNote => ({ pid, host: "here", boot: "b", started: "7", mark: "m" });

describe("the processes of a call", () => {
  test("are kept in their order, and known to whoever comes later", async () => {
    const file = tempFile();
    const { journal, lease, store } = await drive(await open({ file }));
    const call = pendingCall("c1", { effect: "once" });
    await commitCalls(journal, "1.1", [call, pendingCall("c2")]);
    await begin(journal, call);
    await journal.noteChild("c1", child(1));
    await journal.noteChild("c1", child(2));
    lease.release();
    store.close();
    const reader = (await open({ file })).readJournal("calm-fox-0001");
    expect(reader.childrenOf("c1")).toEqual([child(1), child(2)]);
    expect(reader.childrenOf("c2")).toEqual([]);
    expect(reader.childrenOf("c9")).toEqual([]);
    expect(reader.call("c1")?.status).toBe("executing");
  });

  test("are refused where the call is not executing, or the session is another's", async () => {
    const file = tempFile();
    const { journal } = await drive(await open({ file }));
    const call = pendingCall("c1", { effect: "once" });
    await commitCalls(journal, "1.1", [call]);
    await expect(journal.noteChild("c1", child(1))).rejects.toThrow(StaleMove);
    await begin(journal, call);
    await (await open({ file })).acquire("calm-fox-0001", { takeOver: true });
    await expect(journal.noteChild("c1", child(1))).rejects.toThrow("was taken over");
    expect(journal.childrenOf("c1")).toEqual([]);
  });
});
