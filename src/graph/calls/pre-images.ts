import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { largestChanged } from "../../tools/files/current-file.ts";
import type { PreparedCall } from "./prepared-call.ts";

/**
 * The contents that a plan's files have and will have, to be kept before its effect so that it can be taken back. Only what
 * has the plan's own hash is given: a file that has changed since makes the effect refuse by itself.
 */
export async function imagesOf({ plan, contents }: Pick<PreparedCall, "plan" | "contents">): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  for (const { real, before, after } of plan.files ?? []) {
    if (before === after) continue;
    const known = contents(real);
    const was = before === null ? undefined : (known?.before ?? (await read(real)));
    if (was !== undefined && sha256(was) === before) images.push(was);
    const will = known?.after ?? undefined;
    if (will !== undefined && sha256(will) === after) images.push(will);
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
