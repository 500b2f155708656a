import type { ErrorCode } from "./codes.ts";

/** The verdict on whether a command's changes can be taken back; `why` in words where they cannot. */
export type Coverage =
  /** `holds`: whether all that lies at the path, and below it, is kept. */
  | { covered: true; files: number; bytes: number; holds(real: string): boolean }
  | {
      covered: false;
      why: string;
      /** Of the disk that the copies could not be put on. */
      code?: ErrorCode;
    };
