import { basename } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { isJsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { ReadResult } from "../../core/outcome.ts";
import { secretTag, taggedNames } from "../../core/secrets/secret-tags.ts";
import type { GivenImage, ImageRef, ToolContext } from "../../core/tool.ts";
import { assertInsideOpened, resolveInside, rootOf } from "../../files/boundary.ts";
import { openRegular, readBounded, tooLarge } from "../../files/bytes/read-regular.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { visibleText } from "../use/visible-text.ts";
import { fitImage } from "./fit-image.ts";

/** A picture that may be kept and shown: decoded, and of a size and kind that servers take. */
export type ShownImage = Required<Pick<ImageRef, "name" | "mediaType" | "data" | "width" | "height">>;

/** Made here, and by nobody else: what a tool gives is looked at before it counts. */
const made = new WeakSet<object>();
const isMade = (image: GivenImage): image is ImageRef => made.has(image);

/** @throws ToolRefusal, and the signal's reason, as `fitImage` does. */
export async function shownImage(
  bytes: Uint8Array,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<ShownImage> {
  const shortName = nameOf(name);
  const { mediaType, width, height, bytes: fitted } = await fitImage(bytes, { name: shortName, signal });
  const image = { name: shortName, mediaType, data: Buffer.from(fitted).toString("base64"), width, height };
  made.add(image);
  return image;
}

/** One line of signs that a person sees. */
const nameOf = (path: string): string => visibleText(basename(path)).replaceAll(/\s+/g, " ").slice(0, 100);

/** The same result with pictures that may be kept; what none can be made of is left out, and told. Never throws: the effect may have happened. */
export async function withCheckedImages(result: ReadResult, ctx: ToolContext): Promise<ReadResult> {
  const { images: given = [], ...rest } = result;
  const images: ImageRef[] = [];
  const left: string[] = [];
  for (const image of given.slice(0, limits.resultImages.most)) {
    try {
      images.push(isMade(image) ? image : await checked(image, ctx));
    } catch (error) {
      const why = error instanceof ToolRefusal ? error.message : "it cannot be read";
      left.push(`(the picture ${nameIn(ctx, image.name)} is left out: ${why})`);
    }
  }
  const more = given.length - limits.resultImages.most;
  if (more > 0) left.push(`(${more} more pictures are left out: a result has at most ${limits.resultImages.most})`);
  const output = [rest.output, ...left].join("\n");
  return { ...rest, output, ...(images.length === 0 ? {} : { images }) };
}

/**
 * Pictures that come with a message, by their bytes. @throws TypeError for what is no list of pictures, and for one that names a
 * file; ToolRefusal for one that is none, and for too many.
 */
export async function messageImages(given: readonly GivenImage[]): Promise<ImageRef[]> {
  const { most } = limits.resultImages;
  if (!Array.isArray(given) || !given.every(isNamed))
    throw new TypeError("the pictures of a message are a list, each { name, data } with its bytes in base64");
  if (given.length > most)
    throw new ToolRefusal("TOO_LARGE", `a message has at most ${most} pictures, and these are ${given.length}`);
  const images: ImageRef[] = [];
  for (const image of given) {
    if (image.path !== undefined) throw new TypeError("a picture of a message comes by its bytes, not by a path");
    const bytes = Buffer.from(image.data ?? "", "base64");
    images.push(
      isMade(image) ? image : await shownImage(bytes, { name: image.name, signal: new AbortController().signal }),
    );
  }
  return images;
}

const isNamed = (image: unknown): boolean =>
  isJsonObject(image) && typeof image["name"] === "string" && ["string", "undefined"].includes(typeof image["data"]);

async function checked({ name, path, data }: ImageRef, ctx: ToolContext): Promise<ImageRef> {
  const bytes = path === undefined ? Buffer.from(data ?? "", "base64") : await bytesAt(path, ctx);
  const given = name === "" ? (path ?? "picture") : name;
  const told = nameIn(ctx, given);
  if (told === nameOf(given)) return shownImage(bytes, { name: given, signal: ctx.signal });
  const image = { ...(await shownImage(bytes, { name: "picture", signal: ctx.signal })), name: told };
  made.add(image);
  return image;
}

/**
 * Returns the name to tell: one that holds values of secrets is told by the names of these alone, for the rest of a cut name could be a
 * part of a value.
 */
function nameIn({ masking }: Pick<ToolContext, "masking">, name: string): string {
  const masked = masking?.text(name) ?? name;
  return masked === name ? nameOf(name) : taggedNames(masked).map(secretTag).join(" ");
}

/** A file that a tool names goes through the same door as one that it reads. */
async function bytesAt(path: string, ctx: ToolContext): Promise<Buffer> {
  const real = await resolveInside(ctx, ctx.cwd, path);
  if (ctx.mayRead?.(real) !== true) throw new ToolRefusal("PROTECTED", "it may not be read without asking");
  try {
    const { handle, stats } = await openRegular(real, path);
    try {
      await assertInsideOpened(handle, await rootOf(ctx, real), real, ctx.pins);
      const { most } = limits.mediaFile;
      if (stats.size > most) throw tooLarge(path, stats.size, most);
      return await readBounded(handle, stats.size, most, path);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileRefusal(error, path);
  }
}
