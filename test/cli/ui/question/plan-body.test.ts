import { expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { createLayouts } from "../../../../src/cli/ui/question/body-lines.ts";
import { toRequest } from "../../../../src/cli/ui/view/requests.ts";
import { waitingPlan } from "../../../support/fake-session.ts";

function rowsOf(plan: string, goals: string[] = []): string[] {
  const request = toRequest(waitingPlan("c1", { arguments: { plan, goals } }), "/home/ada/proj");
  const body = createLayouts().body(request, 60);
  return body.slice(0, body.length).map((row) => plainText(row).trimEnd());
}

it("shows a plan as Markdown, with its goals below it", () => {
  expect(rowsOf("# One\n\n- **two** `three`", ["four"])).toEqual([
    ...["# One", "", "• two three", "", "goals of the session, once it is approved", "□ four"],
  ]);
});

it("writes nothing to the terminal but what is seen, and leaves nothing out", () => {
  const plan = [
    "Mend a\u202egnp.txt\u200b",
    "\u001b]0;title\u0007\u001b[2J\u001b[8mdelete b\u001b[0m\r",
    "<!-- rm -rf / -->",
    "| a |\n|---|\n| b | delete c |",
  ].join("\n\n");
  const text = rowsOf(plan).join("\n");
  expect(text).not.toMatch(/[\0-\t\v-\x1f\x7f-\x9f\u200b\u202e]/u);
  for (const seen of ["‹U+202E›", "‹U+200B›", "␛]0;title␇␛[2J␛[8mdelete b␛[0m␍", "<!-- rm -rf / -->", "delete c"])
    expect(text).toContain(seen);
});

it("is laid out where it is as long as a plan may be", () => {
  expect(rowsOf("word ".repeat(6_000)).length).toBeGreaterThan(400);
});
