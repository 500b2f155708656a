import { spawn } from "node:child_process";
import { chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shorterThanTold } from "../../../src/store/sqlite/file-damage.ts";
import { mounting, withoutMounts } from "../../faults/mounts.ts";
import { agentCommand } from "../../support/agent-command.ts";
import { openPlace, type Ran } from "../../support/cli.ts";
import { says } from "../../support/model-server.ts";
import { RawStore } from "../../support/raw-store.ts";
import { tempFile } from "../support.ts";

const canMount = withoutMounts() === undefined;

describe.runIf(canMount)("a store that nobody can look at beside a living process (needs mounts)", () => {
  it.each([
    ["the program that looks cannot be started", "/dev/null"],
    ["the program that looks never ends", "hanging"],
  ])("is not opened and not called damaged, and is used as soon as it can be: %s", async (_, standIn) => {
    const place = await openPlace([says("First."), says("Second.")]);
    const { session } = await place.json(["run", "one"]);
    const file = join(place.home, "agent.db");
    const hanging = join(place.workspace, "hanging");
    writeFileSync(hanging, "#!/bin/sh\nexec sleep 1000\n");
    chmodSync(hanging, 0o755);
    const beside = new RawStore(file);
    try {
      beside.all("SELECT count(*) FROM session");
      const [program = "", ...args] = [
        ...mounting('for it in /usr/bin/head /bin/head; do test ! -e $it || mount --bind "$S" $it; done; "$@"'),
        ...agentCommand,
        ...["resume", session, "two"],
      ];
      const env = Object.fromEntries(Object.entries(place.env).filter(([, value]) => value !== undefined));
      const child = spawn(program, args, {
        cwd: place.workspace,
        env: { ...env, S: standIn === "hanging" ? hanging : standIn },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const stderr: string[] = [];
      child.stderr?.setEncoding("utf8").on("data", (text: string) => stderr.push(text));
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect([code, stderr.join("")]).toEqual([
        74,
        expect.stringMatching(/whether the store is whole could not be looked at, so nothing was done; try again/u),
      ]);
      expect(stderr.join("")).not.toMatch(/damaged|agent\.db\.broken/u);
      const on: Ran = await place.spawn(["resume", session, "two"]).done;
      expect([on.code, on.stdout], on.stderr).toEqual([0, "Second.\n"]);
    } finally {
      beside.close();
    }
    expect((await place.spawn(["sessions", "verify"]).done).code).toBe(0);
  });
});

describe("a file that is shorter than SQLite says", () => {
  const ask = (pages: () => number) => (pragma: string) => (pragma === "PRAGMA page_size" ? 4096 : pages());
  const short = (): string => {
    const file = tempFile();
    writeFileSync(file, "");
    truncateSync(file, 2 * 4096);
    return file;
  };

  it("is damaged where it stays so", () => {
    const file = short();
    expect(
      shorterThanTold(
        file,
        ask(() => 3),
        () => "no log",
      ),
    ).toBe("it is cut off: it has 8192 bytes, not 12288");
  });

  it("is not where another process was copying its log into it", () => {
    const file = short();
    let looks = 0;
    const pages = (): number => {
      looks += 1;
      // After the first look it gets its last page.
      if (looks === 2) truncateSync(file, 3 * 4096);
      return 3;
    };
    expect(shorterThanTold(file, ask(pages), () => "no log")).toBeUndefined();
    expect(looks).toBeGreaterThan(1);
  });
});
