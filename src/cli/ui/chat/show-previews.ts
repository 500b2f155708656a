import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import type { Graphics } from "../../terminal/graphics.ts";
import type { Preview, Previews } from "../transcript/previews.ts";

/**
 * Draws the pictures that these events bring, once they are made. Nothing waits for it; one that cannot be made is not shown, and named in
 * its line.
 */
export function showPreviews(
  events: readonly AgentEvent[],
  { previews, session: now }: { previews: Previews | undefined; session: () => Session },
  drawing: { preview(preview: Preview, graphics: Graphics): void },
): void {
  if (previews === undefined) return;
  const session = now();
  for (const event of events)
    previews.of(session.id, event).then(
      (made) => {
        if (session === now()) for (const one of made) drawing.preview(one, previews.graphics);
      },
      () => undefined,
    );
}

/** Draws the picture that a command brings, in the same way. @returns false where none is shown */
export async function showPicture(
  { name, bytes }: { name: string; bytes: Uint8Array },
  previews: Previews | undefined,
  drawing: { preview(preview: Preview, graphics: Graphics): void },
): Promise<boolean> {
  const preview = await previews?.from(name, bytes);
  if (previews === undefined || preview === undefined) return false;
  drawing.preview(preview, previews.graphics);
  return true;
}
