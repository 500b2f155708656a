import { expect, it } from "vitest";
import { formLines } from "../../../../src/cli/ui/form/form-lines.ts";
import { turnTo } from "../../../../src/cli/ui/form/form-state.ts";
import { askedForm } from "../../../support/fake-session.ts";
import { having } from "../../../support/frames.ts";

it("a default stands in a line of the plain chat without what a terminal would obey", () => {
  const fields = [{ kind: "text" as const, name: "name", required: true, default: "Ada \u202e\u009d0;owned" }];
  const { view, open } = having({ type: "form_requested", callId: "c1", form: 1, asked: askedForm({ fields }) });
  const { form } = open;
  if (form === undefined) throw new Error("no form");
  const text = formLines.asked(view, turnTo(form, 1))?.text() ?? "";
  expect(text).toContain("Type it (enter alone takes");
  expect(text).not.toMatch(/[\u0080-\u009f\u202a-\u202e]/u);
});
