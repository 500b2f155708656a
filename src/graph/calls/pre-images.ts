import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import type { Overlay, Plan } from "../../core/tool.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { openRegular, readBounded } from "../../files/read-regular.ts";
import { largestChanged } from "../../tools/files/current-file.ts";

/**
 * The contents that a plan's files have and will have, to be kept before its effect so that it can be taken back. Only what
 * has the plan's own hash is given: a file that has changed since makes the effect refuse by itself.
 * @param overlay what the plan wrote its "after" into.
 */
export async function imagesOf(plan: Plan, overlay: Overlay): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  for (const { real, before, after } of plan.files ?? []) {
    if (before === after) continue;
    const now = before === null ? undefined : await read(real);
    if (now !== undefined && sha256(now) === before) images.push(now);
    const planned = overlay.read(real) ?? undefined;
    if (planned !== undefined && sha256(planned) === after) images.push(planned);
  }
  return images;
}

/** undefined where it cannot be read: then the effect, which reads it too, says why. */
async function read(real: string): Promise<Uint8Array | undefined> {
  try {
    const { handle, stats } = await openRegular(real, real);
    return await readBounded(handle, stats.size, largestChanged, real).finally(() => handle.close());
  } catch (error) {
    if (fileRefusal(error, real) instanceof ToolRefusal) return undefined;
    throw error;
  }
}
