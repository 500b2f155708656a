import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Place } from "../support/cli.ts";
import { aliveIn } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";
import { type ModernServer, openModernPlace, type Way } from "../support/modern.ts";
import { readQuestion } from "../support/read-question.ts";

async function chatOf(place: Place) {
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  return pty;
}

/** Fills in the one field of its question, and has it on the screen as it would go out. */
async function fillIn(pty: Awaited<ReturnType<typeof chatOf>>): Promise<void> {
  await pty.waitFor(/MCP server modern.* asks/u);
  await pty.waitFor("Who are you?");
  await readQuestion();
  pty.key("f");
  await pty.waitFor("1 of 1");
  pty.type("Ada\r");
  await pty.waitFor(/this goes to the MCP server modern/u);
  await pty.waitFor('"name": "Ada"');
  await readQuestion();
}

async function sessionOf(place: Place): Promise<{ id: string }> {
  return JSON.parse((await place.run(["sessions", "--json"])).stdout.split("\n", 1)[0] ?? "");
}

const callsOf = ({ noted }: ModernServer): string[] => noted().filter((line) => /^(?:call|heard)/u.test(line));
const state = 'a state: \u00e9 \u{1f600} \\ "';

describe.each<Way>(["stdio", "http"])("a server of the protocol of 2026-07-28, over %s", (way) => {
  it("asks in the dialog of every server, and is called once more with the answer: one call with one approval and one attempt", async () => {
    const { place, server } = await openModernPlace(way, [
      asks("mcp__modern__wants", { quiet: true }),
      says("Done it is."),
    ]);
    await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules: [] }));
    const pty = await chatOf(place);
    await pty.waitFor("Yes, and in this project");
    await readQuestion();
    pty.key("y");
    await fillIn(pty);
    expect(callsOf(server)).toEqual(["call wants"]);
    pty.key("y");
    await pty.waitFor("Done it is.");
    expect(callsOf(server)).toEqual(["call wants", "call wants again", `heard accept with ${state}`]);
    expect(pty.raw()).toContain("answered modern");
    pty.leave();
    await pty.exit;
    const { id } = await sessionOf(place);
    const { stdout } = await place.run(["sessions", "show", id, "--json"]);
    const shown = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    const calls = shown.flatMap((line) => line.call ?? line.calls ?? []).filter((one) => typeof one === "object");
    expect(calls).toMatchObject([
      {
        ...{ toolName: "mcp__modern__wants", status: "success", attempt: 1, by: { actor: "person" } },
        result: { output: 'thanks\n(modern asked the person something: they sent "name")' },
      },
    ]);
    // What they wrote and what the server wanted back is in no record, and in nothing that the model was told.
    expect(stdout + JSON.stringify(place.server.requests)).not.toMatch(/Ada|a state/u);
    expect((await place.run(["sessions", "verify", id])).code).toBe(0);
  });

  it("killed with its question open: resumed, the outcome is unknown, it is not called again, and nothing is asked", async () => {
    const { place, server } = await openModernPlace(way, [asks("mcp__modern__wants", {}), says("Done it is.")]);
    const pty = await chatOf(place);
    await fillIn(pty);
    process.kill(pty.pid, "SIGKILL");
    await pty.exit;
    if (way === "stdio") await expect.poll(() => aliveIn(server.noted()), { timeout: 20_000 }).toEqual([]);
    const { id } = await sessionOf(place);
    const resumed = await place.json(["resume", id]);
    expect(resumed.code).toBe(11);
    expect(resumed.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__modern__wants", effect: "once" }]);
    expect(callsOf(server)).toEqual(["call wants"]);
  });

  it("asks the model by two yeses, where the person's own settings let it", async () => {
    const answers = [asks("mcp__modern__samples", {}), says("Paris it is."), says("Done it is.")];
    const { place, server } = await openModernPlace(way, answers, { sampling: "ask" });
    const pty = await chatOf(place);
    await pty.waitFor(/wants to ask your model/u);
    await pty.waitFor("Capital of France?");
    expect(place.server.requests).toHaveLength(1);
    await readQuestion();
    pty.key("y");
    await pty.waitFor(/this answer of your model goes/u);
    await pty.waitFor("Paris it is.");
    await readQuestion();
    expect(callsOf(server)).toEqual(["call samples"]);
    pty.key("y");
    await pty.waitFor("Done it is.");
    expect(callsOf(server)).toEqual(["call samples", "call samples again", "heard Paris it is."]);
    pty.leave();
    await pty.exit;
  });

  it("asks the model and hears no no: the call is not gone on with, and the model is told why", async () => {
    const answers = [asks("mcp__modern__samples", {}), says("Done it is.")];
    const { place, server } = await openModernPlace(way, answers, { sampling: "ask" });
    const pty = await chatOf(place);
    await pty.waitFor("Capital of France?");
    await readQuestion();
    pty.key("n");
    await pty.waitFor("Done it is.");
    expect(callsOf(server)).toEqual(["call samples"]);
    expect(JSON.stringify(place.server.requests[1]?.body)).toContain("the person said no, and nothing was sent");
    pty.leave();
    await pty.exit;
  });

  it("is spoken to as its trust has it, which a further trust finds out anew", async () => {
    const call = asks("mcp__modern__echo", { text: "hello" });
    const { place, server } = await openModernPlace(way, [call, says("Done."), call, says("Done.")]);
    const file = join(place.home, "servers.json");
    const eraIn = async () => JSON.parse(await readFile(file, "utf8")).servers.map((one: { era: string }) => one.era);
    expect(await eraIn()).toEqual(["modern"]);
    const ran = await place.json(["run", "go"]);
    expect(ran.of("tool_call").at(-1)).toMatchObject({ call: { status: "success", result: { output: "hello" } } });
    if (way === "stdio") return;
    const posts = () => server.noted().filter((line) => line.startsWith("POST"));
    expect(posts().filter((line) => line === "POST server/discover")).toHaveLength(2);
    expect(posts()).not.toContain("POST undefined");
    await writeFile(file, (await readFile(file, "utf8")).replace('"era": "modern"', '"era": "legacy"'));
    const asked = posts().length;
    const older = await place.json(["run", "go"]);
    expect(older.of("tool_call").at(-1)).toMatchObject({ call: { status: "success", result: { output: "hello" } } });
    expect(new Set(posts().slice(asked))).toEqual(new Set(["POST undefined"]));
    expect((await place.run(["mcp", "trust", "modern", "--yes"])).code).toBe(0);
    expect(await eraIn()).toEqual(["modern"]);
  });
});
