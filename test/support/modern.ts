import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { openPlace, type Place } from "./cli.ts";
import { noteOf } from "./mcp.ts";
import type { Answer } from "./model-server.ts";

/** Speaks MCP 2026-07-28; made with the published package. */
export const modernServer = fileURLToPath(new URL("./modern-server.mjs", import.meta.url));

export type Way = "stdio" | "http";

export interface ModernServer {
  /** As settings name it. */
  entry: { command: string; args: string[]; env: Record<string, string> } | { type: "http"; url: string };
  /** Where it is spoken to over HTTP. */
  url?: string;
  noted(): string[];
  /** The file whose being there makes its tools others. */
  changed: string;
  /** Of the one over HTTP. */
  child?: ChildProcess;
}

/** That server, over HTTP in a process of its own until the test's end. */
export async function openModern(way: Way): Promise<ModernServer> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-modern-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [note, changed] = [join(folder, "noted"), join(folder, "changed")];
  const env = { MCP_NOTE: note, MCP_CHANGED: changed };
  const noted = () => noteOf(note);
  if (way === "stdio") return { entry: { command: process.execPath, args: [modernServer], env }, noted, changed };
  const child = spawn(process.execPath, [modernServer, "http"], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(line.split(" ")[1] ?? ""));
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  return { entry: { type: "http", url }, url, noted, changed, child };
}

/** A person's place with that server, named `modern`, in their settings; its calls need no question. */
export async function openModernPlace(
  way: Way,
  answers: Answer[],
  more: object = {},
): Promise<{ place: Place; server: ModernServer }> {
  const server = await openModern(way);
  const place = await openPlace(answers);
  const config = { mcpServers: { modern: { ...server.entry, ...more } } };
  await writeFile(join(place.home, "config.json"), JSON.stringify(config));
  const { code, stderr } = await place.run(["mcp", "trust", "modern", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  const rules = [{ tool: "mcp__modern__*", decision: "allow", why: "test" }];
  await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules }));
  return { place, server };
}
