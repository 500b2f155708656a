import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";

/** Another program that keeps the store locked until it is released. */
function lock(place: Place): { release(): void } {
  const other = new RawStore(join(place.home, "agent.db"));
  other.exec("BEGIN IMMEDIATE");
  return {
    release: () => {
      other.close();
    },
  };
}

it("a command that finds the store locked for as long as it waits ends with 75, asks nothing, and loses nothing", async () => {
  const place = await openPlace([says("First."), says("Second.")]);
  const { session } = await place.json(["run", "one"]);
  const other = lock(place);
  try {
    const ran = await place.run(["resume", session, "two"]);
    expect(ran).toMatchObject({ code: 75, stdout: "" });
    expect(ran.stderr).toContain("agent.db: the store is busy: another process keeps it locked; try again when it has");
    expect((await place.run(["sessions", "show", session])).stdout).toContain("First.");
    expect(place.server.requests).toHaveLength(1);
  } finally {
    other.release();
  }
  expect(await place.json(["resume", session, "two"])).toMatchObject({ code: 0, end: { text: "Second." } });
  expect(place.server.requests.at(-1)?.body.messages.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "user",
  ]);
});

it("the screen takes keys while the store is locked, and what was said before is answered when it is free", async () => {
  const place = await openPlace([says("First."), says("Here I am.")]);
  const { session } = await place.json(["run", "one"]);
  const pty = place.chat(["resume", session]);
  await pty.waitFor("ask, or / for commands");
  pty.type("are you there");
  await pty.waitFor("are you there");
  const other = lock(place);
  try {
    pty.key("enter");
    // Keys that come together are a paste.
    await pty.waitFor((one) => !one.screen().join("\n").includes("are you there"));
    pty.type("typed meanwhile");
    await pty.waitFor("typed meanwhile");
    expect(place.server.requests).toHaveLength(1);
  } finally {
    other.release();
  }
  await pty.waitFor("Here I am.");
  expect(pty.screen().join("\n")).toContain("typed meanwhile");
  expect(place.heard(-1, -1)).toBe("are you there");
});
