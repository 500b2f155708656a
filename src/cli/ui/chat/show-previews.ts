import type { AgentEvent } from "../../../graph/events.ts";
import type { Graphics } from "../../terminal/graphics.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { Preview } from "../transcript/previews.ts";

/** What these events bring, drawn once it is made. Nothing waits for it; what cannot be made is not shown, and named in its line. */
export function showPreviews(
  events: readonly AgentEvent[],
  { session: now, options }: ChatHands,
  drawing: { preview(preview: Preview, graphics: Graphics): void },
): void {
  const { previews } = options;
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
