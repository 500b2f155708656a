/** Pixels of four bytes, row by row from the top. */
export interface Pixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** The same picture as it is to be looked at. @param orientation as EXIF counts, 2 to 8 */
export function upright({ pixels, width, height }: Pixels, orientation: number): Pixels {
  const isTurned = orientation >= 5;
  const [across, down] = isTurned ? [height, width] : [width, height];
  const flipsX = [2, 3, 7, 8].includes(orientation);
  const flipsY = [3, 4, 6, 7].includes(orientation);
  const from = new Uint32Array(pixels.slice().buffer);
  const to = new Uint32Array(across * down);
  for (let at = 0; at < to.length; at += 1) {
    const [x, y] = [at % across, Math.floor(at / across)];
    const [left, top] = isTurned ? [y, x] : [x, y];
    to[at] = from[(flipsY ? height - 1 - top : top) * width + (flipsX ? width - 1 - left : left)] ?? 0;
  }
  return { pixels: new Uint8Array(to.buffer), width: across, height: down };
}
