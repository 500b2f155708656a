import { join } from "node:path";
import { createInterface } from "node:readline";
import { inexactWords } from "../../core/exact-number.ts";
import { tooDeepWords } from "../../core/json-depth.ts";
import { jsonLine } from "../../core/json-line.ts";
import type { Tool } from "../../core/tool.ts";
import { listRules, type PolicyRow } from "../../policy/check.ts";
import type { PolicyCheckLine } from "../../policy/types.ts";
import type { ChildBounds } from "../../session/child-bounds.ts";
import type { SessionRow } from "../../store/types.ts";
import { policyCheck } from "../../words/contract/policy-check.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { policyCommands } from "../../words/en/policy-commands.ts";
import type { Composition } from "../composition.ts";
import { checkFolder, findSession } from "../find-session.ts";
import { pageOf } from "../print/page.ts";
import { printRows } from "../print/rows.ts";
import { ruleRows } from "../print/rule-rows.ts";
import { verdictRows } from "../print/verdict.ts";
import { CliProblem } from "../problem.ts";

/** A call to be judged, from arguments or from one line of stdin. */
type CheckedCall = { tool: string; args: unknown };

/** The place where calls are judged, and the means. */
interface Place {
  workspace: string;
  /** Whose grants for one session hold; empty for none. */
  session: string;
  tools: readonly Tool[];
  /** Of a session that a call drives: what it may at most, and its name. */
  bounds?: ChildBounds;
}

async function judgeLine(composition: Composition, place: Place, asked: CheckedCall): Promise<PolicyCheckLine> {
  const { workspace, session, tools, bounds } = place;
  const tool = tools.find((one) => one.name === asked.tool);
  if (tool === undefined) {
    if (bounds === undefined) return { error: policyCheck.noTool({ tool: asked.tool }) };
    const { unknownToolText } = await import("../../graph/calls/unknown-tool.ts");
    return { error: `UNKNOWN_TOOL: ${unknownToolText(asked.tool, tools, bounds.agent)}` };
  }
  const [{ checkProposed }, { createTreeKeeper }, { addedThen, noMoreThan }] = await Promise.all([
    import("../../graph/calls/check-proposed.ts"),
    import("../../tools/shell/tree/tree-keeper.ts"),
    import("../../policy/rights.ts"),
  ]);
  const addDirs = addedThen(await composition.addDirs(workspace), bounds?.rights);
  // As in a session: what undo can bring back is no high risk. It is only looked at.
  const { look } = createTreeKeeper({ roots: [workspace, ...addDirs], base: join(workspace, ".none") });
  const now = await composition.policy({ session, workspace, mode: composition.mode });
  const { withRulePlaces } = await import("../../policy/files/rule-places.ts");
  const policy =
    bounds?.rights === undefined ? now : withRulePlaces(noMoreThan(now, bounds.rights), [workspace, ...addDirs]);
  const { listSecrets } = await import("../secrets/secret-store.ts");
  const names = (await listSecrets(composition)).map(({ name, domains }) => [name, domains] as const);
  const known = names.length === 0 ? {} : { secrets: new Map(names) };
  return checkProposed(tool, asked.args, policy, { workspace, addDirs, coverage: look, ...known });
}

function parseLine(line: string): CheckedCall | { error: string } {
  const deep = tooDeepWords(line, 1);
  if (deep !== undefined) return { error: policyCheck.wrongArguments({ what: deep }) };
  try {
    const value = JSON.parse(line) as { tool?: unknown; args?: unknown } | null;
    const inexact = inexactWords(line);
    if (inexact !== undefined) return { error: policyCheck.wrongArguments({ what: inexact }) };
    if (typeof value?.tool === "string") return { tool: value.tool, args: value.args ?? {} };
    return { error: policyCheck.shape };
  } catch (error) {
    return { error: `not JSON: ${(error as Error).message}` };
  }
}

/** `agent policy check TOOL JSON`: what policy would decide, and why: in sentences at a terminal, else as JSON. @throws CliProblem usage for bad input. */
export async function checkPolicy(composition: Composition, tool: string | undefined, json: string): Promise<number> {
  if (tool === undefined) {
    throw new CliProblem("usage", policyCommands().takes, { hint: policyCommands().takesHint });
  }
  const args = parseArgs(json);
  const line = await inPlace(composition, (place) => judgeLine(composition, place, { tool, args }));
  if ("error" in line) throw new CliProblem("usage", String(line.error));
  const { io, flags } = composition;
  if (io.stdout.isTTY === true && flags.json !== true) await printRows(io, verdictRows(line, pageOf(io).width));
  else io.stdout.write(jsonLine(line));
  return 0;
}

