import { z } from "zod";
import type { Sha } from "../../core/json.ts";
import { lineAt, plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { type ToolDefinition, toolDefinition } from "../../tools/mcp/definitions.ts";
import type { Era } from "../../tools/mcp/modern/envelope.ts";
import { type PromptDefinition, promptDefinition } from "../../tools/mcp/prompts.ts";
import { trust as words } from "../../words/en/trust.ts";
import { linesAgain } from "../../words/said-again.ts";
import { PolicyProblem } from "../problem.ts";
import { readByHand, readPolicyFile, updatePolicyFile } from "./policy-file.ts";

/** A server that the person trusted, just as it was shown to them. */
export interface TrustedEntry {
  name: string;
  /** Of a project's: the workspace, real. Absent for one of the person's own settings. */
  workspace?: string;
  /** Each part of its entry by its hash. */
  entry: Record<string, Sha>;
  /** Files of the workspace that start it: absolute path -> sha256. */
  scripts: Record<string, Sha>;
  tools: ToolDefinition[];
  /** None were shown where it is absent. */
  prompts?: PromptDefinition[];
  /** The era of MCP that it spoke then, so that it need not be asked each time it starts; not known where it is absent. */
  era?: Era;
  /** Milliseconds since the epoch. */
  at: number;
}

/** With all that tools say, it is larger than what people write. */
const { most } = limits.mcpTrust;

const sha = z.string().regex(/^[0-9a-f]{64}$/u);
const table = z.strictObject({
  v: z.literal(1),
  servers: z.array(
    z.strictObject({
      name: z.string().min(1),
      workspace: z.string().min(1).optional(),
      entry: z.record(z.string(), sha),
      scripts: z.record(z.string(), sha),
      tools: z.array(toolDefinition),
      prompts: z.array(promptDefinition).optional(),
      era: z.enum(["modern", "legacy"]).optional(),
      at: z.number(),
    }),
  ),
});

/** All servers that the person trusted. @throws PolicyProblem where the table is malformed or cannot be read; it is never taken for an empty one. */
export async function trustedServers(file: string): Promise<TrustedEntry[]> {
  return parseTable(await readPolicyFile(file, most), file);
}

/** The key of an entry: a server of the person's settings, or of this workspace. */
type Named = Pick<TrustedEntry, "name" | "workspace">;

export const isSameServer = (one: Named, other: Named): boolean =>
  one.name === other.name && one.workspace === other.workspace;

/** Takes a server's trust in the place of an earlier one. @throws PolicyProblem where the table would be too large to be read again */
export async function trustServer(file: string, row: TrustedEntry): Promise<void> {
  const change = (text: string | undefined): string =>
    written([...parseTable(text, file).filter((one) => !isSameServer(one, row)), row]);
  await updatePolicyFile(file, change, { most });
}

/** @returns false where it was not trusted */
export async function distrustServer(file: string, named: Named): Promise<boolean> {
  let found = false;
  const change = (text: string | undefined): string | undefined => {
    const rows = parseTable(text, file);
    const kept = rows.filter((one) => !isSameServer(one, named));
    found = kept.length < rows.length;
    return found ? written(kept) : undefined;
  };
  await updatePolicyFile(file, change, { most });
  return found;
}

function parseTable(text: string | undefined, file: string): TrustedEntry[] {
  if (text === undefined) return [];
  const root = readByHand(text, file);
  const read = table.safeParse(plainValue(root));
  if (read.success) return read.data.servers as TrustedEntry[];
  const message = words().notServers({ wrong: linesAgain(z.prettifyError(read.error)) });
  throw new PolicyProblem([{ file, line: lineAt(root, read.error.issues[0]?.path ?? []), message }]);
}

const written = (servers: TrustedEntry[]): string => `${JSON.stringify({ v: 1, servers }, null, 1)}\n`;
