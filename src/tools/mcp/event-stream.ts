import { lineReader } from "../own/lines.ts";

/** One message is longer than what is taken. */
export class MessageTooLong extends Error {
  override readonly name = "MessageTooLong";
}

export interface EventReader {
  /** Bytes of one event, and of a body that is no stream. */
  most: number;
  /** The data of one event. @returns false where nothing more of the stream is wanted */
  onData(data: string): boolean | Promise<boolean>;
  /** Bytes that are of no event. @returns false where they are too many */
  onJunk(bytes: number): boolean;
}

/**
 * Reads server-sent events until they end or nothing more is wanted; their names and ids count for nothing, and a line ends with LF, CR or both. The next event
 * waits until the one before it was taken.
 * @throws MessageTooLong
 */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  { most, onData, onJunk }: EventReader,
): Promise<void> {
  let data: string[] = [];
  let [size, isFirst, isWanted] = [0, true, true];
  let whole: string[] = [];
  const read = lineReader(most, (line) => {
    const text = isFirst ? withoutMark(line) : line;
    isFirst = false;
    if (!isWanted) return;
    const value = /^data(?:: ?|$)/u.exec(text);
    if (value !== null) {
      data.push(text.slice(value[0].length));
      size += line.length + 1;
    } else if (text !== "" || data.length === 0) isWanted = onJunk(line.length);
    else {
      whole.push(data.join("\n"));
      [data, size] = [[], 0];
    }
  });
  const plain = lineEnds();
  for await (const chunk of body) {
    const isRead = read(plain(Buffer.from(chunk)));
    for (const event of whole) isWanted &&= await onData(event);
    whole = [];
    if (!isRead || size > most) throw new MessageTooLong();
    if (!isWanted) return;
  }
}

/** The mark that some write before a text counts for nothing. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/u, "");

/** CR, and CR with LF, as LF, however they are cut. */
function lineEnds(): (chunk: Buffer) => Buffer {
  let isOpen = false;
  return (chunk) => {
    const rest = isOpen && chunk[0] === lineFeed ? chunk.subarray(1) : chunk;
    isOpen = chunk.length === 0 ? isOpen : chunk.at(-1) === carriageReturn;
    return rest.includes(carriageReturn)
      ? Buffer.from(rest.toString("latin1").replace(/\r\n?/gu, "\n"), "latin1")
      : rest;
  };
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** All of a body. @throws MessageTooLong */
export async function readWhole(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > most) throw new MessageTooLong();
    parts.push(part);
  }
  return withoutMark(Buffer.concat(parts).toString("utf8"));
}
