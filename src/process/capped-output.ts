/** The part of a stream that is kept: its beginning and its end. */
export interface CappedOutput {
  head: Buffer;
  tail: Buffer;
  /** Bytes between them that were thrown away. */
  omitted: number;
}

export interface OutputKeeper {
  add(chunk: Buffer): void;
  take(): CappedOutput;
  /** The same without the first `offset` bytes of the stream. */
  since(offset: number): CappedOutput;
  /** Bytes that it was given. */
  size(): number;
}

/** Keeps at most `maxBytes` of what it is given, half from the start and half from the end, in constant memory and time. */
export function createCappedOutput(maxBytes: number): OutputKeeper {
  const headRoom = Math.ceil(maxBytes / 2);
  const end = createRing(maxBytes - headRoom);
  const head: Buffer[] = [];
  let headSize = 0;
  let size = 0;
  const take = (): CappedOutput => ({ head: Buffer.concat(head), ...end.take() });
  return {
    add(chunk) {
      size += chunk.length;
      const first = chunk.subarray(0, headRoom - headSize);
      if (first.length > 0) {
        // A copy: a chunk is a view of a pool that would be kept whole.
        head.push(Buffer.from(first));
        headSize += first.length;
      }
      if (first.length < chunk.length) end.add(chunk.subarray(first.length));
    },
    take,
    size: () => size,
    since: (offset) => withoutFirst(take(), offset),
  };
}

/** The last `room` bytes of what it is given; they are held only once there are any. */
function createRing(room: number): { add(chunk: Buffer): void; take(): Pick<CappedOutput, "tail" | "omitted"> } {
  let ring: Buffer | undefined;
  let total = 0;
  return {
    add(chunk) {
      ring ??= Buffer.allocUnsafe(room);
      const last = chunk.subarray(Math.max(0, chunk.length - room));
      total += chunk.length;
      if (last.length === 0) return;
      const at = (total - last.length) % room;
      const fits = last.subarray(0, room - at);
      fits.copy(ring, at);
      last.subarray(fits.length).copy(ring, 0);
    },
    take() {
      if (ring === undefined) return { tail: Buffer.alloc(0), omitted: 0 };
      if (total <= room) return { tail: Buffer.from(ring.subarray(0, total)), omitted: 0 };
      const at = room === 0 ? 0 : total % room;
      return { tail: Buffer.concat([ring.subarray(at), ring.subarray(0, at)]), omitted: total - room };
    },
  };
}

function withoutFirst({ head, omitted, tail }: CappedOutput, offset: number): CappedOutput {
  const behindHead = Math.max(0, offset - head.length);
  return {
    head: head.subarray(Math.min(offset, head.length)),
    omitted: Math.max(0, omitted - behindHead),
    tail: tail.subarray(Math.max(0, behindHead - omitted)),
  };
}

/** Its bytes, with a line between the two ends that says how much was left out. */
export function bytesOfOutput({ head, tail, omitted }: CappedOutput): Buffer {
  if (omitted === 0) return tail.length === 0 ? head : Buffer.concat([head, tail]);
  return Buffer.concat([head, Buffer.from(`\n[${omitted} bytes left out]\n`), tail]);
}

/** As UTF-8 text that says where and how much was left out. */
export const textOfOutput = (output: CappedOutput): string => bytesOfOutput(output).toString("utf8");
