import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { FolderLost } from "../../core/folder-lost.ts";
import type { GivenSecrets } from "../../core/secrets/given-secrets.ts";
import type { Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { pinRoots } from "../../files/pinned-roots.ts";
import type { Policy } from "../../policy/types.ts";
import { createToolContext, resultOf } from "../../tools/use/run-tool.ts";
import { prepareCall } from "./prepare.ts";
import type { Preparation } from "./prepared-call.ts";

/** The options of a call that is run outside a session: everything of a context but the workspace has a default. */
export type ExecuteOptions = Partial<Omit<ToolContext, "secrets" | "secretOf" | "masking">> &
  Pick<ToolContext, "workspace"> & {
    /** The secrets that the call may be given, where its tool takes them; their values are masked in all that comes of it. */
    secrets?: GivenSecrets;
  };

/** No rule of anybody: what is sealed stays so, and what would be asked runs, for the program that calls has decided it. */
const unasked: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };

/**
 * Validates, plans and executes one call, without graph and approval: for tests and other programs. It loads no policy file; of
 * policy only the sealed places hold (PROTECTED). What the model could mend comes back as `error` with `metadata.code`; nothing of
 * that is thrown. From its plan to its end it works in one folder, whatever gets the name meanwhile (STALE).
 * @throws TypeError for secrets that cannot be any; FolderLost where an added folder is none; TypeError where `workspace` is not an absolute path of a folder that exists, or not the one that the tool was made for.
 */
export async function executeTool(tool: Tool, rawArguments: unknown, options: ExecuteOptions): Promise<ToolResult> {
  if (!isAbsolute(options.workspace)) throw new TypeError(`workspace must be absolute: ${options.workspace}`);
  const workspace = await realpath(options.workspace).catch((cause: unknown) => {
    throw new TypeError(`workspace cannot be opened: ${options.workspace}`, { cause });
  });
  const held = options.pins === undefined ? pinRoots(workspace, options.addDirs) : undefined;
  const pins = options.pins ?? held;
  try {
    const { secrets: given, ...known } = options;
    const secrets = given && (await import("../../core/secrets/given-secrets.ts")).secretsGiven(given, Date.now);
    const ctx = createToolContext({
      ...{ ...known, workspace, cwd: options.cwd ?? workspace },
      ...(pins && { pins }),
      ...(secrets && { secrets: secrets.names }),
    });
    const prepared = await prepareCall(tool, rawArguments, ctx, unasked, { secrets });
    return prepared.kind === "ready" ? resultOf(await prepared.run(ctx.signal)) : notRun(prepared);
  } catch (error) {
    if (error instanceof FolderLost) return { output: "", error: error.message, metadata: { code: "STALE" } };
    throw error;
  } finally {
    held?.close();
  }
}

function notRun(prepared: Exclude<Preparation, { kind: "ready" }>): ToolResult {
  const { code, message } =
    prepared.kind === "denied" ? { code: "PROTECTED", message: prepared.verdict.why } : prepared;
  return { output: "", error: message, metadata: { code } };
}
