import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ToolRefusal } from "../core/codes.ts";
import type { ImageRef } from "../core/tool.ts";
import { mediaHeadBytes, mediaKind } from "../files/bytes/file-head.ts";
import { openRegular } from "../files/bytes/read-regular.ts";
import { fileRefusal } from "../files/file-errors.ts";
import { prepareCall } from "../graph/calls/prepare.ts";
import type { Policy } from "../policy/types.ts";
import { createReadFileTool } from "../tools/files/read-file.ts";
import { createToolContext } from "../tools/use/run-tool.ts";
import { refusals } from "../words/contract/session.ts";

/** The place where a person names a picture. */
export interface NamingPlace {
  /** Absolute, symlinks resolved. */
  workspace: string;
  /** Relative names lead from here. */
  cwd: string;
  policy: Policy;
}

/**
 * A picture that the person names, by the same door as one that the model reads. Naming it is their yes to reading this one file, wherever
 * it lies; what is sealed, denied by a rule or guarded stays shut.
 * @throws ToolRefusal that says what is wrong with it.
 */
export async function namedImage(asked: string, { workspace, cwd, policy }: NamingPlace): Promise<ImageRef> {
  const real = await realpath(resolve(cwd, fromHome(asked))).catch((error: unknown) => {
    throw fileRefusal(error, asked);
  });
  const tool = createReadFileTool();
  const ctx = createToolContext({ workspace, addDirs: [dirname(real)] });
  const prepared = await prepareCall(tool, { file_path: real }, ctx, policy);
  if (prepared.kind === "denied")
    throw new ToolRefusal("PROTECTED", refusals.imageNotRead({ file: asked, why: prepared.verdict.why }));
  if (prepared.kind === "refused") throw new ToolRefusal(prepared.code, prepared.message.replace(real, asked));
  const { verdict } = prepared;
  if (verdict.decision === "ask" && verdict.rule.source === "guarded")
    throw new ToolRefusal("PROTECTED", refusals.imageGuarded({ file: asked, why: verdict.why }));
  await refuseOther(real, asked);
  const outcome = await prepared.run(ctx.signal);
  if (outcome.kind !== "done") {
    const code = outcome.kind === "failed" ? outcome.code : "STALE";
    throw new ToolRefusal(code, outcome.message.replace(real, asked));
  }
  const [image] = outcome.result.images ?? [];
  if (image === undefined) throw noPicture(asked);
  return image;
}

/** Known by its beginning, before the rest of it is read. */
async function refuseOther(real: string, asked: string): Promise<void> {
  try {
    const { handle } = await openRegular(real, asked);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, 0);
      if (mediaKind(buffer.subarray(0, bytesRead), real) !== "image") throw noPicture(asked);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileRefusal(error, asked);
  }
}

const noPicture = (asked: string): ToolRefusal => new ToolRefusal("BINARY", refusals.noImage({ file: asked }));

const fromHome = (asked: string): string => (asked.startsWith("~/") ? join(homedir(), asked.slice(2)) : asked);
