import { ToolRefusal } from "../core/codes.ts";
import { limits } from "../core/limits.ts";
import type { ImageRef } from "../core/tool.ts";
import { cells as cellWords } from "../words/en/cells.ts";
import { images as words } from "../words/en/images.ts";
import { saidAgain } from "../words/said-again.ts";
import type { Composition } from "./composition.ts";
import { namedImages } from "./image-names.ts";
import { CliProblem } from "./problem.ts";

/** Pictures that a message names, and what is said of those that cannot be sent with it. */
export interface Attached {
  images: ImageRef[];
  problems: string[];
}

const { most } = limits.resultImages;

type Place = Pick<Composition, "policy" | "mode" | "io">;

/** The pictures of `-i`, relative to where the command was started. @throws CliProblem usage for the first that is none. */
export async function flagImages(at: Place, files: readonly string[], workspace: string): Promise<ImageRef[]> {
  const images: ImageRef[] = [];
  if (files.length > most) throw new CliProblem("usage", words().tooManyFlags({ most, count: files.length }));
  for (const file of files) {
    if (file === "") throw new CliProblem("usage", words().noName);
    const image = await read(at, file, { workspace, cwd: at.io.cwd() });
    if (image instanceof ToolRefusal) throw new CliProblem("usage", `-i: ${image.message}`, { cause: image });
    images.push(image);
  }
  return images;
}

/**
 * Returns the finder of the pictures that a message names with `@`, relative to the workspace; undefined where it names none.
 * @param others names that mean something else
 */
export function attachedTo(
  at: Place,
  text: string,
  workspace: string,
  others: readonly string[] = [],
): (() => Promise<Attached>) | undefined {
  const names = namedImages(text).filter((name) => !others.includes(name));
  return names.length === 0 ? undefined : () => attached(at, names, workspace);
}

async function attached(at: Place, names: readonly string[], workspace: string): Promise<Attached> {
  const found: Attached = { images: [], problems: [] };
  for (const name of names) {
    const image = await read(at, name, { workspace, cwd: workspace });
    if (image instanceof ToolRefusal) found.problems.push(cellWords().notAttached({ why: saidAgain(image.message) }));
    else if (found.images.length === most)
      found.problems.push(cellWords().notAttached({ why: `${name}: ${words().tooMany({ most })}` }));
    else found.images.push(image);
  }
  return found;
}

async function read(
  { policy, mode }: Place,
  file: string,
  at: { workspace: string; cwd: string },
): Promise<ImageRef | ToolRefusal> {
  const { namedImage } = await import("../session/named-image.ts");
  try {
    return await namedImage(file, { ...at, policy: await policy({ session: "", workspace: at.workspace, mode }) });
  } catch (error) {
    if (error instanceof ToolRefusal) return error;
    throw error;
  }
}
