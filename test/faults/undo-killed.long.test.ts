import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { AgentEvent, AgentEventBody } from "../../src/graph/events.ts";
import { asks, says } from "../support/model-server.ts";
import type { FaultyAgent } from "./bundle.ts";
import { type Ended, type FaultPlace, openFaultPlace } from "./place.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

/** No key and no server: what is done here needs no model. */
const keyless = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", OPENAI_MODEL: "" };

const told = <T extends AgentEventBody["type"]>(ended: Ended, type: T) =>
  ended.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

interface Changed {
  place: FaultPlace;
  session: string;
  /** The command in a process of its own, which has no key. */
  run(argv: readonly string[], fault?: string): Promise<Ended>;
  /** The three files of its turn: two that were edited, one that was made. */
  files(): Promise<(string | undefined)[]>;
}

const edit = (file: string, from: string, to: string) => ({
  name: "edit_file",
  arguments: { file_path: file, old_string: from, new_string: to },
});

/** A session that has changed three files in one turn. */
async function openChanged(): Promise<Changed> {
  const place = await openFaultPlace(agent.program, ({ body }) =>
    body.messages.some((message) => message.role === "assistant")
      ? says("Changed.")
      : asks(
          "write_file",
          { file_path: "new.txt", content: "new\n" },
          { calls: [edit("twice.txt", "red", "blue"), edit("kept.txt", "never", "once")] },
        ),
  );
  const command = (argv: readonly string[]) => ({ HOLDFAST_COMMAND: JSON.stringify(argv) });
  const done = await place.start([], command(["run", "change them", "--mode", "full-auto"])).done;
  expect(done.code, done.stderr).toBe(0);
  return {
    place,
    session: done.events[0]?.session ?? "",
    run: (argv, fault) =>
      place.start([], { ...command(argv), ...keyless, ...(fault === undefined ? {} : { HOLDFAST_FAULT: fault }) }).done,
    files: () =>
      Promise.all(
        ["new.txt", "twice.txt", "kept.txt"].map((file) =>
          readFile(join(place.workspace, file), "utf8").catch(() => undefined),
        ),
      ),
  };
}

const before = [undefined, "red\ngreen\n", "never touched\n"];

describe("an undo of three files whose process is killed", () => {
  it.each([
    ["when it was asked for", "after user text saved#1=kill"],
    ["when it is a call", "after reply committed#1=kill"],
    ["before its first file", "after pending to executing#1=kill"],
    ["between the two that are put back", "file renamed#1=kill"],
    ["before its end is written", "before turn end written#1=kill"],
  ])("%s is finished by the same command, without a key, once", async (_, fault) => {
    const { place, session, run, files } = await openChanged();
    try {
      expect(await run(["undo", session, "--yes"], fault)).toMatchObject({ struck: true, signal: "SIGKILL" });
      const again = await run(["undo", session, "--yes"]);
      expect([again.code, await files()], again.stderr).toEqual([0, before]);
      expect(told(again, "turn_ended")).toMatchObject([{ reason: "done" }]);
      const none = await run(["undo", session, "--yes"]);
      expect([none.code, await files()]).toEqual([1, before]);
      expect(none.stderr).toContain(
        "this session has changed no file and no artifact, or all of it was already taken back",
      );
    } finally {
      await place.remove();
    }
  });

  it("between two files is asked about anew by resume, as what is left of it, and denied as partly done", async () => {
    const { place, session, run, files } = await openChanged();
    try {
      await run(["undo", session, "--yes"], "file renamed#1=kill");
      const asked = await run(["resume", session]);
      expect(asked.code, asked.stderr).toBe(11);
      const [call] = told(asked, "approval_requested").flatMap(({ calls }) => calls);
      expect(call).toMatchObject({
        toolName: "undo_changes",
        changed: { why: "part of it was done before its process ended" },
      });
      expect(call?.plan.files).toHaveLength(1);
      const denied = await run(["resume", session, "--deny", "all"]);
      expect(denied.code, denied.stderr).toBe(10);
      const [settled] = told(denied, "tool_call").map((event) => event.call);
      expect(settled).toMatchObject({ status: "cancelled", ended: { why: "denied", files: ["new.txt", "twice.txt"] } });
      expect((await files()).filter((text, at) => text !== before[at])).toHaveLength(1);
    } finally {
      await place.remove();
    }
  });

  it("while another program saves its files waits for the person's word, which needs no key either", async () => {
    const { place, session, run, files } = await openChanged();
    try {
      await run(["undo", session, "--yes"], "file renamed#1=kill");
      for (const file of ["twice.txt", "kept.txt"]) await writeFile(join(place.workspace, file), "mine\n");
      const asked = await run(["undo", session, "--yes"]);
      expect(asked.code, asked.stderr).toBe(11);
      expect(told(asked, "recovery_requested")).toMatchObject([{ calls: [{ toolName: "undo_changes" }] }]);
      expect((await run(["resume", session, "--cancel", "all"])).code).toBe(10);
      expect(await files()).toEqual([undefined, "mine\n", "mine\n"]);
    } finally {
      await place.remove();
    }
  });
});
