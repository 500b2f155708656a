import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Plan } from "../../src/core/tool.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A folder of more files than a line's patterns are held against; one of them is a key, behind all that a pattern may name. */
function stage() {
  const workspace = tempTree({ "few/a.txt": "few\n", "few/b.txt": "few\n", "config/app.json": "{}\n" });
  mkdirSync(join(workspace, "big"));
  for (let at = 0; at < 1_300; at += 1) writeFileSync(join(workspace, "big", `f${1_000 + at}.txt`), "many\n");
  writeFileSync(join(workspace, "big/z.pem"), "SECRET\n");
  const tools = createDefaultTools({ workspace, shell: { sandbox: "required", env: process.env } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
  });
  const ready = async (command: string) => {
    const prepared = await prepareCall(
      tool,
      { command },
      createToolContext({ workspace, cwd: workspace, callId: "c1" }),
      { rules: [], grants: [], mode: "ask", sealed: { roots: [] } },
    );
    if (prepared.kind !== "ready") throw new Error(`${prepared.kind}: ${command}`);
    return prepared;
  };
  return { workspace, ready };
}

const namesIn = ({ commands = [] }: Plan): number => commands.reduce((sum, { paths }) => sum + paths.length, 0);
const isTold = ({ warnings = [] }: Plan): boolean =>
  warnings.some((text) => text.startsWith("a pattern in it stands for more files than are looked at"));

describeInSandbox("a pattern that stands for very many names (needs bubblewrap)", () => {
  test.each([
    ["cat big/*", 500],
    ["touch big/*", 500],
    ["cat big/*0.txt big/*1.txt big/*2.txt big/f1*.txt", 890],
    [`cat${" big/*".repeat(90)}`, 500],
    [`cat${Array.from({ length: 900 }, (_, at) => ` big/*${at % 10}*`).join("")}`, 1_000],
    [`cat${" big/{a,b,c,d,e,f,g,h}*{1,2,3,4,5,6,7,8}*".repeat(90)}`, 1_000],
    [Array<string>(300).fill("head big/*3*").join("; "), 1_000],
  ])("%#: no more of them than is read in a moment are judged by name, and the plan says so", async (line, most) => {
    const { ready } = stage();
    const { plan } = await ready(line);
    expect([namesIn(plan) <= most, isTold(plan)]).toEqual([true, true]);
  });

  test("is not cut where it stands for few, however many names it is held against once", async () => {
    const { ready } = stage();
    for (const [line, count] of [
      ["cat few/*", 2],
      ["cat big/f100*.txt", 10],
    ] as const) {
      const { plan, verdict } = await ready(line);
      expect([line, namesIn(plan), isTold(plan), verdict.decision]).toEqual([line, count, false, "allow"]);
    }
  });

  test("shows nothing guarded of what is behind those, and asks where a line writes", async () => {
    const { ready } = stage();
    const { verdict, run } = await ready("cat big/* config/* | sort | uniq -c");
    expect(verdict.decision).toBe("allow");
    const { output } = resultOf(await run(AbortSignal.timeout(30_000)));
    expect(output).toContain("1300 many");
    expect(output).toContain("1 place that is not read without asking is not there for it");
    expect(output).not.toContain("SECRET");
    for (const line of ["touch big/*", "tee big/* < few/a.txt"]) {
      const { verdict: asked } = await ready(line);
      expect([line, asked.decision]).toEqual([line, "ask"]);
    }
  });
});
