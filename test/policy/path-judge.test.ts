import { expect, test } from "vitest";
import { pathJudge } from "../../src/policy/path-judge.ts";
import { bareFacts, emptyPolicy, ws } from "./support/build.ts";

test("a search opens nothing that is guarded, and a list of names names it", () => {
  const searched = bareFacts("grep", "none");
  const listed = bareFacts("ls", "none", { access: "names" });
  const places = [`${ws}/src/a.ts`, `${ws}/.env`, `${ws}/id_rsa`];
  const judged = (uses: (typeof searched)[]) => places.map((real) => pathJudge(uses, emptyPolicy)(real, false));
  expect(judged([searched])).toEqual([true, false, false]);
  expect(judged([listed])).toEqual([true, true, true]);
  expect(judged([listed, searched])).toEqual([true, false, false]);
});
