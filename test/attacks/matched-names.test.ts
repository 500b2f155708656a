import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { run, shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const denied: Rule = {
  tool: "read_file",
  paths: ["data/plan.txt"],
  decision: "deny",
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
};
const policy: Policy = { rules: [denied], grants: [], mode: "ask", sealed: { roots: [] } };

function stage() {
  const workspace = tempTree({
    ".env": "SECRET of .env\n",
    "a.txt": "plain\n",
    "config/app.json": "plain\n",
    "config/credentials.json": "SECRET credentials\n",
    "config/prod.pem": "SECRET key\n",
    "data/b.txt": "plain\n",
    "data/plan.txt": "SECRET plan\n",
    "keys/one.pem": "SECRET key\n",
    "keys/two.pem": "SECRET key\n",
    "node_modules/p/index.js": "plain\n",
    "node_modules/p/prod.pem": "SECRET key of a package\n",
  });
  return { workspace, ...shellStage(workspace, policy) };
}

describeInSandbox("a pattern that stands for a file that is not read unasked, among others (needs bubblewrap)", () => {
  test("leaves that out, and says so", async () => {
    const { tried } = stage();
    for (const line of [
      "cat config/*",
      "head -5 config/*.json data/*",
      "grep -h . config/* data/*.txt",
      'for f in config/*; do cat "$f"; done',
      "cat */*.json | sort",
      "wc -l data/*",
      "x=config/*; cat $x",
    ]) {
      const { decision, output } = await tried(line);
      expect([line, decision, output]).toEqual([line, "allow", expect.stringMatching(/\bleft out\b/u)]);
      expect([line, output]).not.toEqual([line, expect.stringContaining("SECRET")]);
    }
    expect((await tried("cat config/*")).output).toContain("plain");
  });

  test("is asked about where it stands for nothing else, or something else names the file", async () => {
    const { tried } = stage();
    const lines = [
      "cat .en*",
      "cat keys/*",
      "cat config/*.pem",
      "cat config/* .env",
      "cat config/* config/prod.pem",
      "cat config/{app.json,prod.pem}",
      "cat config/* < .env",
      "x=config/prod.pem; cat $x config/*",
      "cat a.txt keys/*",
      "cat a* keys/*",
      "cat {a,.env}*",
      "cat config/* config/*.pem",
      "x='a* .e*'; cat $x",
      "cat config/* > out",
      "cat node_modules/p/*",
      "cp config/* data",
      "python3 config/*",
    ];
    for (const line of lines) expect([line, (await tried(line)).decision]).toEqual([line, "ask"]);
    expect((await tried("cat config/*", { network: true })).decision).toBe("ask");
  });

  test("never shows it by another name: links of both kinds, a key called otherwise, a folder, the command's own words", async () => {
    const { workspace, tried } = stage();
    const at = (name: string) => join(workspace, name);
    symlinkSync("../.env", at("data/soft.txt"));
    symlinkSync("../a.txt", at("data/soft.pem"));
    mkdirSync(at("data/.ssh"));
    writeFileSync(at("data/.ssh/x"), "SECRET of a folder\n");
    const lines = ["cat data/*", "cat d*/s*", "grep -rh . dat*", "cat data/*/x data/*", "cat data/.s*/* data/*.txt"];
    for (const line of lines) {
      const { output } = await tried(line);
      expect([line, output]).not.toEqual([line, expect.stringContaining("SECRET")]);
    }
    rmSync(at("data/soft.txt"));
    linkSync(at(".env"), at("data/hard.txt"));
    writeFileSync(at("config/notes.txt"), "-----BEGIN OPENSSH PRIVATE KEY-----\nSECRET\n");
    for (const line of ["cat data/*", "cat config/*", "cat */*.txt"]) {
      const { output } = await tried(line);
      expect([line, output]).not.toEqual([line, expect.stringContaining("SECRET")]);
    }
  });

  test("is what it is when the line runs: a file that came since is left out too", async () => {
    const { workspace, prepare } = stage();
    const prepared = await prepare("cat data/*");
    if (prepared.kind !== "ready") throw new Error(prepared.kind);
    writeFileSync(join(workspace, "data/late.pem"), "SECRET came since\n");
    const { output = "", error = "" } = await run(prepared);
    expect(output + error).not.toContain("SECRET");
  });
});
