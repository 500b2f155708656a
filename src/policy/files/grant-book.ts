import type { JsonNode } from "../../core/json-text.ts";
import { policyFiles as words } from "../../words/en/policy-files.ts";
import { PolicyProblem } from "../problem.ts";
import type { Grant, GrantBook, GrantedScript, GrantScope } from "../types.ts";
import { readByHand, readPolicyFile, updatePolicyFile } from "./policy-file.ts";
import { checkKeys, type ObjectNode, type Report, readReach, reporter, textOf } from "./rule-fields.ts";

const grantKeys = [
  "id",
  "scope",
  "key",
  "tool",
  "paths",
  "command",
  "hosts",
  "script",
  "scripts",
  "made",
  "at",
  "why",
] as const;

/**
 * The person's grants in one file, `{"v": 1, "grants": [...]}`: read anew each time (another session may have added or
 * revoked one), changed under a lock and replaced atomically, mode 0600. Adding a grant that is there already changes
 * nothing. The file need not exist.
 * @throws PolicyProblem from every method when the file is malformed or cannot be used; it is then left as it is.
 */
export function openGrantBook(file: string): GrantBook {
  const all = async () => parseGrants((await readPolicyFile(file)) ?? emptyBook, file);
  return {
    all,
    async inForce(session, workspace) {
      const keys = { session, project: workspace, user: undefined };
      return (await all()).filter((grant) => grant.key === keys[grant.scope]);
    },
    async add(grant) {
      await updatePolicyFile(file, (text) => {
        const grants = parseGrants(text ?? emptyBook, file);
        if (grants.some(({ id }) => id === grant.id)) return undefined;
        const next = writeGrants([...grants, grant]);
        parseGrants(next, file);
        return next;
      });
    },
    async revoke(id) {
      let found = false;
      await updatePolicyFile(file, (text) => {
        const grants = parseGrants(text ?? emptyBook, file);
        const kept = grants.filter((grant) => grant.id !== id);
        found = kept.length < grants.length;
        return found ? writeGrants(kept) : undefined;
      });
      return found;
    },
  };
}

const writeGrants = (grants: Grant[]): string => `${JSON.stringify({ v: 1, grants }, null, 2)}\n`;
const emptyBook = writeGrants([]);

function parseGrants(text: string, file: string): Grant[] {
  const { problems, report } = reporter(file);
  const grants = grantNodes(readByHand(text, file), report).map((node) => readGrant(node, report));
  if (problems.length > 0) throw new PolicyProblem(problems);
  return grants.filter((grant) => grant !== undefined);
}

function grantNodes(root: JsonNode, report: Report): JsonNode[] {
  if (root.kind === "object") {
    checkKeys(root, ["v", "grants"], "grants", report);
    const version = root.members.get("v")?.node;
    const list = root.members.get("grants")?.node;
    if (version?.kind === "other" && version.value === 1 && list?.kind === "array") return list.items;
  }
  report(root.line, words().grantsShape);
  return [];
}

function readGrant(node: JsonNode, report: Report): Grant | undefined {
  if (node.kind !== "object") {
    report(node.line, words().grantShape);
    return undefined;
  }
  checkKeys(node, grantKeys, "grant", report);
  const reach = node.members.has("made") ? readMade(node, report) : readReach(node, "allow", report);
  const id = textOf(node, "id", report)?.text;
  const why = textOf(node, "why", report)?.text;
  const at = node.members.get("at")?.node;
  if (!id) report(node.line, words().grantId);
  if (at?.kind !== "other" || typeof at.value !== "number") {
    report(node.line, words().grantAt);
    return undefined;
  }
  return {
    id: id ?? "",
    ...readScope(node, report),
    ...reach,
    ...readScripts(node, report),
    at: at.value,
    why: why ?? "",
  };
}

/** A grant for what a session made says its tool, and nothing else of what it reaches. */
function readMade(node: ObjectNode, report: Report): Pick<Grant, "tool" | "made"> {
  const made = node.members.get("made");
  const isTrue = made?.node.kind === "other" && made.node.value === true;
  const beside = ["paths", "command", "hosts", "script", "scripts"].filter((key) => node.members.has(key));
  const isOfSession = textOf(node, "scope", report)?.text === "session";
  if (!isTrue || beside.length > 0 || !isOfSession) report(made?.line ?? node.line, words().grantMade);
  return { tool: textOf(node, "tool", report)?.text ?? "", made: true };
}

/** @returns the files of a grant; `script` is how a grant of one file was kept before. */
function readScripts(node: ObjectNode, report: Report): Pick<Grant, "scripts"> {
  const one = node.members.get("script");
  const many = node.members.get("scripts");
  if (one === undefined && many === undefined) return {};
  if (many !== undefined && many.node.kind !== "array") report(many.line, words().grantScripts);
  const items = [...(one === undefined ? [] : [one.node]), ...(many?.node.kind === "array" ? many.node.items : [])];
  return { scripts: items.map((item) => readScript(item, report)).filter((script) => script !== undefined) };
}

function readScript(node: JsonNode, report: Report): GrantedScript | undefined {
  if (node.kind === "object") {
    checkKeys(node, ["path", "sha"], "script", report);
    const path = textOf(node, "path", report)?.text;
    const sha = textOf(node, "sha", report)?.text;
    if (path && sha) return { path, sha };
  }
  report(node.line, words().grantScript);
  return undefined;
}

function readScope(node: ObjectNode, report: Report): { scope: GrantScope; key?: string } {
  const scope = textOf(node, "scope", report)?.text;
  const key = textOf(node, "key", report)?.text;
  if (scope === "user" && key === undefined) return { scope };
  if ((scope === "session" || scope === "project") && key) return { scope, key };
  report(node.line, words().grantScope);
  return { scope: "session" };
}
