import { expect, it } from "vitest";
import type { ChatOptions } from "../../../src/cli/ui/options.ts";
import { runCommand } from "../../../src/cli/ui/session-actions.ts";
import { FakeSession } from "../../support/fake-session.ts";

it("/sessions shows when each was last gone on with", async () => {
  const session = new FakeSession();
  const updatedAt = Date.parse("2026-11-21T09:05:59Z");
  const rows = [
    { id: session.id, title: "tidy up", state: "idle", updatedAt },
    { id: "calm-owl-0001", title: "write b", state: "awaiting_approval", updatedAt: updatedAt - 86_400_000 },
  ];
  const options = { listSessions: async () => rows } as unknown as ChatOptions;
  const { items } = await runCommand("sessions", "", { session, model: "m", mode: "ask" }, options);
  expect(items).toEqual([
    {
      kind: "notice",
      level: "info",
      text: [
        `❯ ${session.id}  2026-11-21 09:05  idle  tidy up`,
        "  calm-owl-0001  2026-11-20 09:05  awaiting_approval  write b",
        "/sessions ID goes over to one",
      ].join("\n"),
    },
  ]);
});
