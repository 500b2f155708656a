import { beforeAll, describe, expect, it } from "vitest";
import { sharedFaultyAgent } from "../shared-agent.ts";
import { withoutStrace } from "../system-calls.ts";
import { type Instant, instantsOf } from "./durable.ts";
import type { Operation } from "./operations.ts";
import { type Recording, record } from "./record.ts";

/** What calls do to files, and outside, in the session of the fault tests; the last four are its undo. */
const effects = [
  ...["work/edited.sh", "work/notes/new.txt", "work/twice.txt"],
  ...["the effect of c10", "the effect of c11", "the effect of c12"],
  ...["work/drifting.txt", "home/CONTEXT.md"],
  ...["work/edited.sh", "work/notes/new.txt", "work/twice.txt", "work/drifting.txt"],
];

describe.runIf(withoutStrace() === undefined)("a power cut that takes all that was not synced (needs strace)", () => {
  let recording: Recording;

  beforeAll(async () => {
    recording = await record(await sharedFaultyAgent());
    return () => recording.place.remove();
  });

  it("takes no begun call from under its effect, no bytes from under their name, and nothing that was said", async () => {
    const instants: Instant[] = [];
    for await (const instant of instantsOf(recording)) instants.push(instant);
    const of = (kind: Instant["kind"]): string[] => instants.filter((one) => one.kind === kind).map(({ what }) => what);
    expect(instants.flatMap(({ complaints }) => complaints)).toEqual([]);
    expect(of("effect")).toEqual(effects);
    expect(of("name")).toEqual(expect.arrayContaining(["home/grants.json", "home/CONTEXT.md", "work/notes/new.txt"]));
    expect(new Set(of("word"))).toEqual(
      new Set([
        ...["session_started", "user_message", "assistant_message", "tool_call"],
        ...["approval_requested", "decision", "turn_ended"],
      ]),
    );
  });

  /** What is wrong first at such instants where these syncs are left out of what was recorded. @param then the operation after it */
  async function firstWrong(
    kind: Instant["kind"],
    isLeftOut: (path: string, then: Operation | undefined) => boolean,
  ): Promise<string> {
    const operations = recording.operations.filter(
      (one, at, all) => one.kind !== "sync" || !isLeftOut(one.path, all[at + 1]),
    );
    for await (const { complaints } of instantsOf({ ...recording, operations }, [kind]))
      if (complaints[0] !== undefined) return complaints[0];
    return "nothing";
  }

  const ofLog = (path: string): boolean => path.endsWith("-wal");
  const saysSuccess = (then?: Operation): boolean => then?.kind === "said" && then.bytes.includes('"status":"success"');

  it.each([
    ["of a file before it gets its name", "name", (path) => path.includes("/.holdfast-"), "its name before its bytes"],
    ["of a folder after that", "word", (path) => path === "work/notes", "said to be changed and lost: notes/new.txt"],
    ["of the folder above a new one", "word", (path) => path === "work", "said to be changed and lost: "],
    ["of what a command may change", "effect", (path) => path.endsWith(".bytes"), ".bytes is not on disk"],
    ["of the log before an effect", "effect", (path, then) => ofLog(path) && then?.kind === "happened", "was begun"],
    ["of the log after an effect", "word", (path, then) => ofLog(path) && saysSuccess(then), "said and lost: "],
  ] as [string, ...Parameters<typeof firstWrong>, string][])(
    "would, without the sync %s",
    async (_, kind, isLeftOut, wrong) => {
      expect(await firstWrong(kind, isLeftOut)).toContain(wrong);
    },
  );
});
