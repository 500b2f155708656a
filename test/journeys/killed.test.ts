import { describe, expect, it } from "vitest";
import { openPlace, type Place, type Running, told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { endless } from "../support/under-way.ts";

const edit = asks("edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" });

const sessionOf = (running: Running): string =>
  (JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string }).session;

/** A run in its own process that has begun to answer. */
async function speaking(place: Place, argv: readonly string[] = []): Promise<Running> {
  const running = place.spawn(["run", "tell me", "--json", ...argv]);
  await running.shows('"text_delta"');
  return running;
}

async function goesOn(place: Place, session: string): Promise<void> {
  const on = await place.json(["resume", session]);
  expect(on).toMatchObject({ code: 0, session, end: { reason: "done", text: "Here again." } });
  // Said, or stored to be said next: it depends on the instant.
  const words = [...on.the("session_restored").messages, ...on.of("user_message")];
  expect(words[0]).toMatchObject({ text: "tell me" });
  expect(place.server.requests.at(-1)?.body.messages[1]).toMatchObject({ role: "user", content: "tell me" });
}

describe("a run that is ended from outside", () => {
  it("by kill -9 while the model speaks goes on with the same words of the person", async () => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = await speaking(place);
    const session = sessionOf(running);
    const state = async () => (await place.run(["sessions", "--json"])).stdout.match(/"state":"(\w+)"/)?.[1];
    expect(await state()).toBe("running");
    running.child.kill("SIGKILL");
    expect((await running.done).signal).toBe("SIGKILL");
    expect(await state()).toBe("idle");
    await goesOn(place, session);
    expect(place.server.requests).toHaveLength(2);
  });

  it("by kill -9 as soon as it tells its name is found by that name, with the words of the person", async () => {
    const place = await openPlace([says("Here again."), says("Here again.")]);
    const running = place.spawn(["run", "tell me", "--json"]);
    await running.shows('"session_started"');
    running.child.kill("SIGKILL");
    await running.done;
    await goesOn(place, sessionOf(running));
  });

  it("has its last words printed by resume, though nothing is left to do: they may have been printed to nobody", async () => {
    const place = await openPlace([says("Here again.")]);
    const { session } = await place.json(["run", "tell me"]);
    expect(await place.run(["resume", session])).toMatchObject({ code: 0, stdout: "Here again.\n" });
    expect(place.server.requests).toHaveLength(1);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("by %s ends with %i, saved", async (signal, code) => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = await speaking(place);
    running.child.kill(signal);
    const ran = told(await running.done);
    expect(ran).toMatchObject({ code, end: { reason: "cancelled", exitCode: code } });
    expect(await place.server.requests[0]?.ended).toBe("hung up");
    await goesOn(place, ran.session);
  });

  it("by a reader that goes away ends with 141, saved", async () => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = await speaking(place);
    const session = sessionOf(running);
    running.child.stdout?.destroy();
    expect((await running.done).code).toBe(141);
    const on = await place.json(["resume", session, "and now?"]);
    expect(on).toMatchObject({ code: 0, end: { text: "Here again." } });
  });
});

describe("a session that waits", () => {
  it("asks the same after its process was killed: same digest, same diff; and is one process's at a time", async () => {
    const place = await openPlace([edit, endless], { "a.txt": "1\n" });
    const paused = await place.json(["run", "tell me"]);
    const asked = paused.the("approval_requested").calls;
    const again = await place.json(["resume", paused.session]);
    expect(again.code).toBe(11);
    expect(again.the("approval_requested").calls).toEqual(asked);

    const running = place.spawn(["resume", paused.session, "--approve", "all", "--json"]);
    await running.shows('"text_delta"');
    const second = await place.run(["resume", paused.session, "hello?"]);
    expect(second.code).toBe(75);
    expect(second.stderr).toContain(String(running.child.pid));
    expect((await place.run(["sessions", "--json"])).stdout).toContain('"state":"running"');
    expect((await place.run(["sessions", "rm", paused.session, "--force"])).code).toBe(75);

    running.child.kill("SIGKILL");
    await running.done;
    expect(await place.read("a.txt")).toBe("2\n");
    place.server.push(says("Here again."));
    const on = await place.json(["resume", paused.session]);
    expect(on).toMatchObject({ code: 0, end: { text: "Here again.", calls: { success: 1 } } });
    expect(on.of("tool_call")).toEqual([]);
    expect(await place.read("a.txt")).toBe("2\n");
  });

  it("is taken over from a process that still lives, which then writes nothing more", async () => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = await speaking(place);
    const session = sessionOf(running);
    const over = await place.json(["resume", session, "--take-over"]);
    expect(over).toMatchObject({ code: 0, end: { text: "Here again." } });
    const lost = told(await running.done);
    expect(lost).toMatchObject({ code: 75, end: { reason: "failed", exitCode: 75 } });
    expect(lost.of("assistant_message")).toEqual([]);
    const shown = (await place.run(["sessions", "show", session])).stdout;
    expect(shown).toContain("Here again.");
    expect(shown).not.toContain("word word");
  });
});
