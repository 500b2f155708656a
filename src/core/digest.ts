import { canonicalJson, type JsonObject, type Sha, sha256 } from "./json.ts";
import type { Plan } from "./tool.ts";

/** The parts that an approval is bound to. */
export interface DigestParts {
  toolName: string;
  arguments: JsonObject;
  plan: Plan;
}

// Keeps core 4.
/**
 * sha256 over the RFC 8785 JSON of the tool, its arguments, the folder and what the plan would do: files, artifacts, command, hosts, operands,
 * secrets by their names, where a command's words lead, whether it only reads, what it would run in, with the files there where that is little, the hash of the tool's settings, and the page. What is only for the eyes (diff, hunks, counts, summary, warnings, an operand's text) is not in it,
 * so the same call that would do the same has the same digest in every process, whatever was seen of the file before.
 */
export function digestOf({ toolName, arguments: args, plan }: DigestParts): Sha {
  const { cwd, command, effect, artifacts, hosts, method, secrets, network, sandbox, path, environment, settings } =
    plan;
  const operands = plan.operands?.map(({ text: _, ...operand }) => operand);
  const files = plan.files?.map(({ real, kind, before, after, mode, eol, bom, encoding }) => ({
    real,
    kind,
    before,
    after,
    mode,
    eol,
    bom,
    encoding,
  }));
  const apart = plan.apart === true ? plan.made : undefined;
  const surroundings = { network, sandbox, apart, path, environment, settings, page: plan.page };
  const doing = { files, artifacts, command, effect, places: placesOf(plan), hosts, method, secrets, operands };
  return sha256(canonicalJson({ toolName, arguments: args, cwd, ...doing, ...surroundings }));
}

/** Lists the places that the words of a command lead to, links followed: the same words mean another file once a link is another one. */
function placesOf({ commands }: Plan): string[] | undefined {
  const places = commands?.flatMap(({ paths }) => paths.map(({ access, real }) => `${access} ${real}`)) ?? [];
  return places.length === 0 ? undefined : [...new Set(places)];
}
