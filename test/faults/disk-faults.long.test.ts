import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { asks, type Reply, says } from "../support/model-server.ts";
import type { FaultyAgent } from "./bundle.ts";
import { mounting, within, withoutMounts } from "./mounts.ts";
import { type Ended, type FaultPlace, openFaultPlace } from "./place.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

const canMount = withoutMounts() === undefined;
const edit = asks("edit_file", { file_path: "a.txt", old_string: "first", new_string: "1st" });
/** Larger than the room that the tests leave, and small where it is compressed. */
const large = `first\n${"aaaaaaaaa\n".repeat(60_000)}`;

let agent: FaultyAgent;
let place: FaultPlace;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});
afterEach(() => place.remove());

/** @param replies what the model says, a request each */
async function openDisk(replies: Reply[]): Promise<void> {
  place = await openFaultPlace(agent.program, () => replies.shift() ?? says("I have nothing more to say."));
  writeFileSync(join(place.workspace, "a.txt"), large);
}

/** One command in a process of its own; `$W` is the workspace for its wrapper, `$H` the agent's folder. */
const run = (argv: readonly string[], wrapper?: readonly string[]): Promise<Ended> =>
  place.start(
    [],
    { HOLDFAST_COMMAND: JSON.stringify(argv), W: place.workspace, H: place.home, O: dirname(place.home) },
    wrapper,
  ).done;

const textOf = ({ events, stderr }: Ended): string => {
  const end = events.at(-1);
  return (end?.type === "turn_ended" ? end.text : undefined) ?? stderr;
};

/** What the model was told of its last call. */
const told = (): unknown => place.server.requests.at(-1)?.body.messages.at(-1)?.content;

describe("a workspace that cannot be written: the model is told why, the file is as it was, and the session goes on", () => {
  it.runIf(canMount).each([
    [
      "on a read-only file system",
      mounting('mount --bind "$W" "$W" && mount -o remount,ro,bind "$W" && cd "$W" && "$@"'),
      "READ_ONLY: a.txt is on a read-only file system",
    ],
    [
      "on a disk without room for the new file",
      mounting(
        'cp "$W/a.txt" "$O/copy" && mount -t tmpfs -o size=900k none "$W" && cp "$O/copy" "$W/a.txt" && cd "$W" && ' +
          '"$@"; code=$?; cmp "$O/copy" "$W/a.txt" && test "$(ls -A "$W")" = a.txt && exit $code',
      ),
      "ENOSPC: a.txt could not be written: no space left on the device",
    ],
  ])("%s (needs mounts)", (_, wrapper, why) => expectRefused(wrapper, why));

  it("under a limit for the size of files", () =>
    expectRefused(
      within('ulimit -f 500 && "$@"'),
      "ENOSPC: a.txt could not be written: it would pass the limit for the size of a file",
    ));

  async function expectRefused(wrapper: readonly string[], why: string): Promise<void> {
    await openDisk([edit, says("I could not."), edit, says("Now I could.")]);
    const before = readdirSync(place.workspace);
    const ran = await run(["run", "edit it", "--mode", "accept-edits"], wrapper);
    expect([ran.code, textOf(ran)], ran.stderr).toEqual([0, "I could not."]);
    expect(told()).toContain(why);
    expect([readdirSync(place.workspace), readFileSync(join(place.workspace, "a.txt"), "utf8")]).toEqual([
      before,
      large,
    ]);
    const on = await run(["run", "again", "--continue", "--mode", "accept-edits"]);
    expect([on.code, textOf(on)], on.stderr).toEqual([0, "Now I could."]);
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe(large.replace("first", "1st"));
  }
});

describe("a store that cannot be written ends the command with 74 before anything is asked, and goes on when it can", () => {
  it.runIf(canMount)("on a read-only file system (needs mounts)", () =>
    expectStopped(
      mounting('mount --bind "$H" "$H" && mount -o remount,ro,bind "$H" && "$@"'),
      "the store cannot be written; check the permissions",
    ),
  );

  it("under a limit for the size of files", () =>
    expectStopped(within('ulimit -f 1 && "$@"'), "the store could not be read or written; check the disk"));

  async function expectStopped(wrapper: readonly string[], why: string): Promise<void> {
    await openDisk([says("First."), says("Second.")]);
    const [first] = (await run(["run", "one"])).events;
    const session = first?.session ?? "";
    for (const argv of [
      ["resume", session, "two"],
      ["run", "two"],
    ]) {
      const ran = await run(argv, wrapper);
      expect(ran.code, ran.stderr).toBe(74);
      expect(ran.stderr).toContain(`agent: ${place.database}: ${why}`);
    }
    expect(place.server.requests).toHaveLength(1);
    expect(textOf(await run(["resume", session, "two"]))).toBe("Second.");
  }
});
