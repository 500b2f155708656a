import { expect, it } from "vitest";
import { askedInLines } from "../../../../src/cli/ui/chat/surfaces.ts";
import { recoveryLines } from "../../../../src/cli/ui/recovery/recovery-lines.ts";
import { fakeCall, fakeId, waitingEdit } from "../../../support/fake-session.ts";
import { having, idle } from "../../../support/frames.ts";

const lost = {
  session: fakeId,
  callId: "c1",
  toolName: "shell",
  arguments: { command: "make" },
  effect: "once" as const,
  startedAt: "2026-11-21T09:00:00Z",
  known: "started",
  choices: ["done" as const, "cancel" as const],
};

it("takes only the choices there are for a call whose end was not seen", () => {
  const { view } = having({ type: "recovery_requested", calls: [lost] });
  expect(recoveryLines.said(view, " Done ")).toEqual({
    effect: { do: "recover", ref: fakeCall("c1"), choice: "done" },
  });
  for (const line of ["retry", "", "d"])
    expect(recoveryLines.said(view, line)).toEqual({ say: "Nothing was decided. Type done, cancel." });
  expect(recoveryLines.asked(view)?.text().split("\n").at(-1)).toBe("What now? Type done, cancel:");
});

it("comes before the calls that wait for a yes, and nothing is asked where nothing waits", () => {
  const both = having(
    { type: "approval_requested", calls: [waitingEdit("c2")] },
    { type: "recovery_requested", calls: [lost] },
  );
  expect(askedInLines(both.view)?.text()).toContain("The end of this call was not seen: shell make");
  expect(askedInLines(idle.view)).toBeUndefined();
});
