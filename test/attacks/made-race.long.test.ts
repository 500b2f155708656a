import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { madeStage } from "../support/made-stage.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** What another process does to the script over and over; it is never for long what it was. */
const changes = {
  "other bytes": "open(at, 'w').write(evil); open(at, 'w').write(good)",
  "another file by its name": "[(open(at + '.n', 'w').write(text), os.rename(at + '.n', at)) for text in (evil, good)]",
  "a link": "put(evil); os.symlink(at + '.evil', at + '.l'); os.rename(at + '.l', at); put(good)",
  "another name of another file": "put(evil); os.link(at + '.evil', at + '.l'); os.rename(at + '.l', at); put(good)",
  "another folder around it": "exchange(top); exchange(top)",
  "another workspace around it": "exchange(os.path.dirname(top)); exchange(os.path.dirname(top))",
};

const program = (change: string, values: Record<string, string>): string => `
import ctypes, os, random, time
${Object.entries(values)
  .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  .join("\n")}
top = os.path.dirname(at)
libc = ctypes.CDLL(None)
def exchange(folder): libc.renameat2(-100, folder.encode(), -100, (folder + ".evil").encode(), 2)
def put(text): open(at + ".n", "w").write(text); os.rename(at + ".n", at)
open(at + ".evil", "w").write(evil)
for folder in (top + ".evil", os.path.dirname(top) + ".evil/sub"):
    os.makedirs(folder)
    for name in ("x.sh", "lib.sh"): open(folder + "/" + name, "w").write(evil)
print("up", flush=True)
while True:
    ${change}
    time.sleep(random.random() * 0.012)
`;

describeInSandbox("a script of the session that another process changes all the time (needs bubblewrap)", () => {
  test.each(Object.entries(changes))("%s: what runs is what the session wrote, or nothing", async (_, change) => {
    const named = tempTree({});
    const base = tempTree({ "ws/package.json": "{}\n" });
    const { run, write } = madeStage({ workspace: join(base, "ws"), shell: { sandboxWrite: [named] } });
    const good = "echo GOOD; . ./sub/lib.sh\n";
    const at = write("sub/x.sh", good);
    write("sub/lib.sh", "echo LIB\n");
    const evil = `echo EVIL; echo x >> ${named}/evil\n`;
    const child = spawn("python3", ["-c", program(change, { at, good, evil })], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const gone = once(child, "exit");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await gone;
    });
    await once(child.stdout, "data");
    let ran = 0;
    for (let time = 0; time < 30; time += 1) {
      const said = await run("bash sub/x.sh").then(
        ({ output }) => output,
        (error: Error) => error.message,
      );
      expect(said).not.toContain("EVIL");
      if (said.startsWith("GOOD\nLIB\n")) ran += 1;
    }
    expect(child.exitCode).toBe(null);
    expect([existsSync(join(named, "evil")), ran > 0]).toEqual([false, true]);
  });
});
