import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import { everythingServer } from "./needs.ts";

export interface Started {
  port: number;
  child: ChildProcess;
  said(): string;
}

/** The published server over HTTP, in a process of its own until the test's end. */
export async function start(port: number): Promise<Started> {
  const env = { PATH: process.env["PATH"], PORT: String(port) };
  const child = spawn(process.execPath, [everythingServer, "streamableHttp"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  await expect.poll(() => said, { timeout: 30_000 }).toContain("listening");
  return { port, child, said: () => said };
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
