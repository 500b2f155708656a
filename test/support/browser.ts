import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openPlace, type Place, type Told } from "./cli.ts";
import type { Answer } from "./model-server.ts";

const server = fileURLToPath(new URL("../../node_modules/@playwright/mcp/cli.js", import.meta.url));

export const tool = (name: string): string => `mcp__browser__browser_${name}`;

/** A person's place with a browser that they trust, and rules of theirs. */
export async function openBrowser(
  answers: Answer[],
  rules: { tool: string; hosts?: string[]; secrets?: string[] }[] = [],
): Promise<Place> {
  const place = await openPlace(answers);
  const added = await place.run(["mcp", "add", "browser", "--browser", "--", process.execPath, server]);
  expect(added.stderr).toMatch(/its browser is \/.*\n.*it is off until you trust it: agent mcp trust browser/);
  const trusted = await place.run(["mcp", "trust", "browser", "--yes"]);
  expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("through a proxy of the agent") });
  const written = rules.map((rule) => ({ ...rule, decision: "allow", why: "the test's own" }));
  await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules: written }));
  return place;
}

export const outputs = (ran: Told): string[] =>
  ran
    .of("tool_call")
    .flatMap(({ call }) => (call.status === "success" && "result" in call ? [call.result.output] : []));

/** Command lines of browsers that a process started, by default this one. */
export function browsers(of = process.pid): string[] {
  const read = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .map((pid) => (/^\d+$/u.test(pid) ? read(pid) : ""))
    .filter((line) => line.includes(`holdfast-browser-${of}-`));
}

export const folders = (of = process.pid): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`holdfast-browser-${of}-`));
