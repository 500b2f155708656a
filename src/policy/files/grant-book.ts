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

/** So many grants that were taken back are remembered, the last of them. */
const mostRevoked = 100;

/** A grant that was taken back, and when: what was given before that is the same grant, whoever gave it. */
type Revoked = Pick<Grant, "id" | "at">;

interface Book {
  grants: Grant[];
  revoked: Revoked[];
}

// Keeps policy 15.
/**
 * The person's grants in one file, `{"v": 1, "grants": [...], "revoked": [...]}`: read anew each time (another session may have added or
 * revoked one), changed under a lock and replaced atomically, mode 0600. Adding a grant that is there already changes
 * nothing, nor does adding one again (`isAgain`) that was revoked since it was given: a session that died before it had noted that it was added does so.
 * The file need not exist.
 * @throws PolicyProblem from every method when the file is malformed or cannot be used; it is then left as it is.
 */
export function openGrantBook(file: string): GrantBook {
  const all = async () => parseBook((await readPolicyFile(file)) ?? emptyBook, file).grants;
  return {
    all,
    async inForce(session, workspace) {
      const keys = { session, project: workspace, user: undefined };
      return (await all()).filter((grant) => grant.key === keys[grant.scope]);
    },
    async add(grant, isAgain = false) {
      await updatePolicyFile(file, (text) => {
        const { grants, revoked } = parseBook(text ?? emptyBook, file);
        const isRevoked = revoked.some(({ id, at }) => id === grant.id && at >= grant.at);
        if ((isAgain && isRevoked) || grants.some(({ id }) => id === grant.id)) return undefined;
        const next = written({ grants: [...grants, grant], revoked: revoked.filter(({ id }) => id !== grant.id) });
        parseBook(next, file);
        return next;
      });
    },
    async revoke(id) {
      let found = false;
      await updatePolicyFile(file, (text) => {
        const { grants, revoked } = parseBook(text ?? emptyBook, file);
        const gone = grants
          .filter((grant) => grant.id === id)
          .map(({ at }): Revoked => ({ id, at: Math.max(at, Date.now()) }));
        found = gone.length > 0;
        const kept = grants.filter((grant) => grant.id !== id);
        return found ? written({ grants: kept, revoked: [...revoked, ...gone].slice(-mostRevoked) }) : undefined;
      });
      return found;
    },
  };
}

const written = ({ grants, revoked }: Book): string =>
  `${JSON.stringify({ v: 1, grants, ...(revoked.length === 0 ? {} : { revoked }) }, null, 2)}\n`;
const emptyBook = written({ grants: [], revoked: [] });

function parseBook(text: string, file: string): Book {
  const { problems, report } = reporter(file);
  const { grants, revoked } = listsOf(readByHand(text, file), report);
  const book = {
    grants: grants.map((node) => readGrant(node, report)).filter((grant) => grant !== undefined),
    revoked: revoked.map((node) => readRevoked(node, report)).filter((one) => one !== undefined),
  };
  if (problems.length > 0) throw new PolicyProblem(problems);
  return book;
}

function listsOf(root: JsonNode, report: Report): Record<keyof Book, JsonNode[]> {
  if (root.kind === "object") {
    checkKeys(root, ["v", "grants", "revoked"], "grants", report);
    const version = root.members.get("v")?.node;
    const list = root.members.get("grants")?.node;
    const gone = root.members.get("revoked")?.node;
    if (version?.kind === "other" && version.value === 1 && list?.kind === "array")
      if (gone === undefined || gone.kind === "array") return { grants: list.items, revoked: gone?.items ?? [] };
  }
  report(root.line, words().grantsShape);
  return { grants: [], revoked: [] };
}

function readRevoked(node: JsonNode, report: Report): Revoked | undefined {
  if (node.kind !== "object") {
    report(node.line, words().grantShape);
    return undefined;
  }
  checkKeys(node, ["id", "at"], "grant", report);
  return readKey(node, report);
}

/** The fields by which a grant is known again. */
function readKey(node: ObjectNode, report: Report): Revoked | undefined {
  const id = textOf(node, "id", report)?.text;
  const at = node.members.get("at")?.node;
  if (!id) report(node.line, words().grantId);
  if (at?.kind === "other" && typeof at.value === "number") return { id: id ?? "", at: at.value };
  report(node.line, words().grantAt);
  return undefined;
}

function readGrant(node: JsonNode, report: Report): Grant | undefined {
  if (node.kind !== "object") {
    report(node.line, words().grantShape);
    return undefined;
  }
  checkKeys(node, grantKeys, "grant", report);
  const reach = node.members.has("made") ? readMade(node, report) : readReach(node, "allow", report);
  const why = textOf(node, "why", report)?.text;
  const key = readKey(node, report);
  if (key === undefined) return undefined;
  return {
    id: key.id,
    ...readScope(node, report),
    ...reach,
    ...readScripts(node, report),
    at: key.at,
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
