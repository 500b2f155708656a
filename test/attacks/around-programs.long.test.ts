import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/core/json.ts";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const files = {
  "bin/frob": "#!/bin/sh\ncat $(dirname $0)/../lib/text\n",
  "lib/text": "of the program\n",
  ".env": "SECRET\n",
  "sub/.env": "SECRET\n",
  "sub/deep/id_rsa": "SECRET\n",
  ".git/config": "SECRET\n",
  "other/.git/HEAD": "SECRET\n",
};

/** What a free line tells where a folder of this project is one of those that programs are found in. */
async function told(project: string, home: string, line: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  chmodSync(join(project, "bin/frob"), 0o755);
  const workspace = tempTree({ "README.md": "x\n" });
  const script = `cat ${Object.keys(files)
    .map((name) => join(project, name))
    .join(" ")}\nfrob\n`;
  writeFileSync(join(workspace, "x.sh"), script);
  const env = { HOME: home, PATH: `/usr/bin:/bin:${project}/bin` };
  const tools = createDefaultTools({ workspace, shell: { sandbox: "required", scratch: tempTree(), env } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  const made = (): ReadonlyMap<string, string> =>
    new Map([[join(realpathSync(workspace), "x.sh"), sha256(Buffer.from(script))]]);
  const prepared = await prepareCall(
    tool,
    { command: line },
    { ...createToolContext({ workspace, pins, cwd: workspace, callId: "c1" }), made },
    { rules: [], grants: [], mode: "ask", sealed: { roots: [] }, autoSandbox: true },
  );
  if (prepared.kind !== "ready" || prepared.verdict.decision !== "allow") throw new Error(`${line} is not free`);
  return resultOf(await prepared.run(AbortSignal.timeout(30_000))).output;
}

function folderIn(place: string): string {
  const folder = realpathSync(mkdtempSync(join(place, "holdfast-around-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describeInSandbox("a folder of programs that lies in a project (needs bubblewrap)", () => {
  test.each([
    ["outside of homes", () => folderIn("/var/tmp"), () => tempTree()],
    ["in the home", () => undefined, () => tempTree()],
  ])(
    "%s: what its programs need is there for a free line, and nothing that is not read unasked",
    async (_, elsewhere, homeOf) => {
      const home = homeOf();
      const project = elsewhere() ?? join(home, "work2");
      const words = Object.keys(files).map((name) => `$(printf '%s' ${join(project, name)})`);
      const read = await told(project, home, `cat ${words.join(" ")}`);
      expect(read).toContain("of the program");
      expect(read).not.toContain("SECRET");
      const run = await told(project, home, "bash x.sh");
      expect(run.split("of the program\n")).toHaveLength(3);
      expect(run).not.toContain("SECRET");
    },
  );
});
