import { expect, it } from "vitest";
import { parseTyped } from "../../../src/cli/ui/commands.ts";
import type { ChatOptions } from "../../../src/cli/ui/options.ts";
import { runCommand } from "../../../src/cli/ui/session-actions.ts";
import { FakeSession } from "../../support/fake-session.ts";

const run = (typed: string, session: FakeSession, options: Partial<ChatOptions> = {}) => {
  const command = parseTyped(typed);
  if (command.kind !== "command") throw new Error(`${typed} is no command`);
  return runCommand(command.name, command.argument, { session, model: "m", mode: "ask" }, options as ChatOptions);
};

it("/undo takes back the last turn, or the calls that are named", async () => {
  const session = new FakeSession();
  expect(await run("/undo", session)).toEqual({ items: [] });
  await run("/undo c4", session);
  await run("/undo c4, c5  c6", session);
  expect(session.heard).toEqual([
    { method: "undo", target: { turn: "last" } },
    { method: "undo", target: { calls: ["c4"] } },
    { method: "undo", target: { calls: ["c4", "c5", "c6"] } },
  ]);
});

it("/undo says why nothing was begun, without what a terminal would obey", async () => {
  const session = new FakeSession();
  session.undoOutcome = { ok: false, message: "call \u001b[2Jx changed nothing" };
  expect(await run("/undo x", session)).toEqual({
    items: [{ kind: "notice", level: "warn", text: expect.not.stringContaining("\u001b") }],
  });
});

it("/diff is that of the session on the screen", async () => {
  const sessionDiff = async (id: string) => [`diff of ${id}`];
  expect(await run("/diff", new FakeSession("calm-fox-0001"), { sessionDiff })).toEqual({
    items: [{ kind: "diff", changes: ["diff of calm-fox-0001"] }],
  });
});
