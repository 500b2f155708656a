import { lineReader } from "../own/lines.ts";

/** One message is longer than what is taken. */
export class MessageTooLong extends Error {
  override readonly name = "MessageTooLong";
}

export interface EventReader {
  /** Bytes of one event, and of a body that is no stream. */
  most: number;
  /** The data of one event. @returns false where nothing more of the stream is wanted */
  onData(data: string): boolean;
  /** Bytes that are of no event. @returns false where they are too many */
  onJunk(bytes: number): boolean;
}

/** Reads server-sent events until they end or nothing more is wanted; their names and ids count for nothing. @throws MessageTooLong */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  { most, onData, onJunk }: EventReader,
): Promise<void> {
  let data: string[] = [];
  let size = 0;
  let isWanted = true;
  const read = lineReader(most, (line) => {
    if (!isWanted) return;
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    const value = /^data(?:: ?|$)/u.exec(text);
    if (value !== null) {
      data.push(text.slice(value[0].length));
      size += line.length + 1;
    } else if (text !== "" || data.length === 0) isWanted = onJunk(line.length);
    else {
      const event = data.join("\n");
      [data, size] = [[], 0];
      isWanted = onData(event);
    }
  });
  for await (const chunk of body) {
    if (!read(Buffer.from(chunk)) || size > most) throw new MessageTooLong();
    if (!isWanted) return;
  }
}

/** All of a body. @throws MessageTooLong */
export async function readWhole(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > most) throw new MessageTooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
