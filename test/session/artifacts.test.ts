import { describe, expect, it } from "vitest";
import { textOf } from "../../src/core/artifacts.ts";
import { knownSecrets } from "../../src/core/secrets/known-secrets.ts";
import { artifactsInTree, recordedArtifacts } from "../../src/records/artifacts.ts";
import { forkBefore, forkSession } from "../../src/records/fork.ts";
import { createAgentTool } from "../../src/tools/agents/agent-tool.ts";
import { createArtifactTools } from "../../src/tools/artifacts/artifact-tools.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, says } from "../support/play.ts";

const create = (content: string, name = "Report"): [string, Record<string, string>] => [
  "create_artifact",
  { name, type: "markdown", content },
];
const update = (old_string: string, new_string: string, id = "a1"): [string, Record<string, string>] => [
  "update_artifact",
  { id, old_string, new_string },
];
const rewrite = (content: string, id = "a1"): [string, Record<string, string>] => ["rewrite_artifact", { id, content }];
const read = (id = "a1"): [string, Record<string, string>] => ["read_artifact", { id }];

const textsIn = ({ store }: Pick<Life, "store">, session: string) =>
  recordedArtifacts(store, session).map((artifact) => [
    artifact.id,
    ...artifact.versions.map((version) => `${version.callId}: ${textOf(artifact, version)}`),
  ]);

describe("a session's artifacts", () => {
  it("are made by calls that ask nothing, in read-only mode too; of two in one step the second sees what the first made", async () => {
    const stage = await openStage({
      lines: [
        calls(create("one"), update("one", "two"), read(), rewrite("three"), read()),
        calls(update("three", "four"), create("other", "Second")),
        says("Done."),
      ],
      tools: createArtifactTools(),
      mode: "read-only",
    });
    const life = await stage.begin("go");
    expect(life.of("approval_requested")).toEqual([]);
    expect(textsIn(life, life.session.id)).toEqual([
      ["a1", "c1: one", "c2: two", "c4: three", "c6: four"],
      ["a2", "c7: other"],
    ]);
    expect(life.call("c3")).toMatchObject({ result: { output: expect.stringContaining("version 2, 1 line\n\ntwo") } });
    expect(life.call("c5")).toMatchObject({
      result: { output: expect.stringContaining("version 3, 1 line\n\nthree") },
    });
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    expect(textsIn(again, life.session.id)[0]).toEqual(["a1", "c1: one", "c2: two", "c4: three", "c6: four"]);
  });

  it("are read whole once, and by their head afterwards", async () => {
    const stage = await openStage({
      lines: [calls(create("line\n".repeat(2_000))), calls(read()), says("Read."), says("Yes.")],
      tools: createArtifactTools(),
    });
    const life = await stage.begin("go");
    expect(stage.observation()).toContain("line\nline\n");
    await life.session.submit("and?");
    await life.session.settled();
    expect(stage.observation()).toBe(
      '# a1 Report version 1\n\nSummary: a1: "Report" (markdown), version 1, 2000 lines',
    );
  });

  it("keep the value of a secret that the model wrote as it wrote it, as arguments do; what is told of them is masked", async () => {
    const secrets = knownSecrets([{ name: "DB_PASSWORD", domains: [], value: "localdev-postgres" }], Date.now);
    const stage = await openStage({
      lines: [
        calls(create("url: TODO")),
        calls(update("TODO", "dev:localdev-postgres@localhost")),
        calls(read(), update("url", "at"), rewrite("new")),
        says("Done."),
      ],
      tools: createArtifactTools(),
      parts: { secrets: async () => secrets },
    });
    const life = await stage.begin("go");
    expect(life.call("c3")).toMatchObject({ result: { output: expect.stringContaining("DB_PASSWORD") } });
    expect(JSON.stringify(life.call("c3"))).not.toContain("localdev-postgres");
    expect(JSON.stringify(life.call("c2"))).toContain("<secret>DB_PASSWORD</secret>@localhost");
    expect(textsIn(life, life.session.id)).toEqual([
      [
        "a1",
        "c1: url: TODO",
        "c2: url: dev:localdev-postgres@localhost",
        "c4: at: dev:localdev-postgres@localhost",
        "c5: new",
      ],
    ]);
  });

  it("go with a fork as far as its calls do, and each goes on alone", async () => {
    const stage = await openStage({
      lines: [
        calls(create("one")),
        says("One."),
        calls(rewrite("two")),
        says("Two."),
        calls(rewrite("own")),
        says("O."),
      ],
      tools: createArtifactTools(),
    });
    const life = await stage.begin("go");
    await life.session.submit("on");
    await life.session.settled();
    const row = life.store.sessions.get(life.session.id);
    if (row === undefined) throw new Error("no session");
    const whole = await forkSession(life.store, row);
    const before = await forkBefore(life.store, row, 2);
    await life.close();
    const fork = await stage.resume(whole?.id ?? "", { still: true });
    await fork.session.submit("and on");
    await fork.session.settled();
    expect(textsIn(fork, whole?.id ?? "")).toEqual([["a1", "c1: one", "c2: two", "c3: own"]]);
    expect(textsIn(fork, before?.id ?? "")).toEqual([["a1", "c1: one"]]);
    expect(textsIn(fork, row.id)).toEqual([["a1", "c1: one", "c2: two"]]);
  });

  it("of a helper are handed over by their address, and changed by it alone", async () => {
    const stage = await openStage({
      lines: [calls(["agent", { task: "draft" }]), says("Drafted.")],
      tools: [...createArtifactTools(), createAgentTool()],
      wrapModel: apart({ draft: [calls(create("by a helper")), says("It is made.")] }),
    });
    const life = await stage.begin("go");
    const [child] = life.store.sessions.children(life.session.id);
    const id = child?.id ?? "";
    expect(life.store.readJournal(id).call("c1")).toMatchObject({
      result: { output: expect.stringContaining(`for other sessions ${id}:a1`) },
    });
    const of = artifactsInTree(life.store, life.journal());
    expect([of(), of(id)?.map(({ name }) => name), of("brisk-otter-4f2a")]).toEqual([[], ["Report"], undefined]);
    const ofChild = artifactsInTree(life.store, life.store.readJournal(id));
    expect([ofChild()?.length, ofChild(life.session.id)]).toEqual([1, []]);
  });
});
