import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { commonLength } from "../../core/common-length.ts";
import { isJsonObject } from "../../core/json.ts";
import type { ImageRef } from "../../core/tool.ts";
import { noticeMark } from "../../model/port.ts";
import type { JournalReading } from "../../store/types.ts";
import { textOf } from "./message-text.ts";

/** Key in `additional_kwargs` of a message of the person, and in the artifact of a call's observation: its pictures, as `ImageRef`s. */
export const imagesKey = "holdfast_images";

/** Beside them in such an artifact: what the call said was cut to make room, and they with it. */
export const imagesCutKey = "holdfast_images_cut";

/** The id of the message with the pictures of a call. */
export const picturesIdOf = (callId: string): string => `i-${callId}`;

/** A picture is shown in its own turn and in so many after it; then it is described. */
const turnsShown = 2;

/** Of more pictures the older are described, half as many at a time, so that the beginning of a request changes seldom. */
const mostShown = 20;

type Readable = Pick<JournalReading, "turns" | "bytesOf">;

/** The reason why a picture is not shown. */
type Hidden = "blind" | "cut" | "old" | "many" | "gone";

/** Shows pictures in what was rendered, or describes them. */
export interface ImageShower {
  show(rendered: readonly BaseMessage[], sees: boolean): BaseMessage[];
}

/**
 * Puts the pictures of the person and of calls into what the model reads. Those of calls follow the results of their step in a message of
 * the user, for most servers take them nowhere else. Pure but for what it keeps: the same messages, journal and sight give the same bytes.
 */
export function createImageShower(journal: Readable): ImageShower {
  const kept = new WeakMap<BaseMessage, { as: string; made: Shown }>();

  const shownOnce = (
    message: BaseMessage,
    images: readonly ImageRef[],
    hidden: readonly (Hidden | undefined)[],
  ): Shown => {
    const as = hidden.map((one) => one ?? "shown").join();
    const known = kept.get(message);
    if (known?.as === as) return known.made;
    const made = shown(message, images, hidden, journal);
    kept.set(message, { as, made });
    return made;
  };

  /** The messages that were last asked for and had no pictures: the next request begins with them. */
  let plain: readonly BaseMessage[] = [];

  return {
    show(rendered, sees) {
      const seen = commonLength(plain, rendered);
      if (rendered.every((message, at) => at < seen || imagesIn(message).length === 0)) {
        plain = [...rendered];
        return [...rendered];
      }
      const all = rendered.map(imagesIn);
      const fate = fates(rendered, all, { sees, begins: new Set(journal.turns().map(({ messageId }) => messageId)) });
      const out: BaseMessage[] = [];
      let behind: BaseMessage[] = [];
      for (const [at, message] of rendered.entries()) {
        if (message.getType() !== "tool") {
          out.push(...behind);
          behind = [];
        }
        const images = all[at] ?? [];
        const made = images.length === 0 ? { message } : shownOnce(message, images, fate[at] ?? []);
        out.push(made.message);
        if (made.picture !== undefined) behind.push(made.picture);
      }
      return [...out, ...behind];
    },
  };
}

/** A message as it is read; `picture`: what follows the results of its step. */
interface Shown {
  message: BaseMessage;
  picture?: BaseMessage;
}

/** The pictures that came with a message. */
export function imagesIn(message: BaseMessage): readonly ImageRef[] {
  const holder = message.getType() === "tool" ? (message as ToolMessage).artifact : message.additional_kwargs;
  const held: unknown = (holder as Record<string, unknown> | undefined)?.[imagesKey];
  return Array.isArray(held)
    ? held.filter((one): one is ImageRef => isJsonObject(one) && typeof one["sha"] === "string")
    : none;
}

const areCut = (message: BaseMessage | undefined): boolean =>
  message?.getType() === "tool" && (message as ToolMessage).artifact?.[imagesCutKey] === true;

/** Most messages have none. */
const none: readonly ImageRef[] = [];

