import { expect, it } from "vitest";
import { textOf } from "../../src/core/artifacts.ts";
import { recordedArtifacts } from "../../src/records/artifacts.ts";
import { createArtifactTools } from "../../src/tools/artifacts/artifact-tools.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, says, sessionIn } from "../support/play.ts";

const textsIn = ({ store, session }: Life) =>
  recordedArtifacts(store, session.id).map((artifact) => [
    `${artifact.id} ${artifact.name}`,
    ...artifact.versions.map((version) => `${version.version} by ${version.callId}: ${textOf(artifact, version)}`),
  ]);

it("a process that dies at any write of a turn with artifacts has each version once, by its own call", async () => {
  const lines = [
    calls(
      ["create_artifact", { name: "Report", type: "text", content: "one\ntwo\n" }],
      ["update_artifact", { id: "a1", old_string: "two", new_string: "2" }],
    ),
    calls(
      ["rewrite_artifact", { id: "a1", content: "three\n" }],
      ["create_artifact", { name: "Other", type: "text", content: "x" }],
      ["update_artifact", { id: "a1", old_string: "three", new_string: "4" }],
    ),
    says("Done."),
  ];
  const whole = [
    ["a1 Report", "1 by c1: one\ntwo\n", "2 by c2: one\n2\n", "3 by c3: three\n", "4 by c5: 4\n"],
    ["a2 Other", "1 by c4: x"],
  ];
  const tools = createArtifactTools();
  const peaceful = fateOf();
  const alive = await openStage({ lines, tools });
  expect(textsIn(await alive.begin("go", { wrap: peaceful.wrap }))).toEqual(whole);
  for (let write = 2; write <= peaceful.writes.length; write += 1)
    for (const when of ["before", "after"] as const) {
      const fate = fateOf({ write, when });
      const stage = await openStage({ lines, tools });
      await stage.begin("go", { wrap: fate.wrap }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      const last = await stage.resume(await sessionIn(stage), { takeOver: true });
      const where = `${when} write ${write} (${peaceful.writes[write - 1]})`;
      expect(textsIn(last), where).toEqual(whole);
      const ends = last
        .journal()
        .allCalls()
        .map(({ status }) => status);
      expect(ends, where).toEqual(Array(5).fill("success"));
      await last.close();
    }
});
