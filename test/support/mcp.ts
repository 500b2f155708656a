import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPlace, type Place } from "./cli.ts";
import type { Answer } from "./model-server.ts";

export const smallServer = fileURLToPath(new URL("./mcp-server.mjs", import.meta.url));

/** A person's place with the small server, named `small`, in their settings. */
export interface McpPlace extends Place {
  /** What the server noted: its starts, its children and its calls. */
  noted(): string[];
  /** Processes of it and of its children that still run. */
  alive(): number[];
  /** The file whose being there makes the server another one; one with `.tools` behind its name holds further tools of it. */
  changed: string;
  /** What it offers beside tools from now on. */
  offers(what: Offers): Promise<void>;
}

/** A prompt or a resource, and what is given for it, or what the server does then: `hangs`, `dies`, `floods`, `asks` the person. */
type Offer = { gives?: object; does?: string } & Record<string, unknown>;

/** What the small server offers beside its tools. */
export interface Offers {
  prompts?: Offer[];
  resources?: Offer[];
  /** What it is not heard to answer. */
  hangs?: string;
}

/** What a prompt of one text gives. */
export const givesText = (text: string) => ({
  gives: { messages: [{ role: "user", content: { type: "text", text } }] },
});

export async function openMcpPlace(
  answers: Answer[] = [],
  {
    env = {},
    trusted = true,
    offers: first,
  }: { env?: Record<string, string>; trusted?: boolean; offers?: Offers } = {},
): Promise<McpPlace> {
  const place = await openPlace(answers);
  const [note, changed] = [join(place.home, "noted"), join(place.home, "changed")];
  const entry = {
    command: process.execPath,
    args: [smallServer],
    env: { MCP_NOTE: note, MCP_CHANGED: changed, ...env },
  };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { small: entry } }));
  const offers = (what: Offers) => writeFile(`${changed}.offers`, JSON.stringify(what));
  if (first !== undefined) await offers(first);
  if (trusted) {
    const { code, stderr } = await place.run(["mcp", "trust", "small", "--yes"]);
    if (code !== 0) throw new Error(stderr);
  }
  const noted = () => noteOf(note);
  const alive = () => aliveIn(noted());
  return { ...place, noted, alive, changed, offers };
}

/** What a small server wrote into this file. */
export function noteOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Processes of it and of its children, by what it noted, that still run. */
export const aliveIn = (noted: readonly string[]): number[] =>
  noted
    .filter((line) => /^(?:start|child) /u.test(line))
    .map((line) => Number(line.split(" ")[1]))
    .filter(runs);

function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/u.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
