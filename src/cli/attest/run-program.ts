import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { isInside } from "../../files/boundary.ts";
import { findProgram } from "../../process/find-program.ts";
import { attest as words } from "../../words/en/attest.ts";
import { CliProblem } from "../problem.ts";

export interface ProgramEnd {
  /** Null where a signal ended it, or the time limit. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

export interface ProgramSpec {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Its stdin; empty without it. */
  input?: string | Uint8Array;
}

const timeLimit = 60_000;
/** More output than this is a failure. */
const mostOutput = 64 * 1024 * 1024;

/**
 * The environment without the folders of PATH that are relative or the project's own, as `npx` puts them there: what lies in these was not installed by the person.
 * @param root real
 */
export function withoutProject(env: ProgramSpec["env"], root: string): ProgramSpec["env"] {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => {
    const real = folder.startsWith("/") ? realOf(folder) : undefined;
    return real !== undefined && !isInside(root, real);
  });
  return { ...env, PATH: folders.join(":") };
}

function realOf(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/** Runs a program of PATH to its end. @throws CliProblem where there is none */
export async function runProgram(
  name: "git" | "ssh-keygen",
  args: readonly string[],
  { cwd, env, input }: ProgramSpec,
): Promise<ProgramEnd> {
  const program = await findProgram(name, "/", env["PATH"]);
  if (program === undefined)
    throw new CliProblem("failed", words().notInPath({ program: name }), {
      hint: words().install({ program: name }),
    });
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    stdio: "pipe",
    timeout: timeLimit,
    killSignal: "SIGKILL",
  });
  const chunks: Buffer[] = [];
  let [size, stderr] = [0, ""];
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostOutput) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < 10_000) stderr += chunk.toString();
  });
  child.stdin.on("error", () => undefined); // it ended before it read
  child.stdin.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: Buffer.concat(chunks), stderr }));
  });
}
