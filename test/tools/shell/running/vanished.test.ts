import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeInSandbox } from "../../../support/needs.ts";
import { tempTree } from "../../temp-tree.ts";
import { shellStage } from "../support.ts";

describeInSandbox("a command whose sandbox was to hide what is gone by then (needs bubblewrap)", () => {
  /** A file is hidden from it by its mounts; it goes before they are made, as often as is said. */
  function vanishing(times: number) {
    const stage = shellStage(
      { sandbox: "required", env: process.env },
      tempTree({ "a.txt": "a\n", "sub/.env": "SECRET\n" }),
    );
    let starts = 0;
    const noteChild = async (): Promise<void> => {
      starts += 1;
      const at = join(stage.workspace, "sub", starts === 1 ? ".env" : `.env.${starts}`);
      if (existsSync(at)) rmSync(at);
      if (starts < times) writeFileSync(join(stage.workspace, "sub", `.env.${starts + 1}`), "SECRET\n");
    };
    return { run: () => stage.run("grep -rs . .", {}, { noteChild }), starts: () => starts };
  }

  it("is put into another one, and runs once", async () => {
    const { run, starts } = vanishing(1);
    expect(await run()).toMatchObject({ output: expect.stringMatching(/^\.\/a\.txt:a\n\(exit code 0\)/u) });
    expect(starts()).toBe(2);
  });

  it("is told as not started where that goes on", async () => {
    const { run, starts } = vanishing(99);
    expect(await run()).toMatchObject({ error: expect.stringMatching(/^it could not be started: /u) });
    expect(starts()).toBe(3);
  });
});
