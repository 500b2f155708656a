/** As much of it as is used. */
declare module "@silvia-odwyer/photon-node" {
  export class PhotonImage {
    /** @param pixels four bytes each, row by row from the top */
    constructor(pixels: Uint8Array, width: number, height: number);
    /** @throws RuntimeError for what it cannot decode */
    static new_from_byteslice(bytes: Uint8Array): PhotonImage;
    get_width(): number;
    get_height(): number;
    get_raw_pixels(): Uint8Array;
    /** As PNG. */
    get_bytes(): Uint8Array;
    /** @param quality 1 to 100 */
    get_bytes_jpeg(quality: number): Uint8Array;
    get_bytes_webp(): Uint8Array;
    free(): void;
  }
  export enum SamplingFilter {
    Lanczos3 = 5,
  }
  export function resize(image: PhotonImage, width: number, height: number, filter: SamplingFilter): PhotonImage;
}
