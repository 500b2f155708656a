import { ToolRefusal } from "../../core/codes.ts";
import type { Plan, Tool } from "../../core/tool.ts";
import { prepareCall } from "../../graph/calls/prepare.ts";
import type { Preparation } from "../../graph/calls/prepared-call.ts";
import type { Session } from "../../session/session.ts";
import type { Judged } from "../../tools/mcp/ask-server.ts";
import { namedFiles } from "../../tools/mcp/named-files.ts";
import { toolNameOf } from "../../tools/mcp/names.ts";
import { shortLine } from "../../tools/mcp/request-of.ts";
import type { McpServer } from "../../tools/mcp/server.ts";
import { createToolContext } from "../../tools/use/run-tool.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { mcpNamed as words } from "../../words/en/mcp-named.ts";
import type { Composition } from "../composition.ts";

type At = Pick<Session, "id" | "workspace">;
type Place = Pick<Composition, "policy" | "mode">;

/**
 * By naming something of a server the person says yes to it; what their rules deny the server, by its host or by all of its tools, it is not
 * asked for all the same. Of the mode nothing is asked: it is the model's.
 * @throws ToolRefusal
 */
export async function refuseDenied(place: Place, at: At, { name, host }: McpServer): Promise<void> {
  const plan = { summary: mcp.asking({ name }), ...(host === undefined ? {} : { hosts: [host] }) };
  const judged = await judgedAs(toolNameOf(name, "person"), plan, place, at);
  if (judged.kind === "denied" && judged.verdict.rule.source !== "mode")
    throw new ToolRefusal("DENIED", words().notAsked({ name, why: judged.verdict.why }));
}

/** By naming a file the person says yes to it; what is sealed, guarded or denied by a rule is not given for a message all the same. */
export const judgeOf =
  (place: Place, at: At, { cwd: own }: McpServer): Judged =>
  async (named) => {
    const { places, doubt } = await namedFiles(named, { folders: [at.workspace], own });
    const shown = shortLine(named);
    if (doubt !== undefined) throw new ToolRefusal("PROTECTED", words().isDoubtful({ shown }));
    if (places.length === 0) return;
    const judged = await judgedAs("read_file", { summary: mcp.reading({ shown }), reads: places }, place, at);
    if (judged.kind === "denied")
      throw new ToolRefusal("PROTECTED", words().notRead({ shown, why: judged.verdict.why }));
    const { verdict } = judged;
    if (verdict.decision === "ask" && verdict.rule.source === "guarded")
      throw new ToolRefusal("PROTECTED", words().isGuarded({ shown, why: verdict.why }));
  };

/** @throws ToolRefusal where it cannot be judged */
async function judgedAs(
  name: string,
  plan: Omit<Plan, "cwd">,
  { policy, mode }: Place,
  { id, workspace }: At,
): Promise<Exclude<Preparation, { kind: "refused" }>> {
  const look: Tool = {
    name,
    description: mcp.wish,
    args: { jsonSchema: { type: "object" }, parse: () => ({}) },
    effect: "none",
    plan: async () => ({ ...plan, cwd: workspace }),
    execute: () => Promise.resolve({ output: "" }),
  };
  const judged = await prepareCall(
    look,
    {},
    createToolContext({ workspace }),
    await policy({ session: id, workspace, mode }),
  );
  if (judged.kind === "refused") throw new ToolRefusal(judged.code, judged.message);
  return judged;
}
