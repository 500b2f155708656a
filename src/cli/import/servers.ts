import type { Found, Gathered } from "./found.ts";
import { serverFound } from "./server-entry.ts";
import { isObject, type Looked, type Source } from "./sources.ts";

/** More servers in one file nobody has. */
const mostServers = 50;

export interface Way {
  program: "claude" | "codex" | "gemini" | "opencode" | "vscode";
  isOff?: (name: string) => boolean;
}

/** The servers that a file names. */
export async function serversIn(
  source: Source,
  servers: unknown,
  { program, isOff = () => false }: Way,
  { env }: Looked,
  { found }: Gathered,
): Promise<void> {
  const { scope, from } = source;
  const listed = Object.entries(isObject(servers) ? servers : {});
  if (listed.length > mostServers) {
    const why = `there are more than ${mostServers}: none is taken over`;
    found.push({ kind: "left_out", scope, from, what: "servers", why });
    return;
  }
  for (const [name, given] of listed)
    found.push(await serverFound({ scope, from, program, name, given, isOff: isOff(name), path: env["PATH"] }));
}

/** Those of which another of the name comes first, or is there already, are not taken: nothing is overwritten. */
export function withoutKnown(found: readonly Found[], known: readonly string[]): Found[] {
  const names = new Set(known);
  return found.map((one) => {
    if (one.kind !== "server" || one.entry === undefined) return one;
    if (names.size < names.add(one.name).size) return one;
    const { entry: _, ...rest } = one;
    return { ...rest, needs: [], why: "there is a server of this name already" };
  });
}
