import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { agentCommand } from "./agent-command.ts";
import { openPlace, type Place, type Ran } from "./cli.ts";
import { asks, says } from "./model-server.ts";

const quoted = (word: string): string => `'${word}'`;

const endedBySignal = -1;

/** The command where a process may have only so many files open. */
function runUnder(place: Place, most: number, argv: readonly string[]): Promise<Ran> {
  const env = Object.fromEntries(Object.entries(place.env).filter(([, value]) => value !== undefined));
  const line = `ulimit -n ${most}; exec ${[...agentCommand, ...argv].map(quoted).join(" ")}`;
  return new Promise((resolve) => {
    const child = execFile("bash", ["-c", line], { cwd: place.workspace, env }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === "number" ? error.code : error === null ? 0 : endedBySignal,
        stdout,
        stderr,
      }),
    );
    child.stdin?.end();
  });
}

export interface Ended extends Ran {
  /** The file that the model wanted was made. */
  made: boolean;
  /** What the model was told of its calls. */
  heard: string;
  verified: Ran;
  listed: string;
}

/** A run in a place of its own that is asked to make one file, and what is found afterwards without a limit. */
export async function underLimit(most: number): Promise<Ended> {
  const search = { name: "grep", arguments: { pattern: "made" } };
  const write = asks("write_file", { file_path: "made.txt", content: "made\n" }, { calls: [search] });
  const place = await openPlace([write, says("First.")]);
  const ran = await runUnder(place, most, ["run", "one", "--mode", "accept-edits"]);
  const verified = existsSync(join(place.home, "agent.db"))
    ? await place.run(["sessions", "verify"])
    : { code: 0, stdout: "", stderr: "" };
  const listed = (await place.run(["sessions", "--json"])).stdout;
  const heard = JSON.stringify(place.server.requests.at(-1)?.body.messages ?? []);
  return { ...ran, made: place.has("made.txt"), heard, verified, listed };
}

/**
 * It did all of it, or it says in one sentence what is missing; the store is whole, and what was told is there. With fewer files than the
 * Node that runs it needs for itself, which differ by its version, Node ends before the program is read: then nothing was done.
 */
export function expectTruth(most: number, { code, stdout, stderr, made, heard, verified, listed }: Ended): void {
  const all = `ulimit -n ${most}: ${code}\n${stdout}${stderr}${verified.stdout}${verified.stderr}`;
  const isNodes = /^Node\.js v\d/mu.test(stderr) && /too many open files/u.test(stderr) && !stderr.includes("/dist/");
  const isBegun = code !== endedBySignal && !isNodes;
  if (!isBegun) return void expect([stdout, made, listed], all).toEqual(["", false, ""]);
  expect([0, 74], all).toContain(code);
  expect(verified.code, all).toBe(0);
  expect(stderr, all).not.toMatch(
    /internal error|defect|Cannot read prop|\n {4}at |not there any more|check the disk/u,
  );
  expect(heard, all).not.toContain("Cannot read prop");
  const ids = [...new Set(stderr.match(/\b[a-z]+-[a-z]+-[0-9a-f]{4}\b/gu))];
  expect(listed.match(/"id":"[^"]+"/gu) ?? [], all).toEqual(ids.map((id) => `"id":"${id}"`));
  if (code === 0) {
    expect(stdout, all).toBe("First.\n");
    // What is told of the call is what became of the file.
    expect(stderr.includes("✔ write made.txt"), all).toBe(made);
    return;
  }
  expect(stdout, all).toBe("");
  const told = stderr.split("\n").filter((line) => /^(?:agent|error): /u.test(line));
  expect(told, all).toEqual([expect.stringMatching(/too many open files: .*ulimit -n 1024$/u)]);
}
