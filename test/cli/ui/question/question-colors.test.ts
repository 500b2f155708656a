import { expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { createLayouts } from "../../../../src/cli/ui/question/body-lines.ts";
import { toRequest } from "../../../../src/cli/ui/view/requests.ts";
import { waitingEdit } from "../../../support/fake-session.ts";

it("shows a command as it is where its colours are those of another text", () => {
  const call = waitingEdit("c1", { toolName: "shell", plan: { summary: "x", cwd: "/p", command: "rm a.txt" } });
  const rows = createLayouts({ highlight: () => [[{ text: "ls" }]] }).body(toRequest(call, "/p"), 80);
  expect(rows.slice(0, 1).map(plainText)).toEqual(["$ rm a.txt"]);
});
