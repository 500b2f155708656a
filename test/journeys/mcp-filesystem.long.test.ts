import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { openPlace, type Place, type Told, told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { describeWithFilesystem, filesystemServer } from "../support/needs.ts";
import { startOverHttp } from "../support/over-http.ts";

/** Its calls are allowed by a rule but for the one that writes. */
const rules = [
  { tool: "mcp__files__*", decision: "allow", why: "test" },
  { tool: "mcp__files__write_file", decision: "ask", why: "test" },
];

interface FilesPlace extends Place {
  /** Outside of the workspace. */
  elsewhere: string;
  /** Of the server, which is started anew for each session. */
  pids(): number[];
}

/** @param isReached over HTTP; else it is started */
async function openFilesPlace(isReached: boolean, answers: (at: FilesPlace) => Answer[]): Promise<FilesPlace> {
  const place = await openPlace();
  const [elsewhere, started] = [join(dirname(place.home), "elsewhere"), join(place.home, "started")];
  await mkdir(elsewhere);
  const noted = ["sh", "-c", 'echo $$ >> "$STARTED"; exec "$0" "$@"'];
  // Its folders, until it hears that the workspace is the one.
  const command = [...noted, process.execPath, filesystemServer, elsewhere, place.workspace];
  const [program = "", ...args] = command;
  const env = { STARTED: started };
  const entry = isReached ? { type: "http", url: await startOverHttp(command, env) } : { command: program, args, env };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { files: entry } }));
  await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules }));
  const trusted = await place.run(["mcp", "trust", "files", "--yes"]);
  expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining("has 14 tools")]);
  const pids = () => readFileSync(started, "utf8").trim().split("\n").map(Number);
  const at = { ...place, elsewhere, pids };
  place.server.push(...answers(at));
  return at;
}

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

/** Asks for its folders until the workspace is the only one: it has itself told beside its calls. */
function onceItKnows({ workspace, elsewhere, server }: FilesPlace, then: () => Reply): Answer[] {
  const allowed = asks("mcp__files__list_allowed_directories", {});
  const look: Answer = ({ body }) => {
    const folders = String(body.messages.at(-1)?.content);
    expect(folders).toContain(workspace);
    if (!folders.includes(elsewhere)) return then();
    server.push(look);
    return allowed;
  };
  return [allowed, look];
}

describeWithFilesystem("the server of files (needs @modelcontextprotocol/server-filesystem)", () => {
  it.each([
    { isReached: false, way: "stdio" },
    { isReached: true, way: "streamable HTTP" },
  ])("over $way it works in the workspace alone, and writes what was approved", async ({ isReached }) => {
    const place = await openFilesPlace(isReached, (at) =>
      onceItKnows(at, () => {
        at.server.push(
          asks("mcp__files__read_text_file", { path: join(at.elsewhere, "secret.txt") }),
          asks("mcp__files__write_file", { path: at.path("made.txt"), content: "made\n" }),
          says("Done."),
        );
        return asks("mcp__files__read_text_file", { path: at.path("notes.txt") });
      }),
    );
    await place.write("notes.txt", "of the workspace\n");
    await writeFile(join(place.elsewhere, "secret.txt"), "of elsewhere\n");
    const asked = await place.json(["run", "go"]);
    expect(asked.code).toBe(11);
    expect(settled(asked).slice(-2)).toMatchObject([
      { status: "success", result: { output: "of the workspace\n" } },
      { status: "error", errorMsg: expect.stringContaining("Access denied - path outside allowed directories") },
    ]);
    expect(asked.the("approval_requested").calls).toMatchObject([{ toolName: "mcp__files__write_file" }]);
    expect(place.has("made.txt")).toBe(false);
    const done = await place.json(["resume", asked.session, "--approve", "all"]);
    expect(settled(done)).toMatchObject([{ status: "success" }]);
    expect(await place.read("made.txt")).toBe("made\n");
  });

  it.each([
    { isReached: false, way: "stdio", known: "ended while read_text_file was under way" },
    { isReached: true, way: "streamable HTTP", known: "gave no whole answer while read_text_file was under way" },
  ])(
    "over $way, killed under a call: its outcome is unknown, and the next call is answered by a new process",
    async ({ isReached, known }) => {
      const reads = (at: FilesPlace, file: string) => asks("mcp__files__read_text_file", { path: at.path(file) });
      const place = await openFilesPlace(isReached, (at) => onceItKnows(at, () => reads(at, "pipe")));
      await place.write("notes.txt", "of the workspace\n");
      // Whoever reads it waits for a writer, and it can be opened to be written without waiting once somebody reads it.
      execFileSync("mkfifo", [place.path("pipe")]);
      const looks = place.pids().length;
      const running = place.spawn(["run", "go", "--json"]);
      const writer = await vi.waitFor(() => openSync(place.path("pipe"), constants.O_WRONLY | constants.O_NONBLOCK), {
        timeout: 60_000,
      });
      process.kill(place.pids().at(-1) ?? 0, "SIGKILL");
      closeSync(writer);
      const ran = told(await running.done);
      expect(ran.code).toBe(11);
      const [unknown] = ran.the("recovery_requested").calls;
      expect(unknown).toMatchObject({ effect: "once", known: expect.stringContaining(known) });
      place.server.push(
        ...onceItKnows(place, () => {
          place.server.push(says("Done."));
          return reads(place, "notes.txt");
        }),
      );
      const resumed = await place.json(["resume", ran.session, "--done", String(unknown?.callId)]);
      expect(settled(resumed).at(-1)).toMatchObject({ status: "success", result: { output: "of the workspace\n" } });
      expect(place.pids().length).toBe(looks + 2);
    },
  );
});