/** Of each picture of each message why it is not shown. */
function fates(
  rendered: readonly BaseMessage[],
  all: readonly (readonly ImageRef[])[],
  { sees, begins }: { sees: boolean; begins: ReadonlySet<string> },
): (Hidden | undefined)[][] {
  let turnsAfter = 0;
  const ages = rendered.map(() => 0);
  for (let at = rendered.length - 1; at >= 0; at -= 1) {
    ages[at] = turnsAfter;
    const message = rendered[at];
    if (message?.getType() === "human" && begins.has(message.id ?? "")) turnsAfter += 1;
  }
  const isYoung = (at: number): boolean => (ages[at] ?? 0) <= turnsShown;
  const isShown = (at: number): boolean => isYoung(at) && !areCut(rendered[at]);
  const young = all.reduce((sum, images, at) => sum + (isShown(at) ? images.length : 0), 0);
  const step = mostShown / 2;
  let tooMany = young <= mostShown ? 0 : Math.ceil((young - mostShown) / step) * step;
  return all.map((images, at) =>
    images.map((): Hidden | undefined => {
      if (!sees) return "blind";
      if (areCut(rendered[at])) return "cut";
      if (!isYoung(at)) return "old";
      tooMany -= 1;
      return tooMany >= 0 ? "many" : undefined;
    }),
  );
}

function shown(
  message: BaseMessage,
  images: readonly ImageRef[],
  hidden: readonly (Hidden | undefined)[],
  journal: Readable,
): Shown {
  const told: string[] = [];
  const blocks: object[] = [];
  images.forEach((image, at) => {
    const bytes = hidden[at] === undefined ? bytesOf(journal, image) : undefined;
    if (bytes === undefined) told.push(`[${described(image)}; ${why[hidden[at] ?? "gone"]}]`);
    else blocks.push(...pictureBlocks(image, bytes));
  });
  const text = [textOf(message), ...told].join("\n");
  if (ToolMessage.isInstance(message)) return observed(message, text, blocks);
  const content = blocks.length === 0 ? text : [{ type: "text", text }, ...blocks];
  const { id, additional_kwargs } = message;
  return { message: new HumanMessage({ ...idOf(id), content: content as HumanMessage["content"], additional_kwargs }) };
}

function observed(message: ToolMessage, text: string, blocks: object[]): Shown {
  const { id, tool_call_id, name, status, artifact } = message;
  const told = new ToolMessage({
    ...idOf(id),
    tool_call_id,
    ...(name === undefined ? {} : { name }),
    content: text,
    ...(status === undefined ? {} : { status }),
    artifact,
  });
  if (blocks.length === 0) return { message: told };
  const head = { type: "text", text: `(From the agent, not from the person: pictures of the call ${tool_call_id})` };
  const content = [head, ...blocks] as HumanMessage["content"];
  const picture = new HumanMessage({
    id: picturesIdOf(tool_call_id),
    content,
    additional_kwargs: { [noticeMark]: true },
  });
  return { message: told, picture };
}

const idOf = (id: string | undefined): { id?: string } => (id === undefined ? {} : { id });

const why: Readonly<Record<Hidden, string>> = {
  blind: "it is not shown: this model is not known to see",
  cut: "it was left out to make room",
  old: "it was shown some turns ago, and is no longer",
  many: "it is not shown any more: there are too many newer ones",
  gone: "it is not kept any more",
};

/** By name, kind and size. */
export const described = ({ name, mediaType, width, height, bytes }: ImageRef): string =>
  `picture ${name}: ${mediaType.replace("image/", "").toUpperCase()}, ${width}x${height} pixels, ${bytes} bytes`;

function bytesOf(journal: Readable, { sha }: ImageRef): Uint8Array | undefined {
  return sha === undefined ? undefined : journal.bytesOf(sha);
}

const pictureBlocks = (image: ImageRef, bytes: Uint8Array): object[] => [
  { type: "text", text: `[${described(image)}]` },
  {
    type: "image_url",
    image_url: { url: `data:${image.mediaType};base64,${Buffer.from(bytes).toString("base64")}` },
  },
];
