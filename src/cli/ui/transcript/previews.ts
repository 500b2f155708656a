import type { AgentEvent } from "../../../graph/events.ts";
import type { Graphics } from "../../terminal/graphics.ts";
import { type Picture, pictureSequence } from "../../terminal/picture.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cutTo } from "../draw/block.ts";
import { cleanLine } from "../safe-text.ts";

/** A picture of the transcript; its name as it is, not yet safe to draw. */
export interface Preview {
  name: string;
  picture: Picture;
}

/** The source of small pictures, and the graphics that this terminal takes. */
export interface Previews {
  graphics: Graphics;
  /** Makes the pictures that an event brings, once. @throws where one cannot be made. */
  of(session: string, event: AgentEvent): Promise<Preview[]>;
  /** Of a picture as it is in a file; undefined where it comes out too large. @throws where it is none that can be read */
  from(name: string, bytes: Uint8Array): Promise<Preview | undefined>;
}

/** A line that names the picture, and what draws it in the rows below; undefined where it cannot be drawn. */
export function previewRows(
  { name, picture }: Preview,
  graphics: Graphics,
  window: { columns: number; rows: number },
): { rows: StyledLine[]; sequence: string } | undefined {
  const sequence = pictureSequence(picture, graphics, window);
  if (sequence === undefined) return undefined;
  const caption = `  ${cleanLine(name)} · ${picture.width}x${picture.height}`;
  return { rows: [cutTo(caption, window.columns, { dim: true })], sequence };
}
