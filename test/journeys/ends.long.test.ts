import { describe, expect, it } from "vitest";
import { openPlace, told } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import { endless, lockStore, processesOf, scenes } from "../support/under-way.ts";

const ready = "ask, or / for commands";

describe("a run that gets SIGTERM ends, saved, and nothing of it runs any more, when there is", () => {
  it.each(Object.entries(scenes))("%s", async (_name, make) => {
    const scene = await make();
    const place = await openPlace([...scene.answers, says("Here again.")], scene.files);
    const running = place.spawn(["run", "go on", "--json", ...(scene.argv ?? [])]);
    await scene.begun(place);
    running.child.kill("SIGTERM");
    const ran = told(await running.done);
    expect(ran).toMatchObject({ code: 143, end: { reason: "cancelled", exitCode: 143 } });
    if (scene.mark !== undefined) expect(processesOf(scene.mark)).toBe(0);
    expect(place.server.requests).toHaveLength(1);
    // What only reads is begun anew, under the rules of the command that goes on with it.
    const end = scene.asks
      ? { code: 11, end: { reason: "awaiting_approval" } }
      : { code: 0, end: { text: "Here again." } };
    expect(await place.json(["resume", ran.session])).toMatchObject(end);
  });

  it("a store that another process keeps locked: it does not wait until that one is done", async () => {
    const place = await openPlace([endless, says("Here again.")]);
    const running = place.spawn(["run", "go on", "--json"]);
    await running.shows('"text_delta"');
    const other = lockStore(place);
    running.child.kill("SIGTERM");
    const ran = told(await running.done);
    other.release();
    expect(ran).toMatchObject({ code: 143, end: { exitCode: 143 } });
    expect(await place.json(["resume", ran.session])).toMatchObject({ code: 0, end: { text: "Here again." } });
  });
});

/** Each start of the chat takes long, and between these the screen makes no difference. */
const sameAsOthers = ["a model that falls silent in its answer", "a command"];

describe("Esc in the chat ends what runs, and the session goes on, when there is", () => {
  it.each(Object.entries(scenes).filter(([name]) => !sameAsOthers.includes(name)))("%s", async (_name, make) => {
    const scene = await make();
    const place = await openPlace([...scene.answers, says("Here again.")], scene.files);
    const pty = place.chat(["chat", ...(scene.argv ?? [])]);
    await pty.waitFor(ready);
    pty.type("go on");
    await pty.waitFor("go on");
    pty.key("enter");
    await scene.begun(place);
    await pty.waitFor("esc stops");
    pty.key("escape");
    await pty.waitFor("stopped");
    if (scene.mark !== undefined) expect(processesOf(scene.mark)).toBe(0);
    expect(place.server.requests).toHaveLength(1);
    pty.type("and now?");
    await pty.waitFor("and now?");
    pty.key("enter");
    await pty.waitFor("Here again.");
  });

  it("a store that another process keeps locked: the model hears no more, and the rest is kept once it is free", async () => {
    const place = await openPlace([endless]);
    const pty = place.chat(["chat"]);
    await pty.waitFor(ready);
    pty.type("go on");
    await pty.waitFor("go on");
    pty.key("enter");
    await pty.waitFor("word word");
    const other = lockStore(place);
    pty.key("escape");
    expect(await place.server.requests[0]?.ended).toBe("hung up");
    await pty.waitFor("nothing of it runs any more");
    other.release();
    await pty.waitFor("stopped");
  });
});
