import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Policy } from "../../src/policy/types.ts";
import { describeInSandbox, itAsRoot } from "../support/needs.ts";
import { shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };

/** A project that a person put beside the machine's programs, with a file that is not read unasked. */
function project(): string {
  const at = mkdtempSync("/usr/local/holdfast-test-");
  onTestFinished(() => rmSync(at, { recursive: true }));
  writeFileSync(join(at, ".env"), "SECRET\n");
  writeFileSync(join(at, "notes.txt"), "SECRET\n");
  return at;
}

describeInSandbox("what a person put into /usr/local (needs bubblewrap)", () => {
  itAsRoot(
    "is not there for a reader that names it by a word that nobody knows, or goes through all (needs root)",
    async () => {
      const { tried } = shellStage(tempTree({ "a.txt": "a\n" }), policy);
      const at = project();
      const [name, top] = [basename(at), "/usr/local"];
      for (const line of [
        `cat $(echo ${at}/.env) $(echo ${at}/notes.txt)`,
        `x=${top}; cat "$x"/${name}/* "$x"/${name}/.env`,
        `grep -rs SECRET ${top}`,
        `find ${top} -name notes.txt`,
        `cd ${top} && grep -rs SECRET .`,
        `grep -rs SECRET ${at}`,
        `cat ${at}/notes.txt`,
      ])
        expect([line, (await tried(line)).output]).toEqual([line, expect.not.stringMatching(/SECRET|notes\.txt$/mu)]);
    },
  );
});
