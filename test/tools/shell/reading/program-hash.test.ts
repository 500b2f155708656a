import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../../src/core/json.ts";
import { createProgramHashes } from "../../../../src/tools/shell/reading/program-hash.ts";
import { builtProgram } from "../../../support/built.ts";
import { openPlace } from "../../../support/cli.ts";
import { asks, says } from "../../../support/model-server.ts";
import { tempTree } from "../../temp-tree.ts";

/** A program that says this, in a folder of its own. */
function program(text: string): string {
  const path = join(realpathSync(tempTree()), "tool");
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

describe("a program that a command would run", () => {
  it("is bound by what is in it where the person could change it, each time as it is then", async () => {
    const bind = createProgramHashes();
    const path = program("one");
    expect(await bind([{ path }])).toEqual([{ path, sha: sha256("one") }]);
    const long = new Date("2020-01-01");
    utimesSync(path, long, long);
    expect(await bind([{ path }])).toEqual([{ path, sha: sha256("one") }]);
    writeFileSync(path, "two");
    utimesSync(path, long, long);
    expect(await bind([{ path }])).toEqual([{ path, sha: sha256("two") }]);
    const other = program("six");
    renameSync(other, path);
    expect(await bind([{ path }])).toEqual([{ path, sha: sha256("six") }]);
  });

  it("that is not there, or is a folder, is bound by its path", async () => {
    const path = realpathSync(tempTree());
    expect(await createProgramHashes()([{ path }, { path: join(path, "none") }])).toEqual([
      { path },
      { path: join(path, "none") },
    ]);
  });

  it("is bound by its path alone where the person cannot change it, nor put another one in its place", async () => {
    const file = await builtProgram("test/support/bound-program.ts");
    const [theirs, open] = [program("theirs"), program("open")];
    const folder = join(open, "..");
    chmodSync(join(theirs, ".."), 0o755);
    chmodSync(folder, 0o777);
    // As a user who owns none of them, where the tests run as root; else as ourselves, who own both.
    const isRoot = process.geteuid?.() === 0;
    const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { stdout } = spawnSync(process.execPath, [file, "/usr/bin/env", theirs, open], { ...as, encoding: "utf8" });
    const env = realpathSync("/usr/bin/env");
    expect(JSON.parse(stdout)).toEqual([
      { path: env },
      // /tmp, on the way, may be written by anybody.
      { path: theirs, sha: sha256("theirs") },
      { path: open, sha: sha256("open") },
    ]);
  });

  it("is asked about again where it is another one when it is to run", async () => {
    const place = await openPlace([asks("shell", { command: "greet" }), says("Ok.")]);
    const bin = join(place.workspace, "..", "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "greet"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
    const env = { ...place.env, PATH: `${bin}:${process.env["PATH"]}` };
    const asked = await place.json(["run", "go", "--sandbox", "off"], { env });
    const { digest } = asked.the("approval_requested").calls[0] ?? { digest: "" };
    writeFileSync(join(bin, "greet"), "#!/bin/sh\necho changed\n");
    const on = await place.json(["resume", asked.session, "--approve", `c1@${digest}`, "--sandbox", "off"], { env });
    expect(on).toMatchObject({ code: 11 });
    expect(on.the("approval_requested").calls).toMatchObject([{ callId: "c1", changed: { from: digest } }]);
    expect(await place.json(["resume", asked.session, "--approve", "c1", "--sandbox", "off"], { env })).toMatchObject({
      code: 0,
    });
    expect(place.heard(-1, -1)).toContain("changed");
  });
});
