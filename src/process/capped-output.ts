/** What is kept of a stream: its beginning and its end. */
export interface CappedOutput {
  head: Buffer;
  tail: Buffer;
  /** Bytes between them that were thrown away. */
  omitted: number;
}

/** Keeps at most `maxBytes` of what it is given, half from the start and half from the end, in constant memory. */
export function createCappedOutput(maxBytes: number): { add(chunk: Buffer): void; take(): CappedOutput } {
  const headRoom = Math.ceil(maxBytes / 2);
  const tailRoom = maxBytes - headRoom;
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer = Buffer.alloc(0);
  let omitted = 0;
  return {
    add(chunk) {
      const first = chunk.subarray(0, headRoom - headSize);
      if (first.length > 0) {
        // A copy: a chunk is a view of a pool that would be kept whole.
        head.push(Buffer.from(first));
        headSize += first.length;
      }
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      const joined = Buffer.concat([tail, rest]);
      const over = Math.max(0, joined.length - tailRoom);
      omitted += over;
      tail = over === 0 ? joined : Buffer.from(joined.subarray(over));
    },
    take: () => ({ head: Buffer.concat(head), tail, omitted }),
  };
}

/** As UTF-8 text that says where and how much was left out. */
export function textOfOutput({ head, tail, omitted }: CappedOutput): string {
  if (omitted === 0) return Buffer.concat([head, tail]).toString("utf8");
  return `${head.toString("utf8")}\n[${omitted} bytes left out]\n${tail.toString("utf8")}`;
}
