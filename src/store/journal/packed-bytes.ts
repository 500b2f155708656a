import { promisify } from "node:util";
import { deflateRaw, inflateRawSync } from "node:zlib";
import { sha256 } from "../../core/json.ts";
import type { PackedBytes } from "../commit.ts";

const deflate = promisify(deflateRaw);

/** The form in which the bytes lie in the row. */
const asTheyAre = 0;
const deflated = 1;

/** Before the transaction, for compressing takes long and must not hold the store's lock or the event loop. */
export async function pack(content: Uint8Array): Promise<PackedBytes> {
  const sha = sha256(content);
  const small = await deflate(content);
  // Less than a tenth saved is not worth the work of unpacking.
  return small.length < content.length * 0.9
    ? { sha, form: deflated, bytes: small }
    : { sha, form: asTheyAre, bytes: content };
}

export const packAll = (contents: readonly Uint8Array[] = []): Promise<PackedBytes[]> =>
  Promise.all(contents.map(pack));

/** Returns the bytes that `pack` was given; undefined where they are damaged. */
export function unpack({ form, bytes }: Pick<PackedBytes, "form" | "bytes">): Uint8Array | undefined {
  if (form !== deflated) return bytes;
  try {
    return inflateRawSync(bytes);
  } catch {
    return undefined;
  }
}
