import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonPrinter, play } from "../../src/cli/headless.ts";
import type { Io } from "../../src/cli/io.ts";
import type { Tool } from "../../src/core/tool.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import { openScript } from "../../src/model/script.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import { openAgent } from "../../src/session/open-agent.ts";
import { openStore } from "../../src/store/open-store.ts";
import { toolOf } from "../support/play.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-headless-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An agent that says "Hi." and has these tools. */
function agentWith(tools: Tool[]) {
  const grants = openGrantBook(join(folder, "grants.json"));
  return openAgent({
    openStore: () => openStore({ file: join(folder, "agent.db") }),
    openTools: async () => ({ tools, services: {}, close: () => undefined }),
    openModel: async (spec) =>
      openScript({ requests: [{ text: "Hi.", line: 1 }], person: [] }, { spec, name: "script" }),
    loadPolicy: async ({ mode }) => ({ rules: [], grants: [], mode, sealed: { roots: [] } }),
    grants: { book: grants, file: join(folder, "grants.json") },
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: 5,
  });
}

function capture() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const io = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { AGENT_HOME: join(folder, "home") },
    cwd: () => folder,
  } as unknown as Io;
  return { io, stdout: () => String(stdout.read() ?? ""), stderr: () => String(stderr.read() ?? "") };
}

describe("a session that cannot be closed", () => {
  it("ends the stream in order all the same: each line numbered, turn_ended the last, with the exit code", async () => {
    const dispose = () => {
      throw new Error("the tool would not go");
    };
    const agent = agentWith([toolOf("stubborn", () => "ok", { dispose })]);
    const { io, stdout, stderr } = capture();
    const session = agent.start({ workspace: folder, model: "script:x", mode: "ask" });
    const code = await play(session, { io, leave: () => undefined }, jsonPrinter(io), () => session.submit("hi"));
    const lines = stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AgentEvent);
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, i) => i + 1));
    expect(lines.slice(-3)).toEqual([
      expect.objectContaining({ type: "turn_ended", reason: "done" }),
      expect.objectContaining({ type: "error", code: "INTERNAL", message: "the tool would not go" }),
      expect.objectContaining({ type: "turn_ended", reason: "failed", exitCode: 70 }),
    ]);
    expect(code).toBe(70);
    expect(stderr()).toContain("the tool would not go");
  });
});

describe("a signal", () => {
  const played = async (when: (event: AgentEvent) => boolean) => {
    const { io, stdout } = capture();
    const session = agentWith([]).start({ workspace: folder, model: "script:x", mode: "ask" });
    const json = jsonPrinter(io);
    const print = (event: AgentEvent) => {
      json.print(event);
      if (when(event)) process.emit("SIGINT");
    };
    const code = await play(session, { io, leave: () => undefined }, { ...json, print }, () => session.submit("hi"));
    const [last] = stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AgentEvent)
      .filter(({ type }) => type === "turn_ended")
      .slice(-1);
    return { code, last };
  };

  it("as the reply ends gives the exit code that the last line tells; behind that line it changes nothing", async () => {
    const atReply = await played(({ type }) => type === "assistant_message");
    expect(atReply).toMatchObject({ code: 130, last: { exitCode: 130 } });
    const behind = await played(({ type }) => type === "turn_ended");
    expect(behind).toMatchObject({ code: 0, last: { exitCode: 0, reason: "done" } });
  });
});