function parseArgs(json: string): unknown {
  const deep = tooDeepWords(json);
  if (deep !== undefined) throw new CliProblem("usage", policyCheck.wrongArguments({ what: deep }));
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch (cause) {
    throw new CliProblem("usage", policyCommands().notJson({ text: json }), { cause });
  }
  const inexact = inexactWords(json);
  if (inexact !== undefined) throw new CliProblem("usage", policyCheck.wrongArguments({ what: inexact }));
  return args;
}

/** `agent policy check --stdin`: a verdict a line; a bad line gets an error in its place. */
export async function checkPolicyLines(composition: Composition): Promise<number> {
  return inPlace(composition, async (place) => {
    for await (const line of createInterface({ input: composition.io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === "") continue;
      const asked = parseLine(line);
      const verdict = "error" in asked ? asked : await judgeLine(composition, place, asked);
      composition.io.stdout.write(jsonLine(verdict));
    }
    return 0;
  });
}

/** With `--session` where that session is, by its rights where a call of another one drives it. @throws CliProblem */
async function inPlace<T>(composition: Composition, use: (place: Place) => Promise<T>): Promise<T> {
  const { bounds, ...at } = await placeOf(composition);
  const { tools, close } = await composition.tools(at.workspace);
  return use({
    ...at,
    ...(bounds === undefined ? { tools } : { bounds, tools: tools.filter(bounds.offers) }),
  }).finally(close);
}

/** @throws CliProblem where the session that is named is not there, or its folder */
async function placeOf(composition: Composition): Promise<Omit<Place, "tools">> {
  const { flags, workspace } = composition;
  if (flags.session === undefined) return { workspace, session: "" };
  const row = await findSession(composition, flags.session);
  await checkPlace(composition, row);
  const bounds = await boundsIn(composition, row);
  return { workspace: row.workspace, session: row.parent ?? row.id, ...(bounds && { bounds }) };
}

/** The session's folder is there, and `-C` names no other one. @throws CliProblem */
async function checkPlace({ flags, workspace }: Composition, row: SessionRow): Promise<void> {
  if (flags.cwd !== undefined && workspace !== row.workspace)
    throw new CliProblem(
      "usage",
      policyCommands().elsewhere({ session: row.id, workspace: row.workspace, cwd: workspace }),
      { hint: policyCommands().elsewhereHint },
    );
  await checkFolder(row);
}

async function boundsIn(composition: Composition, { id, parent }: SessionRow): Promise<ChildBounds | undefined> {
  if (parent === undefined) return undefined;
  const child = (await composition.store()).sessions.children(parent).find((one) => one.id === id);
  return child && (await import("../../session/child-bounds.ts")).boundsOf(child);
}

/** Rules and grants: with `--session` those of that session, where it is, else those of all. @throws CliProblem */
export async function policyRows(composition: Composition): Promise<PolicyRow[]> {
  const { workspace, session, bounds } = await placeOf(composition);
  const policy = await composition.policy({ session, workspace, mode: composition.mode });
  if (session === "") {
    const ofSessions = (await (await composition.grants()).all()).filter((grant) => grant.scope === "session");
    return listRules(policy, [...policy.grants, ...ofSessions]);
  }
  const rights = bounds?.rights;
  return listRules(rights === undefined ? policy : (await import("../../policy/rights.ts")).noMoreThan(policy, rights));
}

/** `agent policy list`: rules and grants in force here, those of sessions, then the project's that are not in force. */
export async function listPolicy(composition: Composition): Promise<number> {
  const rows = await policyRows(composition);
  const { stdout } = composition.io;
  if (composition.flags.json === true) {
    for (const row of rows) stdout.write(jsonLine(row));
    return 0;
  }
  if (rows.length === 0) {
    stdout.write(`${policyCommands().noRules}\n`);
    return 0;
  }
  const { width } = pageOf(composition.io);
  await printRows(
    composition.io,
    rows.flatMap((row) => ruleRows(row, width)),
  );
  return 0;
}

/** `agent policy revoke ID`. */
export async function revokeGrants(composition: Composition, ids: readonly string[]): Promise<number> {
  const book = await composition.grants();
  for (const id of ids) {
    if (!(await book.revoke(id)))
      throw new CliProblem("usage", policyCommands().noGrant({ id }), { hint: policyCommands().grantHint });
    composition.io.stderr.write(`${cellWords().revoked({ id })}\n`);
  }
  return 0;
}
