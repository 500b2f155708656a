import { canonicalJson, type JsonObject, type Sha, sha256 } from "./json.ts";
import type { Plan } from "./tool.ts";

/** What an approval is bound to. `plan` is null for a tool that has none. */
export interface DigestParts {
  toolName: string;
  arguments: JsonObject;
  cwd: string;
  plan: Plan | null;
}

/**
 * sha256 over the RFC 8785 JSON of exactly these four keys: whatever else the object carries is left out, so that the same
 * call has the same digest in every process.
 */
export function digestOf(parts: DigestParts): Sha {
  const { toolName, arguments: args, cwd, plan } = parts;
  return sha256(canonicalJson({ toolName, arguments: args, cwd, plan }));
}
