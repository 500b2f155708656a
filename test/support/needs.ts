import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { describe, it } from "vitest";
import { findProgram } from "../../src/process/find-program.ts";
import { findSandbox } from "../../src/tools/shell/running/sandbox.ts";

/*
 * Tests of what not every machine has. The name of each says it, "(needs root)": where it is missing the test is not run, and the count
 * of the tests tells how many were not. `.ci/run` installs what can be installed, and takes sudo where it is not root.
 */

/** What only root can set up, such as a file of another user. */
export const itAsRoot = it.skipIf(process.geteuid?.() !== 0);

/** Whether each folder on the way to the checkout lets everybody through: a folder of mktemp does not. */
function isReachable(): boolean {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** What root has to run as another user, who must be able to start the program of the checkout. */
export const describeAsOther = describe.skipIf(process.geteuid?.() === 0 && !isReachable());

const { works } = await findSandbox();

/** What takes bubblewrap, and a kernel that lets it work. */
export const itInSandbox = it.skipIf(!works);
export const describeInSandbox = describe.skipIf(!works);

/** What takes ssh-keygen, to sign. */
export const describeSigning = describe.skipIf(
  (await findProgram("ssh-keygen", "/", process.env["PATH"])) === undefined,
);

function installed(file: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return undefined;
  }
}

/** The published server that shows all of MCP, a package for development. */
export const everythingServer = installed("@modelcontextprotocol/server-everything/dist/index.js") ?? "";
export const describeWithEverything = describe.skipIf(everythingServer === "");

/** The published server of files, another one. */
export const filesystemServer = installed("@modelcontextprotocol/server-filesystem/dist/index.js") ?? "";
export const describeWithFilesystem = describe.skipIf(filesystemServer === "" || everythingServer === "");

/** Flags for a run whose commands would be asked about only because there is no sandbox. */
export const freely: readonly string[] = works ? [] : ["--sandbox", "off"];

/** What shows pages in a browser. */
export const itInBrowser = it.skipIf((await findProgram("chromium", "/", process.env["PATH"])) === undefined);

/** The settings and flags of `tmux.ts` are there from 3.2 on; what is built from its newest sources may have no number. */
function hasTmux(): boolean {
  const { status, stdout } = spawnSync("tmux", ["-V"], { encoding: "utf8" });
  const [, major = "4", minor = "0"] = /(\d+)\.(\d+)/u.exec(stdout ?? "") ?? [];
  return status === 0 && (Number(major) > 3 || (major === "3" && Number(minor) >= 2));
}

/** What is played in tmux. */
export const describeInTmux = describe.skipIf(!hasTmux());

/** The same tests in the tests' own terminal, and in tmux within it. */
export function describeInTerminals(tests: (terminal: "xterm.js" | "tmux") => void): void {
  describe("in xterm.js", () => tests("xterm.js"));
  describeInTmux("in tmux (needs tmux)", () => tests("tmux"));
}
