import type { ImageRef } from "../core/tool.ts";
import type { AgentEvent } from "../graph/events.ts";
import type { JournalReading } from "../store/types.ts";
import type { Composition } from "./composition.ts";
import { graphicsOf } from "./terminal/graphics.ts";
import { mostPictureBytes } from "./terminal/picture.ts";
import type { Preview, Previews } from "./ui/transcript/previews.ts";

/** Pictures of one event that are shown; the others are named in its line. */
const mostOfEvent = 4;

/**
 * Returns the maker of the small pictures of those that a chat's events bring, until `signal`; undefined where the person or the terminal
 * wants none.
 */
export function previewsOf(
  { config, io, store }: Pick<Composition, "config" | "io" | "store">,
  signal: AbortSignal,
): Previews | undefined {
  const graphics = config.previews === "off" ? undefined : graphicsOf(io.env);
  if (graphics === undefined) return undefined;
  const seen = new Set<string>();
  const make = async (session: string, event: AgentEvent): Promise<Preview[]> => {
    const journal = (await store()).readJournal(session);
    const images = await imagesOf(journal, event);
    return images.length === 0 ? [] : made(images.slice(0, mostOfEvent), journal, signal);
  };
  // In the order of the events.
  let before: Promise<unknown> = Promise.resolve();
  return {
    graphics,
    async of(session, event) {
      const brought = broughtBy(event);
      const key = `${session} ${brought}`;
      if (brought === undefined || seen.has(key)) return [];
      seen.add(key);
      const previews = before.then(() => make(session, event));
      before = previews.catch(() => undefined);
      return previews;
    },
    from: async (name, bytes) => shown(name, bytes, signal),
  };
}

/**
 * Returns the id that names the event among those that may bring pictures: a message that goes to the model, a call that came to its end.
 * A child's pictures are its own.
 */
function broughtBy(event: AgentEvent): string | undefined {
  if (event.parent !== undefined) return undefined;
  if (event.type === "user_message") return event.queued === true ? undefined : event.id;
  return event.type === "tool_call" && resultImages(event).length > 0 ? event.call.callId : undefined;
}

const resultImages = ({ call }: Extract<AgentEvent, { type: "tool_call" }>): readonly ImageRef[] =>
  "result" in call ? (call.result?.images ?? []) : [];

async function imagesOf(journal: JournalReading, event: AgentEvent): Promise<readonly ImageRef[]> {
  if (event.type === "tool_call") return resultImages(event);
  if (event.type !== "user_message") return [];
  const { imagesIn } = await import("../graph/talk/show-images.ts");
  const turn = journal.turns().find(({ messageId }) => messageId === event.id);
  const message =
    turn === undefined
      ? journal.steers().find(({ messageId }) => messageId === event.id)?.message
      : journal.turnMessage(turn.turn);
  return message === undefined ? [] : imagesIn(message);
}

async function shown(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<Preview | undefined> {
  const [{ imageHead }, { smallPicture }] = await Promise.all([
    import("../files/bytes/image-head.ts"),
    import("../tools/media/small-picture.ts"),
  ]);
  const png = await smallPicture(bytes, { name, signal, largest: mostPictureBytes });
  const { width = 0, height = 0 } = imageHead(bytes) ?? {};
  return png && { name, picture: { png, width, height } };
}

/** From the bytes that the store keeps, which were decoded and encoded before. */
async function made(images: readonly ImageRef[], journal: JournalReading, signal: AbortSignal): Promise<Preview[]> {
  const { smallPicture } = await import("../tools/media/small-picture.ts");
  const previews: Preview[] = [];
  for (const { name, sha, width = 0, height = 0 } of images) {
    const bytes = sha === undefined ? undefined : journal.bytesOf(sha);
    const png = bytes && (await smallPicture(bytes, { name, signal, largest: mostPictureBytes }));
    if (png !== undefined) previews.push({ name, picture: { png, width, height } });
  }
  return previews;
}
