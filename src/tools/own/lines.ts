/**
 * Takes bytes as they come, and gives each line once it is whole.
 * @returns false once a line grew longer than `most` bytes: nothing more is taken.
 */
export function lineReader(most: number, onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let parts: Buffer[] = [];
  let size = 0;
  let isOver = false;
  return (chunk) => {
    let from = 0;
    while (!isOver) {
      const end = chunk.indexOf(0x0a, from);
      const part = chunk.subarray(from, end < 0 ? undefined : end);
      size += part.length;
      isOver = size > most;
      if (isOver) parts = [];
      else parts.push(part);
      if (end < 0 || isOver) break;
      const line = Buffer.concat(parts).toString("utf8");
      parts = [];
      size = 0;
      from = end + 1;
      onLine(line);
    }
    return !isOver;
  };
}
